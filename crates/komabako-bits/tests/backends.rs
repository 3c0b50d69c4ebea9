//! Every backend agrees with the definitions, on one table of seeds and under one set of properties.

use bitintr::{Pdep, Pext};
use komabako_bits::{Backend, BitOps, Kernel, Reference, dispatch};
use proptest::prelude::*;

/// Words in which an implementation could go wrong: as data, as masks, and (two by two) as lanes of a board.
fn seeds() -> Vec<u64> {
    let mut seeds = vec![
        0,
        u64::MAX,
        (1 << 63) - 1,         // a full first lane
        (1 << 18) - 1,         // a full second lane
        0x5555_5555_5555_5555, // alternating
        0xaaaa_aaaa_aaaa_aaaa,
        0x3333_3333_3333_3333,
        0xff00_ff00_ff00_ff00,
        0x0000_0000_ffff_ffff, // one half
        0xffff_ffff_0000_0000,
        0x8000_0000_0000_0001, // both ends
        0x7fff_ffff_ffff_fffe, // all but both ends
        0x0101_0101_0101_0101, // one bit a byte
        0x8080_8080_8080_8080,
        0x4020_1008_0402_0100, // sparse and irregular
        0x0123_4567_89ab_cdef,
        0xfedc_ba98_7654_3210,
    ];
    seeds.extend((0..64).step_by(7).map(|bit| 1 << bit));
    seeds.extend((0..64).step_by(9).map(|bit| !(1 << bit)));
    seeds
}

/// Runs a check on every backend, and says which ones it could not run on.
fn on_every_backend<C: Kernel<Output = ()> + Clone>(check: C) {
    for name in Backend::NAMES {
        match name.parse() {
            Ok(backend) => dispatch(backend, check.clone()),
            Err(why) => println!("skipped backend {name}: {why}"),
        }
    }
}

/// Words: `pext` and `pdep` by one mask, by a prepared mask, four at once; `popcount`.
#[derive(Clone)]
struct Words(Vec<(u64, u64)>);

impl Kernel for Words {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        for &(word, mask) in &self.0 {
            let context = || format!("{ops:?}: word {word:#018x}, mask {mask:#018x}");
            let (packed, scattered) = (Reference.pext(word, mask), Reference.pdep(word, mask));
            assert_eq!(ops.pext(word, mask), packed, "pext on {}", context());
            assert_eq!(ops.pdep(word, mask), scattered, "pdep on {}", context());
            assert_eq!(ops.popcount(word), Reference.popcount(word), "popcount on {}", context());
            let prepared = ops.mask(mask);
            assert_eq!(ops.compress(word, &prepared), packed, "compress on {}", context());
            assert_eq!(ops.expand(word, &prepared), scattered, "expand on {}", context());
        }
        for four in self.0.chunks_exact(4) {
            let words = [four[0].0, four[1].0, four[2].0, four[3].0];
            let masks = [four[0].1, four[1].1, four[2].1, four[3].1];
            let context = || format!("{ops:?}: words {words:x?}, masks {masks:x?}");
            assert_eq!(
                ops.pext_x4(words, masks),
                Reference.pext_x4(words, masks),
                "pext_x4 on {}",
                context()
            );
            assert_eq!(
                ops.pdep_x4(words, masks),
                Reference.pdep_x4(words, masks),
                "pdep_x4 on {}",
                context()
            );
        }
    }
}

/// Boards of 63 + 18 squares: against the same operation on one row of 81 bits.
#[derive(Clone)]
struct Boards(Vec<([u64; 2], [u64; 2])>);

impl Kernel for Boards {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        for &(board, lanes) in &self.0 {
            let context = || format!("{ops:?}: board {board:x?}, mask {lanes:x?}");
            let squares: Vec<u32> = (0..81).filter(|&square| row(lanes) >> square & 1 == 1).collect();
            let mask = ops.board_mask(lanes);
            assert_eq!(mask.len() as usize, squares.len(), "len on {}", context());
            assert_eq!(mask.is_empty(), squares.is_empty(), "is_empty on {}", context());

            let packed: u128 =
                squares.iter().enumerate().map(|(place, square)| (row(board) >> square & 1) << place).sum();
            assert_eq!(mask.compress(board), packed, "compress on {}", context());
            assert_eq!(mask.compress_u64(board), packed as u64, "compress_u64 on {}", context());

            let bits = u128::from(board[1]) << 64 | u128::from(board[0]);
            let expanded = |bits: u128| -> u128 {
                squares.iter().enumerate().map(|(place, square)| (bits >> place & 1) << square).sum()
            };
            assert_eq!(row(mask.expand(bits)), expanded(bits), "expand on {}", context());
            let low = u128::from(board[0]);
            assert_eq!(row(mask.expand_u64(board[0])), expanded(low), "expand_u64 on {}", context());
        }
    }
}

/// The squares of a board in one row; bits outside the lanes are dropped.
fn row(board: [u64; 2]) -> u128 {
    u128::from(board[0] << 1 >> 1) | u128::from(board[1] << 46 >> 46) << 63
}

#[test]
fn the_reference_agrees_with_bitintr() {
    for word in seeds() {
        // bitintr's software loop overflows in debug builds on the last bit of a full mask.
        for mask in seeds().into_iter().filter(|&mask| mask != u64::MAX) {
            assert_eq!(Reference.pext(word, mask), word.pext(mask), "word {word:#x}, mask {mask:#x}");
            assert_eq!(Reference.pdep(word, mask), word.pdep(mask), "word {word:#x}, mask {mask:#x}");
        }
        assert_eq!(Reference.pext(word, u64::MAX), word);
        assert_eq!(Reference.pdep(word, u64::MAX), word);
        assert_eq!(Reference.popcount(word), word.count_ones());
    }
}

#[test]
fn every_backend_agrees_on_every_pair_of_seeds() {
    let seeds = seeds();
    let pairs = |word: &u64| seeds.iter().map(|&mask| (*word, mask)).collect::<Vec<_>>();
    on_every_backend(Words(seeds.iter().flat_map(pairs).collect()));
}

#[test]
fn every_backend_agrees_on_every_board_of_seeds() {
    let seeds = seeds();
    let lanes = |low: &u64| seeds.iter().map(|&high| [*low, high]).collect::<Vec<_>>();
    let boards: Vec<[u64; 2]> = seeds.iter().flat_map(lanes).collect();
    let shifted = boards.iter().cycle().skip(boards.len() / 3);
    on_every_backend(Boards(boards.iter().copied().zip(shifted.copied()).collect()));
}

proptest! {
    #[test]
    fn every_backend_agrees_on_random_words(words in prop::collection::vec(any::<(u64, u64)>(), 16)) {
        on_every_backend(Words(words));
    }

    #[test]
    fn every_backend_agrees_on_random_boards(boards in prop::collection::vec(any::<([u64; 2], [u64; 2])>(), 8)) {
        on_every_backend(Boards(boards));
    }

    #[test]
    fn expanding_undoes_compressing(word: u64, mask: u64) {
        prop_assert_eq!(Reference.pdep(Reference.pext(word, mask), mask), word & mask);
        prop_assert_eq!(Reference.pext(Reference.pdep(word, mask), mask), low_bits(word, mask.count_ones()));
    }
}

/// The `count` lowest bits of a word.
fn low_bits(word: u64, count: u32) -> u64 {
    (0..count).fold(0, |kept, bit| kept | word & 1 << bit)
}

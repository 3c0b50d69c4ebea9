//! Every backend agrees with the definitions, for the same table of seeds and the same properties.

use bitintr::{Pdep, Pext};
use komabako_bits::{Backend, BitOps, Bytes, Kernel, Reference, dispatch};
use proptest::prelude::*;

/// Words that an implementation could get wrong: as data, as masks, and (in pairs) as lanes of a board.
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

/// Runs a check on every backend that the CPU supports; `soft_is_the_first_available_backend` prints them.
fn on_every_backend<C: Kernel<Output = ()> + Clone>(check: C) {
    Backend::available().for_each(|backend| dispatch(backend, check.clone()));
}

/// Words: `pext` and `pdep` with a mask, with a prepared mask, four at once; `popcount`.
#[derive(Clone)]
struct Words(Vec<(u64, u64)>);

impl Kernel for Words {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        for &(word, mask) in &self.0 {
            let context = || format!("{ops:?}: word {word:#018x}, mask {mask:#018x}");
            let packed = Reference.pext(word, mask);
            let scattered = Reference.pdep(word, mask);
            assert_eq!(ops.pext(word, mask), packed, "pext on {}", context());
            assert_eq!(ops.pdep(word, mask), scattered, "pdep on {}", context());
            assert_eq!(ops.popcount(word), Reference.popcount(word), "popcount on {}", context());
            let prepared = ops.mask(mask);
            assert_eq!(ops.compress(word, &prepared), packed, "compress on {}", context());
            assert_eq!(ops.expand(word, &prepared), scattered, "expand on {}", context());
            let half = ops.mask_u32(mask as u32);
            let low = u64::from(mask as u32);
            assert_eq!(ops.compress(word, &half), Reference.pext(word, low), "mask_u32 on {}", context());
            assert_eq!(ops.expand(word, &half), Reference.pdep(word, low), "mask_u32 on {}", context());
            for near in [mask | 0xffff_ffff_0000_0001, mask | 0xffff_ffff] {
                let prepared = ops.mask_near(near);
                let context = || format!("{ops:?}: word {word:#018x}, mask {near:#018x}");
                let packed = Reference.pext(word, near);
                let scattered = Reference.pdep(word, near);
                assert_eq!(ops.compress(word, &prepared), packed, "mask_near on {}", context());
                assert_eq!(ops.expand(word, &prepared), scattered, "mask_near on {}", context());
            }
            let table = [mask.to_le_bytes(), mask.swap_bytes().to_le_bytes()].concat().try_into().unwrap();
            assert_eq!(
                ops.lookup_word(word, &table),
                Reference.lookup_word(word, &table),
                "lookup_word on {}",
                context()
            );
            let few = mask & 0x8421_0842_1084_2109; // at most 14 ones
            let context = || format!("{ops:?}: word {word:#018x}, mask {few:#018x}");
            assert_eq!(ops.pext_few::<14>(word, few), Reference.pext(word, few), "pext_few on {}", context());
            assert_eq!(ops.pdep_few::<14>(word, few), Reference.pdep(word, few), "pdep_few on {}", context());
            assert_eq!(
                ops.pext_most::<14>(word, few),
                Reference.pext(word, !few),
                "pext_most on {}",
                context()
            );
            assert_eq!(
                ops.pdep_most::<14>(word, few),
                Reference.pdep(word, !few),
                "pdep_most on {}",
                context()
            );
            let runs = runs_of(mask);
            let context = || format!("{ops:?}: word {word:#018x}, runs {runs:x?}");
            let (starts, ends) = runs;
            assert_eq!(ops.runs(starts, ends), Reference.runs(starts, ends), "runs on {}", context());
            assert_eq!(ops.ranks(word, ends), Reference.ranks(word, ends), "ranks on {}", context());
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

/// Eight consecutive runs, with lengths and distances of 0 to 3 given by pairs of bits.
fn runs_of(bits: u64) -> (u64, u64) {
    let mut starts = 0;
    let mut ends = 0;
    let mut place = 0;
    for lane in 0..8 {
        let start = place + (bits >> (4 * lane) & 3);
        let end = start + (bits >> (4 * lane + 2) & 3);
        starts |= start << (8 * lane);
        ends |= end << (8 * lane);
        place = end;
    }
    (starts, ends)
}

/// Boards of 63 + 18 squares: against the same operation on one row of 81 bits.
#[derive(Clone)]
struct Boards(Vec<([u64; 2], [u64; 2])>);

impl Kernel for Boards {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        for &(board, lanes) in &self.0 {
            let lanes = clean(lanes);
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

/// Symbols as bytes, boards and dense planes: each form from each other one. Bytes with gaps.
#[derive(Clone)]
struct Symbols(Vec<(Bytes, [u64; 2])>);

impl Kernel for Symbols {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        for (bytes, mask) in &self.0 {
            let mask = clean(*mask);
            let context = || format!("{ops:?}: bytes {bytes:x?}, mask {mask:x?}");
            assert_eq!(ops.nonzero(bytes), Reference.nonzero(bytes), "nonzero on {}", context());
            let table = *bytes.first_chunk().unwrap();
            assert_eq!(ops.lookup(bytes, &table), Reference.lookup(bytes, &table), "lookup on {}", context());
            assert_eq!(
                ops.expand_bytes(bytes, mask),
                Reference.expand_bytes(bytes, mask),
                "expand_bytes on {}",
                context()
            );
            gaps(ops, bytes, mask);
            conversions::<B, 8>(ops, bytes, mask, context);
            conversions::<B, 5>(ops, bytes, mask, context);
            conversions::<B, 1>(ops, bytes, mask, context);
        }
    }
}

/// Two gaps, chosen by a mask.
#[inline(always)]
fn gaps<B: BitOps>(ops: B, bytes: &Bytes, mask: [u64; 2]) {
    let a = (mask[0] % 81) as u8;
    let b = (mask[1] % 80) as u8;
    let gaps = if a <= b { [a, b + 1] } else { [b, a] };
    let mut closed = [0xff; 98];
    closed[..96].copy_from_slice(bytes);
    let context = || format!("{ops:?}: closed {closed:x?}, gaps {gaps:?}");
    let opened = Reference.open_bytes(&closed, gaps);
    let mut any_in_gaps = ops.open_bytes(&closed, gaps);
    for gap in gaps {
        assert!(any_in_gaps[usize::from(gap)] < 32, "open_bytes, a gap, on {}", context());
        any_in_gaps[usize::from(gap)] = 0;
    }
    assert_eq!(any_in_gaps, opened, "open_bytes on {}", context());
    let boards = Reference.open_boards::<5>(&closed, gaps);
    assert_eq!(boards, Reference.bytes_to_boards(&opened));
    assert_eq!(ops.open_boards::<5>(&closed, gaps), boards, "open_boards on {}", context());
}

#[test]
fn gaps_are_opened_at_every_pair_of_positions() {
    #[derive(Clone)]
    struct Pairs;
    impl Kernel for Pairs {
        type Output = ();
        #[inline(always)]
        fn run<B: BitOps>(self, ops: B) {
            let closed: komabako_bits::Closed = std::array::from_fn(|index| (index * index / 3) as u8);
            for second in 1..81 {
                for first in 0..second {
                    let boards = Reference.open_boards::<5>(&closed, [first, second]);
                    assert_eq!(
                        ops.open_boards::<5>(&closed, [first, second]),
                        boards,
                        "{ops:?} {first} {second}"
                    );
                }
            }
        }
    }
    on_every_backend(Pairs);
}

#[inline(always)]
fn conversions<B: BitOps, const N: usize>(
    ops: B,
    bytes: &Bytes,
    mask: [u64; 2],
    context: impl Fn() -> String,
) {
    let boards = Reference.bytes_to_boards::<N>(bytes);
    assert_eq!(ops.bytes_to_boards::<N>(bytes), boards, "bytes_to_boards of {N} on {}", context());
    let back = Reference.boards_to_bytes(&boards);
    assert_eq!(ops.boards_to_bytes(&boards), back, "boards_to_bytes of {N} on {}", context());

    let dense = Reference.boards_to_dense(&boards, mask);
    assert_eq!(ops.boards_to_dense(&boards, mask), dense, "boards_to_dense of {N} on {}", context());
    assert_eq!(ops.bytes_to_dense::<N>(bytes, mask), dense, "bytes_to_dense of {N} on {}", context());

    // Arbitrary planes, which may be longer than the mask.
    let dense: [u64; N] = std::array::from_fn(|k| boards[k][0] | boards[N - 1 - k][1] << 46);
    let boards = Reference.dense_to_boards(&dense, mask);
    assert_eq!(ops.dense_to_boards(&dense, mask), boards, "dense_to_boards of {N} on {}", context());
    let bytes = Reference.dense_to_bytes(&dense, mask);
    assert_eq!(ops.dense_to_bytes(&dense, mask), bytes, "dense_to_bytes of {N} on {}", context());
}

/// Bit strings joined, and read back at their starts.
#[derive(Clone)]
struct Strings(Vec<(Bytes, Bytes)>);

impl Kernel for Strings {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        for (bytes, random) in &self.0 {
            let lengths = random.map(|byte| byte % 9);
            let codes: Bytes = std::array::from_fn(|i| (u16::from(bytes[i]) & ((1 << lengths[i]) - 1)) as u8);
            let context = || format!("{ops:?}: codes {codes:x?}, lengths {lengths:?}");
            let joined = Reference.join(&codes, &lengths);
            assert_eq!(ops.join(&codes, &lengths), joined, "join on {}", context());

            let stream = *joined.0.first_chunk().unwrap();
            let mut marks = [
                random.as_chunks::<8>().0[0],
                random.as_chunks::<8>().0[1],
                bytes.as_chunks::<8>().0[2],
                bytes.as_chunks::<8>().0[3],
            ]
            .map(u64::from_le_bytes);
            let table = std::array::from_fn(|i| random[i % 96].wrapping_add(bytes[i / 3]));
            let context = || format!("{ops:?}: stream {stream:x?}, marks {marks:x?}");
            assert_eq!(
                ops.windows_to_bytes(stream, marks, &table),
                Reference.windows_to_bytes(stream, marks, &table),
                "windows_to_bytes on {}",
                context()
            );
            keep_64(&mut marks);
            let context = || format!("{ops:?}: stream {stream:x?}, marks {marks:x?}");
            assert_eq!(
                ops.windows(stream, marks),
                Reference.windows(stream, marks),
                "windows on {}",
                context()
            );
        }
    }
}

/// Keeps the 64 lowest ones.
fn keep_64(marks: &mut [u64; 4]) {
    let mut left = 64;
    for word in marks {
        *word = Reference.pdep(Reference.pext(u64::MAX, *word) & low_bits(u64::MAX, left), *word);
        left -= word.count_ones();
    }
}

/// The board without bits beyond the 63 + 18 squares.
fn clean([low, high]: [u64; 2]) -> [u64; 2] {
    [low << 1 >> 1, high << 46 >> 46]
}

/// The squares of a board in one row.
fn row(board: [u64; 2]) -> u128 {
    let [low, high] = clean(board);
    u128::from(low) | u128::from(high) << 63
}

#[test]
fn soft_is_the_first_available_backend() {
    for name in Backend::NAMES {
        match name.parse::<Backend>() {
            Ok(backend) => println!("tested backend {backend}"),
            Err(why) => println!("skipped backend {name}: {why}"),
        }
    }
    assert_eq!(Backend::available().next().map(Backend::name), Some("soft"));
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

#[test]
fn every_backend_agrees_on_symbols_and_strings_of_seeds() {
    let seeds = seeds();
    // Twelve words starting from each seed, and a mask from another seed.
    let from = |first: usize| seeds.iter().cycle().skip(first).copied();
    let bytes = |first| bytes_of(std::array::from_fn(|i| from(first).nth(5 * i).unwrap()));
    let cases = || (0..seeds.len()).flat_map(|i| (0..seeds.len()).map(move |j| (i, j)));
    on_every_backend(Symbols(
        cases().map(|(i, j)| (bytes(i), [seeds[j], seeds[(i + j) % seeds.len()]])).collect(),
    ));
    on_every_backend(Strings(cases().map(|(i, j)| (bytes(i), bytes(j))).collect()));
}

/// The bytes of twelve words.
fn bytes_of(words: [u64; 12]) -> Bytes {
    std::array::from_fn(|i| words[i / 8].to_le_bytes()[i % 8])
}

proptest! {
    #[test]
    fn every_backend_agrees_on_random_symbols(words: [u64; 12], sparse: u64, mask: [u64; 2]) {
        let bytes = bytes_of(words);
        on_every_backend(Symbols(vec![(bytes, mask), (bytes_of(words.map(|word| word & sparse)), mask)]));
    }

    #[test]
    fn every_backend_agrees_on_random_strings(codes: [u64; 12], lengths: [u64; 12]) {
        on_every_backend(Strings(vec![(bytes_of(codes), bytes_of(lengths))]));
    }

    #[test]
    fn every_backend_agrees_on_random_words(words in prop::collection::vec(any::<(u64, u64)>(), 16)) {
        on_every_backend(Words(words));
    }

    #[test]
    fn every_backend_agrees_on_random_boards(boards in prop::collection::vec(any::<([u64; 2], [u64; 2])>(), 8)) {
        on_every_backend(Boards(boards));
    }

    #[test]
    fn expand_inverts_compress(word: u64, mask: u64) {
        prop_assert_eq!(Reference.pdep(Reference.pext(word, mask), mask), word & mask);
        prop_assert_eq!(Reference.pext(Reference.pdep(word, mask), mask), low_bits(word, mask.count_ones()));
    }
}

/// The `count` lowest bits of a word.
fn low_bits(word: u64, count: u32) -> u64 {
    (0..count).fold(0, |kept, bit| kept | word & 1 << bit)
}

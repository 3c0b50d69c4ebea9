//! Every method for slider attacks, against a walk along the rays.

use komabako_bits::{BitOps, Kernel, dispatch};
use komabako_board::{Bitboard, Color, File, Rank, Square, square};
use komabako_testkit::backends;
use komabako_testkit::setups::Rng;

use super::{Carry, Fill, Kindergarten, MagicTables, PextTables, Sliders, VectorCarry, Zeros};

/// Walks from a square until a piece or the edge.
fn walk(from: Square, occupied: Bitboard, directions: &[(i8, i8)]) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    for &(file_step, rank_step) in directions {
        let mut file = File::of(from).number() as i8;
        let mut rank = Rank::of(from).number() as i8;
        loop {
            (file, rank) = (file + file_step, rank + rank_step);
            let (Some(file), Some(rank)) = (File::new(file as u8), Rank::new(rank as u8)) else { break };
            let at = square::at(file, rank);
            reached |= Bitboard::of(at);
            if occupied.contains(at) {
                break;
            }
        }
    }
    reached
}

const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LINES: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

fn check(name: &str, sliders: &impl Sliders, square: Square, occupied: Bitboard) {
    let agrees = |found: Bitboard, directions: &[(i8, i8)]| {
        assert_eq!(found, walk(square, occupied, directions), "{name} from {square:?} among {occupied:?}");
    };
    agrees(sliders.bishop(square, occupied), &DIAGONALS);
    agrees(sliders.rook(square, occupied), &LINES);
    agrees(sliders.lance(Color::Black, square, occupied), &[(0, -1)]);
    agrees(sliders.lance(Color::White, square, occupied), &[(0, 1)]);
}

/// Random sets of squares from empty to full, with or without the slider's own square.
fn occupancies() -> impl Iterator<Item = Bitboard> {
    // Set `KOMABAKO_OCCUPANCIES` for a longer run.
    let count = std::env::var("KOMABAKO_OCCUPANCIES").map_or(2_000, |text| text.parse().expect("a number"));
    let mut rng = Rng::new(31);
    (0..count).map(move |_| {
        let density = rng.below(101);
        rng.squares(density)
    })
}

#[test]
fn methods_without_large_tables_agree() {
    for occupied in occupancies() {
        for square in square::all() {
            check("kindergarten", &Kindergarten, square, occupied);
            check("carry", &Carry, square, occupied);
            check("zeros", &Zeros, square, occupied);
            check("fill", &Fill, square, occupied);
        }
    }
}

#[test]
fn magic_tables_agree() {
    let tables = MagicTables::new();
    assert_eq!(tables.size(), (20_224 + 512_000) * 16);
    for occupied in occupancies() {
        for square in square::all() {
            check("magic", &tables, square, occupied);
        }
    }
}

#[test]
fn methods_that_use_the_backend_agree_on_every_backend() {
    struct Check;
    impl Kernel for Check {
        type Output = ();
        #[inline(always)]
        fn run<B: BitOps>(self, ops: B) {
            let tables = PextTables::new(ops);
            assert_eq!(tables.size(), (20_224 + 495_616) * 16);
            for occupied in occupancies().step_by(4) {
                for square in square::all() {
                    check("pext", &tables, square, occupied);
                    check("vector carry", &VectorCarry::new(ops), square, occupied);
                }
            }
        }
    }
    backends::for_each_backend(|backend| dispatch(backend, Check));
}

//! The drops that a hand allows, found in two ways.

use std::hint::black_box;

use komabako::board::{BaseKind, Bitboard, Hand, square};
use komabako::rules::hands;
use komabako_bits::{BitOps, Kernel, dispatch};
use komabako_testkit::setups::Rng;

use crate::table::{Job, Table};

/// Both ways on every backend.
pub fn table(rounds: usize) -> Table {
    let mut table = Table::new("Hands");
    let mut rng = Rng::new(53);
    let mut hand = || {
        BaseKind::IN_HAND.into_iter().fold(Hand::EMPTY, |hand, kind| {
            let count = rng.below(usize::from(kind.inventory()) + 1) as u8;
            hand.with(kind, count).expect("no more than a set has")
        })
    };
    let hands: Vec<Hand> = (0..4_096).map(|_| hand()).collect();
    let mut pawns = || {
        let ranks: Vec<usize> = (0..9).map(|_| rng.below(12)).collect();
        square::all().filter(|at| ranks[at.array_index() / 9] == at.array_index() % 9).collect()
    };
    let pawns: Vec<Bitboard> = (0..4_096).map(|_| pawns()).collect();
    for backend in komabako_benches::backends() {
        let kinds = |by| dispatch(backend, Kinds { by, hands: black_box(&hands) });
        let files = |by| dispatch(backend, FreeFiles { by, pawns: black_box(&pawns) });
        assert_eq!(kinds(By::Arithmetic), kinds(By::Other));
        assert_eq!(files(By::Arithmetic), files(By::Other));
        let jobs = vec![
            Job::new("kinds in hand: folded carries", hands.len(), || kinds(By::Arithmetic)),
            Job::new("kinds in hand: `PEXT` of the carries", hands.len(), || kinds(By::Other)),
            Job::new("free files: borrow", pawns.len(), || files(By::Arithmetic)),
            Job::new("free files: table", pawns.len(), || files(By::Other)),
        ];
        table.measure(backend, rounds, jobs);
    }
    table
}

/// The way to find them: arithmetic, or the other one.
#[derive(Clone, Copy)]
enum By {
    Arithmetic,
    Other,
}

struct Kinds<'a> {
    by: By,
    hands: &'a [Hand],
}

impl Kernel for Kinds<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> usize {
        let mut all = 0;
        for &hand in self.hands {
            all = usize::wrapping_mul(all, 3)
                ^ match self.by {
                    By::Arithmetic => hands::kinds_by_folding(hand),
                    By::Other => hands::kinds_by_pext(ops, hand),
                };
        }
        all
    }
}

struct FreeFiles<'a> {
    by: By,
    pawns: &'a [Bitboard],
}

impl Kernel for FreeFiles<'_> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> Bitboard {
        let mut all = Bitboard::EMPTY;
        for &pawns in self.pawns {
            all ^= match self.by {
                By::Arithmetic => hands::free_files_by_borrow(pawns),
                By::Other => hands::free_files_by_table(pawns),
            };
        }
        all
    }
}

//! Operations on sets of squares, with every form of bitboard.

use std::hint::black_box;

use komabako::board::{Bitboard, File, Rank, Square, square};
use komabako::rules::double::DoubleBitboard;
use komabako::rules::vector::VectorBitboard;
use komabako_bits::{BitOps, Kernel, Lanes, dispatch};

use crate::table::{Job, Table};
use crate::{Query, queries};

/// Every form of bitboard on every backend.
pub fn table(rounds: usize) -> Table {
    let mut table = Table::new("Bitboards");
    let plain = queries(4_096);
    let doubled: Vec<(Square, DoubleBitboard)> =
        plain.iter().map(|&(square, set)| (square, set.into())).collect();
    let beside: Vec<Bitboard> = square::all().map(neighbours).collect();
    let beside_doubled: Vec<DoubleBitboard> = beside.iter().map(|&set| set.into()).collect();
    for backend in komabako_benches::backends() {
        let sets = |form| dispatch(backend, Sets { form, queries: black_box(&plain) });
        let squares = |form| dispatch(backend, Walk { form, queries: black_box(&plain) });
        let near = || dispatch(backend, Near { queries: black_box(&plain), beside: &beside });
        let near_doubled =
            || dispatch(backend, NearDoubled { queries: black_box(&doubled), beside: &beside_doubled });
        assert_eq!(sets(Form::Words), sets(Form::Vector));
        assert_eq!(squares(Form::Words), squares(Form::Vector));
        assert_eq!(squares(Form::Words), squares(Form::Register));
        assert_eq!(near(), near_doubled());
        let walked = plain.iter().map(|(_, set)| set.len() as usize).sum();
        let jobs = vec![
            Job::new("five operations on sets: `Bitboard`", plain.len(), || sets(Form::Words)),
            Job::new("five operations on sets: `VectorBitboard`", plain.len(), || sets(Form::Vector)),
            Job::new("one square of a walk: `Bitboard`", walked, || squares(Form::Words)),
            Job::new("one square of a walk: `VectorBitboard`, left once", walked, || squares(Form::Vector)),
            Job::new("one square of a walk: popped in the register", walked, || squares(Form::Register)),
            Job::new("pieces beside a square: `Bitboard`", plain.len(), near),
            Job::new("pieces beside a square: `DoubleBitboard`", plain.len(), near_doubled),
            Job::new("pieces on the board: `Bitboard`", plain.len(), || {
                dispatch(backend, Near { queries: black_box(&plain), beside: &[Bitboard::ALL; 81] })
            }),
            Job::new("pieces on the board: `DoubleBitboard`", plain.len(), || {
                dispatch(backend, LenDoubled(black_box(&doubled)))
            }),
        ];
        table.measure(backend, rounds, jobs);
    }
    table
}

#[derive(Clone, Copy)]
enum Form {
    Words,
    Vector,
    /// Vectors whose squares are removed one by one while the set stays in the register.
    Register,
}

/// Combines the sets of neighbouring queries, as an attack map does.
struct Sets<'a> {
    form: Form,
    queries: &'a [Query],
}

impl Kernel for Sets<'_> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> Bitboard {
        let mut all = Bitboard::EMPTY;
        match self.form {
            Form::Words => {
                for four in self.queries.windows(4) {
                    let [(_, a), (_, b), (_, c), (_, d)] = *four else { continue };
                    all ^= a & b | c.without(d) ^ a;
                }
            }
            Form::Vector | Form::Register => {
                let mut sum = VectorBitboard::new(ops, all);
                for four in self.queries.windows(4) {
                    let [(_, a), (_, b), (_, c), (_, d)] = *four else { continue };
                    let a = VectorBitboard::new(ops, a);
                    let b = VectorBitboard::new(ops, b);
                    let c = VectorBitboard::new(ops, c);
                    let d = VectorBitboard::new(ops, d);
                    sum = sum ^ (a & b | c.without(d) ^ a);
                }
                all = sum.to_bitboard();
            }
        }
        all
    }
}

/// The indices of the squares of all sets, added up.
struct Walk<'a> {
    form: Form,
    queries: &'a [Query],
}

impl Kernel for Walk<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> usize {
        let mut sum = 0;
        for &(_, set) in self.queries {
            match self.form {
                Form::Words => {
                    for square in set {
                        sum += square.array_index();
                    }
                }
                Form::Vector => {
                    for square in VectorBitboard::new(ops, set).squares() {
                        sum += square.array_index();
                    }
                }
                Form::Register => {
                    let mut set = ops.v128(set.lanes());
                    while !set.is_zero() {
                        let words = set.to_words();
                        sum += Bitboard::from_lanes(words).first_index();
                        set = set & set.minus(ops.v128(if words[0] == 0 { [0, 1] } else { [1, 0] }));
                    }
                }
            }
        }
        sum
    }
}

/// Counts the pieces beside each square.
struct Near<'a> {
    queries: &'a [Query],
    beside: &'a [Bitboard],
}

impl Kernel for Near<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> u32 {
        let mut sum = 0;
        for &(square, set) in self.queries {
            sum += (self.beside[square.array_index()] & set).len();
        }
        sum
    }
}

/// The same count with double-sized bitboards.
struct NearDoubled<'a> {
    queries: &'a [(Square, DoubleBitboard)],
    beside: &'a [DoubleBitboard],
}

impl Kernel for NearDoubled<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> u32 {
        let mut sum = 0;
        for &(square, set) in self.queries {
            sum += (self.beside[square.array_index()] & set).len_near(square);
        }
        sum
    }
}

/// Counts the pieces on the board.
struct LenDoubled<'a>(&'a [(Square, DoubleBitboard)]);

impl Kernel for LenDoubled<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> u32 {
        let mut sum = 0;
        for (_, set) in self.0 {
            sum += set.len();
        }
        sum
    }
}

/// The eight neighbours of a square.
fn neighbours(of: Square) -> Bitboard {
    let distance = |a: u8, b: u8| a.abs_diff(b);
    square::all()
        .filter(|&at| {
            let files = distance(File::of(at).number(), File::of(of).number());
            let ranks = distance(Rank::of(at).number(), Rank::of(of).number());
            files.max(ranks) == 1
        })
        .collect()
}

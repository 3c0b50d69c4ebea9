//! [`EncodingStats`]: how the moves of an input were read where each is decided by itself.

use crate::move16::Encodings;

/// How the moves of an input were read of which each was decided by itself. Drops and promotions only: other moves are
/// the same in all encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EncodingStats {
    /// The encodings that the sample has shown to be in the input; all if there was no sample.
    pub encodings: Encodings,
    read: [u64; Encodings::COUNT],
    deciders: [u64; DecidedBy::ALL.len()],
}

/// What decided how a move is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DecidedBy {
    /// It is legal in one way only.
    Legality,
    /// Only one of the legal moves leads to the next record's position, or to one from which a single move does.
    NextPosition,
    /// The score says mate in one, and one of the legal moves mates.
    Mate,
    /// The moves around it are all in one encoding.
    Neighbours,
    /// Nothing; it is read [as asked](super::Job::tie_break).
    TieBreak,
}

impl DecidedBy {
    /// All of them.
    pub const ALL: [DecidedBy; 5] = [
        DecidedBy::Legality,
        DecidedBy::NextPosition,
        DecidedBy::Mate,
        DecidedBy::Neighbours,
        DecidedBy::TieBreak,
    ];

    /// The name for programs, e.g. `next_position`.
    pub const fn name(self) -> &'static str {
        match self {
            DecidedBy::Legality => "legality",
            DecidedBy::NextPosition => "next_position",
            DecidedBy::Mate => "mate",
            DecidedBy::Neighbours => "neighbours",
            DecidedBy::TieBreak => "tie_break",
        }
    }
}

impl EncodingStats {
    /// Empty counts for moves in these encodings.
    pub(super) fn new(encodings: Encodings) -> EncodingStats {
        EncodingStats { encodings, ..EncodingStats::default() }
    }

    /// How many moves were read in which encodings, where there are any: in several where they say the same, as B and C
    /// do of promotions.
    pub fn read(&self) -> impl Iterator<Item = (Encodings, u64)> {
        let counts = self.read;
        Encodings::indexed().map(move |(index, set)| (set, counts[index])).filter(|&(_, count)| count > 0)
    }

    /// How many moves were decided in this way.
    pub const fn decided_by(&self, by: DecidedBy) -> u64 {
        self.deciders[by as usize]
    }

    /// Counts a move.
    pub(super) fn note(&mut self, encodings: Encodings, decided_by: DecidedBy) {
        self.read[encodings.index()] += 1;
        self.deciders[decided_by as usize] += 1;
    }

    /// Adds the counts of another part of the input.
    pub(super) fn merge(&mut self, other: &EncodingStats) {
        let add = |(sum, count): (&mut u64, &u64)| *sum += count;
        self.read.iter_mut().zip(&other.read).for_each(add);
        self.deciders.iter_mut().zip(&other.deciders).for_each(add);
    }
}

//! [`EncodingStats`]: counts of how the moves of an input were read, if that was decided for each move.

use crate::move16::Encodings;

/// Counts of how the moves of an input were read, if that was decided for each move. Only drops and promotions count: other
/// moves are the same in all encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EncodingStats {
    /// The encodings that the sample found in the input; all if there was no sample.
    pub encodings: Encodings,
    read: [u64; Encodings::COUNT],
    deciders: [u64; DecidedBy::ALL.len()],
}

/// The evidence that decided how a move is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DecidedBy {
    /// It is legal in only one reading.
    Legality,
    /// Only one of the legal moves leads to the next record's position, or to a position one move before it.
    NextPosition,
    /// The score means mate in one, and only one of the legal moves mates.
    Mate,
    /// The moves around it are all in one encoding.
    Neighbours,
    /// No evidence; it is read [as requested](super::Job::tie_break).
    TieBreak,
}

impl DecidedBy {
    /// All variants.
    pub const ALL: &[DecidedBy] = &[
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

    /// The number of moves that were read in each set of encodings, if not 0: a set of several where they agree, as B and C
    /// do for promotions.
    pub fn read(&self) -> impl Iterator<Item = (Encodings, u64)> {
        let counts = self.read;
        Encodings::indexed().map(move |(index, set)| (set, counts[index])).filter(|&(_, count)| count > 0)
    }

    /// The number of moves that were decided in this way.
    pub const fn decided_by(&self, by: DecidedBy) -> u64 {
        self.deciders[by as usize]
    }

    /// Counts a move.
    pub(super) fn count(&mut self, encodings: Encodings, decided_by: DecidedBy) {
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

//! [`NeighbourVotes`]: decides the encoding of a record's move by the moves around it.

use std::collections::VecDeque;

use crate::legality::Readings;
use crate::move16::{Encodings, Move16, MoveEncoding};

/// The number of moves on each side to consult, and the minimum for both sides together.
///
/// If half of a file is in one encoding and half in another, record by record, 64 in a row agree once in 2⁶³ times.
/// If the shares are so uneven that this happens, then by the rule of succession the odds for this move are at least
/// 65 to 1.
const CONSULTED: usize = 32;

/// The number of records before and after to search.
pub(super) const REACH: u64 = 8192;

/// The decided moves, by the numbers of their records.
#[derive(Default)]
pub(super) struct NeighbourVotes(VecDeque<(u64, Encodings)>);

impl NeighbourVotes {
    /// Adds a move after all others, with the encodings in which it has its decided meaning.
    pub fn push(&mut self, record: u64, encodings: Encodings) {
        self.0.push_back((record, encodings));
    }

    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Forgets the moves out of reach of a record and of all later ones.
    pub fn forget_before(&mut self, record: u64) {
        let start = record.saturating_sub(REACH);
        self.0.drain(..self.0.partition_point(|&(number, _)| number < start));
    }

    /// The reading of a record's move in an encoding that all neighbours prefer to each encoding with another
    /// reading.
    pub fn decide(&self, record: u64, readings: Readings) -> Option<Move16> {
        let prevails = |&one: &MoveEncoding| {
            // Encodings with the same reading of the move need not be distinguished.
            let differs = |other: &MoveEncoding| readings.legal_in(*other) != readings.legal_in(one);
            readings.encodings().iter().filter(differs).all(|other| self.all_for(record, one, other))
        };
        readings.encodings().iter().find(prevails).and_then(|one| readings.legal_in(one))
    }

    /// Whether the nearest neighbours that distinguish two encodings all support the first.
    fn all_for(&self, record: u64, one: MoveEncoding, other: MoveEncoding) -> bool {
        let middle = self.0.partition_point(|&(number, _)| number < record);
        let distinguishes = |(_, set): &&(u64, Encodings)| set.contains(one) != set.contains(other);
        let within = |(number, _): &&(u64, Encodings)| number.abs_diff(record) <= REACH;
        // From the record outward, so that the nearest come first on both sides.
        let before = self.0.range(..middle).rev().take_while(within).filter(distinguishes).take(CONSULTED);
        let after = self.0.range(middle..).take_while(within).filter(distinguishes).take(CONSULTED);
        let mut consulted = 0;
        before.chain(after).all(|(_, set)| {
            consulted += 1;
            set.contains(one)
        }) && consulted >= CONSULTED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MoveEncoding::{Apery, LegacyRshogi, YaneuraOu};

    /// The decision of the neighbours about a move that is a gold's drop in C and a rook's in B.
    fn decided(record: u64, neighbours: impl IntoIterator<Item = (u64, MoveEncoding)>) -> Option<String> {
        let setup = "4k4/9/9/9/9/9/9/9/4K4 b GR".parse().unwrap();
        let mut known = NeighbourVotes::default();
        neighbours
            .into_iter()
            .for_each(|(number, encoding)| known.push(number, [encoding].into_iter().collect()));
        known.decide(record, Readings::new(&setup, 0x2ba8)).map(|mv| mv.to_string())
    }

    #[test]
    fn unanimous_neighbours_decide() {
        let gold = Some("G*5e".to_owned());
        assert_eq!(decided(100, (68..133).map(|number| (number, Apery))), gold);
        // At the start of a file, the neighbours after the record are enough.
        assert_eq!(decided(0, (1..33).map(|number| (number, Apery))), gold);
        assert_eq!(decided(0, (1..32).map(|number| (number, Apery))), None);
        // One neighbour that supports another encoding; one that does not distinguish the two.
        let with = |odd: MoveEncoding, at| {
            decided(100, (60..141).map(move |number| (number, if number == at { odd } else { Apery })))
        };
        assert_eq!(with(LegacyRshogi, 69), None);
        assert_eq!(with(LegacyRshogi, 131), None);
        assert_eq!(with(LegacyRshogi, 60), gold);
        assert_eq!(with(YaneuraOu, 99), gold);
        // At a seam between encodings, and out of reach.
        let seam = (0..200).map(|number| (number, if number < 100 { Apery } else { LegacyRshogi }));
        assert_eq!(decided(100, seam), None);
        assert_eq!(decided(REACH + 40, (0..40).map(|number| (number, Apery))), None);
    }
}

//! [`AmbiguousMove`]: a move that legality does not decide, to be decided by its own record and the next one's position.

use komabako_board::Setup;
use komabako_rules::MoveList;

use super::{Change, DecidedBy};
use crate::legality::Readings;
use crate::move16::{Encodings, Move16};

/// A record whose move is legal in several encodings with different meanings.
#[derive(Clone)]
pub(super) struct AmbiguousMove {
    /// The index of the record in the block.
    pub row: usize,
    pub setup: Setup,
    /// The move as it is stored.
    pub bits: u16,
    /// Its meanings in all encodings.
    pub readings: Readings,
    /// Its meanings in the expected encodings; in all, if it is legal in none of these.
    pub expected: Readings,
    pub score: Option<i16>,
    /// The other changes to the record, to be counted if it is written.
    pub changes: Vec<Change>,
}

/// YaneuraOu's score for a mate with this move.
const MATE_IN_ONE: i16 = 31_999;

impl AmbiguousMove {
    /// Decides the move by the position of the next record, if any, or else by the expected encodings, or by the record's
    /// score.
    pub fn decide(&self, next: Option<&Setup>) -> Option<(Move16, DecidedBy)> {
        let by_next = || Some((self.readings.before(&self.setup, next?)?, DecidedBy::NextPosition));
        let by_legality = || Some((self.only_expected()?, DecidedBy::Legality));
        // In the order of their strength: the next position shows which move was played, the others only which is
        // likely.
        by_next().or_else(by_legality).or_else(|| Some((self.by_mate()?, DecidedBy::Mate)))
    }

    /// The encodings in which the bits are this move: the expected ones, if any.
    pub fn encodings_of(&self, mv: Move16) -> Encodings {
        let expected = self.expected.encodings_of(mv);
        if expected.is_empty() { self.readings.encodings_of(mv) } else { expected }
    }

    /// The expected move, if there is only one.
    fn only_expected(&self) -> Option<Move16> {
        let mut moves = self.expected.moves();
        let first = moves.next()?;
        moves.next().is_none().then_some(first)
    }

    /// The only one of the moves that mates, if the score says mate in one.
    fn by_mate(&self) -> Option<Move16> {
        self.score.filter(|&score| score == MATE_IN_ONE)?;
        self.expected.only(&self.setup, |after| {
            let mut replies = MoveList::new();
            after.legal_moves(&mut replies);
            replies.is_empty() && after.is_in_check(after.side_to_move())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 87 is C's gold and B's rook.
    fn open(sfen: &str, score: i16) -> AmbiguousMove {
        let setup = sfen.parse().unwrap();
        let readings = Readings::new(&setup, 0x2ba8);
        AmbiguousMove {
            row: 0,
            setup,
            bits: 0x2ba8,
            readings,
            expected: readings,
            score: Some(score),
            changes: Vec::new(),
        }
    }

    fn said(decided: Option<(Move16, DecidedBy)>) -> Option<(String, DecidedBy)> {
        decided.map(|(mv, decided_by)| (mv.to_string(), decided_by))
    }

    #[test]
    fn the_next_position_decides() {
        let open = open("4k4/9/9/9/9/9/9/9/4K4 b GR", 0);
        let by = |next: &str| said(open.decide(Some(&next.parse().unwrap())));
        let is = |mv: &str| Some((mv.to_owned(), DecidedBy::NextPosition));
        assert_eq!(by("4k4/9/9/9/4G4/9/9/9/4K4 w R"), is("G*5e"));
        assert_eq!(by("4k4/9/9/9/4R4/9/9/9/4K4 w G"), is("R*5e"));
        // Another move was played.
        assert_eq!(by("4k4/9/9/9/9/4R4/9/9/4K4 w G"), None);
        // The position after the move was left out.
        assert_eq!(by("9/3k5/9/9/4R4/9/9/9/4K4 b G"), is("R*5e"));
        assert_eq!(by("9/4k4/9/9/4G4/9/9/9/4K4 b R"), is("G*5e"));
        assert_eq!(by("9/9/4k4/9/4G4/9/9/9/4K4 b R"), None);
        assert_eq!(by("4k4/9/9/9/9/9/9/9/4K4 b GR"), None);
    }

    #[test]
    fn a_mate_in_one_is_the_move_that_mates() {
        let none = "9/9/9/4k4/9/4P4/9/9/4K4 b GR";
        assert_eq!(said(open(none, MATE_IN_ONE).decide(None)), None);
        // After the gold's drop the king takes the silver.
        let mate = "9/9/4S4/3PkP3/9/4P4/9/9/4K4 b GR";
        assert_eq!(said(open(mate, MATE_IN_ONE).decide(None)), Some(("R*5e".to_owned(), DecidedBy::Mate)));
        assert_eq!(said(open(mate, MATE_IN_ONE - 2).decide(None)), None);
    }
}

//! [`Open`]: a move that legality does not decide, and what its own record and the next one's position say of it.

use komabako_board::Setup;
use komabako_rules::{MoveList, State};

use super::{Change, Ground};
use crate::legality::{self, of_piece};
use crate::move16::{Move16, Readings};

/// A record whose move is legal in several encodings, and not the same.
#[derive(Clone)]
pub(super) struct Open {
    /// The index of the record in the block.
    pub row: usize,
    pub setup: Setup,
    /// The move as it is stored.
    pub bits: u16,
    /// What it can mean.
    pub readings: Readings,
    pub score: Option<i16>,
    /// What was changed in the record besides, to be counted if it is written.
    pub changes: Vec<Change>,
}

/// The score of YaneuraOu for a mate with this move.
const MATE_IN_ONE: i16 = 31_999;

impl Open {
    /// Decides the move by the position of the next record, if there is one, or else by the record's score.
    pub fn decide(&self, next: Option<&Setup>) -> Option<(Move16, Ground)> {
        let by_next = || Some((self.by_next(next?)?, Ground::NextPosition));
        by_next().or_else(|| Some((self.by_mate()?, Ground::Mate)))
    }

    /// The one of the moves that leads to the position of the next record, or, where one was left out, to a position from
    /// which a reply does.
    fn by_next(&self, next: &Setup) -> Option<Move16> {
        let one_left_out = next.side_to_move() == self.setup.side_to_move();
        self.only(|after| if one_left_out { is_a_reply_from(after, next) } else { after.setup() == *next })
    }

    /// The one of the moves that mates, where the score says that one does.
    fn by_mate(&self) -> Option<Move16> {
        self.score.filter(|&score| score == MATE_IN_ONE)?;
        self.only(|after| {
            let mut replies = MoveList::new();
            after.legal_moves(&mut replies);
            replies.is_empty() && after.is_in_check(after.side_to_move())
        })
    }

    /// The move after which something holds, if it does after one only.
    fn only(&self, holds: impl Fn(State<()>) -> bool) -> Option<Move16> {
        let state = legality::state_of(&self.setup).ok()?;
        let mut found = self.readings.moves().filter(|&mv| {
            let mut after = state.clone();
            after.do_move(of_piece(mv));
            holds(after)
        });
        let one = found.next();
        one.filter(|_| found.next().is_none())
    }
}

/// Whether a legal move leads to a position.
fn is_a_reply_from(mut state: State<()>, next: &Setup) -> bool {
    let mut replies = MoveList::new();
    state.legal_moves(&mut replies);
    replies.iter().any(|&reply| {
        let undo = state.do_move(reply);
        let leads = state.setup() == *next;
        state.undo_move(undo);
        leads
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 87 is C's gold and B's rook.
    fn open(sfen: &str, score: i16) -> Open {
        let setup = sfen.parse().unwrap();
        let readings = Readings::of(&setup, 0x2ba8);
        Open { row: 0, setup, bits: 0x2ba8, readings, score: Some(score), changes: Vec::new() }
    }

    fn said(decided: Option<(Move16, Ground)>) -> Option<(String, Ground)> {
        decided.map(|(mv, ground)| (mv.to_string(), ground))
    }

    #[test]
    fn the_next_position_decides() {
        let open = open("4k4/9/9/9/9/9/9/9/4K4 b GR", 0);
        let by = |next: &str| said(open.decide(Some(&next.parse().unwrap())));
        let is = |mv: &str| Some((mv.to_owned(), Ground::NextPosition));
        assert_eq!(by("4k4/9/9/9/4G4/9/9/9/4K4 w R"), is("G*5e"));
        assert_eq!(by("4k4/9/9/9/4R4/9/9/9/4K4 w G"), is("R*5e"));
        // Another move was played.
        assert_eq!(by("4k4/9/9/9/9/4R4/9/9/4K4 w G"), None);
        // The position after it was left out.
        assert_eq!(by("9/3k5/9/9/4R4/9/9/9/4K4 b G"), is("R*5e"));
        assert_eq!(by("9/4k4/9/9/4G4/9/9/9/4K4 b R"), is("G*5e"));
        assert_eq!(by("9/9/4k4/9/4G4/9/9/9/4K4 b R"), None);
        assert_eq!(by("4k4/9/9/9/9/9/9/9/4K4 b GR"), None);
    }

    #[test]
    fn a_mate_in_one_is_the_move_that_mates() {
        let none = "9/9/9/4k4/9/4P4/9/9/4K4 b GR";
        assert_eq!(said(open(none, MATE_IN_ONE).decide(None)), None);
        // After the gold the king takes the silver.
        let mate = "9/9/4S4/3PkP3/9/4P4/9/9/4K4 b GR";
        assert_eq!(said(open(mate, MATE_IN_ONE).decide(None)), Some(("R*5e".to_owned(), Ground::Mate)));
        assert_eq!(said(open(mate, MATE_IN_ONE - 2).decide(None)), None);
    }
}

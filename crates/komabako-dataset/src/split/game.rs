//! Finds the starts of games in a stream of records; [`Job::by_game`](super::Job::by_game) has the rule.

use komabako_board::{Bitboard, Setup};

use crate::legality;
use crate::record::{Labels, MoveBits};

/// The fields of a record that determine where games end.
#[derive(Clone, Copy)]
pub(super) struct RecordSnapshot {
    pub setup: Setup,
    pub ply: Option<u32>,
    pub mv: Option<MoveBits>,
}

/// The number of squares that may differ if plies do not give the number of moves between records: those of four moves.
const WITHOUT_PLY: u32 = 8;

impl RecordSnapshot {
    /// The snapshot of a record.
    pub fn new(setup: &Setup, labels: &Labels) -> RecordSnapshot {
        RecordSnapshot { setup: *setup, ply: labels.ply, mv: labels.best_move }
    }

    /// Whether this record may continue the game of another.
    pub fn follows(&self, earlier: &RecordSnapshot) -> bool {
        // The move is checked last, because that takes longest and games end seldom.
        self.is_in_reach_of(earlier) || earlier.after() == Some(self.setup)
    }

    /// Whether the number of moves between the records is enough for the squares that differ.
    fn is_in_reach_of(&self, earlier: &RecordSnapshot) -> bool {
        let differing = differing_squares(&earlier.setup, &self.setup);
        match (earlier.ply, self.ply) {
            (Some(before), Some(now)) if now > before => {
                let moves = now - before;
                let is_same_side = earlier.setup.side_to_move() == self.setup.side_to_move();
                is_same_side == moves.is_multiple_of(2) && differing <= moves.saturating_mul(2)
            }
            (Some(before), Some(now)) if now < before => false,
            _ => differing <= WITHOUT_PLY,
        }
    }

    /// The position after the recorded move, if it can be played.
    fn after(&self) -> Option<Setup> {
        let mv = self.mv?.decode().ok()?;
        if !mv.is_well_formed() {
            return None;
        }
        let mut state = legality::state_of(&self.setup).ok()?;
        // An illegal move would corrupt the state, and the move may be in another encoding.
        legality::judge(&state, mv).ok()?;
        state.do_move(mv);
        Some(state.setup())
    }
}

/// The number of squares with different pieces.
fn differing_squares(a: &Setup, b: &Setup) -> u32 {
    let a = a.parts();
    let b = b.parts();
    let sets = a.colors.iter().zip(&b.colors).chain(a.kinds.iter().zip(&b.kinds));
    // Set by set rather than square by square: twelve operations on two words each.
    sets.fold(a.promoted ^ b.promoted, |differing: Bitboard, (&a, &b)| differing | (a ^ b)).len()
}

#[cfg(test)]
mod tests {
    use komabako_board::sfen;

    use super::*;
    use crate::move16::Move16;

    fn snapshot(sfen: &str) -> RecordSnapshot {
        let sfen = sfen::parse(sfen.as_bytes()).unwrap();
        RecordSnapshot { setup: sfen.setup, ply: sfen.ply, mv: None }
    }

    #[test]
    fn games_continue_while_moves_explain_the_difference() {
        let start = snapshot("startpos");
        let start = RecordSnapshot { ply: Some(1), ..start };
        let second = snapshot("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
        let third = snapshot("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
        assert!(second.follows(&start) && third.follows(&second) && third.follows(&start));
        assert!(!start.follows(&second), "plies fall");
        assert!(!RecordSnapshot { ply: Some(4), ..third }.follows(&second), "two moves keep the side");
        assert!(
            !RecordSnapshot { ply: Some(2), ..third }.follows(&start),
            "one move does not change four squares"
        );
        let unknown = |snapshot| RecordSnapshot { ply: None, ..snapshot };
        assert!(unknown(third).follows(&start) && unknown(start).follows(&third));
        let end = snapshot("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 90");
        assert!(!unknown(start).follows(&end));
    }

    #[test]
    fn unchanged_plies_are_treated_as_unknown() {
        let start = snapshot("startpos");
        let constant = |sfen| RecordSnapshot { ply: Some(1), ..snapshot(sfen) };
        let start = RecordSnapshot { ply: Some(1), ..start };
        let second = constant("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
        assert!(second.follows(&start) && second.follows(&second));
        assert!(!start.follows(&constant("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 90")));
    }

    #[test]
    fn move_that_leads_to_a_record_joins_it_regardless_of_plies() {
        let mv = |usi: &str| Some(Move16::from_label(usi).unwrap().into());
        let start = RecordSnapshot { ply: Some(70), mv: mv("7g7f"), ..snapshot("startpos") };
        let second = snapshot("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
        assert!(second.follows(&start), "plies fall, but the move leads there");
        for other in ["2g2f", "7g7e", "resign"] {
            assert!(!second.follows(&RecordSnapshot { mv: mv(other), ..start }), "{other}");
        }
        let counted = RecordSnapshot { ply: Some(1), mv: mv("2g2f"), ..start };
        assert!(second.follows(&counted), "another move was played than the recorded one");
    }
}

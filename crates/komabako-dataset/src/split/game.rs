//! Where games begin in a stream of records; the rule is that of [`Job::by_game`](super::Job::by_game).

use komabako_board::{Bitboard, Setup};

/// What is looked at of a record.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub setup: Setup,
    pub ply: Option<u32>,
}

/// How many squares may differ where plies do not say how many moves lie between: those of four moves.
const WITHOUT_PLY: u32 = 8;

impl Moment {
    /// Whether the game of a record may go on with this one.
    pub fn follows(&self, earlier: &Moment) -> bool {
        let differing = differing_squares(&earlier.setup, &self.setup);
        match (earlier.ply, self.ply) {
            (Some(before), Some(now)) if now > before => {
                let moves = now - before;
                let is_same_side = earlier.setup.side_to_move() == self.setup.side_to_move();
                is_same_side == moves.is_multiple_of(2) && differing <= moves.saturating_mul(2)
            }
            (Some(_), Some(_)) => false,
            _ => differing <= WITHOUT_PLY,
        }
    }
}

/// The number of squares whose piece differs.
fn differing_squares(a: &Setup, b: &Setup) -> u32 {
    let (a, b) = (a.parts(), b.parts());
    let sets = a.colors.iter().zip(&b.colors).chain(a.kinds.iter().zip(&b.kinds));
    sets.fold(a.promoted ^ b.promoted, |differing: Bitboard, (&a, &b)| differing | (a ^ b)).len()
}

#[cfg(test)]
mod tests {
    use komabako_board::sfen;

    use super::*;

    fn moment(sfen: &str) -> Moment {
        let sfen = sfen::parse(sfen.as_bytes()).unwrap();
        Moment { setup: sfen.setup, ply: sfen.ply }
    }

    #[test]
    fn a_game_goes_on_as_far_as_its_moves_reach() {
        let start = moment("startpos");
        let start = Moment { ply: Some(1), ..start };
        let second = moment("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
        let third = moment("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
        assert!(second.follows(&start) && third.follows(&second) && third.follows(&start));
        assert!(!start.follows(&second), "plies fall");
        assert!(!second.follows(&second), "plies stay");
        assert!(!Moment { ply: Some(4), ..third }.follows(&second), "two moves keep the side");
        assert!(!Moment { ply: Some(2), ..third }.follows(&start), "one move does not change four squares");
        let unknown = |moment| Moment { ply: None, ..moment };
        assert!(unknown(third).follows(&start) && unknown(start).follows(&third));
        let end = moment("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 90");
        assert!(!unknown(start).follows(&end));
    }
}

//! Pieces that a problem does not need (駒を外しても成立): without one of them it is sound too, with the same line.

use alloc::vec::Vec;

use komabako_board::{BaseKind, Setup, Square};
use komabako_rules::Move16;

use super::{CheckReport, Soundness};
use crate::outcome::Limits;
use crate::problem::{Hands, Problem, Rules};
use crate::solver::Solver;

/// A piece on the board, or in the attacker's hand if it has no square.
pub type PlacedPiece = (Option<Square>, BaseKind);

/// What [`Solver::needless_pieces`] found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Needless {
    /// The pieces, each of which may be left out, but perhaps not two of them.
    pub pieces: Vec<PlacedPiece>,
    /// Whether a limit left no other piece undecided.
    pub is_complete: bool,
}

impl Solver {
    /// Which pieces of a sound problem could be left out. Kings are not tried. A piece left out is in the defender's hand if that is
    /// everything that remains of a set ([`Hands::Complement`]).
    ///
    /// `report`: that of the problem. If it is not sound, no piece is examined; if it is undecided, so is this.
    pub fn needless_pieces(
        &mut self,
        problem: &Problem,
        report: &CheckReport,
        limits: &Limits<'_>,
    ) -> Needless {
        #[cfg(feature = "std")]
        let start = std::time::Instant::now();
        let is_complete = report.soundness != Soundness::Undecided;
        let mut found = Needless { pieces: Vec::new(), is_complete };
        if report.soundness != Soundness::Sound {
            return found;
        }
        let setup = problem.setup();
        let on_board = setup.pieces().map(|(square, piece)| (Some(square), BaseKind::of(piece.to_parts().0)));
        let in_hand = setup.hand(problem.attacker()).counts().map(|(kind, _)| (None, kind));
        let mut pieces: Vec<PlacedPiece> = on_board.chain(in_hand).collect();
        pieces.retain(|&(_, kind)| kind != BaseKind::King);
        let mut spent = 0;
        for (index, &piece) in pieces.iter().enumerate() {
            let Some(smaller) = without(problem, setup, piece) else { continue };
            let share = |nodes: u64| nodes.saturating_sub(spent) / (pieces.len() - index) as u64;
            let limits = Limits {
                report_nodes: limits.report_nodes.map(share),
                #[cfg(feature = "std")]
                time: limits.time.map(|time| time.saturating_sub(start.elapsed())),
                ..*limits
            };
            match self.has_line(&smaller, report, &limits) {
                Some(true) => found.pieces.push(piece),
                Some(false) => {}
                None => found.is_complete = false,
            }
            spent += self.nodes();
        }
        found
    }

    /// Whether a problem is sound with the line of another's report; `None` if a limit left that open.
    fn has_line(&mut self, problem: &Problem, report: &CheckReport, limits: &Limits<'_>) -> Option<bool> {
        let line: &[Move16] = &report.line;
        // The line needs the piece.
        let Ok(own) = self.check(problem, Some(line), limits) else { return Some(false) };
        match own.soundness {
            Soundness::Sound => Some(own.plies == report.plies && own.line == line),
            Soundness::Defective => Some(false),
            Soundness::Undecided => None,
        }
    }
}

/// A problem without a piece, if it is still one.
fn without(problem: &Problem, mut setup: Setup, (square, kind): PlacedPiece) -> Option<Problem> {
    let attacker = problem.attacker();
    match square {
        Some(square) => setup.clear(square),
        None => {
            let count = setup.hand(attacker).count(kind).checked_sub(1)?;
            setup.set_hand_count(attacker, kind, count).ok()?;
        }
    }
    let hands = if problem.is_complement() { Hands::Complement } else { Hands::AsGiven };
    Problem::new(&setup, Rules { hands, root: problem.root() }).ok()
}

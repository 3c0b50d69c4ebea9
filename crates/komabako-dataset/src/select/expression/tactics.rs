//! Checks, captures and mates of one move, for the names that tell quiet positions from others.
//!
//! All are false, or 0, if no game can be played from the position; those of the recorded move also if it is not a legal move of a
//! piece.

use komabako_board::Setup;
use komabako_rules::{Move16, State};

use crate::legality::state_of;
use crate::record::Labels;

/// The least material whose win makes a position `hanging`: more than a pawn.
const HANGING: i32 = 100;

/// Whether the king of the side to move is attacked.
pub(super) fn is_in_check(setup: &Setup) -> bool {
    // Few positions are in check: only they need the rules to judge them.
    komabako_rules::is_in_check(setup) && state_of(setup).is_ok()
}

/// The material that the recorded move wins by the captures on its square.
pub(super) fn exchange(setup: &Setup, labels: &Labels) -> i64 {
    match recorded(setup, labels) {
        Some((state, mv)) => state.exchange(mv).into(),
        None => 0,
    }
}

/// The greatest material that a capture or promotion wins.
pub(super) fn best_capture(setup: &Setup) -> i64 {
    match state_of(setup) {
        Ok(state) => state.best_capture().unwrap_or(0).into(),
        Err(_) => 0,
    }
}

/// Whether a capture or promotion wins more than a pawn.
pub(super) fn is_hanging(setup: &Setup) -> bool {
    state_of(setup).is_ok_and(|state| state.wins_material(HANGING))
}

/// Whether the recorded move is a legal move of a piece.
pub(super) fn is_legal(setup: &Setup, labels: &Labels) -> bool {
    recorded(setup, labels).is_some()
}

/// Whether the recorded move gives check.
pub(super) fn gives_check(setup: &Setup, labels: &Labels) -> bool {
    recorded(setup, labels).is_some_and(|(state, mv)| state.gives_check(mv))
}

/// Whether the recorded move neither captures nor promotes nor gives check.
pub(super) fn has_quiet_move(setup: &Setup, labels: &Labels) -> bool {
    quiet_move(setup, labels).is_some()
}

/// Whether nothing happens: no check, nothing to win by a capture or promotion, and a quiet move.
pub(super) fn is_quiet(setup: &Setup, labels: &Labels) -> bool {
    !komabako_rules::is_in_check(setup)
        && quiet_move(setup, labels).is_some_and(|state| !state.wins_material(HANGING))
}

/// Whether the side to move mates at once.
pub(super) fn mates_in_one(setup: &Setup) -> bool {
    state_of(setup).is_ok_and(|state| state.mate_in_one().is_some())
}

/// The position, if its recorded move is legal and neither captures nor promotes nor gives check.
fn quiet_move(setup: &Setup, labels: &Labels) -> Option<State<()>> {
    // What the board shows comes before what needs the rules.
    let mv = labels.best_move?.decode().ok()?;
    if mv.is_promotion() || mv.to().is_some_and(|to| setup.occupied().contains(to)) {
        return None;
    }
    let (state, mv) = legal(setup, mv)?;
    (!state.gives_check(mv)).then_some(state)
}

/// The position and the recorded move, if it is a legal move of a piece.
fn recorded(setup: &Setup, labels: &Labels) -> Option<(State<()>, Move16)> {
    legal(setup, labels.best_move?.decode().ok()?)
}

fn legal(setup: &Setup, mv: Move16) -> Option<(State<()>, Move16)> {
    let state = state_of(setup).ok()?;
    // `NONE`, `RESIGN` and the like are no moves of a piece, and never legal.
    state.is_legal(mv).then_some((state, mv))
}

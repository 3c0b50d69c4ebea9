//! Positions to test on.

use komabako_board::{Position, Setup};
use komabako_rules::{MoveList, State};
use komabako_testkit::setups::{self, Rng};

/// Random setups of every family that are positions of a game or a tsume problem.
pub fn random_positions(seed: u64) -> impl Iterator<Item = State> {
    let playable = |setup: Setup| State::new(&Position::new_tsume(setup).ok()?).ok();
    setups::random(seed).filter_map(playable)
}

/// The positions of random games from the start, one after each move.
pub fn random_games(seed: u64) -> impl Iterator<Item = State> {
    let mut rng = Rng::new(seed);
    let mut state = State::start();
    let mut moves = MoveList::new();
    std::iter::repeat_with(move || {
        state.legal_moves(&mut moves);
        let ends = moves.is_empty() || rng.below(300) == 0;
        if ends {
            state = State::start();
        } else {
            state.do_move(moves[rng.below(moves.len())]);
        }
        state.clone()
    })
}

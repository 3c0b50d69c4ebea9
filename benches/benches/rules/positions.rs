//! Operations on one position, averaged over random midgames. The library chooses the backend.

use komabako::board::Position;
use komabako::rules::{Move16, MoveList, State};
use komabako_bits::Backend;
use komabako_testkit::setups::{Family, Rng};

use crate::table::{Job, Table};

/// All operations on a position.
pub fn table(rounds: usize) -> Table {
    let mut rng = Rng::new(52);
    let positions: Vec<Position> = std::iter::repeat_with(|| Family::Midgame.generate(&mut rng))
        .filter_map(|setup| Position::new(setup).ok())
        .filter(|position| State::<u64>::new(position).is_ok())
        .take(1_000)
        .collect();
    let mut states: Vec<State> = positions.iter().filter_map(|position| State::new(position).ok()).collect();
    let mut moves = MoveList::new();
    states.retain(|state| state.count_legal_moves() > 0);
    let firsts: Vec<Move16> = states
        .iter()
        .map(|state| {
            state.legal_moves(&mut moves);
            moves[0]
        })
        .collect();
    let count = states.len();
    let mut played = states.clone();
    let jobs = vec![
        Job::new("`State::new`, no key", positions.len(), || {
            positions.iter().filter(|position| State::<()>::new(position).is_ok()).count()
        }),
        Job::new("`legal_moves`", count, || {
            let mut sum = 0;
            for state in &states {
                state.legal_moves(&mut moves);
                sum += moves.len();
            }
            sum
        }),
        Job::new("`count_legal_moves`", count, || {
            states.iter().map(|state| state.count_legal_moves()).sum::<usize>()
        }),
        Job::new("`is_legal`", count, || {
            states.iter().zip(&firsts).filter(|(state, mv)| state.is_legal(**mv)).count()
        }),
        Job::new("`gives_check`", count, || {
            states.iter().zip(&firsts).filter(|(state, mv)| state.gives_check(**mv)).count()
        }),
        Job::new("`do_move`, `undo_move`", count, || {
            for (state, &mv) in played.iter_mut().zip(&firsts) {
                let undo = state.do_move(mv);
                state.undo_move(undo);
            }
        }),
    ];
    let mut table = Table::new("One position");
    table.measure(Backend::detect(), rounds, jobs);
    table
}

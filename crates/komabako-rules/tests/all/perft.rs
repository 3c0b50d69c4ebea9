//! The published node counts, with every way of counting.

use komabako_bits::Backend;
use komabako_board::{Position, sfen};
use komabako_rules::{Leaves, State, perft};
use komabako_testkit::{backends, vectors};

fn state(text: &str) -> State {
    State::new(&Position::new(sfen::parse(text).unwrap().setup).unwrap()).unwrap()
}

fn check(row: (&str, u32, u64), leaves: Leaves) {
    let (text, depth, nodes) = row;
    assert_eq!(perft(&state(text), depth, leaves), nodes, "{leaves:?} at depth {depth} of {text}");
}

#[test]
fn perft_table_agrees_up_to_two_million_nodes() {
    let mut checked = 0;
    for row in vectors::perft().filter(|&(_, _, nodes)| nodes <= 2_000_000) {
        for leaves in [Leaves::Count, Leaves::List] {
            check(row, leaves);
        }
        let (text, depth, nodes) = row;
        assert_eq!(
            perft::perft_by_making(Backend::detect(), &state(text), depth),
            nodes,
            "depth {depth} of {text}"
        );
        checked += 1;
    }
    assert_eq!(checked, 434);
}

/// `cargo xtask perft` runs it.
#[test]
#[ignore = "half a billion nodes and the start position to depth 6: seconds in the release profile, minutes in dev"]
fn perft_agrees_with_the_whole_table_and_the_start_position() {
    for row in vectors::perft() {
        check(row, Leaves::Count);
        check(row, Leaves::List);
    }
    for (depth, nodes) in (1..).zip([30, 900, 25_470, 719_731, 19_861_490, 547_581_517]) {
        assert_eq!(perft(&State::<u64>::start(), depth, Leaves::Count), nodes);
        assert_eq!(perft(&State::<()>::start(), depth, Leaves::List), nodes);
    }
}

#[test]
fn division_threads_and_hash_tables_give_the_same_counts() {
    for (text, depth, nodes) in
        vectors::perft().filter(|&(_, _, nodes)| (100_000..400_000).contains(&nodes)).step_by(9)
    {
        let state = state(text);
        let divided = perft::divide(&state, depth, Leaves::List);
        assert_eq!(divided.iter().map(|&(_, nodes)| nodes).sum::<u64>(), nodes, "{text}");
        assert_eq!(perft::perft_threads(Backend::detect(), &state, depth, Leaves::Count, 3), nodes, "{text}");
    }
    let start = State::<u128>::start();
    for bytes in [0, 1 << 20] {
        let table = perft::PerftTable::new(bytes).expect("memory");
        for threads in [1, 3] {
            let nodes = perft::perft_hashed_threads(Backend::detect(), &start, 4, &table, threads);
            assert_eq!(nodes, 719_731, "{threads} threads");
        }
        // Every entry of the table was written by other threads, or earlier by this one.
        assert_eq!(perft::perft_hashed(Backend::detect(), &start, 4, &table), 719_731);
    }
    assert!(perft::PerftTable::new(usize::MAX).is_err());
}

#[test]
fn every_backend_counts_the_same() {
    backends::for_each_backend(|backend| {
        let start = State::<u64>::start();
        assert_eq!(perft::perft_on(backend, &start, 4, Leaves::Count), 719_731);
        assert_eq!(perft::perft_on(backend, &start, 3, Leaves::List), 25_470);
        assert_eq!(perft::perft_by_making(backend, &start, 3), 25_470);
    });
}

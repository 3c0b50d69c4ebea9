//! The published node counts, by every way of counting.

use komabako_board::{Position, sfen};
use komabako_rules::{Leaves, State, perft};

/// A row of the table: SFEN, depth, nodes.
fn rows() -> impl Iterator<Item = (&'static str, u32, u64)> {
    let table = include_str!("../../komabako-testkit/vectors/perft.tsv");
    table.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().expect("a row has five cells");
        (cell(), cell().parse().expect("a depth"), cell().parse().expect("a count"))
    })
}

fn state(text: &str) -> State {
    State::new(&Position::new(sfen::parse(text).unwrap().setup).unwrap()).unwrap()
}

fn check(row: (&str, u32, u64), leaves: Leaves) {
    let (text, depth, nodes) = row;
    assert_eq!(perft(&state(text), depth, leaves), nodes, "{leaves:?} at depth {depth} of {text}");
}

#[test]
fn the_table_up_to_two_million_nodes() {
    let mut checked = 0;
    for row in rows().filter(|&(_, _, nodes)| nodes <= 2_000_000) {
        for leaves in [Leaves::Count, Leaves::List, Leaves::Make] {
            check(row, leaves);
        }
        checked += 1;
    }
    assert_eq!(checked, 434);
}

/// `cargo xtask perft` runs it.
#[test]
#[ignore = "half a billion nodes and the start position to depth 6: seconds in the release profile, minutes in dev"]
fn the_whole_table_and_the_start_position() {
    for row in rows() {
        check(row, Leaves::Count);
        check(row, Leaves::List);
    }
    for (depth, nodes) in (1..).zip([30, 900, 25_470, 719_731, 19_861_490, 547_581_517]) {
        assert_eq!(perft(&State::<u64>::start(), depth, Leaves::Count), nodes);
        assert_eq!(perft(&State::<()>::start(), depth, Leaves::List), nodes);
    }
}

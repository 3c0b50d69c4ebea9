//! The parts of the rules, as Markdown tables: slider attacks with every method, forms of bitboards, hands, and operations on one
//! position, on every backend. `cargo bench -p komabako-benches -F criterion --bench rules`; with `-- --test`, one round only.
//!
//! The jobs of a table run in turn, round after round. A figure is the minimum of the rounds, in nanoseconds per question, so
//! that other load on the machine hardly matters.

#![forbid(unsafe_code)]

mod forms;
mod hands;
mod positions;
mod sliders;
mod table;

use komabako::board::{Bitboard, Square};
use komabako_testkit::setups::Rng;

/// The number of rounds.
fn rounds() -> usize {
    if std::env::args().any(|argument| argument == "--test") { 1 } else { 200 }
}

/// A square and the occupied squares.
type Query = (Square, Bitboard);

/// Random squares, each with a third of the board occupied.
fn queries(count: usize) -> Vec<Query> {
    let mut rng = Rng::new(51);
    let mut query = || {
        let occupied = rng.squares(33);
        (rng.square_of(Bitboard::ALL).expect("the board has squares"), occupied)
    };
    (0..count).map(|_| query()).collect()
}

fn main() {
    let rounds = rounds();
    println!("{}", sliders::tables());
    for table in [sliders::hot, forms::table, hands::table, positions::table] {
        println!("{}", table(rounds));
    }
    println!("{}", sliders::spread(rounds.div_ceil(4)));
}

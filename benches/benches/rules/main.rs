//! What the rules are made of, as Markdown tables: sliders by every method, forms of bitboards, hands, and what is done with
//! one position, on every backend. `cargo bench -p komabako-benches -F criterion --bench rules`; with `-- --test` once and untimed.
//!
//! The jobs of a table run in turn, round after round; a figure is the least of the rounds, in nanoseconds for one
//! question, so that what else the machine does hardly counts.

#![forbid(unsafe_code)]

mod forms;
mod hands;
mod positions;
mod sliders;
mod table;

use komabako::board::{Bitboard, Square, square};
use komabako_testkit::setups::Rng;

/// How often each job runs.
fn rounds() -> usize {
    if std::env::args().any(|argument| argument == "--test") { 1 } else { 200 }
}

/// A square and the occupied squares.
type Query = (Square, Bitboard);

/// Squares, each with an occupied third of the board.
fn queries(count: usize) -> Vec<Query> {
    let mut rng = Rng::new(51);
    let mut query = || {
        let occupied = square::all().filter(|_| rng.chance(33)).collect();
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

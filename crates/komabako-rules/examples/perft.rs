//! Counts move sequences: `cargo run --release -p komabako-rules --example perft [DEPTH]`.

use std::time::Instant;

use komabako_rules::{Leaves, State, perft};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(4), |text| text.parse())?;
    let state = State::<()>::start();
    for depth in 1..=depth {
        let start = Instant::now();
        let nodes = perft(&state, depth, Leaves::Count);
        println!("depth {depth}: {nodes} sequences in {:.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}

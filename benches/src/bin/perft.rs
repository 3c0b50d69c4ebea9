//! Nodes per second of perft on three positions, counted three ways: `perft [REPETITIONS] [--backend NAME]`.
//!
//! Prints one line `komabako,counting,position,depth,millions of nodes per second` per row, the median over the repetitions. Each
//! count is asserted. `list` takes the length of a list of the last ply's moves, `count` adds up the sizes of move sets, `make`
//! makes and takes back every move of the last ply. It uses one thread. Programs of `peers/` print the same lines.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Instant;

use komabako::board::{Position, sfen};
use komabako::rules::perft::{perft_by_making, perft_on};
use komabako::rules::{Leaves, State};
use komabako_bits::Backend;

/// Name, SFEN, and pairs of depth and nodes: first for `list` and `count`, then for `make`.
type Row = (&'static str, &'static str, [(u32, u64); 2]);

const POSITIONS: [Row; 3] = [
    ("start", "startpos", [(6, 547_581_517), (5, 19_861_490)]),
    (
        "mid",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        [(4, 516_925_165), (3, 4_809_015)],
    ),
    ("max", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", [(3, 53_393_368), (2, 105_677)]),
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("perft: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let mut repetitions = 9;
    let mut backend = Backend::detect();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--backend" => {
                let name = arguments.next().ok_or("--backend needs a name")?;
                backend = name.parse().map_err(|why| format!("--backend {name}: {why}"))?;
            }
            text => {
                repetitions =
                    text.parse().map_err(|_| "usage: perft [REPETITIONS] [--backend NAME]".to_owned())?;
            }
        }
    }
    for counting in ["list", "count", "make"] {
        for (name, text, depths) in POSITIONS {
            let setup = sfen::parse(text).map_err(|error| error.to_string())?.setup;
            let position = Position::new(setup).map_err(|error| error.to_string())?;
            let state = State::<u64>::new(&position).map_err(|error| error.to_string())?;
            let (depth, nodes) = depths[usize::from(counting == "make")];
            let mut rates: Vec<f64> = (0..repetitions)
                .map(|_| {
                    let start = Instant::now();
                    let counted = match counting {
                        "list" => perft_on(backend, &state, depth, Leaves::List),
                        "count" => perft_on(backend, &state, depth, Leaves::Count),
                        _ => perft_by_making(backend, &state, depth),
                    };
                    assert_eq!(counted, nodes, "{name}");
                    nodes as f64 / start.elapsed().as_secs_f64() / 1e6
                })
                .collect();
            rates.sort_by(f64::total_cmp);
            println!("komabako,{counting},{name},{depth},{:.1}", rates[rates.len() / 2]);
        }
    }
    Ok(())
}

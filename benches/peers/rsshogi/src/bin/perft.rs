//! rsshogi's perft on the positions of Komabako's `perft`: `perft [REPETITIONS]`.
//!
//! Prints one line `rsshogi,counting,position,depth,millions of nodes per second` per row.

use std::time::Instant;

use rsshogi::board::{Move32List, Position, generate_legal_all_move32, position_from_sfen};

/// Name, SFEN, and pairs of depth and nodes of each position: first for `list`, then for `make`.
const POSITIONS: [(&str, &str, [(u8, u64); 2]); 3] = [
    (
        "start",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        [(6, 547_581_517), (5, 19_861_490)],
    ),
    (
        "mid",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        [(4, 516_925_165), (3, 4_809_015)],
    ),
    ("max", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", [(3, 53_393_368), (2, 105_677)]),
];

/// The library's own perft, which counts the last ply as the length of its list.
fn list(position: &Position, depth: u8) -> u64 {
    rsshogi::board::perft::perft(position, depth).expect("the depth is in range").nodes
}

/// Makes and takes back the moves of the last ply too.
fn make(position: &Position, depth: u8) -> u64 {
    fn walk(position: &mut Position, depth: u8) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = Move32List::new();
        generate_legal_all_move32(position, &mut moves);
        let mut nodes = 0;
        for &mv in moves.iter() {
            position.apply_move32(mv);
            nodes += walk(position, depth - 1);
            position.undo_move32(mv).expect("the move was the last one made");
        }
        nodes
    }
    let mut position = position.clone();
    position.init_stack();
    walk(&mut position, depth)
}

fn main() {
    let repetitions = std::env::args().nth(1).map_or(9, |text| text.parse().expect("a number of repetitions"));
    for (place, counting, perft) in [(0, "list", list as fn(&Position, u8) -> u64), (1, "make", make)] {
        for (name, sfen, depths) in POSITIONS {
            let position = position_from_sfen(sfen).expect("the positions are legal");
            let (depth, nodes) = depths[place];
            let mut rates: Vec<f64> = (0..repetitions)
                .map(|_| {
                    let start = Instant::now();
                    assert_eq!(perft(&position, depth), nodes, "{name}");
                    nodes as f64 / start.elapsed().as_secs_f64() / 1e6
                })
                .collect();
            rates.sort_by(f64::total_cmp);
            println!("rsshogi,{counting},{name},{depth},{:.1}", rates[rates.len() / 2]);
        }
    }
}

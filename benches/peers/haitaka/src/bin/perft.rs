//! haitaka's perft on the positions of Komabako's `perft`: `perft [REPETITIONS]`.
//!
//! Prints one line `haitaka,counting,position,depth,millions of nodes per second` per row. haitaka 0.3.2 mishandles mate by
//! pawn drop, so its counts may be wrong.

use std::time::Instant;

use haitaka::Board;

const POSITIONS: [(&str, &str, u32); 3] = [
    ("start", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 6),
    ("mid", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 4),
    ("max", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3),
];

/// Counts the last ply from the sizes of its move sets (`BULK`), or makes its moves too.
fn perft<const BULK: bool>(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    let mut add = |moves: haitaka::PieceMoves| {
        if BULK && depth == 1 {
            nodes += moves.into_iter().len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += perft::<BULK>(&child, depth - 1);
            }
        }
        false
    };
    board.generate_board_moves(&mut add);
    board.generate_drops(&mut add);
    nodes
}

fn main() {
    let repetitions = std::env::args().nth(1).map_or(9, |text| text.parse().expect("a number of repetitions"));
    for (counting, plies_less, perft) in
        [("count", 0, perft::<true> as fn(&Board, u32) -> u64), ("make", 1, perft::<false>)]
    {
        for (name, sfen, depth) in POSITIONS {
            let board: Board = sfen.parse().expect("the positions are legal");
            let depth = depth - plies_less;
            let mut rates: Vec<f64> = (0..repetitions)
                .map(|_| {
                    let start = Instant::now();
                    let nodes = perft(&board, depth);
                    nodes as f64 / start.elapsed().as_secs_f64() / 1e6
                })
                .collect();
            rates.sort_by(f64::total_cmp);
            println!("haitaka,{counting},{name},{depth},{:.1}", rates[rates.len() / 2]);
        }
    }
}

//! The published packer of SSPFv1 (`sosuupoyo_shogi_packer` 0.1.0, MIT, primenumber) on a corpus:
//! `codec CORPUS.sfen [REPETITIONS]`.
//!
//! Prints one line `sosuupoyo,format,operation,nanoseconds per position` per row, the median over the repetitions. Its unpack
//! swaps the numbers of rooks and bishops in hands (its `hand_counts` has the rook first), so some of them come back as the other
//! kind, in 1,063 of the 12,288 positions of `corpus.sfen`. The assertion allows for that. Its `PackedSfen` is not measured: its
//! layout is not YaneuraOu's.

use std::hint::black_box;
use std::time::Instant;

use sosuupoyo_shogi_packer::{Color, Packer, Position, SSPFv1};

/// A smaller corpus is repeated up to this number of positions, as in our `measure`.
const POSITIONS: usize = 10_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let corpus = arguments.next().expect("usage: codec CORPUS.sfen [REPETITIONS]");
    let repetitions: usize =
        arguments.next().map_or(9, |text| text.parse().expect("a number of repetitions"));
    let text = std::fs::read_to_string(&corpus).expect("the corpus");
    let lines: Vec<&str> = text.lines().collect();
    let positions: Vec<Position> = lines
        .iter()
        .cycle()
        .take(lines.len().max(POSITIONS))
        .map(|line| Position::from_sfen(line).expect("the positions are legal"))
        .collect();
    let mut words = vec![[0; 32]; positions.len()];
    for (position, word) in positions.iter().zip(&mut words) {
        SSPFv1.pack(position, word).expect("base positions");
    }
    let mut one = Position::startpos();
    for (position, word) in positions.iter().zip(&words) {
        SSPFv1.unpack(word, &mut one).expect("its own word");
        for color in [Color::Black, Color::White] {
            assert_eq!(one.player_bb(color), position.player_bb(color));
            // Bishops and rooks are added, since unpack swaps them.
            let hand = |position: &Position| {
                let [pawns, lances, knights, silvers, bishops, rooks, golds, _] = position.hand(color).0;
                [pawns, lances, knights, silvers, bishops + rooks, golds]
            };
            assert_eq!(hand(&one), hand(position));
        }
    }
    let mut packed = vec![[0; 32]; positions.len()];
    let mut pack = Vec::new();
    let mut unpack = Vec::new();
    for _ in 0..repetitions {
        let start = Instant::now();
        for (position, word) in positions.iter().zip(&mut packed) {
            SSPFv1.pack(black_box(position), word).expect("base positions");
        }
        black_box(&packed);
        pack.push(start.elapsed().as_nanos() as f64 / positions.len() as f64);
        let start = Instant::now();
        for word in &words {
            SSPFv1.unpack(black_box(word), &mut one).expect("its own word");
            black_box(&one);
        }
        unpack.push(start.elapsed().as_nanos() as f64 / positions.len() as f64);
    }
    assert_eq!(packed, words);
    for (operation, mut times) in [("pack", pack), ("unpack", unpack)] {
        times.sort_by(f64::total_cmp);
        println!("sosuupoyo,sspfv1,{operation},{:.2}", times[times.len() / 2]);
    }
}

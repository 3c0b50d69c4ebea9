//! The time of rsshogi's position codecs over a corpus: `codec CORPUS.sfen [REPETITIONS]`.
//!
//! Prints one line `peer,format,operation,nanoseconds per position` per row: the median over the repetitions. Every
//! result is asserted once before it is timed.

use std::hint::black_box;
use std::time::Instant;

use rsshogi::board::{HuffmanCodedPos, PackedSfen, PackedSfenSink, Position};
use rsshogi::types::{Color, HandPiece, Piece, Square};

/// The cheapest receiver of a decoded position: 81 bytes and two rows of counts.
#[derive(Default)]
struct Mailbox {
    board: Vec<u8>,
    hands: [[u8; 8]; 2],
    white: bool,
}

impl PackedSfenSink for Mailbox {
    fn reset(&mut self, side_to_move: Color) {
        self.board.clear();
        self.board.resize(81, 0);
        self.hands = Default::default();
        self.white = side_to_move == Color::WHITE;
    }

    fn set_piece(&mut self, square: Square, piece: Piece) {
        self.board[square.raw() as usize] = piece.raw() as u8;
    }

    fn add_hand_piece(&mut self, color: Color, piece: HandPiece) {
        self.hands[color.to_index()][piece.to_piece_type().raw() as usize] += 1;
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let corpus = arguments.next().expect("usage: codec CORPUS.sfen [REPETITIONS]");
    let repetitions = arguments.next().map_or(9, |text| text.parse().expect("a number of repetitions"));
    rsshogi::board::init();
    let text = std::fs::read_to_string(&corpus).expect("the corpus");
    let positions: Vec<Position> =
        text.lines().map(|line| Position::from_sfen(line).expect("a position of the corpus")).collect();
    let psv: Vec<PackedSfen> = positions.iter().map(Position::to_packed_sfen).collect();
    let hcp: Vec<HuffmanCodedPos> = positions.iter().map(Position::to_huffman_coded_pos).collect();
    let mut position = Position::empty();
    for (index, expected) in positions.iter().enumerate() {
        position.set_packed_sfen(&psv[index], false, 1).expect("its own word");
        assert_eq!(position.to_packed_sfen(), expected.to_packed_sfen());
        position.set_huffman_coded_pos(&hcp[index], 1).expect("its own word");
        assert_eq!(position.to_packed_sfen(), expected.to_packed_sfen());
    }
    let report = |format: &str, operation: &str, run: &mut dyn FnMut()| {
        let mut times: Vec<f64> = (0..repetitions)
            .map(|_| {
                let start = Instant::now();
                run();
                start.elapsed().as_nanos() as f64 / positions.len() as f64
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!("rsshogi,{format},{operation},{:.1}", times[times.len() / 2]);
    };
    report("psv", "pack", &mut || positions.iter().for_each(|it| _ = black_box(it.to_packed_sfen())));
    report("psv", "unpack to position", &mut || {
        for word in &psv {
            position.set_packed_sfen(black_box(word), false, 1).expect("its own word");
            black_box(&position);
        }
    });
    let mut mailbox = Mailbox::default();
    report("psv", "unpack to sink", &mut || {
        for word in &psv {
            black_box(word).decode_into(false, &mut mailbox).expect("its own word");
            black_box(&mailbox);
        }
    });
    report("hcp", "pack", &mut || positions.iter().for_each(|it| _ = black_box(it.to_huffman_coded_pos())));
    report("hcp", "unpack to position", &mut || {
        for word in &hcp {
            position.set_huffman_coded_pos(black_box(word), 1).expect("its own word");
            black_box(&position);
        }
    });
}

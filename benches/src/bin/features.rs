//! The arrays that trainers compute from packed positions: `features [REPETITIONS]`.
//!
//! Prints one line `komabako,work,positions,unit,figure` per row, the median over the repetitions. The positions are those of
//! `corpus/corpus.sfen` as PSV words. The work of a row starts with these words, which are unpacked in blocks as in the Python
//! package, and ends with arrays; `unpack` is the part that all rows share. "Slow" rows are the functions for single positions,
//! which are the references of the others.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use komabako::board::{Color, Setup};
use komabako::codec::{PackedSfen, PositionCodec, Word};
use komabako::features::board::{Arrays, Columns};
use komabako::features::dlshogi::{self, Planes};
use komabako::features::label::{self, Classes, Masks};
use komabako::features::{Backend, nnue};
use komabako::record::legality::state_of;
use komabako_benches::corpus;

/// The number of positions unpacked at a time, as in the Python package.
const BLOCK: usize = 256;

fn main() -> ExitCode {
    let repetitions: usize = match std::env::args().nth(1).unwrap_or_else(|| "9".to_owned()).parse() {
        Ok(repetitions) => repetitions,
        Err(_) => {
            eprintln!("features: REPETITIONS is a number");
            return ExitCode::from(2);
        }
    };
    let words: Vec<Word> = {
        let codec = PackedSfen::new();
        corpus::setups().iter().map(|setup| codec.pack(setup).expect("a position of a game")).collect()
    };
    let mut bench = Bench { words, repetitions: repetitions.max(1) };
    bench.rows();
    ExitCode::SUCCESS
}

struct Bench {
    words: Vec<Word>,
    repetitions: usize,
}

impl Bench {
    fn rows(&mut self) {
        let backend = Backend::detect();
        self.row("unpack", |setups| {
            black_box(setups);
        });
        let mut board = vec![[0; 81]; BLOCK];
        let mut hands = vec![[[0; 7]; 2]; BLOCK];
        let mut side = vec![0; BLOCK];
        let mut kings = vec![[0; 2]; BLOCK];
        self.row("board", |setups| {
            Columns { board: &mut board, hands: &mut hands, side: &mut side, kings: &mut kings }
                .write(backend, setups);
        });
        let mut bits =
            (vec![[0; dlshogi::FEATURES1_BYTES]; BLOCK], vec![[0; dlshogi::FEATURES2_BYTES]; BLOCK]);
        self.row("dlshogi bits", |setups| dlshogi::write_bits(backend, setups, &mut bits.0, &mut bits.1));
        let mut bytes =
            (vec![[[0u8; 81]; dlshogi::FEATURES1]; BLOCK], vec![[[0u8; 81]; dlshogi::FEATURES2]; BLOCK]);
        self.row("dlshogi u1", |setups| {
            dlshogi::write_planes(backend, setups, &mut bytes.0, &mut bytes.1);
        });
        let mut floats =
            (vec![[[0f32; 81]; dlshogi::FEATURES1]; BLOCK], vec![[[0f32; 81]; dlshogi::FEATURES2]; BLOCK]);
        self.row("dlshogi f4", |setups| {
            dlshogi::write_planes(backend, setups, &mut floats.0, &mut floats.1);
        });
        let mut half_kp = vec![[[0; 38]; 2]; BLOCK];
        self.row("HalfKP", |setups| {
            nnue::write_half_kp(backend, setups, nnue::First::SideToMove, &mut half_kp);
        });
        let mut half_ka = vec![[[0; 40]; 2]; BLOCK];
        self.row("HalfKA_hm", |setups| {
            nnue::write_half_ka_hm(backend, setups, nnue::First::SideToMove, &mut half_ka);
        });
        let mut masks = Masks::new();
        let mut mask = vec![[0; label::MASK_BYTES]; BLOCK];
        self.row("legal mask", |setups| {
            for (setup, mask) in setups.iter().zip(&mut mask) {
                // Some positions of the corpus are not playable: the side that is not to move is in check.
                if let Ok(state) = state_of(setup) {
                    masks.write_bits(&state, Classes::All, mask);
                }
            }
        });
        self.row("board slow", |setups| {
            for setup in setups {
                black_box(Arrays::new(setup));
            }
        });
        self.row("dlshogi bits slow", |setups| {
            for setup in setups {
                black_box(Planes::new(setup).to_bits());
            }
        });
        self.row("HalfKP slow", |setups| {
            for setup in setups {
                for color in [Color::Black, Color::White] {
                    black_box(nnue::half_kp(setup, color).expect("both kings").padded::<38>());
                }
            }
        });
        self.row("legal mask slow", |setups| {
            for setup in setups {
                black_box(state_of(setup).map(|state| label::legal_mask(&state)).ok());
            }
        });
    }

    /// Unpacks all words block by block, runs `kernel` on each block, and prints the rate.
    fn row(&self, work: &str, mut kernel: impl FnMut(&[Setup])) {
        let codec = PackedSfen::new();
        let mut setups = vec![Setup::EMPTY; BLOCK];
        let mut seconds: Vec<f64> = (0..self.repetitions)
            .map(|_| {
                let start = Instant::now();
                for words in self.words.chunks(BLOCK) {
                    let setups = &mut setups[..words.len()];
                    codec.unpack_slice(words, setups).expect("good words");
                    kernel(setups);
                }
                start.elapsed().as_secs_f64()
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        let rate = self.words.len() as f64 / seconds[seconds.len() / 2] / 1000.0;
        println!("komabako,{work},corpus,thousands of positions a second,{rate:.1}");
    }
}

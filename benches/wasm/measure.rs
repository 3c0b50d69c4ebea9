//! The codecs in a module for browsers, which `measure.mjs` times under Node. `cargo xtask bench-wasm` builds it.
//!
//! ```text
//! rows() -> count              the number of rows
//! name(row) -> pointer         the name of a row, `format,operation`
//! name_length(row) -> length   the length of the name in bytes
//! run(row) -> positions        processes the corpus once; returns the number of positions
//! ```
//!
//! A module has no clock, so JavaScript takes the time. Every result is asserted when the module starts.

use std::cell::RefCell;
use std::hint::black_box;

use komabako_bits::Backend;
use komabako_board::{Setup, sfen};
use komabako_codec::{Hcp, PackedSfen, PositionCodec, Sspf, Word};

const CORPUS: &str = include_str!("../corpus/corpus.sfen");

const OPERATIONS: [&str; 4] = ["pack", "pack batch", "unpack", "unpack batch"];

/// A codec with buffers for results.
struct Rows<C> {
    codec: C,
    words: Vec<Word>,
    packed: Vec<Word>,
    unpacked: Vec<Setup>,
}

impl<C: PositionCodec> Rows<C> {
    fn new(setups: &[Setup]) -> Self {
        let codec = C::with_backend(Backend::detect());
        let words: Vec<Word> =
            setups.iter().map(|setup| codec.pack(setup).expect("a base position")).collect();
        for (word, setup) in words.iter().zip(setups) {
            assert_eq!(codec.unpack(word).as_ref(), Ok(setup), "{}", C::NAME);
        }
        Self { codec, packed: vec![[0; 32]; words.len()], unpacked: vec![Setup::EMPTY; words.len()], words }
    }

    fn names() -> [String; 4] {
        OPERATIONS.map(|operation| format!("{},{operation}", C::NAME))
    }

    fn run(&mut self, setups: &[Setup], operation: usize) {
        let Self { codec, words, packed, unpacked } = self;
        match operation {
            0 => {
                for (setup, word) in setups.iter().zip(packed) {
                    codec.pack_to(black_box(setup), word).expect("a base position");
                }
            }
            1 => codec.pack_slice(black_box(setups), packed).expect("base positions"),
            2 => {
                let mut one = Setup::EMPTY;
                for word in words {
                    codec.unpack_to(black_box(word), &mut one).expect("its own word");
                    black_box(&one);
                }
            }
            _ => codec.unpack_slice(black_box(words), unpacked).expect("its own words"),
        }
        black_box(&self.packed);
        black_box(&self.unpacked);
    }
}

struct Bench {
    names: Vec<String>,
    setups: Vec<Setup>,
    sspf: Rows<Sspf>,
    psv: Rows<PackedSfen>,
    hcp: Rows<Hcp>,
}

impl Bench {
    fn new() -> Self {
        let setups: Vec<Setup> =
            CORPUS.lines().map(|line| sfen::parse(line).expect("a line of SFEN").setup).collect();
        Self {
            names: [Rows::<Sspf>::names(), Rows::<PackedSfen>::names(), Rows::<Hcp>::names()].concat(),
            sspf: Rows::new(&setups),
            psv: Rows::new(&setups),
            hcp: Rows::new(&setups),
            setups,
        }
    }

    fn run(&mut self, row: usize) -> usize {
        let Self { setups, sspf, psv, hcp, .. } = self;
        let operation = row % OPERATIONS.len();
        match row / OPERATIONS.len() {
            0 => sspf.run(setups, operation),
            1 => psv.run(setups, operation),
            _ => hcp.run(setups, operation),
        }
        setups.len()
    }
}

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new(Bench::new());
}

#[unsafe(no_mangle)]
pub extern "C" fn rows() -> usize {
    BENCH.with_borrow(|bench| bench.names.len())
}

#[unsafe(no_mangle)]
pub extern "C" fn name(row: usize) -> *const u8 {
    BENCH.with_borrow(|bench| bench.names[row].as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn name_length(row: usize) -> usize {
    BENCH.with_borrow(|bench| bench.names[row].len())
}

#[unsafe(no_mangle)]
pub extern "C" fn run(row: usize) -> usize {
    BENCH.with_borrow_mut(|bench| bench.run(row))
}

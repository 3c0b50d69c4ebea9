//! The codec alone, beside which the Python package is measured: `unpack RECORDS.psv [ROUNDS]`.
//!
//! Prints a line `codec,unpack_slice,ns,figure`: nanoseconds per record, the median of the rounds, each of which unpacks
//! the words of 200,000 records (the file, repeated) in batches of 1,024, as `bindings/python/benches/functions.py` does.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use komabako::board::Setup;
use komabako::codec::{PackedSfen, PositionCodec, Word};

/// The number of positions unpacked at a time.
const BATCH: usize = 1024;

/// The number of positions unpacked in a round.
const RECORDS: usize = 200_000;

/// The size of a record of PSV in bytes. It starts with the word.
const RECORD: usize = 40;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let rounds: usize = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(7);
    match measure(&path, rounds.max(1)) {
        Ok(nanoseconds) => {
            println!("codec,unpack_slice,ns,{nanoseconds:.1}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("unpack: {path}: {why}");
            ExitCode::from(2)
        }
    }
}

/// The median of the nanoseconds per record.
fn measure(path: &str, rounds: usize) -> Result<f64, String> {
    let bytes = std::fs::read(path).map_err(|why| why.to_string())?;
    let records = bytes.chunks_exact(RECORD);
    let words: Vec<Word> =
        records.cycle().take(RECORDS).filter_map(|record| record.first_chunk().copied()).collect();
    if words.is_empty() {
        return Err("no record".to_owned());
    }
    let codec = PackedSfen::new();
    let mut setups = vec![Setup::EMPTY; BATCH];
    let mut figures = Vec::new();
    for _ in 0..rounds {
        let start = Instant::now();
        for words in words.chunks(BATCH) {
            codec.unpack_slice(words, &mut setups[..words.len()]).map_err(|why| why.to_string())?;
            black_box(&mut setups);
        }
        figures.push(start.elapsed().as_secs_f64() * 1e9 / words.len() as f64);
    }
    figures.sort_by(f64::total_cmp);
    Ok(figures[figures.len() / 2])
}

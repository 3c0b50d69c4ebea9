//! The speed of checking a file's recorded moves, including unpacking: `validate FILE.psv [REPETITIONS]`, on one thread.
//!
//! Fails if a move is not legal. Prints one line `records, millions of records per second`, the median over the
//! repetitions (9); the file is in memory.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use komabako::dataset::legality::MoveChecker;
use komabako::dataset::{Block, FileFormat, RecordReader};
use komabako_bits::Backend;

fn main() -> ExitCode {
    match run() {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("validate: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<String, String> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: validate FILE.psv [REPETITIONS]")?;
    let repetitions: usize = match arguments.next() {
        Some(count) => count.parse().map_err(|why| format!("{count}: {why}"))?,
        None => 9,
    };
    let bytes = std::fs::read(&path).map_err(|why| format!("{path}: {why}"))?;
    let mut reader = RecordReader::new(&bytes[..], FileFormat::Psv, "input");
    let mut blocks = vec![Block::default()];
    while reader
        .next_block(blocks.last_mut().expect("one at least"))
        .map_err(|why| format!("{path}: {why:?}"))?
    {
        blocks.push(Block::default());
    }
    let records: usize = blocks.iter().map(Block::len).sum();
    let mut checker = MoveChecker::new(Backend::detect());
    let mut rates = Vec::new();
    for _ in 0..repetitions.max(1) {
        let start = Instant::now();
        for block in &blocks {
            let faults = black_box(checker.check(FileFormat::Psv, block, 0..block.len()));
            if let Some(fault) = faults.first() {
                return Err(format!("{path}: {fault:?}"));
            }
        }
        rates.push(records as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
    rates.sort_by(f64::total_cmp);
    Ok(format!("{records}, {:.2}", rates[rates.len() / 2]))
}

//! The SFEN and score of each record of a PSV file: `cargo run -p komabako-record --example scores FILE.psv`.

use std::env;
use std::fs;

use komabako_record::FileFormat;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = env::args().nth(1).ok_or("usage: scores FILE.psv")?;
    for (number, bytes) in fs::read(&path)?.chunks(40).enumerate() {
        match FileFormat::Psv.decode(bytes) {
            Ok(record) => println!("{} {}", record.setup, record.labels.score.unwrap_or_default()),
            Err(fault) => eprintln!("record {number}: {fault}"),
        }
    }
    Ok(())
}

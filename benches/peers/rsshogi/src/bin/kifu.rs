//! Reading of game records with rsshogi, and conversion to PSV records: `kifu REPETITIONS DIRECTORY`.
//!
//! Prints one line `rsshogi,work,corpus,unit,rate` per row, as Komabako's `kifu` does. Of KIF it keeps only the main line.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use rsshogi::board::position_from_sfen;
use rsshogi::records::Record;
use rsshogi::records::formats::{csa, kif};
use rsshogi::types::{Color, GameResult};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repetitions, directory] = arguments.as_slice() else {
        return Err("usage: kifu REPETITIONS DIRECTORY".into());
    };
    let repetitions: usize = repetitions.parse()?;
    rsshogi::board::init();
    for corpus in ["csa", "floodgate", "kif"] {
        let files = files(&format!("{directory}/{corpus}"))?;
        let read = if corpus == "kif" { read_kif } else { read_csa };
        let bytes = files.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
        let rate = median(repetitions, || {
            for file in &files {
                black_box(read(file)?);
            }
            Ok(bytes)
        })?;
        println!("rsshogi,read,{corpus},MB/s,{rate:.1}");
    }
    let files = files(&format!("{directory}/floodgate"))?;
    let mut out = Vec::new();
    let rate = median(repetitions, || {
        out.clear();
        for file in &files {
            write_psv(&read_csa(file)?, &mut out)?;
        }
        Ok(files.len() as f64 / 1e3)
    })?;
    println!("rsshogi,psv,floodgate,1000 games/s,{rate:.2}");
    Ok(())
}

fn files(directory: &str) -> Result<Vec<Vec<u8>>, Failure> {
    fs::read_dir(directory)?.map(|entry| Ok(fs::read(entry?.path())?)).collect()
}

/// The median rate of some work, which returns its amount.
fn median(repetitions: usize, mut work: impl FnMut() -> Result<f64, Failure>) -> Result<f64, Failure> {
    let mut rates = Vec::new();
    for _ in 0..repetitions {
        let start = Instant::now();
        let amount = work()?;
        rates.push(amount / start.elapsed().as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    Ok(rates[rates.len() / 2])
}

fn read_csa(file: &[u8]) -> Result<Record, Failure> {
    Ok(csa::parse_csa_bytes(file)?)
}

fn read_kif(file: &[u8]) -> Result<Record, Failure> {
    Ok(kif::parse_kif_str(std::str::from_utf8(file)?)?)
}

/// Writes one PSV record for each move of the main line.
fn write_psv(record: &Record, out: &mut Vec<u8>) -> Result<(), Failure> {
    let mut position = position_from_sfen(record.init_position_sfen())?;
    position.init_stack();
    let result = record.result();
    for (ply, id) in record.main_line_ids().into_iter().enumerate() {
        let node = record.node(id);
        let Some(entry) = node.mv() else { break };
        let black = position.turn() == Color::BLACK;
        let score = node.eval().map_or(0, |eval| eval.raw()) as i16;
        let won: i8 = match result {
            GameResult::BlackWin => if black { 1 } else { -1 },
            GameResult::WhiteWin => if black { -1 } else { 1 },
            _ => 0,
        };
        out.extend(position.to_packed_sfen().as_bytes());
        out.extend((if black { score } else { -score }).to_le_bytes());
        out.extend(entry.mv().raw().to_le_bytes());
        out.extend((ply as u16 + 1).to_le_bytes());
        out.extend([won as u8, 0]);
        let mv = position.move32_from_move(entry.mv());
        position.apply_move32(mv);
    }
    Ok(())
}

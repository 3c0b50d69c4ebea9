//! PSV records to sbinpack and back with rsshogi: `archive REPETITIONS DIRECTORY`.
//!
//! Prints one line `program,work,set,unit,figure` per row for `order.psv` and `shuffled.psv` of the directory, as Komabako's `archive`
//! does. Records become a chain as long as each continues the one before it.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use rsshogi::board::{PackedSfen, Position};
use rsshogi::records::formats::sbinpack::{
    SbinpackChain, SbinpackDecodeEvent, SbinpackDecoder, SbinpackMetadata, SbinpackMove, SbinpackStem,
    pack_ply_result, serialize_file,
};
use rsshogi::types::{Color, GameResult, Move};

const RECORD: usize = 40;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repetitions, directory] = arguments.as_slice() else {
        return Err("usage: archive REPETITIONS DIRECTORY".into());
    };
    let repetitions: usize = repetitions.parse()?;
    rsshogi::board::init();
    for set in ["order", "shuffled"] {
        let records = fs::read(Path::new(directory).join(set).with_extension("psv"))?;
        let millions = (records.len() / RECORD) as f64 / 1e6;
        let written = write(&records)?;
        if read(&written)? != records {
            return Err("the records do not come back".into());
        }
        let encoding = median(repetitions, || write(&records))?;
        let decoding = median(repetitions, || read(&written))?;
        println!("rsshogi sbinpack,encode,{set},M records/s,{:.4}", millions / encoding);
        println!("rsshogi sbinpack,decode,{set},M records/s,{:.4}", millions / decoding);
        println!("rsshogi sbinpack,size,{set},bytes a record,{:.3}", written.len() as f64 / millions / 1e6);
    }
    Ok(())
}

/// The result as sbinpack has it.
fn result_of(relative: i8, turn: Color) -> GameResult {
    match relative {
        0 => GameResult::DrawByRepetition,
        win if (win == 1) == (turn == Color::BLACK) => GameResult::BlackWin,
        _ => GameResult::WhiteWin,
    }
}

fn write(records: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut chains: Vec<SbinpackChain> = Vec::new();
    let mut position = Position::empty();
    // The record that would continue the last one.
    let mut next = None;
    for record in records.chunks_exact(RECORD) {
        let word: [u8; 32] = record[..32].try_into()?;
        let score = i16::from_le_bytes([record[32], record[33]]);
        let best_move = Move::from_raw(u16::from_le_bytes([record[34], record[35]]));
        let ply = u16::from_le_bytes([record[36], record[37]]);
        let relative = record[38] as i8;
        if next != Some((word, ply, relative)) {
            let packed_sfen = PackedSfen::from_bytes(word);
            position.set_packed_sfen(&packed_sfen, false, ply.into())?;
            let ply_result = pack_ply_result(result_of(relative, position.turn()), ply.into());
            let stem = SbinpackStem { packed_sfen, score, best_move, ply_result };
            chains.push(SbinpackChain { stem, metadata: SbinpackMetadata::default(), moves: Vec::new() });
        }
        let mv = position.move32_from_move(best_move);
        let chain = chains.last_mut().ok_or("a chain was just begun")?;
        chain.moves.push(SbinpackMove { mv, eval: score.into() });
        position.apply_move32(mv);
        next = Some((*position.to_packed_sfen().as_bytes(), ply + 1, -relative));
    }
    serialize_file(&chains).map_err(|error| format!("{error:?}").into())
}

fn read(written: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut records = Vec::new();
    let mut decoder = SbinpackDecoder::new(written);
    while let Some(done) = decoder.decode_next_with(|event| {
        if let SbinpackDecodeEvent::PositionBeforeMove { position, mv, eval, result, .. } = event {
            let is_black = position.turn() == Color::BLACK;
            let relative: i8 = match result {
                Some(GameResult::BlackWin) => {
                    if is_black {
                        1
                    } else {
                        -1
                    }
                }
                Some(GameResult::WhiteWin) => {
                    if is_black {
                        -1
                    } else {
                        1
                    }
                }
                _ => 0,
            };
            records.extend(position.to_packed_sfen().as_bytes());
            records.extend((eval as i16).to_le_bytes());
            records.extend(mv.to_move().raw().to_le_bytes());
            records.extend((position.game_ply() as u16).to_le_bytes());
            records.extend([relative as u8, 0]);
        }
    }) {
        done.map_err(|error| format!("{error:?}"))?;
    }
    Ok(records)
}

/// The median time of some repetitions, in seconds.
fn median<T>(repetitions: usize, mut work: impl FnMut() -> Result<T, Failure>) -> Result<f64, Failure> {
    let mut seconds = Vec::new();
    for _ in 0..repetitions.max(1) {
        let start = Instant::now();
        black_box(work()?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[seconds.len() / 2])
}

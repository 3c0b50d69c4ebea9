//! Records as text: SFEN lines and the blocks of YaneuraOu's `convert_plain` (`spec/formats.md` §5.5).

use alloc::format;
use alloc::vec::Vec;

use komabako_board::sfen::{self, Sfen};

use crate::fault::{PlainFault, RecordFault};
use crate::move16::Move16;
use crate::record::{Labels, MoveBits, Record};
use crate::{FileFormat, GameResult};

/// Reads a record of a text format.
pub(crate) fn read(format: FileFormat, record: &[u8]) -> Result<Record, RecordFault> {
    match format {
        FileFormat::Plain => read_plain(record),
        _ => read_sfen(record),
    }
}

/// Writes a record in a text format.
///
/// # Errors
/// The format holds moves, and the record's is not well-formed; nothing is written.
pub(crate) fn write(format: FileFormat, record: &Record, out: &mut Vec<u8>) -> Result<(), RecordFault> {
    match format {
        FileFormat::Plain => write_plain(record, out),
        _ => {
            write_sfen(record, out);
            Ok(())
        }
    }
}

/// Reads a line of SFEN. Ply 0 is no ply.
fn read_sfen(line: &[u8]) -> Result<Record, RecordFault> {
    let Sfen { setup, ply } = sfen::parse(line).map_err(RecordFault::Sfen)?;
    Ok(Record { setup, labels: Labels { ply: ply.filter(|&ply| ply != 0), ..Labels::default() } })
}

/// Writes a line of SFEN; an unknown ply as 1, because many readers want one.
fn write_sfen(record: &Record, out: &mut Vec<u8>) {
    let sfen = Sfen { setup: record.setup, ply: Some(record.labels.ply.unwrap_or(1)) };
    out.extend_from_slice(sfen.to_text().as_str().as_bytes());
    out.push(b'\n');
}

/// Reads a block of plain text, in any order of its lines; only `sfen` must be there. `ply` overrules the SFEN's.
fn read_plain(block: &[u8]) -> Result<Record, RecordFault> {
    let mut position = None;
    let mut best_move = None;
    let mut score = None;
    let mut ply = None;
    let mut result = None;
    let mut number = 0;
    for line in block.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        number += 1;
        if line.is_empty() || line == b"e" {
            continue;
        }
        let fault = |fault| RecordFault::Plain(fault, number);
        let key = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let value = line[key.len()..].trim_ascii();
        let repeated = match key {
            b"sfen" => position.replace(sfen::parse(value).map_err(RecordFault::Sfen)?).is_some(),
            b"move" => best_move.replace(text(value).parse().map_err(RecordFault::Move)?).is_some(),
            b"score" => score.replace(integer::<i16>(value).map_err(fault)?).is_some(),
            b"ply" => ply.replace(integer::<u32>(value).map_err(fault)?).is_some(),
            b"result" => result.replace(integer::<i8>(value).map_err(fault)?).is_some(),
            _ => return Err(fault(PlainFault::Key)),
        };
        if repeated {
            return Err(fault(PlainFault::Repeated));
        }
    }
    let Sfen { setup, ply: sfen_ply } =
        position.ok_or(RecordFault::Plain(PlainFault::SfenMissing, number))?;
    let result = result
        .map(|code| {
            GameResult::from_relative(code, setup.side_to_move()).ok_or(RecordFault::Result(i16::from(code)))
        })
        .transpose()?;
    let best_move = best_move.map(|best_move: Move16| MoveBits::from(best_move));
    let ply = ply.or(sfen_ply).filter(|&ply| ply != 0);
    Ok(Record { setup, labels: Labels { score, best_move, result, ply, ..Labels::default() } })
}

/// Writes a block of plain text; what is unknown as `none` or 0.
fn write_plain(record: &Record, out: &mut Vec<u8>) -> Result<(), RecordFault> {
    let Record { setup, labels } = record;
    let best_move = match labels.best_move {
        Some(best_move) => best_move.decode().map_err(RecordFault::Move)?,
        None => Move16::NONE,
    };
    let result = labels.result.map_or(0, |result| result.to_relative(setup.side_to_move()));
    out.extend_from_slice(b"sfen ");
    write_sfen(record, out);
    let score = labels.score.unwrap_or(0);
    let ply = labels.ply.unwrap_or(0);
    let lines = format!("move {best_move}\nscore {score}\nply {ply}\nresult {result}\ne\n");
    out.extend_from_slice(lines.as_bytes());
    Ok(())
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap_or_default()
}

fn integer<T: core::str::FromStr>(bytes: &[u8]) -> Result<T, PlainFault> {
    text(bytes).parse().map_err(|_| PlainFault::Number)
}

//! The blocks of YaneuraOu's `convert_plain`.

use alloc::format;
use alloc::vec::Vec;

use komabako_board::sfen::{self, Sfen};

use super::{LONGEST_SFEN, Text, integer, text, trimmed_lines};
use crate::GameResult;
use crate::block::{Cut, Cuts};
use crate::fault::{PlainFault, RecordFault};
use crate::move16::Move16;
use crate::record::{Labels, MoveBits, Record};

pub(crate) const PLAIN: Text = Text {
    read,
    write,
    cut,
    header: "",
    // Besides the SFEN: five keys, a move of 6 letters, a score of 6, a ply of 10, a result of 2, `e`, spaces, line ends.
    longest: LONGEST_SFEN + 64,
    has_unknown: false,
};

/// Reads a block of plain text with its lines in any order; only `sfen` is mandatory. The `ply` line overrides the SFEN's
/// ply.
fn read(block: &[u8]) -> Result<Record, RecordFault> {
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
            b"move" => {
                best_move.replace(Move16::from_label(text(value)).map_err(RecordFault::Move)?).is_some()
            }
            b"score" => score.replace(integer::<i16>(value).ok_or(fault(PlainFault::Number))?).is_some(),
            b"ply" => ply.replace(integer::<u32>(value).ok_or(fault(PlainFault::Number))?).is_some(),
            b"result" => result.replace(integer::<i8>(value).ok_or(fault(PlainFault::Number))?).is_some(),
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
    let best_move = best_move.map(MoveBits::from);
    let ply = ply.or(sfen_ply).filter(|&ply| ply != 0);
    Ok(Record { setup, labels: Labels { score, best_move, result, ply, ..Labels::default() } })
}

/// Writes a block of plain text; unknown fields as `none` or 0.
fn write(record: &Record, out: &mut Vec<u8>) -> Result<(), RecordFault> {
    let Record { setup, labels } = record;
    let best_move = match labels.best_move {
        Some(best_move) => best_move.decode().map_err(RecordFault::Move)?,
        None => Move16::NONE,
    };
    let result = labels.result.map_or(0, |result| result.to_relative(setup.side_to_move()));
    out.extend_from_slice(b"sfen ");
    super::sfen::write(record, out);
    let score = labels.score.unwrap_or(0);
    let ply = labels.ply.unwrap_or(0);
    let lines = format!("move {best_move}\nscore {score}\nply {ply}\nresult {result}\ne\n");
    out.extend_from_slice(lines.as_bytes());
    Ok(())
}

/// Splits text into blocks that end with a line `e`, skipping blank lines between them.
fn cut(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    let mut cuts = Vec::new();
    let mut whole = 0;
    let mut open = None;
    for (from, line, next) in trimmed_lines(bytes, start, at_end) {
        if line == b"e" {
            cuts.push((open.take().unwrap_or(from) as u32, (from + 1) as u32));
        } else if open.is_none() && !line.is_empty() {
            open = Some(from);
        }
        if open.is_none() {
            whole = next;
        }
    }
    Cut { cuts: Cuts::At(cuts), whole, damage: None }
}

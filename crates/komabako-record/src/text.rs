//! Records as text: SFEN lines and the blocks of YaneuraOu's `convert_plain` (`spec/formats.md` §5.5).

use alloc::format;
use alloc::vec::Vec;

use komabako_board::sfen::{self, Sfen};

use crate::GameResult;
use crate::block::{Cut, Cuts};
use crate::fault::{PlainFault, RecordFault};
use crate::move16::Move16;
use crate::record::{Labels, MoveBits, Record};

/// A format of text.
pub(crate) struct Text {
    /// Reads a record.
    pub read: fn(&[u8]) -> Result<Record, RecordFault>,
    /// Appends a record; on an error nothing is appended.
    pub write: fn(&Record, &mut Vec<u8>) -> Result<(), RecordFault>,
    /// Cuts bytes into records, from a byte on; the last line is whole without a line end if the stream ends with it.
    pub cut: fn(&[u8], usize, bool) -> Cut,
}

pub(crate) const SFEN: Text = Text {
    read: read_sfen,
    write: |record, out| {
        write_sfen(record, out);
        Ok(())
    },
    cut: cut_lines,
};

pub(crate) const PLAIN: Text = Text { read: read_plain, write: write_plain, cut: cut_plain };

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

/// The lines from `start` on: where each begins, its text without white space around it, and where the next begins.
fn lines(bytes: &[u8], start: usize, at_end: bool) -> impl Iterator<Item = (usize, &[u8], usize)> {
    let mut at = start;
    core::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let (line, next) = match rest.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&rest[..end], at + end + 1),
            None if at_end => (rest, bytes.len()),
            None => return None,
        };
        let from = at + (line.len() - line.trim_ascii_start().len());
        at = next;
        Some((from, line.trim_ascii(), next))
    })
}

fn cut_lines(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    let mut cuts = Vec::new();
    let mut whole = 0;
    for (from, line, next) in lines(bytes, start, at_end) {
        whole = next;
        if !line.is_empty() {
            cuts.push((from as u32, (from + line.len()) as u32));
        }
    }
    Cut { cuts: Cuts::At(cuts), whole, damage: None }
}

/// Blocks that end with a line `e`; blank lines between them belong to none.
fn cut_plain(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    let mut cuts = Vec::new();
    let mut whole = 0;
    let mut open = None;
    for (from, line, next) in lines(bytes, start, at_end) {
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

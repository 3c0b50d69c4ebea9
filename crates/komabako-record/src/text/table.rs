//! Tables: one record per line, its fields in columns between separators.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::fields::{Fields, Name};
use super::{LONGEST_SFEN, Text, cut_where, lines, sfen_of};
use crate::block::Cut;
use crate::fault::{CellFault, Damage, RecordFault};
use crate::record::Record;

/// The format of a table with `SEPARATOR` between its columns.
pub(super) const fn table<const SEPARATOR: u8>(header: &'static str) -> Text {
    Text {
        read: read::<SEPARATOR>,
        write: write::<SEPARATOR>,
        cut: cut::<SEPARATOR>,
        header,
        // Besides the SFEN: a move of 6 letters, a score of 6, a ply of 10, a result of 2, separators, the line end.
        longest: LONGEST_SFEN + 32,
        has_unknown: true,
    }
}

/// A cell: the column of the line at which its content starts, counted from 1, and the content; `None` if a quote is not
/// closed.
type Cell<'a> = (usize, Option<&'a [u8]>);

/// The cells of a line, without surrounding white space and quotes.
///
/// No field contains a separator or a quote, so a cell ends at the next separator even within quotes; such a cell is
/// refused because of its single quote.
fn cells<const SEPARATOR: u8>(line: &[u8]) -> impl Iterator<Item = Cell<'_>> {
    let mut start = 0;
    line.split(|&byte| byte == SEPARATOR).map(move |cell| {
        let indent = cell.len() - cell.trim_ascii_start().len();
        let column = start + indent + 1;
        start += cell.len() + 1;
        match cell.trim_ascii() {
            [b'"', quoted @ .., b'"'] => (column + 1, Some(quoted)),
            [b'"', ..] | [.., b'"'] => (column, None),
            plain => (column, Some(plain)),
        }
    })
}

/// Whether a line names the columns in order, or only the first of them.
fn is_header<const SEPARATOR: u8>(line: &[u8]) -> bool {
    let mut names = Name::ALL.into_iter();
    cells::<SEPARATOR>(line).all(|(_, cell)| {
        names
            .next()
            .is_some_and(|name| cell.is_some_and(|cell| cell.eq_ignore_ascii_case(name.text().as_bytes())))
    })
}

fn read<const SEPARATOR: u8>(line: &[u8]) -> Result<Record, RecordFault> {
    // A line with a single cell is a line of SFEN, or uses another separator.
    if !line.contains(&SEPARATOR) {
        return Err(RecordFault::Cell(CellFault::TooFew, line.len() + 1));
    }
    let mut fields = Fields::default();
    let mut names = Name::ALL.into_iter();
    for (column, cell) in cells::<SEPARATOR>(line) {
        let fault = |fault| RecordFault::Cell(fault, column);
        let name = names.next().ok_or(fault(CellFault::TooMany))?;
        let cell = cell.ok_or(fault(CellFault::Quote))?;
        if !cell.is_empty() {
            fields.set(name, cell, column)?;
        }
    }
    fields.record(1)
}

fn write<const SEPARATOR: u8>(record: &Record, out: &mut Vec<u8>) -> Result<(), RecordFault> {
    let labels = &record.labels;
    let best_move = labels.best_move.map(|best_move| best_move.decode().map_err(RecordFault::Move));
    let best_move = cell(best_move.transpose()?);
    let score = cell(labels.score);
    let ply = cell(labels.ply);
    let result = cell(labels.result.map(|result| result.to_relative(record.setup.side_to_move())));
    out.extend_from_slice(sfen_of(record).to_text().as_str().as_bytes());
    let separator = char::from(SEPARATOR);
    let cells = format!("{separator}{best_move}{separator}{score}{separator}{ply}{separator}{result}\n");
    out.extend_from_slice(cells.as_bytes());
    Ok(())
}

/// The text of a cell; empty if the value is unknown.
fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Whether a line is a header with other columns, or in another order: an SFEN has slashes, and no other cell of a record is a name.
fn is_other_header<const SEPARATOR: u8>(line: &[u8]) -> bool {
    let first = line.split(|&byte| byte == SEPARATOR).next().unwrap_or_default();
    !first.contains(&b'/')
        && cells::<SEPARATOR>(line)
            .any(|(_, cell)| cell.is_some_and(|cell| Name::find(&cell.to_ascii_lowercase()).is_some()))
        && !is_header::<SEPARATOR>(line)
}

/// Splits text into one record per line. A header is skipped on any line, since tables are joined by appending one to
/// another. One with other columns ends the records: each line after it would be a record with the wrong labels.
fn cut<const SEPARATOR: u8>(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    // Separators at the ends of a line, even tabs, are not trimmed: they delimit empty cells.
    let lines = lines(bytes, start, at_end).map(|(from, line, next)| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        (from, if line.trim_ascii().is_empty() { b"" } else { line }, next)
    });
    let mut other = false;
    // Nothing is cut from such a line on, so the file is damaged there.
    let lines = lines.take_while(|(_, line, _)| {
        other = is_other_header::<SEPARATOR>(line);
        !other
    });
    let cut = cut_where(lines, |line| !is_header::<SEPARATOR>(line));
    Cut { damage: other.then_some(Damage::Columns), ..cut }
}

//! Lines of SFEN.

use alloc::vec::Vec;

use komabako_board::sfen::{self, Sfen};

use super::{LONGEST_SFEN, Text, cut_where, sfen_of, trimmed_lines};
use crate::block::Cut;
use crate::fault::RecordFault;
use crate::record::{Labels, Record};

pub(crate) const SFEN: Text = Text {
    read,
    write: |record, out| {
        write(record, out);
        Ok(())
    },
    cut,
    header: "",
    longest: LONGEST_SFEN + 1,
    has_unknown: false,
};

/// Splits text into one record per line, skipping blank lines and comments, which start with `#`.
fn cut(bytes: &[u8], start: usize, at_end: bool) -> Cut {
    cut_where(trimmed_lines(bytes, start, at_end), |line| line[0] != b'#')
}

/// Reads a line of SFEN. Ply 0 means an unknown ply.
fn read(line: &[u8]) -> Result<Record, RecordFault> {
    let Sfen { setup, ply } = sfen::parse(line).map_err(RecordFault::Sfen)?;
    Ok(Record { setup, labels: Labels { ply: ply.filter(|&ply| ply != 0), ..Labels::default() } })
}

/// Writes a line of SFEN.
pub(super) fn write(record: &Record, out: &mut Vec<u8>) {
    out.extend_from_slice(sfen_of(record).to_text().as_str().as_bytes());
    out.push(b'\n');
}

//! JSON lines: one object per line, with one member per field.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::fields::{Fields, Name};
use super::{LONGEST_SFEN, Text, cut_lines, sfen_of, text};
use crate::fault::{CellFault, RecordFault};
use crate::record::Record;

pub(crate) const JSONL: Text = Text {
    read,
    write,
    cut: cut_lines,
    header: "",
    // Besides the SFEN: names, quotes, braces and commas, a move of 6 letters, a score of 6, a ply of 10, `null`.
    longest: LONGEST_SFEN + 96,
    has_unknown: true,
};

/// Reads an object of the five members, in any order; a missing or `null` member is unknown.
fn read(line: &[u8]) -> Result<Record, RecordFault> {
    let mut reader = Reader { line, at: 0 };
    let mut fields = Fields::default();
    let mut seen = Vec::with_capacity(Name::ALL.len());
    reader.expect(b'{')?;
    let mut is_open = !reader.accept(b'}');
    while is_open {
        let (column, key) = reader.string()?;
        let name = Name::find(&key).ok_or(RecordFault::Cell(CellFault::Key, column))?;
        if seen.contains(&name) {
            return Err(RecordFault::Cell(CellFault::Repeated, column));
        }
        seen.push(name);
        reader.expect(b':')?;
        reader.value(name, &mut fields)?;
        is_open = !reader.accept(b'}');
        if is_open {
            reader.expect(b',')?;
        }
    }
    let end = reader.at;
    match reader.peek() {
        None => fields.record(end),
        Some(_) => Err(reader.syntax()),
    }
}

/// Reads the subset of JSON that a record needs: one object of strings, integers and `null`.
struct Reader<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// The next byte after white space.
    fn peek(&mut self) -> Option<u8> {
        self.at = self.line.len() - self.line[self.at..].trim_ascii_start().len();
        self.line.get(self.at).copied()
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), RecordFault> {
        if self.accept(byte) { Ok(()) } else { Err(self.syntax()) }
    }

    /// The fault of malformed JSON at the current place.
    fn syntax(&self) -> RecordFault {
        RecordFault::Cell(CellFault::Json, self.at + 1)
    }

    /// Reads a string and returns the column of its content, and the content.
    fn string(&mut self) -> Result<(usize, Cow<'a, [u8]>), RecordFault> {
        self.expect(b'"')?;
        let start = self.at;
        let mut content = Cow::Borrowed(&self.line[start..start]);
        loop {
            let plain =
                self.line[self.at..].iter().take_while(|&&byte| byte >= b' ' && !b"\"\\".contains(&byte));
            let end = self.at + plain.count();
            match &mut content {
                Cow::Borrowed(borrowed) => *borrowed = &self.line[start..end],
                Cow::Owned(owned) => owned.extend_from_slice(&self.line[self.at..end]),
            }
            self.at = end;
            match self.line.get(end) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok((start + 1, content));
                }
                Some(b'\\') => {
                    let letter = self.escape()?;
                    content.to_mut().extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return Err(self.syntax()),
            }
        }
    }

    /// Reads an escape, which some writers use for `/`. Surrogate pairs occur in no field and are refused.
    fn escape(&mut self) -> Result<char, RecordFault> {
        let rest = &self.line[self.at + 1..];
        let (letter, length) = match rest.first() {
            Some(b'u') => {
                let digits = rest.get(1..5).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
                let code = digits.and_then(|digits| u32::from_str_radix(text(digits), 16).ok());
                (code.and_then(char::from_u32), 6)
            }
            Some(&letter @ (b'"' | b'\\' | b'/')) => (Some(char::from(letter)), 2),
            Some(b't') => (Some('\t'), 2),
            Some(b'n') => (Some('\n'), 2),
            Some(b'r') => (Some('\r'), 2),
            Some(b'b') => (Some('\x08'), 2),
            Some(b'f') => (Some('\x0c'), 2),
            _ => (None, 0),
        };
        let letter = letter.ok_or(self.syntax())?;
        self.at += length;
        Ok(letter)
    }

    /// Reads the value of a field.
    fn value(&mut self, name: Name, fields: &mut Fields) -> Result<(), RecordFault> {
        match self.peek() {
            Some(b'"') if !name.is_number() => {
                let (column, value) = self.string()?;
                fields.set(name, &value, column)
            }
            Some(b'-' | b'0'..=b'9') if name.is_number() => {
                let start = self.at;
                let is_digit = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                self.at += self.line[start..].iter().take_while(is_digit).count();
                fields.set(name, &self.line[start..self.at], start + 1)
            }
            _ if self.line[self.at..].starts_with(b"null") => {
                self.at += b"null".len();
                Ok(())
            }
            _ => Err(self.syntax()),
        }
    }
}

/// Writes all members; unknown ones as `null`.
fn write(record: &Record, out: &mut Vec<u8>) -> Result<(), RecordFault> {
    let labels = &record.labels;
    let best_move = labels.best_move.map(|best_move| best_move.decode().map_err(RecordFault::Move));
    let best_move = member(best_move.transpose()?.map(|best_move| format!("\"{best_move}\"")));
    let score = member(labels.score);
    let ply = member(labels.ply);
    let result = member(labels.result.map(|result| result.to_relative(record.setup.side_to_move())));
    let sfen = sfen_of(record).to_text();
    let sfen = sfen.as_str();
    // No letter of an SFEN or a move needs an escape.
    let line = format!(
        "{{\"sfen\":\"{sfen}\",\"move\":{best_move},\"score\":{score},\"ply\":{ply},\"result\":{result}}}\n"
    );
    out.extend_from_slice(line.as_bytes());
    Ok(())
}

/// The text of a member's value.
fn member(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "null".to_string(), |value| value.to_string())
}

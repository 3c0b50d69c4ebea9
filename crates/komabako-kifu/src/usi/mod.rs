//! USI: `position startpos moves 7g7f …`, one game per line (`spec/kifu.md` §3).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use komabako_board::{Setup, sfen};

use crate::builder::Builder;
use crate::ending::Ending;
use crate::error::{Fault, KifuError};
use crate::games::Game;
use crate::kakinoki::append_fault;
use crate::lines::Line;
use crate::record::{Record, Step};

/// Whether a line is a game in USI text, or an SFEN.
pub(crate) fn is_game(line: &str) -> bool {
    let starts =
        |word: &str| line.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    starts("position") || starts("startpos") || starts("sfen") || sfen::parse(line.trim_end()).is_ok()
}

/// Reads the game of one line.
pub(crate) fn read(line: Line<'_>, lenient: bool) -> Result<Game, KifuError> {
    let text = line.text;
    let mut words = Words { text, at: 0 };
    let mut word = words.next();
    if word.is_some_and(|(_, word)| word == "position") {
        word = words.next();
    }
    let syntax = |at| KifuError::at(line, at, Fault::Syntax);
    let (at, first) = word.ok_or_else(|| syntax(text.len()))?;
    let (setup, first_ply) = if first == "startpos" {
        (Setup::START, 1)
    } else {
        let start = if first == "sfen" { words.next().ok_or_else(|| syntax(text.len()))?.0 } else { at };
        words.at = start;
        // An SFEN has three words and a number, which some programs omit.
        let end = (0..3).try_fold(start, |_, _| words.next().map(|(at, word)| at + word.len()));
        let mut end = end.ok_or_else(|| syntax(start))?;
        let mut ahead = Words { ..words };
        if let Some((at, ply)) =
            ahead.next().filter(|(_, word)| word.bytes().all(|byte| byte.is_ascii_digit()))
        {
            end = at + ply.len();
            words = ahead;
        }
        let parsed = sfen::parse(&text[start..end]).map_err(|_| syntax(start))?;
        (parsed.setup, parsed.ply.map_or(1, |ply| ply))
    };
    let mut record = Record::new(setup).map_err(|why| KifuError::at(line, at, Fault::Setup(why)))?;
    record.set_first_ply(first_ply);
    let mut builder = Builder::new(record, line.text.len() / "7g7f ".len());
    let stopped = match read_moves(line, &mut words, &mut builder) {
        Ok(()) => None,
        Err(error) if lenient => Some(error),
        Err(error) => return Err(error),
    };
    Ok(Game { record: builder.into_record(), notices: Vec::new(), stopped, number: 1, line: line.number })
}

fn read_moves(line: Line<'_>, words: &mut Words<'_>, builder: &mut Builder) -> Result<(), KifuError> {
    match words.next() {
        None => return Ok(()),
        Some((_, "moves")) => {}
        Some((at, word)) => {
            let ending = Ending::from_usi(word).ok_or_else(|| KifuError::at(line, at, Fault::Syntax))?;
            return builder.push_end(ending).map_err(|error| append_fault(line, at, error));
        }
    }
    for (at, word) in words.by_ref() {
        let appended = match (word.parse(), Ending::from_usi(word)) {
            (_, Some(ending)) => builder.push_end(ending),
            (Ok(mv), None) => {
                if builder.has_ended() {
                    return Err(KifuError::at(line, at, Fault::Order));
                }
                if !builder.state().is_legal(mv) {
                    return Err(KifuError::at(line, at, Fault::IllegalMove));
                }
                builder.push_move(mv)
            }
            (Err(_), None) => return Err(KifuError::at(line, at, Fault::Syntax)),
        };
        appended.map_err(|error| append_fault(line, at, error))?;
    }
    Ok(())
}

pub(crate) fn write(record: &Record) -> String {
    let mut text = String::from("position ");
    let setup = record.initial();
    // Writing to a String cannot fail.
    let _ = match (setup == Setup::START, record.first_ply()) {
        (true, 1) => write!(text, "startpos"),
        (_, ply) => write!(text, "sfen {setup} {ply}"),
    };
    let mut has_moves = false;
    for id in record.main_line() {
        let _ = match record.node(id).step() {
            Step::Move(mv) if has_moves => write!(text, " {mv}"),
            Step::Move(mv) => write!(text, " moves {mv}"),
            Step::End(ending) => write!(text, " {}", ending.usi().unwrap_or_default()),
            Step::Start => Ok(()),
        };
        has_moves = true;
    }
    text.push('\n');
    text
}

/// The words of a line with their offsets.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text[self.at..].trim_start();
        if rest.is_empty() {
            return None;
        }
        let start = self.text.len() - rest.len();
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at = start + length;
        Some((start, &rest[..length]))
    }
}

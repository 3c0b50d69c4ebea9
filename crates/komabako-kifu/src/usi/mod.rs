//! USI: `position startpos moves 7g7f …`, one game per line (`spec/kifu.md` §3).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use komabako_board::sfen::{self, SfenFault};
use komabako_board::{Setup, SetupError};
use komabako_rules::Move16;

use crate::builder::Builder;
use crate::ending::Ending;
use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::games::Game;
use crate::kakinoki::{append_fault, is_pass};
use crate::lines::Line;
use crate::record::{Record, Step, UnplayableSetup};
use crate::text;

/// Reads the game of one line.
pub(crate) fn read(line: Line<'_>, lenient: bool) -> Result<Game, KifuError> {
    let text = line.text;
    let end = text::end_of_position(text);
    let start = sfen::parse(&text[..end]).map_err(|error| {
        let fault = match error.fault {
            SfenFault::TooMany(kind) => Fault::Setup(UnplayableSetup::Set(SetupError::TooMany(kind))),
            SfenFault::SecondKing(color) => Fault::Setup(UnplayableSetup::Set(SetupError::SecondKing(color))),
            _ => Fault::Syntax,
        };
        KifuError::at(line, error.column - 1, fault)
    })?;
    let mut words = Words { text, at: end };
    let mut record = Record::new(start.setup).map_err(|why| KifuError::at(line, 0, Fault::Setup(why)))?;
    record.set_first_ply(start.ply.unwrap_or(1));
    let mut builder = Builder::new(record, line.text.len() / "7g7f ".len());
    let mut notices = Vec::new();
    let stopped = match read_moves(line, &mut words, &mut builder, &mut notices) {
        Ok(()) => None,
        Err(error) if lenient => Some(error),
        Err(error) => return Err(error),
    };
    Ok(Game {
        record: builder.into_record(),
        notices,
        stopped,
        dropped_comments: 0,
        number: 1,
        line: line.number,
    })
}

fn read_moves(
    line: Line<'_>,
    words: &mut Words<'_>,
    builder: &mut Builder,
    notices: &mut Vec<Notice>,
) -> Result<(), KifuError> {
    let mut ahead = Words { ..*words };
    let mut has_moves = false;
    if ahead.next().is_some_and(|(_, word)| word == "moves") {
        has_moves = true;
        *words = ahead;
    }
    for (at, word) in words {
        let fault = |fault| Err(KifuError::at(line, at, fault));
        if let Ok(mv) = word.parse::<Move16>() {
            has_moves = true;
            if builder.has_ended() {
                return fault(Fault::Order);
            }
            builder.fail_on_illegal()?;
            if builder.state().is_legal(mv) {
                builder.push_move(mv).map_err(|error| append_fault(line, at, error))?;
            } else {
                builder.set_illegal(KifuError::at(line, at, Fault::IllegalMove), word.into());
            }
        } else if let Some(ending) = Ending::from_usi(word)
            && !builder.has_ended()
        {
            if let Some(illegal) = builder.illegal_mut() {
                // Only a breach of the rules excuses it.
                if ending != Ending::Illegal {
                    return builder.fail_on_illegal();
                }
                notices.push(Notice::new(line.number, NoticeKind::IllegalMove, &illegal.text));
            }
            builder.push_end(ending).map_err(|error| append_fault(line, at, error))?;
        } else {
            let rest = line.text[at..].trim_end();
            if is_pass(word) && !builder.has_ended() {
                builder.fail_on_illegal()?;
                return fault(Fault::Pass);
            }
            // Only text in which nothing may be a move is not a part of the moves.
            if !(has_moves || builder.has_ended()) || may_have_move(rest) {
                return fault(Fault::Syntax);
            }
            builder.push_comment(rest);
            notices.push(Notice::new(line.number, NoticeKind::KeptText, rest));
            break;
        }
    }
    builder.fail_on_illegal()
}

/// Whether text has a square of USI in it, in letters of either case, a drop, or a move in another notation.
fn may_have_move(text: &str) -> bool {
    let is_square = |two: &[u8]| matches!(two, [b'1'..=b'9', b'a'..=b'i' | b'A'..=b'I']);
    // `8h2b +`
    text.starts_with('+')
        || text.contains('*')
        || text.as_bytes().windows(2).any(is_square)
        || text::holds_move(text)
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

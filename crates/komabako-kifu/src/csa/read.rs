//! Reads one game of a CSA file.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{Color, Setup};
use komabako_rules::MoveTextError;

use super::header::{player_name, read_entry, read_rating};
use super::position::PositionLines;
use super::server::{Server, split_outcome};
use crate::builder::Builder;
use crate::clock::Millis;
use crate::ending::Ending;
use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::games::{Game, ReadOptions};
use crate::handicap::Handicap;
use crate::kakinoki::{append_fault, is_pass, is_word};
use crate::lines::{Line, Lines, leading_number, trim_end};
use crate::record::{Record, trim_value};
use crate::search::Search;
use crate::text::holds_move;

struct Reader<'o> {
    options: &'o ReadOptions,
    position: PositionLines,
    header: Vec<(String, String)>,
    comments: Vec<String>,
    /// The side to move according to a line `To_Move:+`.
    to_move: Option<Color>,
    /// The record; set when the line of the side to move is read.
    builder: Option<Builder>,
    server: Server,
    notices: Vec<Notice>,
    /// Whether there is a notice about comments after a comma; one per game is enough.
    has_inline_notice: bool,
    dropped_comments: u32,
    /// An upper bound of the number of moves, from the length of the text.
    moves: usize,
}

/// Whether a line separates two games.
pub(crate) fn is_separator(line: Line<'_>) -> bool {
    line.text.starts_with('/') && trim_end(line.text) == "/"
}

/// Whether a line is blank or a comment: lines between games.
pub(crate) fn is_bare(line: Line<'_>) -> bool {
    line.text.starts_with('\'') || line.text.trim().is_empty()
}

/// Whether a line starts a game if it comes after moves: a version, a name or a position.
fn is_start(line: &str) -> bool {
    matches!(
        line.as_bytes(),
        [b'V', b'0'..=b'9', ..] | [b'N', b'+' | b'-', ..] | [b'P', b'I' | b'1'..=b'9' | b'+' | b'-', ..]
    )
}

/// The greatest number of lines of a header that are searched.
const MAX_HEADER: usize = 64;

/// Whether an entry is the first of a game's header, so that the next line that is neither an entry nor bare starts a game.
#[cold]
fn begins_header(entry: &str, after: &Lines<'_>) -> bool {
    // It is also written after the moves.
    if entry.starts_with("$END_TIME:") {
        return false;
    }
    let is_entry = |line: Line<'_>| line.text.starts_with('$');
    let next = after.clone().take(MAX_HEADER).find(|&line| !is_bare(line) && !is_entry(line));
    next.is_some_and(|line| is_start(line.text) || matches!(trim_end(line.text), "+" | "-"))
}

/// Reads one game: the lines up to the separator or the start of the next game. Even after a fault all lines of the game
/// are consumed.
pub(crate) fn read(lines: &mut Lines<'_>, options: &ReadOptions) -> Result<Game, KifuError> {
    let mut reader = Reader {
        options,
        position: PositionLines::NONE,
        header: Vec::with_capacity(8),
        comments: Vec::new(),
        to_move: None,
        builder: None,
        server: Server::default(),
        notices: Vec::new(),
        has_inline_notice: false,
        dropped_comments: 0,
        moves: lines.remaining_bytes().len() / "+7776FU\nT1\n".len(),
    };
    let mut result = Ok(());
    let mut first = None;
    let mut last = Line { number: 1, start: 0, text: "" };
    while let Some(line) = lines.next() {
        if is_separator(line) {
            break;
        }
        if reader.is_next_game(line.text, lines) {
            lines.go_back_to(line);
            break;
        }
        let line = glued_at(line.text).map_or(line, |at| lines.split(line, at));
        first.get_or_insert(line.number);
        last = line;
        result = reader.read_line(line);
        if result.is_err() {
            skip_game(line, lines, reader.builder.is_some());
            break;
        }
        match &mut reader.builder {
            Some(builder) => read_plain_lines(lines, builder),
            None => last = reader.position.read_even_rows(lines).unwrap_or(last),
        }
    }
    let result = result.and_then(|()| reader.finish(last));
    let stopped = match (result, options.lenient && reader.builder.is_some()) {
        (Ok(()), _) => None,
        (Err(error), true) => Some(error),
        (Err(error), false) => return Err(error),
    };
    let mut record = reader.builder.map_or_else(Record::even, Builder::into_record);
    record.set_header(reader.header);
    let dropped_comments = reader.dropped_comments;
    let line = first.unwrap_or(1);
    Ok(Game { record, notices: reader.notices, stopped, dropped_comments, number: 1, line })
}

/// Where a separator or the first line of another file begins that was glued to an ending, a time or a move:
/// `%TORYOV2.2`, `T5/`.
#[cold]
fn glued_at(line: &str) -> Option<usize> {
    let after_time =
        |text| Some(str::strip_prefix(text, 'T')?.trim_start_matches(|c: char| c.is_ascii_digit()));
    let rest = match line.as_bytes() {
        [b'%', ..] => &line[1 + Ending::length_of_csa(&line[1..])..],
        [b'T', ..] => after_time(line)?,
        [b'+' | b'-', ..] => {
            let rest = line.get("+7776FU".len()..)?;
            rest.strip_prefix(',').and_then(after_time).unwrap_or(rest)
        }
        _ => return None,
    };
    let is_first = is_start(rest) || trim_end(rest) == "/" || rest.starts_with("'CSA");
    let at = line.len() - rest.len();
    (is_first && at > 1).then_some(at)
}

/// Skips the rest of a game with a fault in a line. Lines of a position start the next game only after moves.
#[cold]
fn skip_game(faulty: Line<'_>, lines: &mut Lines<'_>, has_started: bool) {
    let mut has_moves = has_started;
    // An illegal move is a fault of the ending below it, which may say that it was illegal.
    let mut has_ended = faulty.text.starts_with('%');
    let mut ahead = lines.clone();
    while let Some(line) = ahead.next() {
        let line = glued_at(line.text).map_or(line, |at| ahead.split(line, at));
        let is_version = line.text.starts_with('V');
        if is_start(line.text) && (has_moves || is_version) {
            return;
        }
        if has_ended && line.text.starts_with('$') && begins_header(line.text, &ahead) {
            return;
        }
        *lines = ahead.clone();
        if is_separator(line) {
            return;
        }
        has_ended |= line.text.starts_with('%');
        has_moves |= line.text.starts_with(['+', '-', '%']);
    }
}

/// Reads lines that contain only a legal move, whole seconds or a comment, up to the first other line.
///
/// A fast path for most lines of a file: without it reading took 1.6 times as long. It never reports faults: any line
/// that it cannot read is left to [`Reader::read_line`].
// Not among the code of other lines, which is ten times as long.
#[inline(never)]
fn read_plain_lines(lines: &mut Lines<'_>, builder: &mut Builder) {
    const MOVE: usize = "+7776FU".len();
    if builder.illegal_mut().is_some() {
        return;
    }
    loop {
        match lines.remaining_bytes() {
            [b'+' | b'-', ..] => {
                let Some((text, after)) = lines.remaining_bytes().split_first_chunk::<MOVE>() else { return };
                let is_alone = matches!(after, [b'\n' | b'\r', ..]);
                let joined = if is_alone { None } else { joined_time(after) };
                if !is_alone && joined.is_none() {
                    return;
                }
                let Some(mv) = builder.state().move_of_csa(text) else { return };
                if builder.push_move(mv).is_err() {
                    return;
                }
                match joined {
                    None => lines.skip_line(MOVE),
                    Some((time, length)) => {
                        builder.set_time(time);
                        lines.skip_line(MOVE + length);
                    }
                }
            }
            [b'T', digits @ ..] => {
                let Some((count, seconds)) = digits.first_chunk().and_then(leading_number) else { return };
                if !matches!(digits[count], b'\n' | b'\r') {
                    return;
                }
                let Some(time) = Millis::from_seconds(seconds) else { return };
                if !builder.set_time(time) {
                    return;
                }
                lines.skip_line(1 + count);
            }
            [b'\'', b'*', ..] => {
                let Some(Line { text, .. }) = lines.next() else { return };
                builder.push_comment_line(&text[2..]);
            }
            _ => return,
        }
    }
}

/// The time in the rest of a line after a move, `,T12`, and the length of the rest.
#[inline(never)]
fn joined_time(rest: &[u8]) -> Option<(Millis, usize)> {
    let digits = rest.strip_prefix(b",T")?;
    let (count, seconds) = digits.first_chunk().and_then(leading_number)?;
    let is_whole = matches!(digits[count], b'\n' | b'\r');
    if is_whole { Some((Millis::from_seconds(seconds)?, 2 + count)) } else { None }
}

impl Reader<'_> {
    /// Whether a line belongs to the next game, although no separator precedes it; `after` are the lines after it.
    fn is_next_game(&self, line: &str, after: &Lines<'_>) -> bool {
        let Some(builder) = &self.builder else { return false };
        let has_played = || builder.has_steps() || self.server.has_spoken();
        match line.as_bytes() {
            [b'V', ..] => is_start(line),
            [b'N' | b'P', ..] => is_start(line) && has_played(),
            [b'$', ..] => {
                let has_event = || self.header.iter().any(|(key, _)| key == "棋戦");
                let is_other_event = || line.starts_with("$EVENT:") && has_event() && has_played();
                let has_ended = builder.has_ended() || self.server.has_spoken();
                (has_ended || is_other_event()) && begins_header(line, after)
            }
            _ => false,
        }
    }

    /// Completes the game after its `last` line.
    fn finish(&mut self, last: Line<'_>) -> Result<(), KifuError> {
        if self.builder.is_none() {
            self.start_without_side(last, last.text.len())?;
        }
        let Some(builder) = &mut self.builder else { return Ok(()) };
        if self.server.has_spoken() {
            core::mem::take(&mut self.server).decide(builder, &mut self.notices);
        }
        builder.fail_on_illegal()
    }

    #[inline(never)]
    fn read_line(&mut self, line: Line<'_>) -> Result<(), KifuError> {
        match line.text.as_bytes() {
            [] => Ok(()),
            [b'\'', ..] => {
                self.read_comment(line, &line.text[1..]);
                Ok(())
            }
            [b'N', b'+', ..] => self.push_header("先手", player_name(&line.text[2..])),
            [b'N', b'-', ..] => self.push_header("後手", player_name(&line.text[2..])),
            [b'$', ..] => {
                match read_entry(&line.text[1..]) {
                    Some(entry) => self.header.push(entry),
                    None => self.notices.push(Notice::new(line.number, NoticeKind::IgnoredLine, line.text)),
                }
                Ok(())
            }
            [b'#', ..] => self.read_message(line),
            [b'A'..=b'Z' | b'a'..=b'z', ..] if self.read_other_header(line.text) => Ok(()),
            bytes if !bytes.contains(&b',') => self.read_part(line, 0, line.text),
            _ => self.read_parts(line),
        }
    }

    /// Reads statements joined by commas, up to a comment.
    fn read_parts(&mut self, line: Line<'_>) -> Result<(), KifuError> {
        let mut at = 0;
        while let Some(rest) = line.text.get(at..) {
            if matches!(rest.as_bytes(), [b'\'' | b' ', ..])
                && let Some(comment) = rest.trim_start().strip_prefix('\'')
            {
                self.read_inline_comment(line, comment);
                return Ok(());
            }
            let length = rest.find(',').unwrap_or(rest.len());
            self.read_part(line, at, &rest[..length])?;
            at += length + 1;
        }
        Ok(())
    }

    fn push_header(&mut self, key: &str, value: &str) -> Result<(), KifuError> {
        self.header.push((key.into(), trim_value(value).into()));
        Ok(())
    }

    /// Reads a line of 81Dojo's or of a client of a server, `KEY:VALUE` or `I+VALUE`.
    fn read_other_header(&mut self, line: &str) -> bool {
        if self.builder.is_some() || is_start(line) {
            return false;
        }
        let (key, value) = match line.as_bytes() {
            [b'I', b'+' | b'-', ..] => line.split_at(2),
            _ => match line.split_once(':') {
                Some(entry) => entry,
                None => return false,
            },
        };
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-');
        if !key.bytes().all(is_word) || holds_move(line) {
            return false;
        }
        match (key, value.trim()) {
            ("To_Move", "+") => self.to_move = Some(Color::Black),
            ("To_Move", "-") => self.to_move = Some(Color::White),
            _ => self.header.push((key.into(), trim_value(value).into())),
        }
        true
    }

    /// Reads a line without its quote: `*TEXT` is a comment, `$KEY:VALUE` an entry for which CSA has no key; servers write
    /// more.
    fn read_comment(&mut self, line: Line<'_>, text: &str) {
        let is_read = match text.as_bytes() {
            [] => true,
            [b'*', ..] => return self.push_comment(&text[1..]),
            // shogi-server writes the time of the end after the moves.
            [b'$', ..] if self.builder.is_none() || text.starts_with("$END_TIME:") => {
                match read_entry(&text[1..]) {
                    Some(entry) => return self.header.push(entry),
                    None => false,
                }
            }
            [b'b' | b'w', ..] => match read_rating(text) {
                Some(entry) => return self.header.push(entry),
                None => false,
            },
            [b's', ..] if text.starts_with("summary:") => {
                self.read_summary(line, text);
                true
            }
            [b'I', ..] => match text.strip_prefix("ILLEGAL_MOVE(") {
                Some(refused) => {
                    self.server.read_refused(line.number, refused);
                    true
                }
                None => false,
            },
            [b'C', ..] if text.starts_with("CSA encoding=") => return,
            _ => false,
        };
        if self.options.keep_comments {
            self.push_comment(text);
        } else if !is_read {
            self.dropped_comments += 1;
        }
    }

    fn read_summary(&mut self, line: Line<'_>, text: &str) {
        let player = |key: &str| {
            let entry = self.header.iter().find(|(known, _)| known == key);
            entry.map(|(_, name)| name.as_str()).filter(|name| !name.is_empty())
        };
        let players = [player("先手"), player("後手")];
        self.server.read_summary(line.number, text, players, &mut self.notices);
    }

    /// Reads a comment after a comma, without its quote. It is kept, like no other comment without a star.
    fn read_inline_comment(&mut self, line: Line<'_>, text: &str) {
        let text = text.strip_prefix('*').unwrap_or(text);
        self.push_comment(text);
        if !self.has_inline_notice && Search::read(text).is_none() {
            self.has_inline_notice = true;
            self.notices.push(Notice::new(line.number, NoticeKind::KeptText, text));
        }
    }

    fn push_comment(&mut self, comment: &str) {
        match &mut self.builder {
            Some(builder) => builder.push_comment(comment),
            None => self.comments.push(comment.into()),
        }
    }

    /// Reads a message of a server, `#SENTE_WIN`.
    fn read_message(&mut self, line: Line<'_>) -> Result<(), KifuError> {
        let word = line.text.trim_start_matches('#').trim();
        let statement = alloc::format!("#{word}");
        let is_known = self.server.read_message(line.number, &statement, &mut self.notices);
        if is_known { Ok(()) } else { self.keep(line, 0, line.text) }
    }

    /// Keeps text that is not understood as a comment, unless it may be a move.
    #[cold]
    fn keep(&mut self, line: Line<'_>, at: usize, text: &str) -> Result<(), KifuError> {
        if holds_move(text) {
            return Err(KifuError::at(line, at, Fault::Syntax));
        }
        let text = text.trim();
        if is_pass(text) && self.builder.as_ref().is_some_and(|builder| !builder.has_ended()) {
            return Err(KifuError::at(line, at, Fault::Pass));
        }
        self.push_comment(text);
        self.notices.push(Notice::new(line.number, NoticeKind::KeptText, text));
        Ok(())
    }

    /// Reads a part of a line between commas.
    fn read_part(&mut self, line: Line<'_>, at: usize, part: &str) -> Result<(), KifuError> {
        // The end of a file of DOS.
        let part = trim_end(part.trim_end_matches('\u{1a}'));
        match part.as_bytes() {
            [] => Ok(()),
            [b'+' | b'-', _, ..] => self.read_move(line, at, part),
            [b'T', ..] => self.read_time(line, at, part),
            [b'+'] => self.start(line, at, Color::Black),
            [b'-'] => self.start(line, at, Color::White),
            [b'%', ..] => self.read_end(line, at, part),
            [b'P', ..] if self.builder.is_some() => Err(KifuError::at(line, at, Fault::Order)),
            [b'P', ..] => self.position.read(line, at, part),
            [b'V', b'0'..=b'9', ..] => Ok(()),
            [b' ' | b'\t', ..] => {
                let trimmed = part.trim_start();
                self.read_part(line, at + part.len() - trimmed.len(), trimmed)
            }
            _ if self.builder.as_ref().is_some_and(Builder::has_steps) => self.keep(line, at, part),
            _ => Err(KifuError::at(line, at, Fault::Syntax)),
        }
    }

    /// Reads the side to move, which completes the position.
    fn start(&mut self, line: Line<'_>, at: usize, side: Color) -> Result<(), KifuError> {
        if self.builder.is_some() {
            return Err(KifuError::at(line, at, Fault::Order));
        }
        if !self.position.is_given {
            self.position.setup = Setup::START;
            self.notices.push(Notice::new(line.number, NoticeKind::NoPosition, ""));
        }
        if !self.position.is_complete() {
            return Err(KifuError::at(line, at, Fault::BoardRow));
        }
        self.position.setup.set_side_to_move(side);
        let record = Record::new(self.position.setup);
        let mut record = record.map_err(|why| KifuError::at(line, at, Fault::Setup(why)))?;
        for comment in self.comments.drain(..) {
            record.push_comment(record.start(), &comment);
        }
        self.builder = Some(Builder::new(record, self.moves));
        Ok(())
    }

    /// Completes the position where no line states the side to move and no move shows it: White moves first in handicap
    /// games.
    #[cold]
    fn start_without_side(&mut self, line: Line<'_>, at: usize) -> Result<(), KifuError> {
        if self.to_move.is_none() && !self.position.is_given {
            return Err(no_side(line, at));
        }
        let side = self.to_move.unwrap_or_else(|| {
            let mut setup = self.position.setup;
            setup.set_side_to_move(Color::White);
            if Handicap::of_setup(&setup).is_some() { Color::White } else { Color::Black }
        });
        self.start_as(line, at, side)
    }

    /// Completes the position with a side to move that no line states.
    #[cold]
    fn start_as(&mut self, line: Line<'_>, at: usize, side: Color) -> Result<(), KifuError> {
        let sign = if side == Color::Black { "+" } else { "-" };
        self.notices.push(Notice::new(line.number, NoticeKind::NoSide, sign));
        self.start(line, at, side)
    }

    /// The builder, or a fault if the side to move is still missing.
    #[inline]
    fn builder(&mut self, line: Line<'_>, at: usize) -> Result<&mut Builder, KifuError> {
        self.builder.as_mut().ok_or_else(|| no_side(line, at))
    }

    #[inline]
    fn read_move(&mut self, line: Line<'_>, at: usize, part: &str) -> Result<(), KifuError> {
        if self.builder.is_none() {
            let side = if part.starts_with('+') { Color::Black } else { Color::White };
            self.start_as(line, at, side)?;
        }
        let builder = self.builder(line, at)?;
        builder.fail_on_illegal()?;
        match builder.state().parse_csa(part) {
            Ok(mv) => builder.push_move(mv).map_err(|error| append_fault(line, at, error)),
            Err(error) => self.bad_move(line, at, part, error),
        }
    }

    #[cold]
    fn bad_move(
        &mut self,
        line: Line<'_>,
        at: usize,
        part: &str,
        error: MoveTextError,
    ) -> Result<(), KifuError> {
        const MOVE: usize = "+7776FU".len();
        let builder = self.builder(line, at)?;
        if builder.has_ended() {
            return Err(KifuError::at(line, at, Fault::Order));
        }
        let fault = match error {
            MoveTextError::Syntax(offset) => {
                let syntax = |offset| Err(KifuError::at(line, at + offset, Fault::Syntax));
                // The whole of a move, perhaps in small letters, and a tail.
                if is_pass(&part[1..]) {
                    return Err(KifuError::at(line, at, Fault::Pass));
                }
                let Some((text, tail)) = part.split_at_checked(MOVE) else { return syntax(offset) };
                let parsed = builder.state().parse_csa(&text.to_ascii_uppercase());
                if matches!(parsed, Err(MoveTextError::Syntax(_))) {
                    return syntax(offset);
                }
                let is_time =
                    tail.strip_prefix('T').is_some_and(|time| time.starts_with(|c: char| c.is_ascii_digit()));
                let is_glued = !is_time && tail.starts_with(is_word);
                if is_glued || holds_move(tail) {
                    return syntax(MOVE + tail.len() - tail.trim_start().len());
                }
                match parsed {
                    Ok(mv) => builder.push_move(mv).map_err(|error| append_fault(line, at, error))?,
                    Err(error) => self.bad_move(line, at, text, error)?,
                }
                return self.read_tail(line, at + MOVE, tail);
            }
            MoveTextError::Side => Fault::Side,
            _ => Fault::IllegalMove,
        };
        builder.set_illegal(KifuError::at(line, at, fault), part.into());
        Ok(())
    }

    /// Reads what follows a move or an ending without a comma.
    #[cold]
    fn read_tail(&mut self, line: Line<'_>, at: usize, tail: &str) -> Result<(), KifuError> {
        let text = tail.trim();
        let at = at + tail.len() - tail.trim_start().len();
        match text.as_bytes() {
            [] => Ok(()),
            [b'\'', ..] => {
                self.read_inline_comment(line, &text[1..]);
                Ok(())
            }
            [b'T', ..] => self.read_time(line, at, text),
            _ => self.keep(line, at, text),
        }
    }

    #[inline]
    fn read_time(&mut self, line: Line<'_>, at: usize, part: &str) -> Result<(), KifuError> {
        let seconds = part[1..].trim_matches(' ');
        let time = match seconds.parse::<u32>() {
            Ok(seconds) => Millis::from_seconds(seconds),
            Err(_) => Millis::from_decimal(seconds),
        };
        let builder = self.builder(line, at)?;
        // 将棋ウォーズ has negative times.
        if time.is_some_and(|time| builder.set_time(time)) { Ok(()) } else { self.keep(line, at, part) }
    }

    fn read_end(&mut self, line: Line<'_>, at: usize, part: &str) -> Result<(), KifuError> {
        let is_end = |byte: u8| matches!(byte, b' ' | b'\t' | b'\'' | b'(' | b'/');
        let name = &part[1..];
        let (known, rest) = name.split_at(Ending::length_of_csa(name));
        // A name of no known ending may begin like a time.
        let is_time = !known.is_empty() && matches!(rest.as_bytes(), [b'T', b'0'..=b'9', ..]);
        let name = if is_time { known } else { name };
        let name = &name[..name.bytes().position(is_end).unwrap_or(name.len())];
        if name.is_empty() {
            return Err(KifuError::at(line, at, Fault::Syntax));
        }
        let tail_at = 1 + name.len();
        if self.builder.is_none() {
            self.start_without_side(line, at)?;
        }
        if split_outcome(name).is_some()
            && self.server.read_message(line.number, &part[..tail_at], &mut self.notices)
        {
            return self.read_tail(line, at + tail_at, &part[tail_at..]);
        }
        let builder = self.builder(line, at)?;
        let (ending, is_doubtful) = builder.ending_of_csa(name);
        if let Some(written) = builder.ending() {
            // shogi-server writes a declaration as a move and again as the result.
            let is_same = *written == ending;
            if *written == Ending::DeclarationWin && ending == Ending::Illegal {
                // The declaration was refused.
                builder.set_end(ending).map_err(|error| append_fault(line, at, error))?;
                self.keep(line, at, "%KACHI")?;
            } else if !is_same {
                self.keep(line, at, &part[..tail_at])?;
            }
            return self.read_tail(line, at + tail_at, &part[tail_at..]);
        }
        // Only a breach of the rules excuses an illegal move.
        if !matches!(ending, Ending::Illegal | Ending::OpponentIllegal) {
            builder.fail_on_illegal()?;
        }
        if is_pass(name) {
            return Err(KifuError::at(line, at, Fault::Pass));
        }
        let illegal = builder.illegal_mut().map(|illegal| (illegal.error.line, illegal.text.clone()));
        builder.push_end(ending).map_err(|error| append_fault(line, at, error))?;
        if is_doubtful {
            self.notices.push(Notice::new(line.number, NoticeKind::EndSentence, &part[..tail_at]));
        }
        if let Some((number, text)) = illegal {
            self.notices.push(Notice::new(number, NoticeKind::IllegalMove, &text));
        }
        self.read_tail(line, at + tail_at, &part[tail_at..])
    }
}

/// The fault that no line states the side to move before this place, which quotes no word: none there is wrong.
#[cold]
fn no_side(line: Line<'_>, at: usize) -> KifuError {
    KifuError { text: String::new(), ..KifuError::at(line, at, Fault::Side) }
}

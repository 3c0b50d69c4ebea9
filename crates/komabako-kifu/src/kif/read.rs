//! Lines of KIF: `   1 ７六歩(77)   ( 0:16/00:00:16)+`.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_rules::{Move16, MoveTextError};

use crate::builder::Builder;
use crate::clock::Millis;
use crate::ending::Ending;
use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::kakinoki::{
    Reader, append_fault, end_word, find_move, is_move_start, is_pass, known_end, parse_number,
    separate_mark, starts_with_move,
};
use crate::lines::{Line, leading_number, trim_blanks, trim_blanks_start};

/// The total time of each node's player, by node, summed over the lines of the file.
#[derive(Default)]
pub(crate) struct Totals(Vec<u64>);

/// Reads a line as programs write it, `   1 ７六歩(77)   ( 0:16/00:00:16)+`, that continues the game. Returns `false` and
/// changes nothing for any other line.
///
/// A fast path: most lines of a file are of this form, and need no search for what else they might be.
pub(crate) fn read_usual_line<'a>(reader: &mut Reader<'a>, line: Line<'a>) -> bool {
    let Some(builder) = &mut reader.builder else { return false };
    if reader.boundary.has_gap || builder.has_ended() || builder.illegal_mut().is_some() {
        return false;
    }
    let Some((mv, seconds, total)) = parse_usual_line(builder, line.text) else { return false };
    let Some(total_seconds) = parse_usual_clock(total.as_bytes()) else { return false };
    let Some(time) = Millis::from_seconds(seconds as u32) else { return false };
    if builder.push_move(mv).is_err() {
        return false;
    }
    builder.set_time(time);
    let before = total_before(builder, &reader.totals);
    reader.boundary.pass_move();
    set_total(reader, line, before + seconds, Some(total_seconds), total);
    true
}

/// The move, the seconds and the text of the total time of a line in the usual form.
#[inline]
fn parse_usual_line<'a>(builder: &Builder, text: &'a str) -> Option<(Move16, u64, &'a str)> {
    const TIMES: usize = "( 0:16/00:00:16)".len();
    let is_other = |byte: u8| byte != b' ';
    let at = text.bytes().position(is_other)?;
    let (digits, number) = text.as_bytes()[at..].first_chunk().and_then(leading_number)?;
    let blanks = text[at + digits..].bytes().position(is_other)?;
    if number != builder.next_ply() || blanks == 0 {
        return None;
    }
    let rest = &text[at + digits + blanks..];
    let (mv, length) = builder.state().read_kif(rest, builder.previous()).ok()?;
    let times = rest[length..].trim_matches(' ');
    let times = times.strip_suffix('+').unwrap_or(times);
    let &[b'(', .., b'/', _, _, _, _, _, _, _, _, b')'] = times.as_bytes().first_chunk::<TIMES>()? else {
        return None;
    };
    if times.len() != TIMES {
        return None;
    }
    Some((mv, parse_usual_clock(&times.as_bytes()[1..6])?, &times[7..15]))
}

/// Reads a line that starts with a number, at byte `at`.
pub(crate) fn read_line<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<(), KifuError> {
    let (number, rest) = parse_number(&line.text[at..]);
    read_numbered(reader, line, at, number, line.text.len() - trim_blanks_start(rest).len())
}

/// Reads a line with a number at byte `at` and the move or ending at byte `move_at`.
pub(crate) fn read_numbered<'a>(
    reader: &mut Reader<'a>,
    line: Line<'a>,
    at: usize,
    number: Option<u32>,
    move_at: usize,
) -> Result<(), KifuError> {
    let builder = reader.builder(line)?;
    let rest = &line.text[move_at..];
    let is_next = number == Some(builder.next_ply());
    if builder.has_ended() {
        return read_after_end(reader, line, move_at);
    }
    if !is_next {
        return Err(KifuError::at(line, at, Fault::MoveNumber));
    }
    let after = if is_move_start(rest) {
        read_move(reader, line, move_at)?
    } else {
        read_end(reader, line, move_at)?
    };
    read_time(reader, line, after)
}

/// Reads a line after the ending: another ending is kept as a comment.
#[cold]
fn read_after_end<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<(), KifuError> {
    let rest = line.text[at..].trim();
    if starts_with_move(rest) {
        return Err(KifuError::at(line, at, Fault::Order));
    }
    reader.keep_tail(line, at, rest)
}

/// Reads the ending at a byte, or a move in an unusual spelling, and returns the byte after it.
fn read_end<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<usize, KifuError> {
    let rest = line.text[at..].trim_start();
    let at = line.text.len() - rest.len();
    if let Some((mark, offset)) = separate_mark(rest) {
        if mark != reader.builder(line)?.side() {
            return keep_illegal(reader, line, at + offset, Fault::Side);
        }
        return read_move(reader, line, at + offset);
    }
    if starts_with_move(rest) {
        return read_move(reader, line, at);
    }
    if let Some(end) = known_end(rest) {
        reader.push_known_end(line, at, &end)?;
        return Ok(at + end.length);
    }
    let word = end_word(rest);
    if is_pass(word) {
        return Err(KifuError::at(line, at, Fault::Pass));
    }
    let side = reader.builder(line)?.side();
    let (ending, is_understood) = Ending::from_sentence(word, side);
    // Behind a known word is its time, or a tail that is searched for a move.
    if matches!(ending, Ending::Other(_))
        && let Some(offset) = find_move(rest)
    {
        return Err(KifuError::at(line, at + offset, Fault::Syntax));
    }
    if word.is_empty() {
        return Err(KifuError::at(line, at, Fault::Syntax));
    }
    if !is_understood {
        reader.notices.push(Notice::new(line.number, NoticeKind::EndSentence, word));
    }
    reader.push_end(line, at, ending)?;
    Ok(at + word.len())
}

/// Reads the move at a byte and returns the byte after it.
fn read_move<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<usize, KifuError> {
    let text = &line.text[at..];
    let builder = reader.builder(line)?;
    builder.fail_on_illegal()?;
    match builder.state().read_kif(text, builder.previous()) {
        Ok((mv, length)) => {
            builder.push_move(mv).map_err(|error| append_fault(line, at, error))?;
            Ok(at + length)
        }
        Err(MoveTextError::Syntax(offset)) => read_unusual_move(reader, line, at, offset),
        Err(error) => {
            let fault = if error == MoveTextError::Side { Fault::Side } else { Fault::IllegalMove };
            keep_illegal(reader, line, at, fault)
        }
    }
}

/// Keeps the illegal move at a byte and returns the byte after it.
fn keep_illegal<'a>(
    reader: &mut Reader<'a>,
    line: Line<'a>,
    at: usize,
    fault: Fault,
) -> Result<usize, KifuError> {
    let text = &line.text[at..];
    // The move ends before its time.
    let end = text
        .find([')', '）'])
        .map_or(text.len(), |close| close + text[close..].chars().next().map_or(0, char::len_utf8));
    let end = text.find([' ', '\t', '　']).map_or(end, |blank| end.min(blank));
    reader.keep_illegal(line, at, &text[..end], fault)?;
    Ok(at + end)
}

/// Reads a move in an unusual spelling, or one without its source, which is read as in KI2. `offset` is the offset of the
/// fault in the usual spelling.
#[cold]
fn read_unusual_move<'a>(
    reader: &mut Reader<'a>,
    line: Line<'a>,
    at: usize,
    offset: usize,
) -> Result<usize, KifuError> {
    let text = &line.text[at..];
    // `５五角(00)` is a drop.
    let plain = plain_move(text).replacen("(00)", "打　　　", 1);
    let builder = reader.builder(line)?;
    let state = builder.state();
    let previous = builder.previous();
    let read = match state.read_kif(&plain, previous) {
        Err(MoveTextError::Syntax(_)) => state.read_japanese(&plain, previous),
        read => read,
    };
    match read {
        Ok((mv, length)) => {
            builder.push_move(mv).map_err(|error| append_fault(line, at, error))?;
            // Each character was replaced by one.
            let count = plain[..length].chars().count();
            Ok(at + text.char_indices().nth(count).map_or(text.len(), |(end, _)| end))
        }
        Err(MoveTextError::Syntax(_)) => Err(KifuError::at(line, at + offset, Fault::Syntax)),
        Err(MoveTextError::Ambiguous(a, b)) => Err(KifuError::at(line, at, Fault::Ambiguous(a, b))),
        Err(MoveTextError::Side) => keep_illegal(reader, line, at, Fault::Side),
        Err(_) => keep_illegal(reader, line, at, Fault::IllegalMove),
    }
}

/// Text with each full-width character of ASCII, blank and bracket replaced by one of ASCII, and a kanji for the file by a
/// digit.
fn plain_move(text: &str) -> String {
    let mut is_file = true;
    let plain = |c: char| {
        let file = "一二三四五六七八九".chars().position(|kanji| kanji == c);
        let first = is_file;
        // The mark of the side comes before the file.
        is_file = is_file && "▲△▼▽☗☖ 　".contains(c);
        match (c, file) {
            (_, Some(file)) if first => char::from(b'1' + file as u8),
            ('[' | '［' | '〔' | '【' | '＜' | '<', _) => '(',
            (']' | '］' | '〕' | '】' | '＞' | '>', _) => ')',
            ('！'..='～', _) => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            _ if c.is_whitespace() => ' ',
            _ => c,
        }
    };
    text.chars().map(plain).collect()
}

/// Reads `( 0:16/00:00:16)` and `+` from a byte on.
fn read_time<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<(), KifuError> {
    let Some(builder) = &mut reader.builder else { return Ok(()) };
    let before = total_before(builder, &reader.totals);
    if builder.illegal_mut().is_none() {
        reader.totals.set(builder.at().index(), before);
    }

    let rest = trim_blanks(&line.text[at..]);
    let rest = trim_blanks(rest.strip_suffix('+').unwrap_or(rest));
    if rest.is_empty() {
        return Ok(());
    }
    match parse_times(rest) {
        Some(times) if set_time(reader, line, before, times)? => Ok(()),
        _ => read_tail(reader, line, at, before),
    }
}

/// The total time of the player of the current node before it.
#[inline]
fn total_before(builder: &Builder, totals: &Totals) -> u64 {
    let record = builder.record();
    // The grandparent is the player's previous move. Each node's sum is stored, so one lookup is enough.
    let grandparent = record.node(builder.at()).parent().and_then(|id| record.node(id).parent());
    grandparent.map_or(0, |id| totals.get(id.index()))
}

/// The time of a move and the total time of its player; either may be missing.
type Times<'a> = (Option<u64>, Option<u64>, &'a str);

/// Parses `( 0:16/00:00:16)`. Without a colon it is no time: `(00)` is the source that some programs give to a drop.
fn parse_times(text: &str) -> Option<Times<'_>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let slash = inner.bytes().position(|byte| byte == b'/');
    let (time, total) = slash.map_or((inner, ""), |at| (&inner[..at], &inner[at + 1..]));
    if slash.is_none() && !inner.contains(':') {
        return None;
    }
    Some((parse_clock(time)?, parse_clock(total)?, total))
}

/// Sets the time of the current node; `false` if it has one, or if this one is too long.
fn set_time<'a>(
    reader: &mut Reader<'a>,
    line: Line<'a>,
    before: u64,
    (seconds, total_seconds, total): Times<'_>,
) -> Result<bool, KifuError> {
    let builder = reader.builder(line)?;
    if let Some(seconds) = seconds {
        let millis = u32::try_from(seconds).ok().and_then(Millis::from_seconds);
        if !millis.is_some_and(|time| builder.set_time(time)) {
            return Ok(false);
        }
    }
    if builder.illegal_mut().is_none() {
        set_total(reader, line, before + seconds.unwrap_or(0), total_seconds, total);
    }
    Ok(true)
}

/// Notes the total time at the current node: the one that the file states, in seconds and as text, or the `computed` one.
#[inline]
fn set_total<'a>(reader: &mut Reader<'a>, line: Line<'a>, computed: u64, stated: Option<u64>, text: &str) {
    let Some(builder) = &reader.builder else { return };
    // After a contradiction the file's total is the new base, so that one error gives one notice.
    reader.totals.set(builder.at().index(), stated.unwrap_or(computed));
    if stated.is_some_and(|stated| stated != computed) {
        reader.notices.push(Notice::new(line.number, NoticeKind::TotalTime, trim_blanks(text)));
    }
}

/// Reads what follows a move if it is more than one time in the usual form: the first time counts, all other text is kept
/// as a comment.
#[cold]
fn read_tail<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize, before: u64) -> Result<(), KifuError> {
    let mut at = at;
    loop {
        let rest = line.text[at..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '+' | '＋'));
        at = line.text.len() - rest.len();
        if rest.is_empty() {
            return Ok(());
        }
        let end = match rest.find([')', '）']) {
            Some(close) if rest.starts_with(['(', '（']) => {
                close + rest[close..].chars().next().map_or(0, char::len_utf8)
            }
            // A word may have anything after it, but a time.
            _ => rest.find(['(', '（']).filter(|&open| open > 0).unwrap_or(rest.len()),
        };
        let plain = plain_move(&rest[..end]);
        match parse_times(&plain) {
            Some(times) if set_time(reader, line, before, times)? => {}
            _ => reader.keep_tail(line, at, rest[..end].trim_end())?,
        }
        at += end;
    }
}

/// Parses `m:ss` or `h:mm:ss`, with blanks anywhere, to seconds; `Some(None)` for empty text, `None` for other text.
fn parse_clock(text: &str) -> Option<Option<u64>> {
    if let Some(seconds) = parse_usual_clock(text.as_bytes()) {
        return Some(Some(seconds));
    }
    let mut rest = trim_blanks_start(text);
    if rest.is_empty() {
        return Some(None);
    }
    let mut seconds = 0_u64;
    for _ in 0..3 {
        let (value, after) = parse_number(rest);
        seconds = seconds * 60 + u64::from(value?);
        rest = trim_blanks_start(after);
        if rest.is_empty() {
            return Some(Some(seconds));
        }
        rest = trim_blanks_start(rest.strip_prefix([':', '：'])?);
    }
    None
}

/// [`parse_clock`] for the two forms that programs write: ` 0:16` and `00:00:16`. The places of the digits are fixed, so
/// no branch depends on them.
#[inline]
fn parse_usual_clock(text: &[u8]) -> Option<u64> {
    let two = |tens: u8, ones: u8| {
        let tens = tens.wrapping_sub(b'0');
        let ones = ones.wrapping_sub(b'0');
        (tens < 10 && ones < 10).then(|| u64::from(tens) * 10 + u64::from(ones))
    };
    match *text {
        [h1, h2, b':', m1, m2, b':', s1, s2] => Some((two(h1, h2)? * 60 + two(m1, m2)?) * 60 + two(s1, s2)?),
        [m1, m2, b':', s1, s2] => Some(two(if m1 == b' ' { b'0' } else { m1 }, m2)? * 60 + two(s1, s2)?),
        _ => None,
    }
}

impl Totals {
    fn get(&self, node: usize) -> u64 {
        self.0.get(node).copied().unwrap_or(0)
    }

    fn set(&mut self, node: usize, total: u64) {
        if self.0.len() <= node {
            self.0.resize(node + 1, 0);
        }
        self.0[node] = total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_and_general_readers_agree_on_clocks() {
        for text in [
            " 0:16",
            "10:00",
            "62:05",
            "99:99",
            "00:00:16",
            "23:59:59",
            "99:99:99",
            "0:16",
            "100:00",
            "1:00:00:0",
            ":",
            " 0:1",
            "0 :16",
            "a0:16",
            "0/:16",
            "00:00:1a",
            "0:00:16",
            "",
            "     ",
            "12345678",
            "１０:00",
        ] {
            let general = parse_clock(&alloc::format!("{text} "));
            assert_eq!(parse_clock(text), general, "{text}");
        }
        assert_eq!(parse_clock(" 0:16"), Some(Some(16)));
        assert_eq!(parse_clock("62:05"), Some(Some(3725)));
        assert_eq!(parse_clock("01:02:03"), Some(Some(3723)));
        assert_eq!(parse_clock("0/:16"), None);
    }
}

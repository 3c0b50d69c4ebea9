//! Lines of KIF: `   1 ７六歩(77)   ( 0:16/00:00:16)+`.

use alloc::vec::Vec;

use komabako_rules::MoveTextError;

use crate::clock::Millis;
use crate::ending::Ending;
use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::kakinoki::{Reader, append_fault, is_move_start, parse_number};
use crate::lines::{Line, trim_blanks, trim_blanks_start};

/// The total time of the player of each node, by node, as the file's lines add up.
#[derive(Default)]
pub(crate) struct Totals(Vec<u64>);

/// Reads a line that begins with a number, at byte `at`.
pub(crate) fn read_line<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<(), KifuError> {
    let builder = reader.builder(line)?;
    let (number, rest) = parse_number(&line.text[at..]);
    let rest = trim_blanks_start(rest);
    let move_at = line.text.len() - rest.len();
    if builder.has_ended() {
        return Err(KifuError::at(line, move_at, Fault::Order));
    }
    if number != Some(builder.next_ply()) {
        return Err(KifuError::at(line, at, Fault::MoveNumber));
    }
    let after = if is_move_start(rest) {
        read_move(reader, line, move_at)?
    } else {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | '+')).unwrap_or(rest.len());
        reader.end(line, move_at, Ending::from_kif(&rest[..end]))?;
        move_at + end
    };
    read_time(reader, line, after)
}

/// Reads the move at a byte and returns where it ends.
fn read_move<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<usize, KifuError> {
    let text = &line.text[at..];
    let builder = reader.builder(line)?;
    builder.unexcused()?;
    match builder.state().read_kif(text, builder.previous()) {
        Ok((mv, length)) => {
            builder.push_move(mv).map_err(|error| append_fault(line, at, error))?;
            Ok(at + length)
        }
        Err(MoveTextError::Syntax(offset)) => Err(KifuError::at(line, at + offset, Fault::Syntax)),
        Err(error) => {
            let fault = if error == MoveTextError::Side { Fault::Side } else { Fault::IllegalMove };
            // The move ends before its time.
            let end = text.find(")").map_or(text.len(), |close| close + 1);
            let end = text.find([' ', '\t']).map_or(end, |blank| end.min(blank));
            reader.illegal(line, at, &text[..end], fault)?;
            Ok(at + end)
        }
    }
}

/// Reads `( 0:16/00:00:16)` and `+` from a byte on.
fn read_time<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<(), KifuError> {
    let builder = reader.builder(line)?;
    let (record, id) = (builder.record(), builder.at());
    // The player's move before this one, and so on: each node's sum is kept, so that one look is enough.
    let grandparent = record.node(id).parent().and_then(|id| record.node(id).parent());
    let is_illegal = builder.illegal_mut().is_some();
    let before = grandparent.map_or(0, |id| reader.totals.get(id.index()));
    if !is_illegal {
        reader.totals.set(id.index(), before);
    }

    let rest = trim_blanks(&line.text[at..]);
    let rest = trim_blanks(rest.strip_suffix('+').unwrap_or(rest));
    if rest.is_empty() {
        return Ok(());
    }
    let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        reader.notices.push(Notice::new(line.number, NoticeKind::IgnoredText, rest));
        return Ok(());
    };
    let slash = inner.bytes().position(|byte| byte == b'/');
    let (time, total) = slash.map_or((inner, ""), |at| (&inner[..at], &inner[at + 1..]));
    let time_at = line.text.len() - trim_blanks_start(&line.text[at..]).len();
    let fault = || KifuError::at(line, time_at, Fault::Syntax);
    let total_seconds = parse_clock(total).ok_or_else(fault)?;
    let Some(seconds) = parse_clock(time).ok_or_else(fault)? else { return Ok(()) };
    let millis = u32::try_from(seconds).ok().and_then(Millis::from_seconds).ok_or_else(fault)?;
    reader.builder(line)?.set_time(millis);
    let computed = before + seconds;
    if is_illegal {
        return Ok(());
    }
    // After a contradiction the file's total is the base, so that one error gives one notice.
    reader.totals.set(id.index(), total_seconds.unwrap_or(computed));
    if total_seconds.is_some_and(|total| total != computed) {
        reader.notices.push(Notice::new(line.number, NoticeKind::TotalTime, trim_blanks(total)));
    }
    Ok(())
}

/// The seconds that `m:ss` or `h:mm:ss` says, blanks anywhere; `Some(None)` for no text, `None` for other text.
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

/// [`parse_clock`] of the two forms that programs write: ` 0:16` and `00:00:16`. Their places are fixed, so that no branch
/// depends on the digits.
#[inline]
fn parse_usual_clock(text: &[u8]) -> Option<u64> {
    let two = |tens: u8, ones: u8| {
        let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
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

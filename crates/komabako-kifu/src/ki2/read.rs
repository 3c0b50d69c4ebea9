//! Lines of KI2: `▲７六歩    △３四歩    ▲２二角成`.

use komabako_rules::MoveTextError;

use crate::error::{Fault, KifuError};
use crate::kakinoki::{Reader, append_fault, is_pass, known_end, separate_mark, starts_with_move};
use crate::lines::Line;

const MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// Reads a line of moves, from a byte on.
pub(crate) fn read_line<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<(), KifuError> {
    let mut at = at;
    loop {
        let rest = line.text[at..].trim_start();
        at = line.text.len() - rest.len();
        if rest.is_empty() {
            return Ok(());
        }
        if super::is_move_line(rest) || starts_with_move(rest) {
            at += read_move(reader, line, at)?;
            continue;
        }
        // Shogi DB2 writes endings between moves.
        if let Some(end) = known_end(rest)
            && !reader.builder(line)?.has_ended()
        {
            reader.push_known_end(line, at, &end)?;
            at += end.length;
            continue;
        }
        if is_pass(rest.split(char::is_whitespace).next().unwrap_or_default()) {
            return Err(KifuError::at(line, at, Fault::Pass));
        }
        if rest.starts_with(MARKS) {
            at += read_move(reader, line, at)?;
            continue;
        }
        if rest.starts_with("まで") {
            return reader.read_end_sentence(Line { start: line.start + at, text: rest, ..line });
        }
        let tail = &rest[..tail_length(rest)];
        reader.keep_tail(line, at, tail.trim_end())?;
        at += tail.len();
    }
}

/// The length of what is no move at the start of text: a bracket, or the text up to the next mark with a move, or まで.
fn tail_length(text: &str) -> usize {
    if text.starts_with(['(', '（'])
        && let Some(close) = text.find([')', '）'])
    {
        return close + text[close..].chars().next().map_or(0, char::len_utf8);
    }
    let is_next = |at: usize| {
        let rest = &text[at..];
        rest.starts_with(MARKS) && starts_with_move(rest) || at > 0 && rest.starts_with("まで")
    };
    text.char_indices().map(|(at, _)| at).find(|&at| is_next(at)).unwrap_or(text.len())
}

/// Reads the move at a byte and returns its length.
fn read_move<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<usize, KifuError> {
    let text = &line.text[at..];
    let builder = reader.builder(line)?;
    builder.fail_on_illegal()?;
    if builder.has_ended() {
        return Err(KifuError::at(line, at, Fault::Order));
    }
    // A blank may follow the mark.
    let (mark, move_at) = separate_mark(text).unwrap_or((builder.side(), 0));
    let read = if mark == builder.side() {
        builder.state().read_japanese(&text[move_at..], builder.previous())
    } else {
        Err(MoveTextError::Side)
    };
    let fault = match read {
        Ok((mv, length)) => {
            builder.push_move(mv).map_err(|error| append_fault(line, at, error))?;
            return Ok(move_at + length);
        }
        Err(MoveTextError::Syntax(offset)) => {
            return Err(KifuError::at(line, at + move_at + offset, Fault::Syntax));
        }
        Err(MoveTextError::Side) => Fault::Side,
        Err(MoveTextError::Ambiguous(a, b)) => return Err(KifuError::at(line, at, Fault::Ambiguous(a, b))),
        Err(_) => Fault::IllegalMove,
    };
    let after_mark = move_at.max(text.chars().next().map_or(0, char::len_utf8));
    let body = &text[after_mark..];
    let next = body.find(['▲', '△', '▼', '▽', '☗', '☖', ' ']).unwrap_or(body.len());
    reader.keep_illegal(line, at, &text[..after_mark + next], fault)?;
    Ok(after_mark + next)
}

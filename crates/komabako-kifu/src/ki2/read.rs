//! Lines of KI2: `▲７六歩    △３四歩    ▲２二角成`.

use komabako_rules::MoveTextError;

use crate::ending::Ending;
use crate::error::{Fault, KifuError};
use crate::kakinoki::{Reader, append_fault, is_pass, starts_with_move};
use crate::lines::Line;

/// Reads a line of moves, from a byte on.
pub(crate) fn read_line<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<(), KifuError> {
    let mut at = at;
    loop {
        let rest = line.text[at..].trim_start_matches([' ', '　', '\t']);
        at = line.text.len() - rest.len();
        if rest.is_empty() {
            return Ok(());
        }
        if rest.starts_with(['▲', '△', '▼', '▽', '☗', '☖']) || starts_with_move(rest) {
            at += read_move(reader, line, at)?;
            continue;
        }
        // Shogi DB2 writes endings between moves.
        let end = rest.find([' ', '　', '\t']).unwrap_or(rest.len());
        let word = &rest[..end];
        if is_pass(word) {
            return Err(KifuError::at(line, at, Fault::Pass));
        }
        match Ending::known_kif(word) {
            Some(ending) if !reader.builder(line)?.has_ended() => reader.push_end(line, at, ending)?,
            _ => return reader.keep_tail(line, at, rest.trim_end()),
        }
        at += end;
    }
}

/// Reads the move at a byte and returns its length.
fn read_move<'a>(reader: &mut Reader<'a>, line: Line<'a>, at: usize) -> Result<usize, KifuError> {
    let text = &line.text[at..];
    let builder = reader.builder(line)?;
    builder.fail_on_illegal()?;
    if builder.has_ended() {
        return Err(KifuError::at(line, at, Fault::Order));
    }
    let fault = match builder.state().read_japanese(text, builder.previous()) {
        Ok((mv, length)) => {
            builder.push_move(mv).map_err(|error| append_fault(line, at, error))?;
            return Ok(length);
        }
        Err(MoveTextError::Syntax(offset)) => return Err(KifuError::at(line, at + offset, Fault::Syntax)),
        Err(MoveTextError::Side) => Fault::Side,
        Err(MoveTextError::Ambiguous(a, b)) => return Err(KifuError::at(line, at, Fault::Ambiguous(a, b))),
        Err(_) => Fault::IllegalMove,
    };
    let after_mark = text.char_indices().nth(1).map_or(text.len(), |(index, _)| index);
    let body = &text[after_mark..];
    let next = body.find(['▲', '△', '▼', '▽', '☗', '☖', ' ']).unwrap_or(body.len());
    reader.keep_illegal(line, at, &text[..after_mark + next], fault)?;
    Ok(after_mark + next)
}

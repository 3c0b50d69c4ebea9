//! KIF: one line per move, with its number, source and times (`spec/kifu.md` §3).

mod read;
mod write;

use crate::kakinoki::{loose_number, parse_number};

pub(crate) use read::{Totals, read_line, read_numbered, read_usual_line};
pub(crate) use write::write;

/// Whether a line is a numbered move or end.
pub(crate) fn is_move_line(line: &str) -> bool {
    is_usual_move_line(line) || loose_number(line).is_some()
}

fn is_usual_move_line(line: &str) -> bool {
    let (number, rest) = parse_number(line);
    let rest = rest.trim_start_matches([' ', '　']);
    let is_move = |text: &str| {
        let mut chars = text.chars();
        let first = chars.next();
        first == Some('同')
            || first.is_some_and(|c| c.is_ascii_digit() || ('０'..='９').contains(&c))
                && chars.next().is_some_and(|c| "一二三四五六七八九".contains(c))
    };
    let word = rest.split([' ', '　', '(']).next().unwrap_or_default();
    let is_separate = line.starts_with(|c: char| c.is_ascii_digit());
    number.is_some()
        && is_separate
        && (is_move(rest.trim_start_matches(['▲', '△', '▼', '▽', '☗', '☖']))
            || crate::Ending::known_kif(word).is_some())
}

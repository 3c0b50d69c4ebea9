//! KI2: moves in free flow, distinguished by words (`spec/kifu.md` §3).

mod read;
mod write;

use crate::kakinoki::separate_mark;

pub(crate) use read::read_line;
pub(crate) use write::write;

/// Whether a line starts with the mark of a side and a destination, or after a blank a whole move.
pub(crate) fn is_move_line(line: &str) -> bool {
    let rest = line.strip_prefix(['▲', '△', '▼', '▽', '☗', '☖']);
    let next = rest.and_then(|rest| rest.chars().next());
    next.is_some_and(|c| c == '同' || c.is_ascii_digit() || ('０'..='９').contains(&c))
        || separate_mark(line).is_some()
}

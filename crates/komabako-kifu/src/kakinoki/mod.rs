//! The common parts of KIF and KI2 (柿木将棋's formats): header, board diagram, comments, end sentences.

mod boundary;
mod line;
mod position;
mod read;
mod row;
mod write;

use line::LineKind;
pub(crate) use line::{
    end_word, find_move, glued_at, is_end_word, is_move_start, is_pass, is_word, known_end, loose_number,
    parse_end, parse_number, project_entry, separate_mark, starts_with_move,
};
pub(crate) use read::{Reader, Style, append_fault, read};
pub(crate) use write::{Output, write_header};

/// Whether a line is a typical first line of KIF and KI2 files, so that even text without moves is a record.
pub(crate) fn is_distinctive(line: &str) -> bool {
    match line::classify(line) {
        LineKind::Board
        | LineKind::Handicap(_)
        | LineKind::Hand(..)
        | LineKind::Columns
        | LineKind::Move(_) => true,
        LineKind::Header(key, _) => is_distinctive_key(key),
        _ => false,
    }
}

/// Whether an entry of the header with this key is typical of KIF and KI2 files.
fn is_distinctive_key(key: &str) -> bool {
    matches!(key, "先手" | "後手" | "下手" | "上手" | "開始日時" | "棋戦" | "表題" | "場所")
}

//! The common parts of KIF and KI2 (柿木将棋's formats): header, board diagram, comments, end sentences.

mod line;
mod position;
mod read;
mod write;

use line::LineKind;
pub(crate) use line::{is_end_word, is_move_start, parse_end, parse_number, project_entry};
pub(crate) use read::{Reader, Style, append_fault, read};
pub(crate) use write::{Output, write_header};

/// Whether a line is a typical first line of KIF and KI2 files, so that even text without moves is a record.
pub(crate) fn is_distinctive(line: &str) -> bool {
    match line::classify(line) {
        LineKind::Board | LineKind::Handicap(_) | LineKind::Hand(..) | LineKind::Columns => true,
        LineKind::Header(key, _) => {
            matches!(key, "先手" | "後手" | "下手" | "上手" | "開始日時" | "棋戦" | "表題")
        }
        _ => false,
    }
}

//! Texts of the line filters.

use std::path::Path;

use super::Lang;
use super::common::grouped;

texts! {
    at_line(path, line, why) { "{path}: line {line}: {why}", "{path}: {line} 行目: {why}" }
    at_column(path, line, column, why) {
        "{path}: line {line}, column {column}: {why}",
        "{path}: {line} 行目 {column} 桁目: {why}"
    }
    lines_skipped(lines, first) {
        "left out {lines}; the first: {first}",
        "不正な {lines}を飛ばしました。最初のもの: {first}"
    }
}

impl Lang {
    /// The name of an input: its path, or standard input for `-`.
    pub fn path(self, path: &Path) -> String {
        if path == Path::new("-") { self.stdin() } else { path.display().to_string() }
    }

    /// A number of bad lines.
    pub fn lines(self, count: u64) -> String {
        match (self, count) {
            (Lang::En, 1) => "1 bad line".to_owned(),
            (Lang::En, _) => format!("{} bad lines", grouped(count)),
            (Lang::Ja, _) => format!("{} 行", grouped(count)),
        }
    }
}

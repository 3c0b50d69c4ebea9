//! Texts of the line filters.

use std::path::Path;

use super::lang::Lang;

texts! {
    at_line(path, line, why) => "{path}: line {line}: {why}", "{path}: {line} 行目: {why}";
    at_column(path, line, column, why) => "{path}: line {line}, column {column}: {why}",
        "{path}: {line} 行目 {column} 桁目: {why}";
    random_help => "choose a format that holds every position: sspfv1-ext, c250 or r238",
        "あらゆる局面を表せる形式 (sspfv1-ext、c250、r238) を選んでください";
    lines_skipped(lines, first) => "skipped {lines}; the first: {first}",
        "不正な {lines}を飛ばしました。最初のもの: {first}";
}

reports! {
    no_payload(format) as "usage" => "{format} has no payload",
        "{format} に付加情報はありません",
        help "omit `--payload`, or choose `--format c250`",
        "`--payload` を省くか、`--format c250` を指定してください";
}

impl Lang {
    /// The name of an input: its path, or standard input for `-`.
    pub fn path(self, path: &Path) -> String {
        if path == Path::new("-") { self.stdin() } else { path.display().to_string() }
    }
}

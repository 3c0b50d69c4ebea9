//! The headings of manual pages, which `clap_mangen` writes in English.

use super::lang::Lang;

/// Headings and their translations into Japanese.
const HEADINGS: [(&str, &str); 5] = [
    ("NAME", "名前"),
    ("SYNOPSIS", "書式"),
    ("DESCRIPTION", "説明"),
    ("EXTRA", "補足と例"),
    ("VERSION", "バージョン"),
];

impl Lang {
    /// A page with the headings of the language.
    pub fn manual(self, page: &str) -> String {
        let line = |line: &str| {
            let heading = if self == Lang::Ja { line.strip_prefix(".SH ") } else { None };
            match HEADINGS.iter().find(|(english, _)| heading == Some(english)) {
                Some((_, japanese)) => format!(".SH {japanese}\n"),
                None => format!("{line}\n"),
            }
        };
        page.lines().map(line).collect()
    }
}

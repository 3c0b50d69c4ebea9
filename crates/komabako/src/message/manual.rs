//! The headings of manual pages, which `clap_mangen` writes in English.

use super::lang::Lang;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Headings and their translations into Japanese.
const HEADINGS: [(&str, &str); 5] = [
    ("NAME", "名前"),
    ("SYNOPSIS", "書式"),
    ("DESCRIPTION", "説明"),
    ("EXTRA", "補足と例"),
    ("VERSION", "バージョン"),
];

impl Lang {
    /// A page with the headings of the language, and the lines of examples and tables, which are indented, as they are.
    pub fn manual(self, page: &str) -> String {
        let mut text = String::new();
        let mut in_notes = false;
        let mut in_table = false;
        for line in page.lines() {
            let is_row = in_notes && line.starts_with(' ');
            if is_row != in_table {
                text += if is_row { ".nf\n" } else { ".fi\n" };
                in_table = is_row;
            }
            if let Some(heading) = line.strip_prefix(".SH ") {
                in_notes = heading == "EXTRA";
                let known = HEADINGS.iter().find(|(english, _)| *english == heading && self == Lang::Ja);
                text += &format!(".SH {}\n", known.map_or(heading, |(_, japanese)| japanese));
                continue;
            }
            if let Some(title) = line.strip_prefix(".TH ") {
                // The name and the section; no date. Lines are neither justified nor hyphenated: Japanese would have wide gaps,
                // and the names of options would be divided.
                let name = title.split(' ').next().unwrap_or_default();
                text += &format!(".TH {name} 1 \"\" \"komabako {VERSION}\"\n.ad l\n.nh\n");
                continue;
            }
            if in_notes && !is_row {
                text += ".br\n";
            }
            text += line;
            text.push('\n');
        }
        // `\:` is a place to break a line at.
        text.replace("。 ", "。\\:").replace("、 ", "、\\:")
    }
}

//! The colours of the program's output. They are stripped where the output is not a terminal or colour is refused.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// Names: of fields, formats, columns.
pub const NAME: Style = AnsiColor::Cyan.on_default();
/// What is good or chosen.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What is suspicious.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// What is wrong.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What matters less.
pub const FAINT: Style = Style::new().dimmed();
/// Headings.
pub const HEADING: Style = Style::new().bold();

/// A text in a style.
pub fn painted(text: &str, style: Style) -> impl fmt::Display {
    format!("{style}{text}{style:#}")
}

//! The colours of the program's output. They are stripped if the output is not a terminal or colour is turned off.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// Names: of fields, formats, columns.
pub const NAME: Style = AnsiColor::Cyan.on_default();
/// Good or chosen things.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Suspicious things.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Errors.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Less important text.
pub const FAINT: Style = Style::new().dimmed();
/// Headings.
pub const HEADING: Style = Style::new().bold();

/// A text in a style.
pub fn painted(text: &str, style: Style) -> impl fmt::Display {
    format!("{style}{text}{style:#}")
}

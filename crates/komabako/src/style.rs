//! The colours of the program's output. They are stripped if the output is not a terminal or colour is turned off.

use std::fmt;

use anstyle::{AnsiColor, Effects};

use crate::escape::Escaped;

/// A style of a part of a text: `{style}` begins it, `{style:#}` ends it.
///
/// In a text it is a mark, a character that texts from outside cannot have (`escape`), which only [`Screen`](crate::screen::Screen) turns into a sequence for the terminal: so a sequence in
/// a text is never ours, and is escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style(Option<char>);

/// The end of a style.
const END: char = '\u{fdd0}';
/// Names: of fields, formats, columns.
pub const NAME: Style = Style(Some('\u{fdd1}'));
/// Good or chosen things.
pub const GOOD: Style = Style(Some('\u{fdd2}'));
/// Suspicious things.
pub const WARNING: Style = Style(Some('\u{fdd3}'));
pub const ERROR: Style = Style(Some('\u{fdd4}'));
/// Less important text.
pub const FAINT: Style = Style(Some('\u{fdd5}'));
pub const HEADING: Style = Style(Some('\u{fdd6}'));
/// Headings of columns.
pub const COLUMN: Style = Style(Some('\u{fdd7}'));

impl Style {
    /// Plain text.
    pub const fn new() -> Self {
        Style(None)
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some(_) if f.alternate() => write!(f, "{END}"),
            Some(mark) => write!(f, "{mark}"),
        }
    }
}

/// A text without styles.
pub fn plain(text: &str) -> String {
    text.chars().filter(|&letter| sequence(letter).is_none()).collect()
}

/// The sequence for the terminal that a mark stands for; `None` for other characters.
pub fn sequence(mark: char) -> Option<impl fmt::Display> {
    let style = match Style(Some(mark)) {
        NAME => AnsiColor::Cyan.on_default(),
        GOOD => AnsiColor::Green.on_default(),
        WARNING => AnsiColor::Yellow.on_default().bold(),
        ERROR => AnsiColor::Red.on_default().bold(),
        FAINT => anstyle::Style::new().dimmed(),
        HEADING => anstyle::Style::new().bold(),
        COLUMN => anstyle::Style::new().effects(Effects::UNDERLINE),
        _ if mark == END => return Some(anstyle::Reset.render().to_string()),
        _ => return None,
    };
    Some(style.render().to_string())
}

/// A text in a style, on one line and escaped.
pub fn painted(text: &str, style: Style) -> impl fmt::Display {
    format!("{style}{}{style:#}", Escaped(text))
}

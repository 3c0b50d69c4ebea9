//! [`Games`]: the records of a text, one after another.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::format::Format;
use crate::kakinoki::{self, Style};
use crate::lines::Lines;
use crate::record::Record;
use crate::{csa, jkf, usi};

/// How to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// Stop at the first fault and keep the moves before it, if a position was read.
    pub lenient: bool,
    /// Keep CSA's plain comments `'TEXT` too, which are ignored otherwise.
    pub keep_comments: bool,
}

/// One record that was read, and what there is to say about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The record.
    pub record: Record,
    /// What was read, but not as it stands.
    pub notices: Vec<Notice>,
    /// The fault at which lenient reading stopped.
    pub stopped: Option<KifuError>,
    /// The line of the text at which the record begins, from 1.
    pub line: u32,
}

/// The records of a text, one at a time, so that a file with many takes memory for one.
///
/// CSA files hold several, separated by `/`, and USI text one a line; the others hold one. After a fault the next record
/// follows.
///
/// ```
/// use komabako_kifu::{Format, Games, ReadOptions};
/// let text = "startpos moves 7g7f\nstartpos moves 7g7e\n";
/// let games: Vec<_> = Games::new(text, Format::Usi, ReadOptions::default()).collect();
/// assert!(games[0].is_ok());
/// assert_eq!(games[1].as_ref().unwrap_err().to_string(),
///     "line 2, column 16: `7g7e` is not a legal move here; correct the move");
/// ```
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a str,
    lines: Lines<'a>,
    format: Format,
    options: ReadOptions,
    is_done: bool,
}

impl<'a> Games<'a> {
    /// The records of a text in a format.
    pub fn new(text: &'a str, format: Format, options: ReadOptions) -> Self {
        Self { text, lines: Lines::new(text), format, options, is_done: false }
    }

    /// The next game of a CSA file: the lines up to `/`.
    fn next_csa(&mut self) -> Option<Result<Game, KifuError>> {
        // Blank lines and comments alone are no game.
        let mut ahead = self.lines.clone();
        loop {
            let line = ahead.next()?;
            if csa::is_separator(line) {
                self.lines = ahead.clone();
            } else if !line.text.is_empty() && !line.text.starts_with('\'') {
                return Some(csa::read(&mut self.lines, &self.options));
            }
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.format {
            Format::Csa | Format::Csa3 => return self.next_csa(),
            Format::Usi => {
                let line = self.lines.find(|line| !line.text.trim().is_empty())?;
                return Some(usi::read(line, self.options.lenient));
            }
            _ => {}
        }
        if core::mem::replace(&mut self.is_done, true) {
            return None;
        }
        Some(match self.format {
            Format::Ki2 => kakinoki::read(self.text, Style::Ki2, self.options.lenient),
            Format::Jkf => jkf::read(self.text, self.options.lenient),
            _ => kakinoki::read(self.text, Style::Kif, self.options.lenient),
        })
    }
}

/// Reads all records of a file, in the format that its content is in. `extension` is that of its name, if it has one: where
/// it is that of another format, a notice says so.
///
/// # Errors
/// [`KifuError`]: the bytes are no text or of no known format, or the first fault of a record.
///
/// ```
/// let games = komabako_kifu::read("V2.2\nPI\n+\n+7776FU\n%TORYO\n".as_bytes(), Some("csa"))?;
/// assert_eq!(games[0].record.main_line().count(), 2);
/// # Ok::<(), komabako_kifu::KifuError>(())
/// ```
#[cfg(feature = "cp932")]
pub fn read(bytes: &[u8], extension: Option<&str>) -> Result<Vec<Game>, KifuError> {
    let decoded = crate::encoding::decode(bytes)?;
    let format = Format::detect(&decoded.text).ok_or_else(|| unknown(&decoded.text))?;
    let mut games: Vec<Game> =
        Games::new(&decoded.text, format, ReadOptions::default()).collect::<Result<_, _>>()?;
    if let (Some(notice), Some(first)) = (extension_notice(format, &decoded, extension), games.first_mut()) {
        first.notices.push(notice);
    }
    Ok(games)
}

/// The fault of text in no known format.
pub fn unknown(text: &str) -> KifuError {
    KifuError::in_text(text, 0, Fault::Syntax)
}

/// What there is to say about the extension of a file's name, beside its content.
pub fn extension_notice(
    format: Format,
    decoded: &crate::encoding::Decoded<'_>,
    extension: Option<&str>,
) -> Option<Notice> {
    use crate::encoding::Encoding;
    let extension = extension?.to_ascii_lowercase();
    let named = Format::from_extension(&extension)?;
    let is_same = named == format || (named == Format::Csa && format == Format::Csa3);
    // .kifu and .ki2u say UTF-8; .kif and .ki2 hold either by now.
    let is_utf8 = decoded.encoding == Encoding::Utf8 || !matches!(extension.as_str(), "kifu" | "ki2u");
    if is_same && is_utf8 {
        return None;
    }
    let encoding = if decoded.encoding == Encoding::Utf8 { "UTF-8" } else { "CP932" };
    let text: String = alloc::format!("{format} in {encoding}");
    Some(Notice::new(0, NoticeKind::Extension, &text))
}

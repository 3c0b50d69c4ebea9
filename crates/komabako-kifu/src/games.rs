//! [`Games`]: an iterator over the records of a text.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::{Fault, KifuError, Notice, NoticeKind};
use crate::format::Format;
use crate::kakinoki::{self, Style};
use crate::lines::Lines;
use crate::record::Record;
use crate::{csa, jkf, usi};

/// Options of the readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// Stop at the first fault and keep the moves before it, if a position was read.
    pub lenient: bool,
    /// Also keep CSA's plain comments `'TEXT`, which are otherwise [counted](Game::dropped_comments).
    pub keep_comments: bool,
}

/// A record that was read, with its notices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The record.
    pub record: Record,
    /// The tolerated deviations.
    pub notices: Vec<Notice>,
    /// The fault at which lenient reading stopped.
    pub stopped: Option<KifuError>,
    /// The number of comments of CSA without a star that [were not kept](ReadOptions::keep_comments).
    pub dropped_comments: u32,
    /// The number of the game in its text, from 1.
    pub number: u32,
    /// The line of the text at which the record starts, from 1.
    pub line: u32,
}

/// An iterator over the records of a text, which holds only one record in memory.
///
/// CSA files may contain several records, separated by `/`, and USI text one per line. In KIF and KI2 text a record ends
/// where another begins: after a blank line or an ending, at a header, a position or move 1. JKF text contains one record.
/// After a fault, iteration continues with the next record.
///
/// ```
/// use komabako_kifu::{Format, Games, ReadOptions};
/// let text = "startpos moves 7g7f\nstartpos moves 7g7e\n";
/// let games: Vec<_> = Games::new(text, Format::Usi, ReadOptions::default()).collect();
/// assert!(games[0].is_ok());
/// assert_eq!(games[1].as_ref().unwrap_err().to_string(),
///     "game 2, line 2, column 16: `7g7e` is not a legal move here");
/// ```
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: &'a str,
    lines: Lines<'a>,
    format: Format,
    options: ReadOptions,
    /// The number of games returned so far.
    returned: u32,
    /// The place of the text in its file.
    before: Place,
    /// The faults of bytes that could not be decoded, by line.
    undecoded: &'a [KifuError],
}

/// A place in a file before a game: the games, lines and bytes of text that come before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The number of games.
    pub games: u32,
    /// The number of lines.
    pub lines: u32,
    /// The number of bytes of the text, as UTF-8.
    pub bytes: usize,
}

impl<'a> Games<'a> {
    /// The records of a text in a format.
    pub fn new(text: &'a str, format: Format, options: ReadOptions) -> Self {
        Self {
            text,
            lines: Lines::new(text),
            format,
            options,
            returned: 0,
            before: Place::default(),
            undecoded: &[],
        }
    }

    /// The same for the text from this place of a file on: the numbers of games, lines and bytes are those of the file.
    pub fn after(self, before: Place) -> Self {
        Self { before, ..self }
    }

    /// The same for text with U+FFFD where bytes could not be decoded: the games with such a line are bad.
    pub(crate) fn with_undecoded(self, undecoded: &'a [KifuError]) -> Self {
        Self { undecoded, ..self }
    }

    /// The fault of a line that could not be decoded, of the game that began after the first `start` lines.
    fn undecoded_since(&self, start: u32) -> Option<&'a KifuError> {
        let end = if self.format == Format::Jkf { u32::MAX } else { self.lines.passed() };
        self.undecoded.iter().find(|fault| (start + 1..=end).contains(&fault.line))
    }

    /// The place at which the next game, or what separates it from the one before, begins. A file that is larger than
    /// memory may be read in parts that begin at such places: in each part but the last, the last game may be incomplete.
    pub fn place(&self) -> Place {
        Place {
            games: self.before.games + self.returned,
            lines: self.before.lines.saturating_add(self.lines.passed()),
            bytes: self.before.bytes + (self.text.len() - self.lines.remaining().len()),
        }
    }

    fn next_game(&mut self) -> Option<Result<Game, KifuError>> {
        match self.format {
            Format::Csa | Format::Csa3 => return self.next_csa(),
            Format::Usi => {
                let line = self.lines.find(|line| !line.text.trim().is_empty())?;
                return Some(usi::read(line, self.options.lenient));
            }
            _ => {}
        }
        if self.before.games + self.returned > 0 && !self.has_more() {
            return None;
        }
        Some(match self.format {
            Format::Ki2 => kakinoki::read(&mut self.lines, Style::Ki2, self.options.lenient),
            Format::Jkf => jkf::read(self.text, self.options.lenient),
            _ => kakinoki::read(&mut self.lines, Style::Kif, self.options.lenient),
        })
    }

    /// Whether another game follows.
    fn has_more(&self) -> bool {
        match self.format {
            Format::Csa | Format::Csa3 => {
                self.lines.clone().any(|line| !csa::is_separator(line) && !csa::is_bare(line))
            }
            Format::Jkf => false,
            _ => self.lines.clone().any(|line| !line.text.trim().is_empty()),
        }
    }

    /// Reads the next game of a CSA file: the lines up to `/`.
    fn next_csa(&mut self) -> Option<Result<Game, KifuError>> {
        // A part with only blank lines and comments is not a game.
        let mut ahead = self.lines.clone();
        loop {
            let line = ahead.next()?;
            if csa::is_separator(line) {
                self.lines = ahead.clone();
            } else if !csa::is_bare(line) {
                return Some(csa::read(&mut self.lines, &self.options));
            }
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.lines.passed();
        let mut result = self.next_game()?;
        self.returned += 1;
        if let Some(fault) = self.undecoded_since(start) {
            result = Err(fault.clone());
        }
        let number = self.before.games + self.returned;
        let lines = self.before.lines;
        let fault = match &mut result {
            Ok(game) => {
                game.number = number;
                game.line = game.line.saturating_add(lines);
                for notice in &mut game.notices {
                    // Line 0 is the whole file.
                    notice.line = if notice.line == 0 { 0 } else { notice.line.saturating_add(lines) };
                }
                game.stopped.as_mut()
            }
            Err(error) => Some(error),
        };
        if let Some(fault) = fault {
            fault.line = fault.line.saturating_add(lines);
            fault.byte += self.before.bytes;
            // A place in the only game of a text needs no number.
            if number > 1 || self.has_more() {
                fault.game = Some(number);
            }
        }
        Some(result)
    }
}

/// The error for text of no known format.
pub fn unknown(text: &str) -> KifuError {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_quoted = text.contains('>') && lines.all(|line| line.starts_with('>'));
    let first = text.len() - text.trim_start().len();
    let fault = if first == text.len() {
        Fault::Empty
    } else if is_quoted {
        Fault::Quoted
    } else {
        Fault::Syntax
    };
    KifuError::in_text(text, if fault == Fault::Syntax { first } else { 0 }, fault)
}

/// The notice about a file as a whole: an old encoding, or an extension that contradicts its content.
pub fn file_notice(
    format: Format,
    decoded: &crate::encoding::Decoded<'_>,
    extension: Option<&str>,
) -> Option<Notice> {
    use crate::encoding::Encoding;
    let encoding = decoded.encoding;
    if encoding == Encoding::EucJp {
        return Some(Notice::new(0, NoticeKind::Encoding, "EUC-JP"));
    }
    let extension = extension?.to_ascii_lowercase();
    let named = Format::from_extension(&extension)?;
    let is_same = named == format || (named == Format::Csa && format == Format::Csa3);
    // .kifu and .ki2u promise UTF-8; .kif and .ki2 are used for both encodings.
    let is_utf8 = encoding == Encoding::Utf8 || !matches!(extension.as_str(), "kifu" | "ki2u");
    if is_same && is_utf8 {
        return None;
    }
    let text: String = alloc::format!("{format} in {encoding}");
    Some(Notice::new(0, NoticeKind::Extension, &text))
}

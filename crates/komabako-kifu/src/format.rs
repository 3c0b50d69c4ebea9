//! [`Format`]: the formats of game records, their capabilities, and their detection.

use alloc::string::String;
use core::fmt;

use crate::lines::Lines;
use crate::record::Record;
use crate::{csa, jkf, ki2, kif, text, usi};

/// A format of game records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// KIF of Kifu for Windows (柿木将棋): numbered moves with sources and times.
    Kif,
    /// KI2: moves in free flow, with words instead of sources.
    Ki2,
    /// CSA up to version 2.2.
    Csa,
    /// CSA version 3.0.
    Csa3,
    /// JSON Kifu Format 1.0.
    Jkf,
    /// The text of USI's `position` command, one game per line.
    Usi,
}

/// The precision with which a format stores the times of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Times {
    /// No times.
    None,
    /// Whole seconds.
    Seconds,
    /// Milliseconds.
    Millis,
}

/// The parts of a record that a format can store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holds {
    /// Variations besides the main line.
    pub variations: bool,
    /// Bookmarks as such; JKF stores them as comments.
    pub bookmarks: bool,
    /// Comments.
    pub comments: bool,
    /// The header.
    pub header: bool,
    /// Times.
    pub times: Times,
    /// The number of the first move.
    pub first_ply: bool,
    /// Several games in one file.
    pub several_games: bool,
}

impl Format {
    /// All formats.
    pub const ALL: &[Format] =
        &[Format::Kif, Format::Ki2, Format::Csa, Format::Csa3, Format::Jkf, Format::Usi];

    /// Its name in options and summaries.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Kif => "kif",
            Format::Ki2 => "ki2",
            Format::Csa => "csa",
            Format::Csa3 => "csa3",
            Format::Jkf => "jkf",
            Format::Usi => "usi",
        }
    }

    /// The extensions of its files, the one for UTF-8 first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Kif => &["kifu", "kif", "bod"],
            Format::Ki2 => &["ki2u", "ki2"],
            Format::Csa | Format::Csa3 => &["csa"],
            Format::Jkf => &["jkf", "json"],
            Format::Usi => &["usi", "sfen"],
        }
    }

    /// The format of files with an extension, given without a dot; case is ignored.
    pub fn from_extension(extension: &str) -> Option<Format> {
        let is =
            |format: &&Format| format.extensions().iter().any(|known| known.eq_ignore_ascii_case(extension));
        Format::ALL.iter().find(is).copied()
    }

    /// The parts of a record that it can store.
    pub const fn holds(self) -> Holds {
        let tree = Holds {
            variations: true,
            bookmarks: true,
            comments: true,
            header: true,
            times: Times::Seconds,
            first_ply: true,
            several_games: false,
        };
        match self {
            Format::Kif => tree,
            Format::Ki2 => Holds { times: Times::None, ..tree },
            Format::Csa => {
                Holds { variations: false, bookmarks: false, first_ply: false, several_games: true, ..tree }
            }
            Format::Csa3 => Holds {
                variations: false,
                bookmarks: false,
                first_ply: false,
                several_games: true,
                times: Times::Millis,
                ..tree
            },
            Format::Jkf => Holds { bookmarks: false, first_ply: false, ..tree },
            Format::Usi => Holds {
                variations: false,
                bookmarks: false,
                comments: false,
                header: false,
                times: Times::None,
                first_ply: true,
                several_games: true,
            },
        }
    }

    /// Detects the format of text by its content: the first line that is distinctive of one format decides. A board
    /// diagram alone is KIF, an SFEN alone is USI.
    ///
    /// ```
    /// use komabako_kifu::Format;
    /// assert_eq!(Format::detect("PI\n+\n+7776FU\n"), Some(Format::Csa));
    /// assert_eq!(Format::detect("手合割：平手\n▲７六歩 △３四歩\n"), Some(Format::Ki2));
    /// ```
    pub fn detect(text: &str) -> Option<Format> {
        Format::detect_named(text, None)
    }

    /// As [`detect`](Self::detect); of a text without moves, whose header may be that of KIF or KI2, the extension of its name decides.
    pub(crate) fn detect_named(text: &str, extension: Option<&str>) -> Option<Format> {
        if is_json(text) {
            return Some(Format::Jkf);
        }
        let mut header = None;
        for line in Lines::new(text) {
            match Format::of_line(line.text) {
                Some(Format::Csa) => {
                    let line = line.text;
                    let is_third = line.starts_with("'CSA") || line.starts_with("V3") || has_version_3(text);
                    return Some(if is_third { Format::Csa3 } else { Format::Csa });
                }
                Some(format) => return Some(format),
                None if header.is_none() && crate::kakinoki::is_distinctive(line.text.trim_end()) => {
                    let named = extension.and_then(Format::from_extension);
                    header = Some(if named == Some(Format::Ki2) { Format::Ki2 } else { Format::Kif });
                }
                None => {}
            }
        }
        header
    }

    /// The format of which a line is distinctive; CSA without regard to its version.
    fn of_line(line: &str) -> Option<Format> {
        let line = line.trim_end();
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            None
        } else if text::begins_with_position(trimmed) {
            Some(Format::Usi)
        } else if csa::is_distinctive(line) {
            Some(Format::Csa)
        } else if kif::is_move_line(trimmed) {
            Some(Format::Kif)
        } else if ki2::is_move_line(trimmed) {
            Some(Format::Ki2)
        } else {
            None
        }
    }

    /// Whether a file of this format that begins with the line is still recognised as such.
    pub(crate) fn may_begin_with(self, line: &str) -> bool {
        !is_json(line) && Format::of_line(line).is_none_or(|format| format == self)
    }

    /// The record as this format can store it: the result of writing the record and reading it back.
    pub fn project(self, record: &Record) -> Record {
        crate::project::project(self, record).0
    }

    /// Writes a record in this format, with LF as line end, and returns the text and the losses.
    ///
    /// ```
    /// use komabako_kifu::{Format, Record, Step};
    /// let mut record = Record::even();
    /// record.append(record.start(), Step::Move("7g7f".parse().unwrap())).unwrap();
    /// let (text, losses) = Format::Usi.write(&record);
    /// assert_eq!(text, "position startpos moves 7g7f\n");
    /// assert!(losses.is_empty());
    /// ```
    pub fn write(self, record: &Record) -> (String, Losses) {
        let (record, losses) = crate::project::project(self, record);
        let text = match self {
            Format::Kif => kif::write(&record),
            Format::Ki2 => ki2::write(&record),
            Format::Csa => csa::write(&record, csa::Version::V2_2),
            Format::Csa3 => csa::write(&record, csa::Version::V3_0),
            Format::Jkf => jkf::write(&record),
            Format::Usi => usi::write(&record),
        };
        (text, losses)
    }

    /// The separator between two games of one file, if a file can contain several.
    pub const fn separator(self) -> Option<&'static str> {
        match self {
            Format::Csa | Format::Csa3 => Some("/\n"),
            Format::Usi => Some(""),
            _ => None,
        }
    }
}

/// Whether text begins like JSON.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Whether a CSA file declares version 3 in its first line that is not a comment.
fn has_version_3(text: &str) -> bool {
    let mut lines = Lines::new(text).map(|line| line.text).filter(|line| !line.starts_with('\''));
    lines.next().is_some_and(|line| line.starts_with("V3"))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The number of parts of a record that a format could not store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Losses {
    /// Nodes of variations.
    pub variation_nodes: u64,
    /// Bookmarks.
    pub bookmarks: u64,
    /// Times, left out or truncated to whole seconds.
    pub times: u64,
    /// Lines of comment.
    pub comments: u64,
    /// Entries of the header, left out or changed.
    pub header: u64,
    /// Endings, left out or written as another one.
    pub endings: u64,
    /// Numbers of first moves that are not 1.
    pub first_plies: u64,
    /// Characters that the encoding lacks, written as another one. [`Format::write`] does not encode and leaves this 0.
    pub characters: u64,
}

impl Losses {
    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The kinds of losses with their names.
    pub fn counts(&self) -> [(&'static str, u64); 8] {
        [
            ("variation_nodes", self.variation_nodes),
            ("bookmarks", self.bookmarks),
            ("times", self.times),
            ("comments", self.comments),
            ("header", self.header),
            ("endings", self.endings),
            ("first_plies", self.first_plies),
            ("characters", self.characters),
        ]
    }
}

impl core::ops::AddAssign for Losses {
    fn add_assign(&mut self, other: Self) {
        self.variation_nodes += other.variation_nodes;
        self.bookmarks += other.bookmarks;
        self.times += other.times;
        self.comments += other.comments;
        self.header += other.header;
        self.endings += other.endings;
        self.first_plies += other.first_plies;
        self.characters += other.characters;
    }
}

//! Games that cannot be read, and the list of them.

use core::fmt;
use std::io;
use std::path::PathBuf;

use komabako_kifu::KifuError;
use komabako_messages::{Lang, Message, say};

use super::ArchiveFault;
use crate::Name;
use crate::escape::Escaped;
use crate::io::error::{Foreign, JobError, SystemError};
use crate::io::input::Stopped;
use crate::{DatasetError, Output, OutputWriter, RecordFault};

/// A game that could not be read, or that yielded no records because of a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadGame {
    /// The file, or `ARCHIVE!MEMBER`.
    pub input: Name,
    /// The fault.
    pub fault: BadGameFault,
}

/// Why a game is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadGameFault {
    /// It cannot be read.
    Kifu(KifuError),
    /// The file cannot be read or decompressed: the kind of the error, and its text.
    File(io::ErrorKind, String),
    /// The file is of another kind.
    Foreign(Foreign),
    /// The archive or the member cannot be unpacked.
    Archive(ArchiveFault),
    /// The output's format cannot hold one of its positions.
    Record {
        /// The number of the game in its file, from 1, if the file has several.
        game: Option<u32>,
        /// The number of the move.
        number: u32,
        /// The fault.
        fault: RecordFault,
    },
    /// CP932, in which it is to be written, lacks one of its characters.
    Unmappable {
        /// The number of the game in its file, from 1.
        game: u32,
        /// The line of the file at which the game starts, from 1.
        line: u32,
        /// The character.
        character: char,
    },
}

impl BadGame {
    /// The number of the game in its file, from 1, if the file has several and the fault is in one of them.
    pub const fn game(&self) -> Option<u32> {
        match &self.fault {
            BadGameFault::Kifu(error) => error.game,
            BadGameFault::Record { game, .. } => *game,
            BadGameFault::Unmappable { game, .. } => Some(*game),
            BadGameFault::File(..) | BadGameFault::Foreign(_) | BadGameFault::Archive(_) => None,
        }
    }

    /// The line of the fault in the file, from 1, or that at which the game starts.
    pub const fn line(&self) -> Option<u32> {
        match &self.fault {
            BadGameFault::Kifu(error) => Some(error.line),
            BadGameFault::Unmappable { line, .. } => Some(*line),
            _ => None,
        }
    }
}

impl BadGameFault {
    /// The name of the fault, which is stable between releases: `ILLEGAL_MOVE`.
    pub const fn name(&self) -> &'static str {
        match self {
            BadGameFault::Kifu(error) => error.fault.name(),
            BadGameFault::File(..) => "FILE",
            BadGameFault::Foreign(_) => "UNSUPPORTED",
            BadGameFault::Archive(fault) => fault.name(),
            BadGameFault::Record { fault, .. } => fault.name(),
            BadGameFault::Unmappable { .. } => "UNMAPPABLE",
        }
    }

    /// The fault of a file or a folder that may not be read: it is left out, since others may be.
    ///
    /// # Errors
    /// Any other failure.
    pub fn of_failure(error: DatasetError) -> Result<Self, DatasetError> {
        match error {
            DatasetError::Open(_, cause) if cause.kind() == io::ErrorKind::PermissionDenied => {
                Ok(cause.into())
            }
            other => Err(other),
        }
    }
}

impl From<io::Error> for BadGameFault {
    fn from(error: io::Error) -> Self {
        match error.get_ref().and_then(|cause| cause.downcast_ref()) {
            Some(fault) => BadGameFault::Archive(ArchiveFault::clone(fault)),
            None => BadGameFault::File(error.kind(), error.to_string()),
        }
    }
}

/// Whether an error of reading a game is one of the system, of the user or of another program, such as too many open files, Ctrl-C
/// or a file that changes, rather than a fault of the content: it says nothing about the game.
pub(super) fn is_system_error(error: &io::Error) -> bool {
    let has_code = |error: &io::Error| error.raw_os_error().is_some();
    if has_code(error) || error.kind() == io::ErrorKind::OutOfMemory {
        return true;
    }
    let mut cause = error.get_ref().map(|cause| cause as &(dyn core::error::Error + 'static));
    while let Some(error) = cause {
        if error.is::<Stopped>() || error.is::<DatasetError>() || error.downcast_ref().is_some_and(has_code) {
            return true;
        }
        cause = error.source();
    }
    false
}

impl Message for BadGame {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let input = &self.input;
        say!(f, lang, "{input}: ", "{input}: ", input)?;
        self.fault.write(lang, f)
    }
}

komabako_messages::english!(BadGame);

impl Message for BadGameFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadGameFault::Kifu(error) => error.with_advice().write(lang, f),
            BadGameFault::File(kind, error) => {
                SystemError(&io::Error::new(*kind, error.clone())).write(lang, f)
            }
            BadGameFault::Foreign(what) => what.with_advice().write(lang, f),
            BadGameFault::Archive(fault) => fault.write(lang, f),
            BadGameFault::Record { game, number, fault } => {
                if let Some(game) = game {
                    say!(f, lang, "game {game}, ", "{game} 局目 ", game)?;
                }
                say!(f, lang, "move {number}: {fault}", "{number} 手目: {fault}", number, fault)
            }
            BadGameFault::Unmappable { game, line, character } => say!(
                f,
                lang,
                "game {game}, from line {line}: CP932 has no `{character}`",
                "{game} 局目 ({line} 行目から): CP932 に `{character}` はありません",
                game,
                line,
                character
            ),
        }
    }
}

impl core::error::Error for BadGame {}

impl JobError for BadGame {
    fn kind(&self) -> &'static str {
        "bad_game"
    }
}

/// A file of tab-separated values that lists bad games: the input, line, column, fault and message of each. The games
/// themselves remain only in the inputs. The file is not created if no game is bad.
pub struct BadGameList {
    path: PathBuf,
    force: bool,
    out: Option<OutputWriter<'static>>,
}

/// The heading of the list.
const HEADING: &str = "input\tline\tcolumn\tfault\tmessage\n";

impl BadGameList {
    /// A list to write to a path; `force`: whether it may replace an existing file.
    pub fn new(path: PathBuf, force: bool) -> Self {
        BadGameList { path, force, out: None }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The file cannot be created or written.
    pub fn push(&mut self, game: &BadGame) -> Result<(), DatasetError> {
        self.push_rows(&row(game))
    }

    /// Adds rows.
    pub(super) fn push_rows(&mut self, rows: &str) -> Result<(), DatasetError> {
        if rows.is_empty() {
            return Ok(());
        }
        let out = match &mut self.out {
            Some(out) => out,
            None => {
                let out = self.out.insert(Output::path(&self.path).open(self.force)?);
                out.write(HEADING.as_bytes())?;
                out
            }
        };
        out.write(rows.as_bytes())
    }

    /// Gives the file its name, if there is one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<(), DatasetError> {
        self.out.map_or(Ok(()), OutputWriter::complete)
    }
}

/// A row of the list. Lines count from 1; the columns are empty if the fault has no line.
pub(super) fn row(game: &BadGame) -> String {
    let BadGame { input, fault } = game;
    let line = game.line().map(|line| line.to_string()).unwrap_or_default();
    let column = match fault {
        BadGameFault::Kifu(error) => error.column.to_string(),
        _ => String::new(),
    };
    let message = game.to_string();
    let message = message.strip_prefix(&format!("{input}: ")).unwrap_or(&message);
    // A tab or a line end would begin another field or row.
    format!("{}\t{line}\t{column}\t{}\t{}\n", Escaped(input), fault.name(), Escaped(message))
}

#[cfg(test)]
mod tests {
    use zip::result::ZipError;

    use super::*;

    #[test]
    fn errors_with_a_code_of_the_system_are_not_of_the_content() {
        // EIO, EMFILE and EACCES on Linux; any code will do.
        for code in [5, 24, 13] {
            let error = || io::Error::from_raw_os_error(code);
            assert!(is_system_error(&error()));
            assert!(is_system_error(&ZipError::Io(error()).into()));
            assert!(is_system_error(&io::Error::other(error())));
        }
        assert!(is_system_error(&io::Error::other(Stopped)));
        let of_content = [
            io::ErrorKind::UnexpectedEof.into(),
            io::Error::new(io::ErrorKind::InvalidData, "corrupt deflate stream"),
            io::Error::new(io::ErrorKind::FileTooLarge, "more than 64 MiB"),
            ZipError::InvalidArchive("no end of the directory".into()).into(),
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED).into(),
            ZipError::Io(io::ErrorKind::UnexpectedEof.into()).into(),
        ];
        for error in of_content {
            assert!(!is_system_error(&error), "{error:?}");
        }
    }
}

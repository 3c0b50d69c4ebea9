//! Faults of records: numbers in masks, or exceptions.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

use komabako::dataset::DatasetError;
use komabako::dataset::kifu::{BadGame, BadGameFault};
use komabako::dataset::select::expression::ExpressionError;
use komabako::features::board::ArraysError;
use komabako::features::nnue::KingMissing;
use komabako::messages::WithAdvice;
use komabako::record::RecordFault;
use komabako::record::legality::LegalityFault;
use pyo3::prelude::*;

/// A fault of a record.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    Record(RecordFault),
    Legality(LegalityFault),
    King(KingMissing),
    Arrays(ArraysError),
    /// Several candidates, and none has visits.
    NoVisits,
    /// A column of SFENs has no text.
    NoText,
}

/// The number of a bad record and its fault.
pub type BadRecord = (usize, Fault);

impl Fault {
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::Record(fault) => fault.name(),
            Fault::Legality(fault) => fault.name(),
            Fault::King(KingMissing) => "KING_MISSING",
            Fault::Arrays(error) => error.name(),
            Fault::NoVisits => "NO_VISITS",
            Fault::NoText => "SFEN",
        }
    }

    /// Its number in masks.
    pub fn number(&self) -> u8 {
        komabako::record::fault::number(self.name())
    }

    /// The bit of the word at which the fault was found.
    const fn bit(&self) -> Option<u16> {
        match self {
            Fault::Record(RecordFault::Unpack(error)) => Some(error.bit),
            _ => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Record(fault) => fault.fmt(f),
            Fault::Legality(fault) => fault.fmt(f),
            Fault::King(fault) => fault.fmt(f),
            Fault::Arrays(error) => error.fmt(f),
            Fault::NoVisits => f.write_str("several candidates, and none of them has visits"),
            Fault::NoText => f.write_str("the SFEN is null, or not Unicode text"),
        }
    }
}

/// `komabako.DecodeError` for a bad record of an array with records of `size` bytes.
pub fn decode_error(py: Python, (record, fault): BadRecord, size: usize, codec: &str) -> PyErr {
    let arguments = (record, record * size, codec, fault.name(), fault.bit(), fault.to_string());
    exception(py, "DecodeError", arguments)
}

/// `komabako.EncodeError` for a bad record.
pub fn encode_error(py: Python, (record, fault): BadRecord) -> PyErr {
    exception(py, "EncodeError", (record, fault.name(), fault.to_string()))
}

/// [`encode_error`] of a function without `on_error`.
pub fn pack_error(py: Python, bad: BadRecord) -> PyErr {
    with_flag(py, encode_error(py, bad), "can_mask", false)
}

/// Sets a flag of an exception of `komabako.errors`, by which it chooses its advice.
pub fn with_flag(py: Python, error: PyErr, name: &str, value: bool) -> PyErr {
    match error.value(py).setattr(name, value) {
        Ok(()) => error,
        Err(failure) => failure,
    }
}

/// `komabako.FormatError` for a file.
pub fn format_error(py: Python, path: &Path, error: &DatasetError) -> PyErr {
    file_error(py, path.display().to_string(), error, advice(error))
}

/// `komabako.FormatError` for a source of the loader.
pub fn source_error(py: Python, error: &DatasetError) -> PyErr {
    let advice = match error {
        DatasetError::Unrecognized { .. } => Some("give komabako.Source(path, format=…) if you know it"),
        DatasetError::Tail(_) => Some(
            "check that the file is complete; `komabako cat IN -o OUT --salvage` copies the whole records before this point",
        ),
        error => advice(error),
    };
    let name = match error {
        DatasetError::Open(path, _) | DatasetError::SpecialFile(path) | DatasetError::Altered(path) => {
            path.display().to_string()
        }
        DatasetError::Read { input, .. }
        | DatasetError::Unsupported { input, .. }
        | DatasetError::Utf16(input)
        | DatasetError::Unrecognized { input, .. }
        | DatasetError::OtherArchive { input, .. }
        | DatasetError::CompressedArchive(input) => input.to_string(),
        DatasetError::FieldMissing(input, _) | DatasetError::ReadOnce(input) => input.clone(),
        DatasetError::Tail(tail) => tail.input.to_string(),
        DatasetError::Mismatch(mismatch) => mismatch.input.to_string(),
        DatasetError::Record(error) => error.input.to_string(),
        _ => String::new(),
    };
    file_error(py, name, error, advice)
}

fn file_error(py: Python, name: String, error: &DatasetError, advice: Option<&str>) -> PyErr {
    let text = WithAdvice(error, advice).to_string();
    let class = match error {
        DatasetError::Open(_, error) if error.kind() == ErrorKind::NotFound => "MissingFileError",
        DatasetError::Exists(_) | DatasetError::Appeared(_) => "ExistingFileError",
        DatasetError::Unnamed { error, .. } if error.kind() == ErrorKind::AlreadyExists => {
            "ExistingFileError"
        }
        _ => "FormatError",
    };
    exception(py, class, (name, error.kind(), text))
}

/// The advice for an error of a file, in terms of the package's parameters.
const fn advice(error: &DatasetError) -> Option<&'static str> {
    Some(match error {
        DatasetError::Unrecognized { .. } => "give format= if you know it",
        DatasetError::OutputFormat(_) => "give format=",
        DatasetError::OutputCompression(_) => {
            "choose a name that ends in .kmb, .zst, .gz or .xz, or is not compressed"
        }
        DatasetError::NotArchived(_) => "choose one of them",
        DatasetError::CompressedArchive(_) => "decompress the file first, or choose a name that ends in .kmb",
        DatasetError::OtherArchive { .. } => "leave format= out",
        DatasetError::GamesInOrder(_) | DatasetError::ReadOnly(_) => "choose another format",
        DatasetError::Exists(_) => "choose another name, or give force=True",
        DatasetError::Appeared(_) | DatasetError::SameFile(_) => "choose another name",
        DatasetError::Unnamed { .. } => "rename the file that is kept",
        DatasetError::Tail(_) => {
            "check that the file is complete, or give salvage=True for the whole records before this point"
        }
        DatasetError::Altered(_) => "read it when no program writes to it",
        DatasetError::Mismatch(_) => "repair it first",
        DatasetError::Thread(_) => "ask for fewer threads, or raise the limit of processes or memory",
        _ => return None,
    })
}

/// `komabako.LossError` for the losses of a conversion.
pub fn loss_error(py: Python, losses: Vec<String>) -> PyErr {
    exception(py, "LossError", (losses,))
}

/// `komabako.PlayError` for a position, a move or a text.
pub fn play_error(py: Python, fault: &str, text: &str) -> PyErr {
    exception(py, "PlayError", (fault, text))
}

/// `komabako.GameError` for a game that cannot be read.
pub fn game_error(py: Python, game: &BadGame) -> PyErr {
    let place = match &game.fault {
        BadGameFault::Kifu(error) => Some((error.line, error.column)),
        _ => None,
    };
    let line = place.map(|(line, _)| line);
    let column = place.map(|(_, column)| column);
    let arguments = (game.input.to_string(), game.game(), line, column, game.fault.name(), game.to_string());
    exception(py, "GameError", arguments)
}

/// `komabako.GameError` for a game of hcpe3, by its number from 1.
pub fn hcpe3_error(py: Python, path: &Path, number: u64, text: &str) -> PyErr {
    let path = path.display().to_string();
    let text = format!("{path}: game {number}: {text}");
    exception(py, "GameError", (path, number, None::<u32>, None::<u32>, "GAME", text))
}

/// `komabako.ExpressionError` for a text that is no expression. `names`: those that it may use, if one is unknown.
pub fn expression_error(py: Python, text: &str, error: &ExpressionError, names: Option<String>) -> PyErr {
    exception(py, "ExpressionError", (text, error.column, error.fault.to_string(), names))
}

/// `komabako.LoaderError` for a plan or a state.
pub fn loader_error(py: Python, kind: &str, text: String) -> PyErr {
    exception(py, "LoaderError", (kind, text))
}

/// An exception of `komabako.errors`. Those classes are written in Python, because the stable ABI does not allow exceptions
/// with fields in Rust.
fn exception<'py>(py: Python<'py>, name: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let error = py.import("komabako.errors").and_then(|errors| errors.getattr(name)?.call1(arguments));
    error.map_or_else(|error| error, PyErr::from_value)
}

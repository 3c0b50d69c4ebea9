//! Faults of records: numbers in masks, or exceptions.

use std::fmt;
use std::path::Path;

use komabako::dataset::DatasetError;
use komabako::features::board::ArraysError;
use komabako::features::nnue::KingMissing;
use komabako::record::RecordFault;
use komabako::record::legality::LegalityFault;
use pyo3::prelude::*;

/// The names of faults. The number of a fault is its place, from 1 up. Numbers never change, so new faults are appended.
pub const NAMES: &[&str] = &[
    "KING_CODE",
    "BASE_KING_MISSING",
    "KINGS_COLLIDE",
    "PIECE_TOTAL",
    "NONPAWN_TOTAL",
    "PAWN_COUNT",
    "PT1_TAIL",
    "PT2_TAIL",
    "LANCE_COUNT",
    "KNIGHT_COUNT",
    "SILVER_COUNT",
    "GBR_TOTAL",
    "PT3_TAIL",
    "GOLD_COUNT",
    "BISHOP_COUNT",
    "ROOK_COUNT",
    "BR_TOTAL",
    "PT4_TAIL",
    "PROMOTED_TAIL",
    "SIDE_POPCOUNT",
    "TAIL_ORDER",
    "TAIL_CODE",
    "LENGTH",
    "BASE_PIECE_REMOVED",
    "REMOVED_COLOR",
    "PHANTOM_PAWNS",
    "PAYLOAD",
    "BISHOP_CODE",
    "ROOK_CODE",
    "MAJORS_COLLIDE",
    "MAJOR_PROMOTED",
    "RANGE",
    "KING_MISSING",
    "PIECE_REMOVED",
    "NOT_REPRESENTABLE",
    "ARRAY_PIECE",
    "ARRAY_HAND",
    "ARRAY_SIDE",
    "RESULT",
    "PLY",
    "SFEN",
    "MOVE_TO",
    "MOVE_FROM",
    "MOVE_DROP_PROMOTES",
    "MOVE_SAME_SQUARE",
    "MOVE_HIGH_BIT",
    "MOVE_NO_SPECIAL",
    "MOVE_TEXT",
    "MOVE_MALFORMED",
    "MOVE_NOT_IN_HAND",
    "MOVE_OCCUPIED",
    "MOVE_NO_PIECE",
    "MOVE_OPPONENTS_PIECE",
    "MOVE_OWN_PIECE",
    "MOVE_UNREACHABLE",
    "MOVE_PROMOTION",
    "MOVE_DEAD_END",
    "MOVE_NIFU",
    "MOVE_KING_IN_CHECK",
    "MOVE_PAWN_DROP_MATE",
    "MOVE_PASS",
    "MOVE_DECLARATION",
    "POSITION_KING_MISSING",
    "POSITION_NIFU",
    "POSITION_DEAD_END",
    "POSITION_OPPONENT_IN_CHECK",
    "POSITION",
];

/// The number of faults that have no number of their own.
const OTHER: u8 = 255;

/// A fault of a record.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    Record(RecordFault),
    Legality(LegalityFault),
    King(KingMissing),
    Arrays(ArraysError),
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
        }
    }

    /// Its number in masks.
    pub fn number(&self) -> u8 {
        let place = NAMES.iter().position(|&name| name == self.name());
        place.map_or(OTHER, |place| place as u8 + 1)
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

/// `komabako.FormatError` for a file.
pub fn format_error(py: Python, path: &Path, error: &DatasetError) -> PyErr {
    exception(py, "FormatError", (path.display().to_string(), error.kind(), error.to_string()))
}

/// `komabako.LossError` for the losses of a conversion.
pub fn loss_error(py: Python, losses: Vec<String>) -> PyErr {
    exception(py, "LossError", (losses,))
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

//! Flipped and mirrored positions, records and moves.

use komabako::board::Setup;
use komabako::features::turn;
use komabako::record::move16::Move16;
use komabako::record::record::{Labels, MoveBits};
use komabako::record::{GameResult, Record, RecordFault};
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;

use crate::arguments::{OnError, Source, Threads, bytes_of, is_text, moves16};
use crate::arrays::{Mask, Read, Written, output, output_of_dtype, separate};
use crate::fault::Fault;
use crate::moves::{encoding, for_each};
use crate::records::{labels, size_of_record};
use crate::rows::Table;
use crate::words::write_packed;

/// How positions are turned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// By 180°, with colours exchanged.
    Flip,
    /// Left and right are exchanged.
    Mirror,
}

impl Turn {
    pub fn setup(self) -> fn(&Setup) -> Setup {
        match self {
            Turn::Flip => turn::flipped,
            Turn::Mirror => turn::mirrored,
        }
    }

    fn mv(self) -> fn(Move16) -> Move16 {
        match self {
            Turn::Flip => turn::flipped_move,
            Turn::Mirror => turn::mirrored_move,
        }
    }

    /// The labels of the turned record.
    fn labels(self, labels: Labels) -> Result<Labels, Fault> {
        let turned = |bits: MoveBits| {
            let mv = self.mv()(bits.decode()?);
            Ok(MoveBits { bits: bits.encoding.encode(mv)?, ..bits })
        };
        let best_move = labels.best_move.map(turned).transpose();
        let best_move = best_move.map_err(|fault| Fault::Record(RecordFault::Move(fault)))?;
        let result = match (self, labels.result) {
            (Turn::Flip, Some(GameResult::BlackWin)) => Some(GameResult::WhiteWin),
            (Turn::Flip, Some(GameResult::WhiteWin)) => Some(GameResult::BlackWin),
            (_, result) => result,
        };
        Ok(Labels { best_move, result, ..labels })
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Turn {
    type Error = PyErr;

    fn extract(name: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let py = name.py();
        if is_text(&name, intern!(py, "flip"))? {
            Ok(Turn::Flip)
        } else if is_text(&name, intern!(py, "mirror"))? {
            Ok(Turn::Mirror)
        } else {
            Err(PyValueError::new_err(format!("unknown turn {}", name.repr()?)))
        }
    }
}

/// Turns positions: records with their moves and results to records of the same dtype, words to words.
#[pyfunction]
#[pyo3(signature = (positions, turn, codec, out, on_error, threads, /))]
pub fn turned<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    turn: Turn,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    let Some(format) = source.format() else {
        let codec = source.codec().of_words();
        let mut words = output::<u8, _>(py, out, [source.len(), codec.size()], "out")?;
        separate(out, &[source.array()], [words.array()])?;
        let mut mask = Mask::new(py, on_error, source.len())?;
        let mut written = words.write()?;
        let table = written.table(codec.size());
        write_packed(py, &source.positions(), codec, Some(turn.setup()), table, mask.cells(), threads)?;
        return mask.with(py, words.into_array(py));
    };
    let size = size_of_record(format);
    let dtype = source.dtype();
    let mut mask = Mask::new(py, on_error, source.len())?;
    let positions = source.positions();
    let write = |made: Table<u8>, faults: Option<&mut [u8]>| {
        positions.for_each(py, threads, made, faults, |row, setup, bytes| {
            let labels = turn.labels(labels(&positions, format, row)?)?;
            let record = Record { setup: turn.setup()(setup), labels };
            let mut encoded = Vec::with_capacity(size);
            format.encode(&record, &mut encoded).map_err(Fault::Record)?;
            bytes.cells.copy_from_slice(&encoded);
            Ok(())
        })
    };
    if out.is_some() {
        let made = output_of_dtype(out, &[source.len()], &dtype, "out")?;
        separate(out, &[source.array()], [Some(made.as_any())])?;
        write(Written::claim(&bytes_of(&made)?)?.table(size), mask.cells())?;
        return mask.with(py, made);
    }
    let mut made = output::<u8, _>(py, None, [source.len(), size], "out")?;
    write(made.write()?.table(size), mask.cells())?;
    mask.with(py, made.into_records(py, &dtype)?)
}

/// Turns moves.
#[pyfunction]
#[pyo3(signature = (moves, turn, encoded, out, on_error, /))]
pub fn turned_moves<'py>(
    py: Python<'py>,
    moves: &Bound<'py, PyAny>,
    turn: Turn,
    encoded: &str,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let moves = moves16(moves, None)?;
    let encoding = encoding(encoded)?;
    let mut made = output::<u16, _>(py, out, [moves.len()], "out")?;
    separate(out, &[moves.as_any()], [made.array()])?;
    let mut mask = Mask::new(py, on_error, moves.len())?;
    let moves = Read::claim(&moves)?;
    let turned = |&bits: &u16| encoding.encode(turn.mv()(encoding.decode(bits)?));
    let mut written = made.write()?;
    for_each(py, moves.view().iter(), encoded, written.table(1).cells, mask.cells(), turned)?;
    mask.with(py, made.into_array(py))
}

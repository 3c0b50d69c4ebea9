//! Moves in 16 bits.

use komabako::features::label::{self, Classes};
use komabako::record::RecordFault;
use komabako::record::legality::{LegalityFault, judge, state_of};
use komabako::record::move16::{self, Move16, MoveEncoding, MoveFault};
use komabako::rules::Illegality;
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::arguments::{Moves, OnError, Source, Threads, moves16, numbers, texts};
use crate::arrays::{Mask, Read, output, separate};
use crate::fault::{Fault, decode_error};
use crate::features::classes;
use crate::rows::MAX_SMALL;

/// An encoding by its name, or by its letter.
pub fn encoding(name: &str) -> PyResult<MoveEncoding> {
    MoveEncoding::find(name).ok_or_else(|| {
        let names = MoveEncoding::ALL.map(|encoding| format!("{} ({})", encoding.name(), encoding.letter()));
        PyValueError::new_err(format!("encoding {name:?} is not one of {}", names.join(", ")))
    })
}

/// Applies `each` to all moves and writes the results; the default value (0, or an empty text) for a fault.
pub fn for_each<T, U: Clone + Default + Send>(
    py: Python,
    moves: impl Iterator<Item = T> + Send,
    encoding: &str,
    out: &mut [U],
    mut faults: Option<&mut [u8]>,
    each: impl Fn(T) -> Result<U, MoveFault> + Sync,
) -> PyResult<()> {
    let is_small = out.len() <= MAX_SMALL;
    let convert = || {
        for (index, mv) in moves.enumerate() {
            out[index] = match (each(mv), &mut faults) {
                (Ok(converted), _) => converted,
                (Err(fault), Some(faults)) => {
                    faults[index] = Fault::Record(RecordFault::Move(fault)).number();
                    U::default()
                }
                (Err(fault), None) => return Err((index, Fault::Record(RecordFault::Move(fault)))),
            };
        }
        Ok(())
    };
    let converted = if is_small { convert() } else { py.detach(convert) };
    converted.map_err(|bad| decode_error(py, bad, 2, encoding))
}

#[pyfunction]
#[pyo3(signature = (moves, from_, to, out, on_error, /))]
pub fn convert_moves<'py>(
    py: Python<'py>,
    moves: &Bound<'py, PyAny>,
    from_: &str,
    to: &str,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let moves = moves16(moves, None)?;
    let source = encoding(from_)?;
    let target = encoding(to)?;
    let mut made = output::<u16, _>(py, out, [moves.len()], "out")?;
    separate(out, &[moves.as_any()], [made.array()])?;
    let mut mask = Mask::new(py, on_error, moves.len())?;
    let moves = Read::claim(&moves)?;
    let convert = |&bits: &u16| move16::convert(bits, source, target);
    let mut written = made.write()?;
    for_each(py, moves.view().iter(), from_, written.table(1).cells, mask.cells(), convert)?;
    mask.with(py, made.into_array(py))
}

#[pyfunction]
#[pyo3(signature = (moves, from_, on_error, /))]
pub fn moves_to_usi<'py>(
    py: Python<'py>,
    moves: &Bound<'py, PyAny>,
    from_: &str,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let moves = moves16(moves, None)?;
    let source = encoding(from_)?;
    let mut texts = vec![String::new(); moves.len()];
    let mut mask = Mask::new(py, on_error, moves.len())?;
    let text = |&bits: &u16| source.decode(bits).map(|mv| mv.to_string());
    for_each(py, Read::claim(&moves)?.view().iter(), from_, &mut texts, mask.cells(), text)?;
    mask.with(py, texts)
}

#[pyfunction]
#[pyo3(signature = (usi, to, out, on_error, /))]
pub fn moves_from_usi<'py>(
    py: Python<'py>,
    usi: &Bound<'py, PyAny>,
    to: &str,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let texts = texts(usi, "moves_from_usi", "moves")?;
    let target = encoding(to)?;
    let mut made = output::<u16, _>(py, out, [texts.len()], "out")?;
    let mut mask = Mask::new(py, on_error, texts.len())?;
    let bits = |text: &PyBackedStr| target.encode(Move16::from_label(text)?);
    let mut written = made.write()?;
    for_each(py, texts.iter(), to, written.table(1).cells, mask.cells(), bits)?;
    mask.with(py, made.into_array(py))
}

/// Whether each move is a legal move of a piece. Bits that are not a move are not legal; a position from which no game can be
/// played is a bad record.
#[pyfunction]
#[pyo3(signature = (positions, moves, encoded, codec, out, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn is_legal<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    moves: Option<&Bound<'py, PyAny>>,
    encoded: Option<&str>,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    let (moves, encoding) = source.moves(moves, encoded)?;
    let mut made = output::<bool, _>(py, out, [source.len()], "out")?;
    separate_from_moves(out, &source, &moves, made.array())?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let moves = moves.view();
    let mut written = made.write()?;
    let positions = source.positions();
    positions.for_each(py, threads, written.table(1), mask.cells(), |row, setup, legal| {
        let state = state_of(setup).map_err(Fault::Legality)?;
        legal.cells[0] = match encoding.decode(moves.at(&positions, row)) {
            Ok(mv) => mv.is_well_formed() && judge(&state, mv).is_ok(),
            Err(_) => false,
        };
        Ok(())
    })?;
    mask.with(py, made.into_array(py))
}

/// Refuses an output that shares memory with the positions or the moves.
pub fn separate_from_moves(
    out: Option<&Bound<PyAny>>,
    source: &Source,
    moves: &Moves,
    made: Option<&Bound<PyAny>>,
) -> PyResult<()> {
    match moves.array() {
        Some(moves) => separate(out, &[source.array(), moves], [made]),
        None => separate(out, &[source.array()], [made]),
    }
}

/// The legal move of each label, 0 for the label −1.
#[pyfunction]
#[pyo3(signature = (given, positions, kind, encoded, codec, out, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn moves_from_labels<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    positions: &Bound<'py, PyAny>,
    kind: usize,
    encoded: Option<&str>,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    let encoding = encoded.map_or_else(|| Ok(source.encoding()), encoding)?;
    let is_compact = classes(kind)? == Classes::Compact;
    let given = numbers::<i64>(given, Some(source.len()), "labels64")?;
    let labels = Read::claim(&given)?;
    let labels = labels.view();
    let mut made = output::<u16, _>(py, out, [source.len()], "out")?;
    separate(out, &[source.array(), given.as_any()], [made.array()])?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let mut written = made.write()?;
    source.positions().for_each(py, threads, written.table(1), mask.cells(), |row, setup, out| {
        if labels[row] == -1 {
            return Ok(());
        }
        let state = state_of(setup).map_err(Fault::Legality)?;
        let label = u16::try_from(labels[row]).ok();
        let label = if is_compact { label.and_then(label::expanded) } else { label };
        let found = label.and_then(|label| label::move_of_label(&state, label));
        let unreachable = Fault::Legality(LegalityFault::Illegal(Illegality::Unreachable));
        let bits = encoding.encode(found.ok_or(unreachable)?);
        out.cells[0] = bits.map_err(|fault| Fault::Record(RecordFault::Move(fault)))?;
        Ok(())
    })?;
    mask.with(py, made.into_array(py))
}

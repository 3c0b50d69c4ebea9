//! Records: positions with their labels.

use komabako::bits::Backend;
use komabako::board::{Color, Setup};
use komabako::codec::{Word, recode};
use komabako::features::target;
use komabako::record::legality::{self, LegalityFault};
use komabako::record::record::Labels;
use komabako::record::{FileFormat, Record, losses, read_packed};
use komabako::variants::WordFormat;
use numpy::{Ix1, PyArray1, PyArray2, PyArrayDescr, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{OnError, Source, Threads, bytes_of, format_of_dtype};
use crate::arrays::{Mask, Output, Written, in_use, named_tuple, output, output_of_dtype, outputs, separate};
use crate::fault::{Fault, loss_error, with_flag};
use crate::positions::Positions;
use crate::rows::Table;

/// The size of the largest record of a packed position and labels.
const LARGEST: usize = 40;

/// The size of the records of a format that a dtype has.
pub fn size_of_record(format: FileFormat) -> usize {
    format.record_size().expect("records of a dtype are packed")
}

/// The labels of a record.
pub fn labels(positions: &Positions, format: FileFormat, row: usize) -> Result<Labels, Fault> {
    let mut bytes = [0; LARGEST];
    let size = size_of_record(format);
    positions.copy_row(row, &mut bytes[..size]);
    read_packed(format, &bytes[..size]).map(|(_, labels)| labels).map_err(Fault::Record)
}

/// Converts records to those of another dtype.
pub fn convert<'py>(
    py: Python<'py>,
    source: &Source<'py>,
    to: &Bound<'py, PyArrayDescr>,
    out: Option<&Bound<'py, PyAny>>,
    allow_loss: bool,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let from = source.format().expect("records have a format");
    let target = format_of_dtype(to)?;
    if !allow_loss {
        let lost = losses(from, target);
        if !lost.is_empty() {
            return Err(loss_error(py, lost.iter().map(ToString::to_string).collect()));
        }
    }
    let size = size_of_record(target);
    let mut mask = Mask::new(py, on_error, source.len())?;
    let positions = source.positions();
    let write = |made: Table<u8>, faults: Option<&mut [u8]>| {
        let written = positions.for_each(py, threads, made, faults, |row, setup, bytes| {
            let record = Record { setup: *setup, labels: labels(&positions, from, row)? };
            let mut encoded = Vec::with_capacity(size);
            target.encode(&record, &mut encoded).map_err(Fault::Record)?;
            bytes.cells.copy_from_slice(&encoded);
            Ok(())
        });
        written.map_err(|error| with_flag(py, error, "makes_records", true))
    };
    let Some(out) = out else {
        let mut made = output::<u8, _>(py, None, [source.len(), size], "out")?;
        write(made.write()?.table(size), mask.cells())?;
        return mask.with(py, made.into_records(py, to)?);
    };
    let made = output_of_dtype(Some(out), &[source.len()], to, "out")?;
    separate(Some(out), &[source.array()], [Some(made.as_any())])?;
    write(Written::claim(&bytes_of(&made)?)?.table(size), mask.cells())?;
    mask.with(py, made)
}

/// The bytes of records, one row for each, without a copy.
#[pyfunction]
#[pyo3(signature = (records, codec, function, /))]
pub fn record_bytes<'py>(
    records: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    function: &str,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    bytes_of(Source::records(records, codec, function)?.array())
}

/// Writes a result over the caller's array, which must have its shape and dtype.
#[pyfunction]
#[pyo3(signature = (out, made, /))]
pub fn overwrite(out: &Bound<PyAny>, made: &Bound<PyUntypedArray>) -> PyResult<()> {
    let out = output_of_dtype(Some(out), made.shape(), &made.dtype(), "out")?;
    // As bytes: NumPy copies structured records field by field.
    let made = bytes_of_rows(made)?;
    bytes_of_rows(&out)?
        .try_readwrite()
        .map_err(in_use)?
        .as_array_mut()
        .assign(&made.try_readonly().map_err(in_use)?.as_array());
    Ok(())
}

/// The bytes of records, or words.
fn bytes_of_rows<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyArray2<u8>>> {
    if array.ndim() == 1 { bytes_of(array) } else { Ok(array.cast()?.clone()) }
}

/// Checks records, or only positions if they are words. Returns the faults.
#[pyfunction]
#[pyo3(signature = (records, level, codec, threads, /))]
pub fn validate<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
    level: &str,
    codec: Option<&Bound<'py, PyAny>>,
    threads: Threads,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let source = Source::new(records, codec)?;
    let is_legality = match level {
        "legality" => true,
        // No codec can represent more pieces than a set, so a position that decodes is within the inventory.
        "codec" | "inventory" => false,
        _ => {
            return Err(PyValueError::new_err(format!(
                "level {level:?} is not codec, inventory or legality"
            )));
        }
    };
    let mut found = output::<u8, _>(py, None, [source.len()], "out")?;
    check(py, &source, is_legality, found.write()?.table(1).cells, threads)?;
    Ok(found.into_array(py))
}

/// Writes the fault of each record.
fn check(
    py: Python,
    source: &Source,
    is_legality: bool,
    faults: &mut [u8],
    threads: Threads,
) -> PyResult<()> {
    let positions = source.positions();
    let format = source.format();
    let faults = Some(faults);
    let judge = |row: usize, setup: &Setup| {
        if !is_legality {
            return Ok(());
        }
        let state = legality::state_of(setup).map_err(Fault::Legality)?;
        let Some(format) = format else { return Ok(()) };
        let Some(best_move) = labels(&positions, format, row)?.best_move else { return Ok(()) };
        best_move
            .decode()
            .map_err(LegalityFault::Bits)
            .and_then(|mv| legality::judge(&state, mv))
            .map_err(Fault::Legality)
    };
    let nothing = None::<Table<u8>>;
    let backend = Backend::detect();
    match positions.strict_format() {
        Some(WordFormat::PackedSfen) if !is_legality => {
            let check = |words: &[Word], _: &mut [Word]| recode::check_psv(backend, words);
            return positions.recode(py, threads, nothing, faults, check);
        }
        Some(WordFormat::Hcp) if !is_legality => {
            let check = |words: &[Word], _: &mut [Word]| recode::check_hcp(backend, words);
            return positions.recode(py, threads, nothing, faults, check);
        }
        _ => {}
    }
    positions.for_each(py, threads, nothing, faults, |row, setup, _| judge(row, setup))
}

/// Writes the expected result from each record's score and the result of its game, for the side to move; NaN if the format
/// has no such field.
#[pyfunction]
#[pyo3(signature = (records, scale, mate, codec, out, on_error, threads, kind, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn targets<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
    scale: f64,
    mate: i64,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
    kind: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::records(records, codec, "targets")?;
    let format = source.format().expect("records have a format");
    // As f4, in which it is used: a scale that becomes 0 would make the value of score 0 NaN, which means that there is no score.
    let narrow = scale as f32;
    if !(narrow > 0.0 && narrow.is_finite()) {
        let text = format!("scale must be above 0 and finite as f4, not {scale}");
        return Err(PyValueError::new_err(text));
    }
    let mate = match i16::try_from(mate) {
        Ok(mate) if mate > 0 => mate,
        _ => {
            let text = format!("mate is a score from 1 to {}, not {mate}", i16::MAX);
            return Err(PyValueError::new_err(text));
        }
    };
    let [value, result] = outputs(out, ["value", "result"])?;
    let mut value = output::<f32, _>(py, value.as_ref(), [source.len()], "out.value")?;
    let mut result = output::<f32, _>(py, result.as_ref(), [source.len()], "out.result")?;
    separate(out, &[source.array()], [value.array(), result.array()])?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    write_targets(
        py,
        &source.positions(),
        format,
        (narrow, mate),
        (&mut value, &mut result),
        mask.cells(),
        threads,
    )?;
    mask.with(py, named_tuple(kind, (value.into_array(py), result.into_array(py)))?)
}

fn write_targets(
    py: Python,
    positions: &Positions,
    format: FileFormat,
    (scale, mate): (f32, i16),
    (value, result): (&mut Output<f32, Ix1>, &mut Output<f32, Ix1>),
    faults: Option<&mut [u8]>,
    threads: Threads,
) -> PyResult<()> {
    let mut value = value.write()?;
    let mut result = result.write()?;
    let out = (value.table(1), result.table(1));
    positions.for_each(py, threads, out, faults, |row, setup, (value, result)| {
        let labels = labels(positions, format, row)?;
        let side: Color = setup.side_to_move();
        value.cells[0] = labels.score.map_or(f32::NAN, |score| target::value(score, scale, mate));
        let won = |winner: Option<Color>| target::result(winner.map(|winner| winner == side));
        result.cells[0] = labels.result.map_or(f32::NAN, |result| won(result.winner()));
        Ok(())
    })
}

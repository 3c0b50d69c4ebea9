//! Records: positions with their labels.

use komabako::bits::Backend;
use komabako::board::{Color, Setup};
use komabako::codec::{Word, recode};
use komabako::features::target;
use komabako::record::legality::{self, LegalityFault};
use komabako::record::record::Labels;
use komabako::record::{FileFormat, Record, read_packed};
use komabako::variants::WordFormat;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Bytes, OutColumn, OutRows, column, mask, table};
use crate::fault::Fault;
use crate::positions::Positions;
use crate::rows::Table;

/// The size of the largest record of a packed position and labels.
const LARGEST: usize = 40;

/// A format whose records are a packed position and labels, with the record's size.
fn format_of(name: &str) -> PyResult<(FileFormat, usize)> {
    let format = name.parse::<FileFormat>().map_err(|error| PyValueError::new_err(error.to_string()))?;
    match format.record_size() {
        Some(size) if size <= LARGEST => Ok((format, size)),
        _ => Err(PyValueError::new_err(format!("records of {name} are not packed words"))),
    }
}

/// The labels of a record.
fn labels(positions: &Positions, (format, size): (FileFormat, usize), row: usize) -> Result<Labels, Fault> {
    let mut bytes = [0; LARGEST];
    positions.copy_row(row, &mut bytes[..size]);
    read_packed(format, &bytes[..size]).map(|(_, labels)| labels).map_err(Fault::Record)
}

/// Writes records in another format, as `komabako convert` does.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn convert(
    py: Python,
    records: Bytes,
    codec: &str,
    from_: &str,
    to: &str,
    mut out: OutRows<u8>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&records, codec)?;
    let from = format_of(from_)?;
    let (to, size) = format_of(to)?;
    let out = table(&mut out, positions.len(), size)?;
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |row, setup, bytes| {
        let record = Record { setup: *setup, labels: labels(&positions, from, row)? };
        let mut encoded = Vec::with_capacity(size);
        to.encode(&record, &mut encoded).map_err(Fault::Record)?;
        bytes.cells.copy_from_slice(&encoded);
        Ok(())
    })
}

/// The losses of a conversion, one sentence each.
#[pyfunction]
pub fn losses(from_: &str, to: &str) -> PyResult<Vec<String>> {
    let losses = komabako::record::losses(format_of(from_)?.0, format_of(to)?.0);
    Ok(losses.iter().map(ToString::to_string).collect())
}

/// Checks records, or only positions if `format` is `None`.
#[pyfunction]
pub fn validate(
    py: Python,
    records: Bytes,
    codec: &str,
    format: Option<&str>,
    level: &str,
    mut faults: OutColumn<u8>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&records, codec)?;
    let format = format.map(format_of).transpose()?;
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
    let faults = mask(Some(&mut faults), positions.len())?;
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
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn targets(
    py: Python,
    records: Bytes,
    codec: &str,
    format: &str,
    scale: f32,
    mate: i16,
    mut value: OutColumn<f32>,
    mut result: OutColumn<f32>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&records, codec)?;
    let format = format_of(format)?;
    let out = (column(&mut value, positions.len())?, column(&mut result, positions.len())?);
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |row, setup, (value, result)| {
        let labels = labels(&positions, format, row)?;
        let side: Color = setup.side_to_move();
        value.cells[0] = labels.score.map_or(f32::NAN, |score| target::value(score, scale, mate));
        let won = |winner: Option<Color>| target::result(winner.map(|winner| winner == side));
        result.cells[0] = labels.result.map_or(f32::NAN, |result| won(result.winner()));
        Ok(())
    })
}

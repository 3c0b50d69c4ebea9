//! Moves in 16 bits.

use komabako::record::RecordFault;
use komabako::record::legality::{judge, state_of};
use komabako::record::move16::{self, Move16, MoveEncoding, MoveFault};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::arrays::{Bytes, Column, OutColumn, check_len, column, mask};
use crate::fault::{Fault, decode_error};
use crate::positions::Positions;

/// An encoding by its letter: A YaneuraOu, B legacy rshogi, C Apery.
pub fn encoding(letter: &str) -> PyResult<MoveEncoding> {
    let known = MoveEncoding::ALL.into_iter().find(|encoding| letter.chars().eq([encoding.letter()]));
    known.ok_or_else(|| PyValueError::new_err(format!("encoding {letter:?} is not A, B or C")))
}

/// Applies `each` to all moves and writes the results; the default value (0, or an empty text) for a fault.
fn for_each<T, U: Clone + Default>(
    py: Python,
    moves: impl Iterator<Item = T>,
    encoding: &str,
    out: &mut [U],
    mut faults: Option<&mut [u8]>,
    each: impl Fn(T) -> Result<U, MoveFault>,
) -> PyResult<()> {
    for (index, mv) in moves.enumerate() {
        out[index] = match (each(mv), &mut faults) {
            (Ok(converted), _) => converted,
            (Err(fault), Some(faults)) => {
                faults[index] = Fault::Record(RecordFault::Move(fault)).number();
                U::default()
            }
            (Err(fault), None) => {
                let fault = Fault::Record(RecordFault::Move(fault));
                return Err(decode_error(py, (index, fault), 2, encoding));
            }
        };
    }
    Ok(())
}

#[pyfunction]
pub fn convert_moves(
    py: Python,
    moves: Column<u16>,
    from_: &str,
    to: &str,
    mut out: OutColumn<u16>,
    mut faults: Option<OutColumn<u8>>,
) -> PyResult<()> {
    let moves = moves.as_array();
    let source = encoding(from_)?;
    let target = encoding(to)?;
    let out = column(&mut out, moves.len())?;
    let faults = mask(faults.as_mut(), moves.len())?;
    let convert = |&bits: &u16| move16::convert(bits, source, target);
    for_each(py, moves.iter(), from_, out.cells, faults, convert)
}

#[pyfunction]
pub fn moves_to_usi(
    py: Python,
    moves: Column<u16>,
    from_: &str,
    mut faults: Option<OutColumn<u8>>,
) -> PyResult<Vec<String>> {
    let moves = moves.as_array();
    let source = encoding(from_)?;
    let mut texts = vec![String::new(); moves.len()];
    let faults = mask(faults.as_mut(), moves.len())?;
    let text = |&bits: &u16| source.decode(bits).map(|mv| mv.to_string());
    for_each(py, moves.iter(), from_, &mut texts, faults, text)?;
    Ok(texts)
}

#[pyfunction]
pub fn moves_from_usi(
    py: Python,
    texts: Vec<PyBackedStr>,
    to: &str,
    mut out: OutColumn<u16>,
    mut faults: Option<OutColumn<u8>>,
) -> PyResult<()> {
    let target = encoding(to)?;
    let out = column(&mut out, texts.len())?;
    let faults = mask(faults.as_mut(), texts.len())?;
    let bits = |text: &PyBackedStr| target.encode(Move16::from_label(text)?);
    for_each(py, texts.iter(), to, out.cells, faults, bits)
}

/// Writes whether each move is a legal move of a piece. Bits that are not a move are not legal; a position from which no game
/// can be played is a bad record.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn is_legal(
    py: Python,
    positions: Bytes,
    codec: &str,
    moves: Column<u16>,
    encoded: &str,
    mut out: OutColumn<bool>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    let encoding = encoding(encoded)?;
    check_len(&moves, positions.len())?;
    let moves = moves.as_array();
    let out = column(&mut out, positions.len())?;
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |row, setup, legal| {
        let state = state_of(setup).map_err(Fault::Legality)?;
        legal.cells[0] = match encoding.decode(moves[row]) {
            Ok(mv) if mv.is_well_formed() => judge(&state, mv).is_ok(),
            _ => false,
        };
        Ok(())
    })
}

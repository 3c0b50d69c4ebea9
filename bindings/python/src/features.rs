//! Inputs, labels and masks of networks.

use komabako::board::{Color, Setup, color};
use komabako::features::dlshogi::{FEATURES1, FEATURES1_BYTES, FEATURES2, FEATURES2_BYTES, Planes};
use komabako::features::label::{self, COMPACT_LABELS, LABELS};
use komabako::features::nnue::{Active, KingMissing, half_ka_hm, half_kp};
use komabako::record::RecordFault;
use komabako::record::legality::state_of;
use komabako::record::move16::MoveField;
use numpy::Element;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Bytes, Column, OutColumn, OutRows, check_len, column, mask, table};
use crate::fault::Fault;
use crate::moves::encoding;
use crate::positions::Positions;

/// Planes of 81 numbers; half floats as their bits.
#[derive(FromPyObject)]
pub enum PlanesOut<'py> {
    F32(OutRows<'py, f32>),
    F16(OutRows<'py, u16>),
    U8(OutRows<'py, u8>),
}

/// 1 as a half float.
const HALF_ONE: u16 = 0x3c00;

#[pyfunction]
pub fn dlshogi(
    py: Python,
    positions: Bytes,
    codec: &str,
    features1: PlanesOut,
    features2: PlanesOut,
    faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    match (features1, features2) {
        (PlanesOut::F32(first), PlanesOut::F32(second)) => {
            expand(py, &positions, [0.0, 1.0], first, second, faults, threads)
        }
        (PlanesOut::F16(first), PlanesOut::F16(second)) => {
            expand(py, &positions, [0, HALF_ONE], first, second, faults, threads)
        }
        (PlanesOut::U8(first), PlanesOut::U8(second)) => {
            expand(py, &positions, [0, 1], first, second, faults, threads)
        }
        _ => Err(PyValueError::new_err("both arrays of planes have to be of one type")),
    }
}

fn expand<T: Element + Copy + Default>(
    py: Python,
    positions: &Positions,
    values: [T; 2],
    mut features1: OutRows<T>,
    mut features2: OutRows<T>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let out = (
        table(&mut features1, positions.len(), FEATURES1 * 81)?,
        table(&mut features2, positions.len(), FEATURES2 * 81)?,
    );
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |_, setup, (first, second)| {
        let first = first.cells.as_chunks_mut::<81>().0.try_into().expect("62 planes of 81");
        let second = second.cells.as_chunks_mut::<81>().0.try_into().expect("57 planes of 81");
        Planes::new(setup).expand(values, first, second);
        Ok(())
    })
}

#[pyfunction]
pub fn dlshogi_bits(
    py: Python,
    positions: Bytes,
    codec: &str,
    mut features1: OutRows<u8>,
    mut features2: OutRows<u8>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    let out = (
        table(&mut features1, positions.len(), FEATURES1_BYTES)?,
        table(&mut features2, positions.len(), FEATURES2_BYTES)?,
    );
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |_, setup, (first, second)| {
        let bits = Planes::new(setup).to_bits();
        first.cells.copy_from_slice(&bits.0);
        second.cells.copy_from_slice(&bits.1);
        Ok(())
    })
}

/// Active inputs of both colours, padded with −1: the side to move first, or Black.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn nnue(
    py: Python,
    positions: Bytes,
    codec: &str,
    kind: &str,
    black_first: bool,
    mut indices: OutRows<i32>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    type Inputs = fn(&Setup, Color) -> Result<Active, KingMissing>;
    let (inputs, width): (Inputs, usize) = match kind {
        "halfkp" => (half_kp, 38),
        "halfka_hm" => (half_ka_hm, 40),
        _ => return Err(PyValueError::new_err(format!("no features are called {kind:?}"))),
    };
    let out = table(&mut indices, positions.len(), 2 * width)?;
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |_, setup, row| {
        let first = if black_first { Color::Black } else { setup.side_to_move() };
        for (perspective, half) in
            [first, color::opponent(first)].into_iter().zip(row.cells.chunks_mut(width))
        {
            let active = inputs(setup, perspective).map_err(Fault::King)?;
            half.fill(-1);
            half[..active.len()].copy_from_slice(&active);
        }
        Ok(())
    })
}

/// The number of classes that is asked for.
fn classes(kind: usize) -> PyResult<bool> {
    match kind {
        LABELS => Ok(false),
        COMPACT_LABELS => Ok(true),
        _ => Err(PyValueError::new_err(format!("{kind} classes; there are {LABELS}, or {COMPACT_LABELS}"))),
    }
}

/// The label of each move; −1 for what is no move of a piece, and for a move without a compact label.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn labels(
    py: Python,
    positions: Bytes,
    codec: &str,
    moves: Column<u16>,
    encoded: &str,
    kind: usize,
    mut out: OutColumn<i64>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    let (encoding, is_compact) = (encoding(encoded)?, classes(kind)?);
    check_len(&moves, positions.len())?;
    let moves = moves.as_array();
    let out = column(&mut out, positions.len())?;
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |row, setup, out| {
        let mv = MoveField::from_bits(moves[row], encoding);
        let mv = mv.map_err(|fault| Fault::Record(RecordFault::Move(fault)))?;
        let label = label::label(mv.to_move16(), setup.side_to_move());
        let label = if is_compact { label.and_then(label::compact) } else { label };
        out.cells[0] = label.map_or(-1, i64::from);
        Ok(())
    })
}

/// The labels of all legal moves: bits, the lowest first, or with `packed` false a byte each.
#[pyfunction]
pub fn legal_mask(
    py: Python,
    positions: Bytes,
    codec: &str,
    kind: usize,
    packed: bool,
    mut out: OutRows<u8>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    let is_compact = classes(kind)?;
    let out = table(&mut out, positions.len(), if packed { kind.div_ceil(8) } else { kind })?;
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |_, setup, row| {
        let state = state_of(setup).map_err(Fault::Legality)?;
        let mask = label::legal_mask(&state);
        row.cells.fill(0);
        let is_set = |label: &u16| mask[usize::from(label / 8)] >> (label % 8) & 1 == 1;
        for label in (0..LABELS as u16).filter(is_set) {
            // Every legal move has a compact label.
            let label = if is_compact { label::compact(label).unwrap_or_default() } else { label };
            match packed {
                true => row.cells[usize::from(label / 8)] |= 1 << (label % 8),
                false => row.cells[usize::from(label)] = 1,
            }
        }
        Ok(())
    })
}

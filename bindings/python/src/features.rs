//! Network inputs, labels and masks.

use komabako::board::{Color, Setup};
use komabako::features::Backend;
use komabako::features::dlshogi::{
    FEATURES1, FEATURES1_BYTES, FEATURES2, FEATURES2_BYTES, FEATURES2_WITH_ENTERING,
    FEATURES2_WITH_ENTERING_BYTES, PlaneValue, write_bits, write_bits_with_entering, write_planes,
    write_planes_with_entering,
};
use komabako::features::label::{self, COMPACT_LABELS, Classes, LABELS, Masks};
use komabako::features::nnue::{First, KingMissing, write_half_ka_hm, write_half_kp};
use komabako::record::RecordFault;
use komabako::record::legality::state_of;
use numpy::{Element, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Bytes, Column, OutColumn, OutRows, check_len, column, mask, table};
use crate::fault::Fault;
use crate::moves::encoding;
use crate::positions::Positions;
use crate::rows::Table;

/// An output of planes of 81 numbers. Half floats are represented by their bits.
pub enum PlanesOut<'py> {
    F32(OutRows<'py, f32>),
    F16(OutRows<'py, u16>),
    U8(OutRows<'py, u8>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for PlanesOut<'py> {
    type Error = PyErr;

    fn extract(array: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if array.cast::<PyArray2<f32>>().is_ok() {
            return array.extract().map(PlanesOut::F32);
        }
        if array.cast::<PyArray2<u16>>().is_ok() {
            return array.extract().map(PlanesOut::F16);
        }
        array.extract().map(PlanesOut::U8)
    }
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn dlshogi(
    py: Python,
    positions: Bytes,
    codec: &str,
    nyugyoku: bool,
    features1: PlanesOut,
    features2: PlanesOut,
    faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    match (features1, features2) {
        (PlanesOut::F32(first), PlanesOut::F32(second)) => {
            expand(py, &positions, nyugyoku, first, second, faults, threads)
        }
        (PlanesOut::F16(first), PlanesOut::F16(second)) => {
            expand(py, &positions, nyugyoku, first, second, faults, threads)
        }
        (PlanesOut::U8(first), PlanesOut::U8(second)) => {
            expand(py, &positions, nyugyoku, first, second, faults, threads)
        }
        _ => Err(PyValueError::new_err("both arrays of planes must be of one type")),
    }
}

fn expand<T: Element + PlaneValue>(
    py: Python,
    positions: &Positions,
    nyugyoku: bool,
    mut features1: OutRows<T>,
    mut features2: OutRows<T>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let out = (
        table(&mut features1, positions.len(), FEATURES1 * 81)?,
        table(
            &mut features2,
            positions.len(),
            81 * if nyugyoku { FEATURES2_WITH_ENTERING } else { FEATURES2 },
        )?,
    );
    let faults = mask(faults.as_mut(), positions.len())?;
    let backend = Backend::detect();
    positions.for_each_block(py, threads, out, faults, |setups, (first, second), _| {
        let first = first.cells.as_chunks_mut::<81>().0.as_chunks_mut::<FEATURES1>().0;
        let second = second.cells.as_chunks_mut::<81>().0;
        if nyugyoku {
            write_planes_with_entering(backend, setups, first, second.as_chunks_mut().0);
        } else {
            write_planes(backend, setups, first, second.as_chunks_mut().0);
        }
    })
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn dlshogi_bits(
    py: Python,
    positions: Bytes,
    codec: &str,
    nyugyoku: bool,
    mut features1: OutRows<u8>,
    mut features2: OutRows<u8>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    let width = if nyugyoku { FEATURES2_WITH_ENTERING_BYTES } else { FEATURES2_BYTES };
    let out = (
        table(&mut features1, positions.len(), FEATURES1_BYTES)?,
        table(&mut features2, positions.len(), width)?,
    );
    let faults = mask(faults.as_mut(), positions.len())?;
    write_bits_of(py, &positions, nyugyoku, out, faults, threads)
}

pub fn write_bits_of(
    py: Python,
    positions: &Positions,
    nyugyoku: bool,
    out: (Table<u8>, Table<u8>),
    faults: Option<&mut [u8]>,
    threads: usize,
) -> PyResult<()> {
    let backend = Backend::detect();
    positions.for_each_block(py, threads, out, faults, |setups, (first, second), _| {
        let first = first.cells.as_chunks_mut().0;
        if nyugyoku {
            write_bits_with_entering(backend, setups, first, second.cells.as_chunks_mut().0);
        } else {
            write_bits(backend, setups, first, second.cells.as_chunks_mut().0);
        }
    })
}

/// Writes the active inputs of both colours, padded with −1. The side to move comes first, or Black.
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
    let has_kings = match kind {
        "halfkp" => false,
        "halfka_hm" => true,
        _ => return Err(PyValueError::new_err(format!("unknown features {kind:?}"))),
    };
    let kind = Nnue { has_kings, black_first };
    let out = table(&mut indices, positions.len(), 2 * kind.width())?;
    let faults = mask(faults.as_mut(), positions.len())?;
    write_nnue(py, &positions, kind, out, faults, threads)
}

/// The kind of NNUE inputs.
#[derive(Clone, Copy)]
pub struct Nnue {
    /// Whether it is `HalfKA_hm` rather than `HalfKP`.
    pub has_kings: bool,
    /// Whether Black's half comes first rather than the half of the side to move.
    pub black_first: bool,
}

impl Nnue {
    /// The number of places for the active inputs of one colour.
    pub fn width(self) -> usize {
        if self.has_kings { 40 } else { 38 }
    }
}

pub fn write_nnue(
    py: Python,
    positions: &Positions,
    Nnue { has_kings, black_first }: Nnue,
    out: Table<i32>,
    faults: Option<&mut [u8]>,
    threads: usize,
) -> PyResult<()> {
    let first = if black_first { First::Black } else { First::SideToMove };
    let backend = Backend::detect();
    positions.for_each_block(py, threads, out, faults, |setups, rows, bad| {
        let lacking = if has_kings {
            let rows = rows.cells.as_chunks_mut().0.as_chunks_mut().0;
            write_half_ka_hm(backend, setups, first, rows)
        } else {
            let rows = rows.cells.as_chunks_mut().0.as_chunks_mut().0;
            write_half_kp(backend, setups, first, rows)
        };
        // Missing kings are rare, so the kernel only counts them, and the search for them is done here.
        if lacking > 0 {
            let lacks_a_king =
                |setup: &Setup| setup.king(Color::Black).is_none() || setup.king(Color::White).is_none();
            let lacking = setups.iter().enumerate().filter(|(_, setup)| lacks_a_king(setup));
            bad.extend(lacking.map(|(index, _)| (index, Fault::King(KingMissing))));
        }
    })
}

/// The set of classes with this number of labels.
pub fn classes(kind: usize) -> PyResult<Classes> {
    match kind {
        LABELS => Ok(Classes::All),
        COMPACT_LABELS => Ok(Classes::Compact),
        _ => Err(PyValueError::new_err(format!("{kind} classes; there are {LABELS}, or {COMPACT_LABELS}"))),
    }
}

/// Writes the label of each move; −1 for special moves and for moves without a compact label.
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
    let encoding = encoding(encoded)?;
    let is_compact = classes(kind)? == Classes::Compact;
    check_len(&moves, positions.len())?;
    let moves = moves.as_array();
    let out = column(&mut out, positions.len())?;
    let faults = mask(faults.as_mut(), positions.len())?;
    positions.for_each(py, threads, out, faults, |row, setup, out| {
        let mv = encoding.decode(moves[row]);
        let mv = mv.map_err(|fault| Fault::Record(RecordFault::Move(fault)))?;
        let label = label::label(mv, setup.side_to_move());
        let label = if is_compact { label.and_then(label::compact) } else { label };
        out.cells[0] = label.map_or(-1, i64::from);
        Ok(())
    })
}

/// Writes the labels of all legal moves: as bits, the lowest first, or one byte each if `packed` is false.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
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
    let classes = classes(kind)?;
    let out = table(&mut out, positions.len(), if packed { kind.div_ceil(8) } else { kind })?;
    let faults = mask(faults.as_mut(), positions.len())?;
    write_mask(py, &positions, classes, packed, out, faults, threads)
}

pub fn write_mask(
    py: Python,
    positions: &Positions,
    classes: Classes,
    packed: bool,
    out: Table<u8>,
    faults: Option<&mut [u8]>,
    threads: usize,
) -> PyResult<()> {
    positions.for_each_block(py, threads, out, faults, |setups, rows, bad| {
        let mut masks = Masks::new();
        let width = rows.cells.len() / setups.len();
        for (index, (setup, mask)) in setups.iter().zip(rows.cells.chunks_exact_mut(width)).enumerate() {
            match state_of(setup) {
                Ok(state) if packed => masks.write_bits(&state, classes, mask),
                Ok(state) => masks.write_bytes(&state, classes, mask),
                Err(fault) => bad.push((index, Fault::Legality(fault))),
            }
        }
    })
}

//! Network inputs, labels and masks.

use std::cell::RefCell;

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
use komabako::rules::State;
use numpy::{Element, PyArray4, PyArrayDescrMethods, PyUntypedArray};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

use crate::arguments::{OnError, Source, Threads, descriptor, is_text};
use crate::arrays::{Mask, Written, named_tuple, output, output_of_dtype, outputs, separate};
use crate::fault::Fault;
use crate::moves::separate_from_moves;
use crate::positions::Positions;
use crate::rows::Table;

/// dlshogi's planes in a dtype, or as bits, as `kind` makes them.
#[pyfunction]
#[pyo3(signature = (positions, dtype, nyugyoku, codec, out, on_error, threads, kind, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn dlshogi<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    nyugyoku: bool,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
    kind: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    let rows = source.len();
    let [first, second] = outputs(out, ["features1", "features2"])?;
    let mut mask = Mask::new(py, on_error, rows)?;
    if dtype.is_instance_of::<PyString>() && is_text(dtype, intern!(py, "bits"))? {
        let width = if nyugyoku { FEATURES2_WITH_ENTERING_BYTES } else { FEATURES2_BYTES };
        let mut first = output::<u8, _>(py, first.as_ref(), [rows, FEATURES1_BYTES], "out.features1")?;
        let mut second = output::<u8, _>(py, second.as_ref(), [rows, width], "out.features2")?;
        separate(out, &[source.array()], [first.array(), second.array()])?;
        {
            let mut first = first.write()?;
            let mut second = second.write()?;
            let tables = (first.table(FEATURES1_BYTES), second.table(width));
            write_bits_of(py, &source.positions(), nyugyoku, tables, mask.cells(), threads)?;
        }
        return mask.with(py, named_tuple(kind, (first.into_array(py), second.into_array(py)))?);
    }
    let planes = descriptor(dtype)?;
    let width = if nyugyoku { FEATURES2_WITH_ENTERING } else { FEATURES2 };
    let is_half =
        planes.kind() == b'f' && planes.itemsize() == 2 && planes.is_native_byteorder() == Some(true);
    let is_f32 = planes.is_equiv_to(&numpy::dtype::<f32>(py));
    if !is_half && !is_f32 && !planes.is_equiv_to(&numpy::dtype::<u8>(py)) {
        let text = format!("dtype is f4, f2, u1 or \"bits\", not {}", dtype.repr()?);
        return Err(PyValueError::new_err(text));
    }
    let first = output_of_dtype(first.as_ref(), &[rows, FEATURES1, 9, 9], &planes, "out.features1")?;
    let second = output_of_dtype(second.as_ref(), &[rows, width, 9, 9], &planes, "out.features2")?;
    separate(out, &[source.array()], [Some(first.as_any()), Some(second.as_any())])?;
    let positions = source.positions();
    if is_f32 {
        expand::<f32>(py, &positions, nyugyoku, &first, &second, mask.cells(), threads)?;
    } else if is_half {
        // There is no type for half floats here, so their bits are written.
        let bits = (numpy::dtype::<u16>(py),);
        let first = first.call_method1("view", bits.clone())?.cast_into()?;
        let second = second.call_method1("view", bits)?.cast_into()?;
        expand::<u16>(py, &positions, nyugyoku, &first, &second, mask.cells(), threads)?;
    } else {
        expand::<u8>(py, &positions, nyugyoku, &first, &second, mask.cells(), threads)?;
    }
    mask.with(py, named_tuple(kind, (first, second))?)
}

fn expand<T: Element + PlaneValue>(
    py: Python,
    positions: &Positions,
    nyugyoku: bool,
    first: &Bound<PyUntypedArray>,
    second: &Bound<PyUntypedArray>,
    faults: Option<&mut [u8]>,
    threads: Threads,
) -> PyResult<()> {
    let mut first = Written::claim(first.cast::<PyArray4<T>>()?)?;
    let mut second = Written::claim(second.cast::<PyArray4<T>>()?)?;
    let width = if nyugyoku { FEATURES2_WITH_ENTERING } else { FEATURES2 };
    let out = (first.table(FEATURES1 * 81), second.table(width * 81));
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

fn write_bits_of(
    py: Python,
    positions: &Positions,
    nyugyoku: bool,
    out: (Table<u8>, Table<u8>),
    faults: Option<&mut [u8]>,
    threads: Threads,
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

/// The active inputs of both colours, padded with −1. The side to move comes first, or Black.
#[pyfunction]
#[pyo3(signature = (positions, has_kings, perspective, codec, out, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn nnue<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    has_kings: bool,
    perspective: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let black_first = if is_text(perspective, intern!(py, "side"))? {
        false
    } else if is_text(perspective, intern!(py, "black"))? {
        true
    } else {
        let text = format!("perspective is \"side\" or \"black\", not {}", perspective.repr()?);
        return Err(PyValueError::new_err(text));
    };
    let source = Source::new(positions, codec)?;
    let kind = Nnue { has_kings, black_first };
    let mut indices = output::<i32, _>(py, out, [source.len(), 2, kind.width()], "out")?;
    separate(out, &[source.array()], [indices.array()])?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let mut written = indices.write()?;
    let table = written.table(2 * kind.width());
    write_nnue(py, &source.positions(), kind, table, mask.cells(), threads)?;
    mask.with(py, indices.into_array(py))
}

/// The kind of NNUE inputs.
#[derive(Clone, Copy)]
struct Nnue {
    /// Whether it is `HalfKA_hm` rather than `HalfKP`.
    has_kings: bool,
    /// Whether Black's half comes first rather than the half of the side to move.
    black_first: bool,
}

impl Nnue {
    /// The number of places for the active inputs of one colour.
    fn width(self) -> usize {
        if self.has_kings { 40 } else { 38 }
    }
}

fn write_nnue(
    py: Python,
    positions: &Positions,
    Nnue { has_kings, black_first }: Nnue,
    out: Table<i32>,
    faults: Option<&mut [u8]>,
    threads: Threads,
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

/// The label of each move; −1 for special moves and for moves without a compact label.
#[pyfunction]
#[pyo3(signature = (positions, moves, kind, encoded, codec, out, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn labels<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    moves: Option<&Bound<'py, PyAny>>,
    kind: usize,
    encoded: Option<&str>,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    let (moves, encoding) = source.moves(moves, encoded)?;
    let is_compact = classes(kind)? == Classes::Compact;
    let mut made = output::<i64, _>(py, out, [source.len()], "out")?;
    separate_from_moves(out, &source, &moves, made.array())?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let moves = moves.view();
    let mut written = made.write()?;
    let positions = source.positions();
    positions.for_each(py, threads, written.table(1), mask.cells(), |row, setup, out| {
        let mv = encoding.decode(moves.at(&positions, row));
        let mv = mv.map_err(|fault| Fault::Record(RecordFault::Move(fault)))?;
        let label = label::label(mv, setup.side_to_move());
        let label = if is_compact { label.and_then(label::compact) } else { label };
        out.cells[0] = label.map_or(-1, i64::from);
        Ok(())
    })?;
    mask.with(py, made.into_array(py))
}

/// The labels of all legal moves: as bits, the lowest first, if `dtype` is u1, or as booleans.
#[pyfunction]
#[pyo3(signature = (positions, kind, dtype, codec, out, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn legal_mask<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    kind: &Bound<'py, PyAny>,
    dtype: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    let rows = source.len();
    let count = kind.extract().unwrap_or_default();
    let Ok(classes) = classes(count) else {
        let text = format!("kind is {LABELS} or {COMPACT_LABELS}, not {}", kind.repr()?);
        return Err(PyValueError::new_err(text));
    };
    let is_packed = has_bits(dtype)?;
    let mut mask = Mask::new(py, on_error, rows)?;
    let positions = source.positions();
    if is_packed {
        let width = count.div_ceil(8);
        let mut made = output::<u8, _>(py, out, [rows, width], "out")?;
        separate(out, &[source.array()], [made.array()])?;
        let write =
            |masks: &mut Masks, state: &State<()>, row: &mut [u8]| masks.write_bits(state, classes, row);
        write_masks(py, &positions, width, made.write()?.table(width), mask.cells(), threads, write)?;
        return mask.with(py, made.into_array(py));
    }
    let mut made = output::<bool, _>(py, out, [rows, count], "out")?;
    separate(out, &[source.array()], [made.array()])?;
    let write =
        |masks: &mut Masks, state: &State<()>, row: &mut [bool]| masks.write_bools(state, classes, row);
    write_masks(py, &positions, count, made.write()?.table(count), mask.cells(), threads, write)?;
    mask.with(py, made.into_array(py))
}

/// Whether a mask of this dtype has bits, rather than a boolean for each label.
fn has_bits(dtype: &Bound<PyAny>) -> PyResult<bool> {
    static UINT8: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = dtype.py();
    // The default, which needs no descriptor.
    if dtype.is(UINT8.import(py, "numpy", "uint8")?) {
        return Ok(true);
    }
    let dtype = descriptor(dtype)?;
    let is_packed = dtype.is_equiv_to(&numpy::dtype::<u8>(py));
    if !is_packed && !dtype.is_equiv_to(&numpy::dtype::<bool>(py)) {
        return Err(PyValueError::new_err(format!("dtype is u1 (bits) or bool, not {dtype}")));
    }
    Ok(is_packed)
}

thread_local! {
    /// The writer of masks of the call before, whose 2 KiB need not be cleared again.
    static MASKS: RefCell<Masks> = const { RefCell::new(Masks::new()) };
}

/// Writes the mask of each position to a row of `width` cells.
fn write_masks<T: Clone + Default + Send>(
    py: Python,
    positions: &Positions,
    width: usize,
    out: Table<T>,
    faults: Option<&mut [u8]>,
    threads: Threads,
    write: impl Fn(&mut Masks, &State<()>, &mut [T]) + Sync,
) -> PyResult<()> {
    positions.for_each_block(py, threads, out, faults, |setups, rows, bad| {
        MASKS.with_borrow_mut(|masks| {
            for (index, (setup, row)) in setups.iter().zip(rows.cells.chunks_exact_mut(width)).enumerate() {
                match state_of(setup) {
                    Ok(state) => write(masks, &state, row),
                    Err(fault) => bad.push((index, Fault::Legality(fault))),
                }
            }
        });
    })
}

//! Fast paths for calls with a few records, where the overhead of the general path would exceed the work.
//!
//! Such a call copies its records and makes its arrays here, keeps the GIL, and starts no threads. It returns `None` in all other
//! cases (an array of another class, more records, a dtype not seen before), for which Python then takes the general path.

use komabako::features::dlshogi::{FEATURES1_BYTES, FEATURES2_BYTES, FEATURES2_WITH_ENTERING_BYTES};
use numpy::ndarray::{ArrayView, ArrayView2, Dimension, IntoDimension};
use numpy::{Element, PyArray, PyArray2, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::features::{Nnue, classes, write_bits_of, write_mask, write_nnue};
use crate::positions::{NamedCodec, Positions};
use crate::rows::{MAX_SMALL, Table};
use crate::words::{Boards, View, WIDTHS, texts, write_boards, write_hashes, write_packed};

/// The packing of the records of a dtype, or of the words of a codec. Python keeps one for each dtype and each codec's name.
#[pyclass(frozen, module = "komabako._native")]
pub struct Packing {
    codec: NamedCodec,
    name: String,
    /// The size of a record in bytes.
    size: usize,
}

#[pymethods]
impl Packing {
    #[new]
    fn new(codec: &str, size: usize) -> PyResult<Packing> {
        Ok(Packing { codec: NamedCodec::new(codec)?, name: codec.to_owned(), size })
    }
}

/// The records of a small array, copied.
pub struct Small<'py> {
    bytes: Bound<'py, PyBytes>,
    packing: Bound<'py, Packing>,
}

impl<'py> Small<'py> {
    /// Copies the records of an array, or returns `None` if it is not plain and small. `known` maps dtypes and codec names to
    /// [`Packing`].
    fn copy(
        known: &Bound<'py, PyDict>,
        positions: &Bound<'py, PyAny>,
        codec: Option<&Bound<'py, PyAny>>,
    ) -> Option<Small<'py>> {
        // Subclasses such as masked arrays may override `tobytes`.
        let array = positions.cast_exact::<PyUntypedArray>().ok()?;
        let packing = match codec {
            None => known.get_item(array.dtype()).ok()??,
            Some(codec) => known.get_item(codec.cast::<PyString>().ok()?).ok()??,
        };
        let packing = packing.cast_into::<Packing>().ok()?;
        let is_shaped = match codec {
            None => array.ndim() == 1,
            Some(_) => array.ndim() == 2 && array.shape()[1] == packing.get().size && is_u8(array),
        };
        if !is_shaped || array.shape()[0] > MAX_SMALL {
            return None;
        }
        let bytes = array.call_method0(intern!(array.py(), "tobytes")).ok()?.cast_into().ok()?;
        Some(Small { bytes, packing })
    }

    fn positions(&self) -> Positions<'_> {
        let packing = self.packing.get();
        let bytes = self.bytes.as_bytes();
        let rows = ArrayView2::from_shape((bytes.len() / packing.size, packing.size), bytes);
        Positions::of_rows(rows.expect("whole records"), packing.codec, &packing.name)
    }
}

fn is_u8(array: &Bound<PyUntypedArray>) -> bool {
    array.dtype().is_equiv_to(&numpy::dtype::<u8>(array.py()))
}

/// A new array with this shape and these cells.
fn array<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoDimension<Dim = D>,
    cells: &[T],
) -> Bound<'py, PyArray<T, D>> {
    PyArray::from_array(
        py,
        &ArrayView::from_shape(shape.into_dimension(), cells).expect("cells of the shape"),
    )
}

/// The result of `komabako.key64` and `key128`.
#[pyfunction]
#[pyo3(signature = (known, positions, codec, width, /))]
pub fn small_hashes<'py>(
    known: &Bound<'py, PyDict>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    width: usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(small) = Small::copy(known, positions, codec) else { return Ok(None) };
    let py = known.py();
    let positions = small.positions();
    let rows = positions.len();
    let mut keys = [0; 2 * MAX_SMALL];
    let keys = &mut keys[..rows * width];
    write_hashes(py, &positions, Table::new(keys, width), None, 1)?;
    Ok(Some(if width == 1 {
        array(py, rows, keys).into_any()
    } else {
        array(py, [rows, width], keys).into_any()
    }))
}

/// The result of `komabako.decode_board`: arrays of boards, hands, sides and kings.
#[pyfunction]
#[pyo3(signature = (known, positions, codec, /))]
pub fn small_boards<'py>(
    known: &Bound<'py, PyDict>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<[Bound<'py, PyAny>; 4]>> {
    let Some(small) = Small::copy(known, positions, codec) else { return Ok(None) };
    let py = known.py();
    let positions = small.positions();
    let rows = positions.len();
    let mut board = [0; 81 * MAX_SMALL];
    let mut hands = [0; 14 * MAX_SMALL];
    let mut side = [0; MAX_SMALL];
    let mut kings = [0; 2 * MAX_SMALL];
    let out: Boards = (
        Table::new(&mut board[..81 * rows], WIDTHS[0]),
        Table::new(&mut hands[..14 * rows], WIDTHS[1]),
        Table::new(&mut side[..rows], 1),
        Table::new(&mut kings[..2 * rows], WIDTHS[2]),
    );
    write_boards(py, &positions, out, None, 1)?;
    Ok(Some([
        array(py, [rows, 81], &board[..81 * rows]).into_any(),
        array(py, [rows, 2, 7], &hands[..14 * rows]).into_any(),
        array(py, rows, &side[..rows]).into_any(),
        array(py, [rows, 2], &kings[..2 * rows]).into_any(),
    ]))
}

/// The result of `komabako.recode` to words, `canonical`, `flip` and `mirror`.
#[pyfunction]
#[pyo3(signature = (known, positions, codec, to, view, /))]
pub fn small_packed<'py>(
    known: &Bound<'py, PyDict>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    to: &str,
    view: &str,
) -> PyResult<Option<Bound<'py, PyArray2<u8>>>> {
    let Some(small) = Small::copy(known, positions, codec) else { return Ok(None) };
    let py = known.py();
    let positions = small.positions();
    let to = NamedCodec::new(to)?;
    let view = View::new(view)?;
    let mut words = [0; 32 * MAX_SMALL];
    let words = &mut words[..positions.len() * to.size()];
    write_packed(py, &positions, to, view, Table::new(words, to.size()), None, 1)?;
    Ok(Some(array(py, [positions.len(), to.size()], words)))
}

/// The result of `komabako.to_sfen`.
#[pyfunction]
#[pyo3(signature = (known, positions, codec, /))]
pub fn small_sfens<'py>(
    known: &Bound<'py, PyDict>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Vec<String>>> {
    let Some(small) = Small::copy(known, positions, codec) else { return Ok(None) };
    texts(known.py(), &small.positions(), None, 1).map(Some)
}

/// The result of `features.dlshogi` as bits.
#[pyfunction]
#[pyo3(signature = (known, positions, codec, nyugyoku, /))]
pub fn small_bits<'py>(
    known: &Bound<'py, PyDict>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    nyugyoku: bool,
) -> PyResult<Option<[Bound<'py, PyArray2<u8>>; 2]>> {
    let Some(small) = Small::copy(known, positions, codec) else { return Ok(None) };
    let py = known.py();
    let positions = small.positions();
    let rows = positions.len();
    let width = if nyugyoku { FEATURES2_WITH_ENTERING_BYTES } else { FEATURES2_BYTES };
    let (mut first, mut second) =
        ([0; FEATURES1_BYTES * MAX_SMALL], [0; FEATURES2_WITH_ENTERING_BYTES * MAX_SMALL]);
    let first = &mut first[..rows * FEATURES1_BYTES];
    let second = &mut second[..rows * width];
    let out = (Table::new(first, FEATURES1_BYTES), Table::new(second, width));
    write_bits_of(py, &positions, nyugyoku, out, None, 1)?;
    Ok(Some([array(py, [rows, FEATURES1_BYTES], first), array(py, [rows, width], second)]))
}

/// The result of `features.halfkp` and `halfka_hm`.
#[pyfunction]
#[pyo3(signature = (known, positions, codec, has_kings, black_first, /))]
pub fn small_nnue<'py>(
    known: &Bound<'py, PyDict>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    has_kings: bool,
    black_first: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(small) = Small::copy(known, positions, codec) else { return Ok(None) };
    let py = known.py();
    let positions = small.positions();
    let kind = Nnue { has_kings, black_first };
    let mut indices = [0; 2 * 40 * MAX_SMALL];
    let indices = &mut indices[..positions.len() * 2 * kind.width()];
    write_nnue(py, &positions, kind, Table::new(indices, 2 * kind.width()), None, 1)?;
    Ok(Some(array(py, [positions.len(), 2, kind.width()], indices).into_any()))
}

/// The result of `komabako.legal_mask` as bits.
#[pyfunction]
#[pyo3(signature = (known, positions, codec, kind, /))]
pub fn small_masks<'py>(
    known: &Bound<'py, PyDict>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    kind: usize,
) -> PyResult<Option<Bound<'py, PyArray2<u8>>>> {
    let Some(small) = Small::copy(known, positions, codec) else { return Ok(None) };
    let py = known.py();
    let positions = small.positions();
    let classes = classes(kind)?;
    let width = kind.div_ceil(8);
    let mut masks = [0; 274 * MAX_SMALL];
    let masks = &mut masks[..positions.len() * width];
    write_mask(py, &positions, classes, true, Table::new(masks, width), None, 1)?;
    Ok(Some(array(py, [positions.len(), width], masks)))
}

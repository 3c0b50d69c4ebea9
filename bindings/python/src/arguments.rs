//! The arguments that the functions share: positions with their codec, moves and texts, `on_error` and `threads`.

use komabako::record::FileFormat;
use komabako::record::move16::MoveEncoding;
use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{
    Element, Ix1, Ix2, PyArray1, PyArray2, PyArrayDescr, PyArrayDescrMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyUnicodeEncodeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyList, PySlice, PyString};

use crate::arrays::Read;
use crate::positions::{NamedCodec, Positions, codecs};
use crate::rows::MAX_SMALL;

/// A number of threads; 0 is one per CPU.
#[derive(Clone, Copy)]
pub struct Threads(pub usize);

/// More threads gain nothing, and a wrong argument must not start a million of them.
const MOST_THREADS: usize = 1024;

impl<'a, 'py> FromPyObject<'a, 'py> for Threads {
    type Error = PyErr;

    fn extract(count: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let number = if is_bool(&count)? { None } else { count.extract::<usize>().ok() };
        match number {
            Some(number) if number <= MOST_THREADS => Ok(Threads(number)),
            _ => Err(PyValueError::new_err(format!(
                "threads is an integer from 0 (one a CPU) to {MOST_THREADS}, not {}",
                count.repr()?
            ))),
        }
    }
}

/// Whether an object is Python's or NumPy's boolean, which are numbers too.
fn is_bool(object: &Bound<PyAny>) -> PyResult<bool> {
    if object.is_exact_instance_of::<PyInt>() {
        return Ok(false);
    }
    let numpy = object.py().import(intern!(object.py(), "numpy"))?;
    Ok(object.is_instance_of::<PyBool>()
        || object.is_instance(&numpy.getattr(intern!(object.py(), "bool_"))?)?)
}

/// The number of threads, checked.
#[pyfunction]
#[pyo3(signature = (count, /))]
pub fn threads(count: Threads) -> usize {
    count.0
}

/// Whether an argument is a text. Literals in Python are the same object as the interned text, which takes no comparison.
pub fn is_text(given: &Bound<PyAny>, text: &Bound<PyString>) -> PyResult<bool> {
    Ok(given.is(text) || given.eq(text)?)
}

/// What becomes of bad records.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnError {
    /// The first one is an exception.
    Raise,
    /// They are marked, and their outputs are zeros.
    Mask,
}

impl<'a, 'py> FromPyObject<'a, 'py> for OnError {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let py = given.py();
        if is_text(&given, intern!(py, "raise"))? {
            Ok(OnError::Raise)
        } else if is_text(&given, intern!(py, "mask"))? {
            Ok(OnError::Mask)
        } else {
            let text = format!("on_error is \"raise\" or \"mask\", not {}", given.repr()?);
            Err(PyValueError::new_err(text))
        }
    }
}

/// The records of a dtype.
pub struct Layout {
    pub format: FileFormat,
    /// The place of the move in a record, and its encoding.
    best_move: Option<(usize, MoveEncoding)>,
}

/// The packing of the records of a dtype, or of the words of a codec.
#[pyclass(frozen, module = "komabako._native")]
pub struct Packing {
    codec: NamedCodec,
    name: String,
    /// The size of a record in bytes.
    size: usize,
    layout: Option<Layout>,
}

impl Packing {
    pub fn codec(&self) -> NamedCodec {
        self.codec
    }
}

/// The packings by codec name and by dtype. Programs have a handful of dtypes; the limit protects the memory from one that
/// keeps creating new ones.
fn known(py: Python<'_>) -> PyResult<&Bound<'_, PyDict>> {
    static KNOWN: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let make = || {
        let known = PyDict::new(py);
        for (name, size) in codecs() {
            let codec = NamedCodec::new(name)?;
            known.set_item(
                name,
                Packing { codec, name: name.to_owned(), size, layout: None }.into_pyobject(py)?,
            )?;
        }
        Ok::<_, PyErr>(known.unbind())
    };
    Ok(KNOWN.get_or_try_init(py, make)?.bind(py))
}

const MOST_DTYPES: usize = 64;

/// The packing of words of a codec, given by its name.
pub fn packing_of_words<'py>(codec: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Packing>> {
    let name = codec.cast::<PyString>().ok();
    let found = match name {
        Some(name) => known(codec.py())?.get_item(name)?,
        None => None,
    };
    let Some(found) = found else {
        let names: Vec<&str> = codecs().map(|(name, _)| name).collect();
        let dtypes = codec.py().import("komabako.dtypes")?;
        let text: String = dtypes.call_method1("unknown_codec", (codec, names.join(", ")))?.extract()?;
        return Err(PyValueError::new_err(text));
    };
    Ok(found.cast_into()?)
}

/// The packing of rows of bytes, given by the name of a codec, or by the name or the dtype of a format of records.
fn packing_of_rows<'py>(codec: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Packing>> {
    let py = codec.py();
    if codec.is_instance_of::<PyString>() && known(py)?.contains(codec)? {
        return packing_of_words(codec);
    }
    let dtypes = py.import(intern!(py, "komabako.dtypes"))?;
    let dtype = dtypes.call_method1(intern!(py, "dtype_of"), (codec,))?;
    if dtype.is_none() { packing_of_words(codec) } else { packing_of_records(dtype.cast()?) }
}

/// What records or words are made as.
pub enum Target<'py> {
    Words(NamedCodec),
    Records(Bound<'py, PyArrayDescr>),
}

impl<'py> Target<'py> {
    /// The codec or the format of a name, or the format of a dtype. A name that is both is the codec.
    pub fn find(to: &Bound<'py, PyAny>) -> PyResult<Target<'py>> {
        static DTYPES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
        let py = to.py();
        let Ok(name) = to.cast::<PyString>() else { return Ok(Target::Records(descriptor(to)?)) };
        let is_codec = known(py)?.contains(name)?;
        let found = DTYPES.import(py, "komabako.dtypes", "DTYPES")?.get_item(name)?;
        match found {
            Some(dtype) if !is_codec => Ok(Target::Records(dtype.cast_into()?)),
            _ => Ok(Target::Words(packing_of_words(to)?.get().codec)),
        }
    }
}

/// The size in bytes of a row of a codec or a format.
#[pyfunction]
#[pyo3(signature = (codec, /))]
pub fn word_size(codec: &Bound<PyAny>) -> PyResult<usize> {
    Ok(packing_of_rows(codec)?.get().size)
}

/// The packing of the records of a dtype.
fn packing_of_records<'py>(dtype: &Bound<'py, PyArrayDescr>) -> PyResult<Bound<'py, Packing>> {
    let py = dtype.py();
    let known = known(py)?;
    if let Some(found) = known.get_item(dtype)? {
        return Ok(found.cast_into()?);
    }
    let dtypes = py.import(intern!(py, "komabako.dtypes"))?;
    let layout = dtypes.call_method1(intern!(py, "layout_of"), (dtype,))?;
    if layout.is_none() {
        return Err(PyValueError::new_err(format!(
            "the dtype {dtype} is not one of komabako's; give the field of packed positions and codec="
        )));
    }
    let name: String = layout.getattr("codec")?.extract()?;
    let format: String = layout.getattr("format")?.extract()?;
    let format = format.parse().map_err(|_| PyValueError::new_err(format!("unknown format {format:?}")))?;
    let field: Option<String> = layout.getattr("move")?.extract()?;
    let encoding: String = layout.getattr("encoding")?.extract()?;
    let best_move = match field {
        Some(field) => Some((dtype.get_field(&field)?.1, crate::moves::encoding(&encoding)?)),
        None => None,
    };
    let packing = Packing {
        codec: NamedCodec::new(&name)?,
        name,
        size: dtype.itemsize(),
        layout: Some(Layout { format, best_move }),
    };
    let packing = Bound::new(py, packing)?;
    if known.len() < MOST_DTYPES {
        known.set_item(dtype, &packing)?;
    }
    Ok(packing)
}

/// The format of the records of a dtype.
pub fn format_of_dtype(dtype: &Bound<PyArrayDescr>) -> PyResult<FileFormat> {
    let unknown = || PyValueError::new_err(format!("the dtype {dtype} is not one of komabako's"));
    if !dtype.has_fields() {
        return Err(unknown());
    }
    packing_of_records(dtype)?.get().layout.as_ref().map(|layout| layout.format).ok_or_else(unknown)
}

/// Rows of bytes that start with a packed position.
enum Rows<'py> {
    /// A copy of a few records.
    Copied(Bound<'py, PyBytes>),
    Array(Read<'py, u8, Ix2>),
}

/// The positions that a caller gives: records of a dtype, or words of a codec.
pub struct Source<'py> {
    rows: Rows<'py>,
    array: Bound<'py, PyUntypedArray>,
    /// The size of a row, and the layout of records.
    packing: Bound<'py, Packing>,
    /// The codec that reads the positions, which may be more lenient than the records'.
    codec: Bound<'py, Packing>,
}

impl<'py> Source<'py> {
    /// The positions in an array, without a copy for any stride; in bytes, or a column of Arrow.
    pub fn new(positions: &Bound<'py, PyAny>, codec: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let Ok(array) = positions.cast::<PyUntypedArray>() else {
            return Self::of_buffer(positions, codec);
        };
        check_array(positions)?;
        if array.dtype().has_fields() { Self::of_records(array, codec) } else { Self::of_words(array, codec) }
    }

    /// [`Source::new`], of records only.
    pub fn records(
        positions: &Bound<'py, PyAny>,
        codec: Option<&Bound<'py, PyAny>>,
        function: &str,
    ) -> PyResult<Self> {
        match positions.cast::<PyUntypedArray>() {
            Ok(array) if array.dtype().has_fields() => {
                check_array(positions)?;
                Self::of_records(array, codec)
            }
            _ => Err(PyValueError::new_err(format!(
                "{function} needs records: a structured array such as komabako.PackedSfenValue"
            ))),
        }
    }

    fn of_records(array: &Bound<'py, PyUntypedArray>, codec: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let packing = packing_of_records(&array.dtype())?;
        if array.ndim() != 1 {
            let text = format!("records must be an array of one dimension, not {}", array.ndim());
            return Err(PyValueError::new_err(text));
        }
        let own = &packing.get().name;
        let is_own = |codec: &Bound<PyAny>| {
            let format = packing.get().layout.as_ref().map_or("", |layout| layout.format.name());
            Ok::<bool, PyErr>(codec.eq(own)? || codec.eq(format)? || codec.eq(array.dtype())?)
        };
        let codec = match codec {
            None => packing.clone(),
            Some(codec) if own == "psv" && codec.eq("psv-lenient")? => packing_of_words(codec)?,
            Some(codec) if is_own(codec)? => packing.clone(),
            Some(codec) => {
                let format = packing.get().layout.as_ref().map_or("", |layout| layout.format.name());
                let codec = codec.repr()?;
                let text = format!("codec {codec} was given for records of {format}, which has '{own}'");
                return Err(PyValueError::new_err(text));
            }
        };
        let rows = match copy_of_few(array)? {
            Some(copied) => copied,
            // A last axis of one element can be viewed as bytes, whatever the strides of the other axes.
            None => Rows::Array(Read::claim(&bytes_of(array)?)?),
        };
        Ok(Self { rows, array: array.clone(), packing, codec })
    }

    fn of_words(array: &Bound<'py, PyUntypedArray>, codec: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let Some(codec) = codec else {
            return Err(PyValueError::new_err(
                "codec= is needed: only a structured array of a known dtype says how it is packed",
            ));
        };
        let packing = packing_of_rows(codec)?;
        let size = packing.get().size;
        let is_u8 = array.dtype().is_equiv_to(&numpy::dtype::<u8>(array.py()));
        if !is_u8 || array.ndim() != 2 || array.shape()[1] != size {
            let name = &packing.get().name;
            let text = format!(
                "positions of {name} are an array u1[n,{size}], not {}{:?}",
                array.dtype(),
                array.shape()
            );
            return Err(PyValueError::new_err(text));
        }
        let rows = Rows::Array(Read::claim(array.cast()?)?);
        Ok(Self { rows, array: array.clone(), codec: packing.clone(), packing })
    }

    fn of_buffer(positions: &Bound<'py, PyAny>, codec: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let py = positions.py();
        let buffers = py.import(intern!(py, "komabako._buffers"))?;
        buffers.call_method1(intern!(py, "check_object"), (positions,))?;
        let Some(codec) = codec else {
            return Err(PyValueError::new_err("codec= is needed: bytes do not say how they are packed"));
        };
        let array = buffers.call_method1(intern!(py, "rows"), (positions, word_size(codec)?))?;
        Self::of_words(array.cast()?, Some(codec))
    }

    /// The array of the rows.
    pub fn array(&self) -> &Bound<'py, PyAny> {
        self.array.as_any()
    }

    pub fn positions(&self) -> Positions<'_> {
        let Packing { codec, name, .. } = self.codec.get();
        let rows = match &self.rows {
            Rows::Array(array) => array.view(),
            Rows::Copied(bytes) => {
                let size = self.packing.get().size;
                let bytes = bytes.as_bytes();
                ArrayView2::from_shape((bytes.len() / size, size), bytes).expect("whole records")
            }
        };
        Positions::of_rows(rows, *codec, name)
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.array.shape()[0]
    }

    pub fn codec(&self) -> NamedCodec {
        self.codec.get().codec
    }

    /// The format of the records; `None` for words.
    pub fn format(&self) -> Option<FileFormat> {
        self.packing.get().layout.as_ref().map(|layout| layout.format)
    }

    /// The dtype of the array.
    pub fn dtype(&self) -> Bound<'py, PyArrayDescr> {
        self.array.dtype()
    }

    /// The encoding of the records' moves, YaneuraOu's if they have none.
    pub fn encoding(&self) -> MoveEncoding {
        let layout = self.packing.get().layout.as_ref();
        layout.and_then(|layout| layout.best_move).map_or(MoveEncoding::YaneuraOu, |(_, encoding)| encoding)
    }

    /// The given moves, or else those of the records, with their encoding.
    pub fn moves(
        &self,
        moves: Option<&Bound<'py, PyAny>>,
        encoding: Option<&str>,
    ) -> PyResult<(Moves<'py>, MoveEncoding)> {
        let own = self.packing.get().layout.as_ref().and_then(|layout| layout.best_move);
        let encoding = encoding.map(crate::moves::encoding).transpose()?;
        match (moves, own) {
            (None, None) => {
                let text = "moves= is needed: the positions are not records with a move";
                Err(PyValueError::new_err(text))
            }
            (None, Some((place, known))) => Ok((Moves::Own(place), encoding.unwrap_or(known))),
            (Some(moves), _) => {
                let Some(encoding) = encoding.or(own.map(|(_, known)| known)) else {
                    let text = "encoding= is needed: positions do not say how moves are written";
                    return Err(PyValueError::new_err(text));
                };
                let moves = moves16(moves, Some(self.len()))?;
                let read = Read::claim(&moves)?;
                Ok((Moves::Given(moves, read), encoding))
            }
        }
    }
}

/// A move for each position.
pub enum Moves<'py> {
    Given(Bound<'py, PyArray1<u16>>, Read<'py, u16, Ix1>),
    /// Those of the records, at this byte.
    Own(usize),
}

impl<'py> Moves<'py> {
    /// The array, if they were given.
    pub fn array(&self) -> Option<&Bound<'py, PyAny>> {
        match self {
            Moves::Given(moves, _) => Some(moves.as_any()),
            Moves::Own(_) => None,
        }
    }

    /// The moves, for any thread.
    pub fn view(&self) -> MovesView<'_> {
        match self {
            Moves::Given(_, moves) => MovesView::Given(moves.view()),
            Moves::Own(place) => MovesView::Own(*place),
        }
    }
}

/// [`Moves`], borrowed.
pub enum MovesView<'a> {
    Given(ArrayView1<'a, u16>),
    Own(usize),
}

impl MovesView<'_> {
    /// The bits of the move of a position.
    pub fn at(&self, positions: &Positions, row: usize) -> u16 {
        match self {
            MovesView::Given(moves) => moves[row],
            MovesView::Own(place) => positions.read_u16(row, *place),
        }
    }
}

/// A copy of an array's records if it is plain and has few.
fn copy_of_few<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Option<Rows<'py>>> {
    // Subclasses such as masked arrays may override `tobytes`.
    if array.shape()[0] > MAX_SMALL || !array.is_exact_instance_of::<PyUntypedArray>() {
        return Ok(None);
    }
    let bytes = array.call_method0(intern!(array.py(), "tobytes"))?;
    Ok(Some(Rows::Copied(bytes.cast_into()?)))
}

/// The bytes of the elements of an array of one dimension, one row for each.
pub fn bytes_of<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let py = array.py();
    let column = array.get_item((PySlice::full(py), py.None()))?;
    Ok(column.call_method1(intern!(py, "view"), (numpy::dtype::<u8>(py),))?.cast_into()?)
}

/// Moves as 16 bits each, without a copy if they have 16 bits.
pub fn moves16<'py>(moves: &Bound<'py, PyAny>, count: Option<usize>) -> PyResult<Bound<'py, PyArray1<u16>>> {
    numbers(moves, count, "moves16")
}

/// Refuses subclasses of arrays whose meaning a view of the bytes would ignore. Python names them.
fn check_array(array: &Bound<PyAny>) -> PyResult<()> {
    if !array.is_exact_instance_of::<PyUntypedArray>() {
        let py = array.py();
        let buffers = py.import(intern!(py, "komabako._buffers"))?;
        buffers.call_method1(intern!(py, "check_array"), (array,))?;
    }
    Ok(())
}

/// A dtype that a caller gives. NumPy takes None for none, which is an error without a text.
pub fn descriptor<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDescr>> {
    if given.is_none() {
        return Err(PyValueError::new_err("a format or a dtype is needed, not None"));
    }
    PyArrayDescr::new(given.py(), given)
}

/// Numbers of a type, of which there are `count`, without a copy if they have it. Others are checked and converted by a function of
/// `komabako.moves`.
pub fn numbers<'py, T: Element>(
    given: &Bound<'py, PyAny>,
    count: Option<usize>,
    function: &str,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    if let Ok(array) = given.cast::<PyArray1<T>>()
        && array.is_exact_instance_of::<PyUntypedArray>()
        && array.is_aligned()
        && count.is_none_or(|count| count == array.len())
    {
        return Ok(array.clone());
    }
    let module = given.py().import(intern!(given.py(), "komabako.moves"))?;
    Ok(module.call_method1(function, (given, count))?.cast_into()?)
}

/// The text in place of a null.
pub const NO_TEXT: &str = "\u{fffd}";

/// The texts of a sequence or a column. Nulls, and what is not Unicode text (surrogates), become U+FFFD, which is in no SFEN or move,
/// so that they are faults of their records.
pub fn texts(given: &Bound<PyAny>, function: &str, what: &str) -> PyResult<Vec<PyBackedStr>> {
    if given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() {
        return Err(PyValueError::new_err(format!("{function} takes a sequence of texts, not one text")));
    }
    let py = given.py();
    let to_pylist = if given.is_exact_instance_of::<PyList>() {
        None
    } else {
        given.getattr_opt(intern!(py, "to_pylist"))?
    };
    let list = match to_pylist {
        Some(to_pylist) => to_pylist.call0()?,
        None => given.clone(),
    };
    let mut texts = Vec::new();
    // Not `collect`, which asks Python for the length.
    for item in list.try_iter()? {
        let item = item?;
        let Ok(text) = item.cast::<PyString>() else {
            if !is_null(&item)? {
                let text = format!("{what} must be str; item {} is {}", texts.len(), item.repr()?);
                return Err(PyValueError::new_err(text));
            }
            texts.push(PyString::new(py, NO_TEXT).extract()?);
            continue;
        };
        texts.push(match text.extract::<PyBackedStr>() {
            Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(py) => {
                PyString::new(py, &text.to_string_lossy()).extract()?
            }
            text => text?,
        });
    }
    Ok(texts)
}

/// Whether an item of a column of texts is missing: None in Arrow, NaN or NA in pandas.
fn is_null(item: &Bound<PyAny>) -> PyResult<bool> {
    let is_nan = item.extract::<f64>().is_ok_and(f64::is_nan);
    Ok(item.is_none() || is_nan || item.get_type().name()? == "NAType")
}

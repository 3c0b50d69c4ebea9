//! Output arrays: new ones, or the caller's, which are checked before anything is written.

use numpy::ndarray::{Array, ArrayView, Dimension, IntoDimension};
use numpy::{
    BorrowError, Element, Ix1, Ix2, PyArray, PyArray1, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods,
    PyReadonlyArray, PyReadwriteArray, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyTuple, PyType};

use crate::arguments::OnError;
use crate::rows::{MAX_SMALL, Table, repeated};

/// Two calls on different threads can have the same array, which is a `TypeError` of the crate `numpy`.
pub fn in_use(error: BorrowError) -> PyErr {
    match error {
        BorrowError::AlreadyBorrowed => PyValueError::new_err(
            "an array is in use by another call, and one of the two calls writes to it; give each thread outputs of its own",
        ),
        error => PyValueError::new_err(error.to_string()),
    }
}

/// Loads NumPy's functions, as the first array does: if Ctrl-C comes meanwhile, that panics. Call it before a long wait for what
/// becomes an array.
pub fn load_numpy(py: Python) {
    PyArray1::<u8>::zeros(py, 0, false);
}

/// An array while it is read.
pub enum Read<'py, T: Element, D: Dimension> {
    /// A copy of one with few rows: a borrow takes as long as a record.
    Copied(Array<T, D>),
    Borrowed(PyReadonlyArray<'py, T, D>),
}

impl<'py, T: Element + Clone, D: Dimension> Read<'py, T, D> {
    /// Fails if another call writes to the array.
    pub fn claim(array: &Bound<'py, PyArray<T, D>>) -> PyResult<Self> {
        if array.shape()[0] <= MAX_SMALL {
            return Ok(Read::Copied(array.to_owned_array()));
        }
        array.try_readonly().map(Read::Borrowed).map_err(in_use)
    }

    pub fn view(&self) -> ArrayView<'_, T, D> {
        match self {
            Read::Copied(array) => array.view(),
            Read::Borrowed(array) => array.as_array(),
        }
    }
}

/// An output: a new array, or the caller's if it can hold the result.
pub struct Output<'py, T: Element, D: Dimension> {
    array: Option<Bound<'py, PyArray<T, D>>>,
    /// The cells of a new array of few rows, which is made when they are written: a borrow of an array takes as long as a record.
    cells: Vec<T>,
    shape: D,
}

/// A new array, or the caller's if it can hold the result.
pub fn output<'py, T: Element + Clone + Default, I: IntoDimension>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    shape: I,
    name: &str,
) -> PyResult<Output<'py, T, I::Dim>> {
    let shape = shape.into_dimension();
    let few = given.is_none() && shape[0] <= MAX_SMALL;
    let array = match given {
        Some(given) => {
            check_output(given, shape.slice(), &numpy::dtype::<T>(py), name)?;
            Some(given.cast()?.clone())
        }
        None if few => None,
        None => Some(PyArray::zeros(py, shape.clone(), false)),
    };
    let cells = if few { repeated(T::default(), shape.size()) } else { Vec::new() };
    Ok(Output { array, cells, shape })
}

impl<'py, T: Element, D: Dimension> Output<'py, T, D> {
    /// The array, if it exists yet.
    pub fn array(&self) -> Option<&Bound<'py, PyAny>> {
        self.array.as_ref().map(|array| array.as_any())
    }

    /// Begins to write.
    pub fn write(&mut self) -> PyResult<Written<'_, 'py, T, D>> {
        match &self.array {
            Some(array) => Written::claim(array),
            None => Ok(Written::Few(&mut self.cells)),
        }
    }

    pub fn into_array(self, py: Python<'py>) -> Bound<'py, PyArray<T, D>> {
        let make = || {
            let cells = ArrayView::from_shape(self.shape, &self.cells).expect("cells of the shape");
            PyArray::from_array(py, &cells)
        };
        self.array.unwrap_or_else(make)
    }
}

impl<'py> Output<'py, u8, Ix2> {
    /// The bytes as records of a dtype, one in each row.
    pub fn into_records(
        self,
        py: Python<'py>,
        dtype: &Bound<'py, PyArrayDescr>,
    ) -> PyResult<Bound<'py, PyAny>> {
        static NDARRAY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let rows = self.shape[0];
        let buffer = match self.array {
            Some(array) => array.into_any(),
            None => PyByteArray::new(py, &self.cells).into_any(),
        };
        // A view by the method `view` takes three times as long.
        NDARRAY.import(py, "numpy", "ndarray")?.call1((rows, dtype, buffer))
    }
}

/// A named tuple of a type that `typing.NamedTuple` made, as its method `_make` does: its constructor is a function in Python.
pub fn named_tuple<'py>(
    kind: &Bound<'py, PyAny>,
    values: impl IntoPyObject<'py, Target = PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = kind.py();
    let new = NEW.get_or_try_init(py, || py.get_type::<PyTuple>().getattr("__new__").map(Bound::unbind))?;
    new.bind(py).call1((kind, values))
}

/// [`output`] of a dtype that is known only now. A new array is not initialized: each row must be written.
pub fn output_of_dtype<'py>(
    given: Option<&Bound<'py, PyAny>>,
    shape: &[usize],
    dtype: &Bound<'py, PyArrayDescr>,
    name: &str,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = dtype.py();
    match given {
        None => {
            static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let empty = EMPTY.import(py, "numpy", "empty")?;
            Ok(empty.call1((PyTuple::new(py, shape)?, dtype))?.cast_into()?)
        }
        Some(given) => {
            check_output(given, shape, dtype, name)?;
            Ok(given.cast()?.clone())
        }
    }
}

fn check_output(
    given: &Bound<PyAny>,
    shape: &[usize],
    dtype: &Bound<PyArrayDescr>,
    name: &str,
) -> PyResult<()> {
    let refused = |text: String| Err(PyValueError::new_err(format!("{name} {text}")));
    let Ok(array) = given.cast::<PyUntypedArray>() else {
        return refused(format!("must be an array, not {}", given.get_type().name()?));
    };
    if array.shape() != shape || !array.dtype().is_equiv_to(dtype) {
        return refused(format!("must be {dtype}{shape:?}, not {}{:?}", array.dtype(), array.shape()));
    }
    if !array.is_c_contiguous() {
        return refused("must be C-contiguous".to_owned());
    }
    let py = given.py();
    if !array.getattr(intern!(py, "flags"))?.getattr(intern!(py, "writeable"))?.is_truthy()? {
        return refused("is read-only".to_owned());
    }
    if !array.is_aligned() {
        return refused("is not aligned".to_owned());
    }
    Ok(())
}

/// The caller's arrays for several results, or none for each.
pub fn outputs<'py, const N: usize>(
    given: Option<&Bound<'py, PyAny>>,
    names: [&str; N],
) -> PyResult<[Option<Bound<'py, PyAny>>; N]> {
    let Some(given) = given else { return Ok([const { None }; N]) };
    let mut arrays = Vec::new();
    // Not `collect`, which asks Python for the length.
    for array in given.try_iter()? {
        arrays.push(Some(array?));
    }
    let count = arrays.len();
    arrays.try_into().map_err(|_| {
        PyValueError::new_err(format!("out must be {N} arrays ({}), not {count}", names.join(", ")))
    })
}

/// Refuses outputs that share memory with an input or another output. Only outputs given by the caller can.
pub fn separate<const N: usize>(
    given: Option<&Bound<PyAny>>,
    inputs: &[&Bound<PyAny>],
    outputs: [Option<&Bound<PyAny>>; N],
) -> PyResult<()> {
    let Some(given) = given else { return Ok(()) };
    static SHARE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let share = SHARE.import(given.py(), "numpy", "may_share_memory")?;
    let mut others = inputs.to_vec();
    for array in outputs.into_iter().flatten() {
        for other in &others {
            let is_empty = array.len()? == 0 || other.len()? == 0;
            if !is_empty && share.call1((array, other))?.is_truthy()? {
                let text = "an output shares its memory with an input or another output";
                return Err(PyValueError::new_err(text));
            }
        }
        others.push(array);
    }
    Ok(())
}

/// An output while it is written.
pub enum Written<'a, 'py, T: Element, D: Dimension> {
    Few(&'a mut [T]),
    Array(PyReadwriteArray<'py, T, D>),
}

impl<'py, T: Element, D: Dimension> Written<'_, 'py, T, D> {
    /// Fails if another call has the array.
    pub fn claim(array: &Bound<'py, PyArray<T, D>>) -> PyResult<Self> {
        array.try_readwrite().map(Written::Array).map_err(in_use)
    }

    /// Its rows of `width` numbers.
    pub fn table(&mut self, width: usize) -> Table<'_, T> {
        let cells = match self {
            Written::Few(cells) => cells,
            Written::Array(array) => array.as_slice_mut().expect("outputs are C-contiguous"),
        };
        Table::new(cells, width)
    }
}

/// The mask of faults, if it is asked for.
pub struct Mask<'py>(Option<Bound<'py, PyArray1<u8>>>, Option<PyReadwriteArray<'py, u8, Ix1>>);

impl<'py> Mask<'py> {
    pub fn new(py: Python<'py>, on_error: OnError, rows: usize) -> PyResult<Self> {
        if on_error == OnError::Raise {
            return Ok(Mask(None, None));
        }
        let array = PyArray1::zeros(py, rows, false);
        let written = array.try_readwrite().map_err(in_use)?;
        Ok(Mask(Some(array), Some(written)))
    }

    pub fn cells(&mut self) -> Option<&mut [u8]> {
        self.1.as_mut().map(|written| written.as_slice_mut().expect("a new array is contiguous"))
    }

    /// The result, or the result and the faults.
    pub fn with<T: IntoPyObjectExt<'py>>(self, py: Python<'py>, result: T) -> PyResult<Bound<'py, PyAny>> {
        match self.0 {
            None => result.into_bound_py_any(py),
            Some(faults) => (result.into_bound_py_any(py)?, faults).into_bound_py_any(py),
        }
    }
}

//! NumPy arrays as slices and tables.

use std::ops::{Deref, DerefMut};

use numpy::ndarray::{Dimension, Ix1, Ix2};
use numpy::{BorrowError, Element, PyArray, PyArrayMethods, PyReadonlyArray, PyReadwriteArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::rows::Table;

/// An array that a call reads.
pub struct Input<'py, T: Element, D: Dimension>(PyReadonlyArray<'py, T, D>);
/// An array that a call writes.
pub struct Out<'py, T: Element, D: Dimension>(PyReadwriteArray<'py, T, D>);

/// Rows of bytes: packed positions, or records that start with one.
pub type Bytes<'py> = Input<'py, u8, Ix2>;
/// One number per record.
pub type Column<'py, T> = Input<'py, T, Ix1>;
/// An output with one row per record.
pub type OutRows<'py, T> = Out<'py, T, Ix2>;
/// An output with one number per record.
pub type OutColumn<'py, T> = Out<'py, T, Ix1>;

/// Two calls on different threads can have the same array, which is a `TypeError` of the crate `numpy`.
fn in_use(error: BorrowError) -> PyErr {
    match error {
        BorrowError::AlreadyBorrowed => PyValueError::new_err(
            "an array is in use by another call, and one of the two calls writes to it; give each thread outputs of its own",
        ),
        error => PyValueError::new_err(error.to_string()),
    }
}

impl<'a, 'py, T: Element + 'a, D: Dimension + 'a> FromPyObject<'a, 'py> for Input<'py, T, D> {
    type Error = PyErr;

    fn extract(array: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        array.cast::<PyArray<T, D>>()?.try_readonly().map(Input).map_err(in_use)
    }
}

impl<'a, 'py, T: Element + 'a, D: Dimension + 'a> FromPyObject<'a, 'py> for Out<'py, T, D> {
    type Error = PyErr;

    fn extract(array: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        array.cast::<PyArray<T, D>>()?.try_readwrite().map(Out).map_err(in_use)
    }
}

impl<'py, T: Element, D: Dimension> Deref for Input<'py, T, D> {
    type Target = PyReadonlyArray<'py, T, D>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'py, T: Element, D: Dimension> Deref for Out<'py, T, D> {
    type Target = PyReadwriteArray<'py, T, D>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: Element, D: Dimension> DerefMut for Out<'_, T, D> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// An output of `rows` rows with `width` numbers each.
pub fn table<'a, T: Element>(array: &'a mut OutRows<T>, rows: usize, width: usize) -> PyResult<Table<'a, T>> {
    let has_shape = array.as_array().dim() == (rows, width);
    match array.as_slice_mut() {
        Ok(cells) if has_shape => Ok(Table::new(cells, width)),
        _ => {
            Err(PyValueError::new_err(format!("an output must be a C-contiguous array of {rows} × {width}")))
        }
    }
}

/// An output with one number for each of `rows` records.
pub fn column<'a, T: Element>(array: &'a mut OutColumn<T>, rows: usize) -> PyResult<Table<'a, T>> {
    match array.as_slice_mut() {
        Ok(cells) if cells.len() == rows => Ok(Table::new(cells, 1)),
        _ => Err(PyValueError::new_err(format!("an output must be a C-contiguous array of {rows}"))),
    }
}

/// The mask of faults, zeroed, if requested.
pub fn mask<'a>(array: Option<&'a mut OutColumn<u8>>, rows: usize) -> PyResult<Option<&'a mut [u8]>> {
    let Some(array) = array else { return Ok(None) };
    match array.as_slice_mut() {
        Ok(cells) if cells.len() == rows => {
            cells.fill(0);
            Ok(Some(cells))
        }
        _ => Err(PyValueError::new_err(format!("the faults must be a C-contiguous array of {rows}"))),
    }
}

/// Checks that an input has one number for each of `rows` records.
pub fn check_len<T: Element>(array: &Column<T>, rows: usize) -> PyResult<()> {
    match array.as_array().len() {
        len if len == rows => Ok(()),
        len => Err(PyValueError::new_err(format!("{len} numbers for {rows} records"))),
    }
}

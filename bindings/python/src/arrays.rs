//! NumPy arrays as slices and tables.

use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::rows::Table;

/// Rows of bytes: packed positions, or records that start with one.
pub type Bytes<'py> = PyReadonlyArray2<'py, u8>;
/// One number per record.
pub type Column<'py, T> = PyReadonlyArray1<'py, T>;
/// An output with one row per record.
pub type OutRows<'py, T> = PyReadwriteArray2<'py, T>;
/// An output with one number per record.
pub type OutColumn<'py, T> = PyReadwriteArray1<'py, T>;

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

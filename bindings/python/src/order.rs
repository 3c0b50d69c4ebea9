//! The order of the program's shuffle.

use komabako::dataset::large::ShuffleOrder;
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;

use crate::arrays::{Column, OutColumn, column};

/// The buckets that records draw, from a number on.
#[pyfunction]
pub fn shuffle_buckets(seed: u64, first: u64, mut out: OutColumn<u16>) -> PyResult<()> {
    let rows = out.as_array().len();
    ShuffleOrder { seed }.draw_buckets(first, column(&mut out, rows)?.cells);
    Ok(())
}

/// The order of all records of some buckets, by their indices among these.
#[pyfunction]
pub fn shuffle_order<'py>(
    py: Python<'py>,
    seed: u64,
    buckets: Column<'py, u16>,
) -> Bound<'py, PyArray1<usize>> {
    let buckets = buckets.as_array().to_vec();
    py.detach(|| ShuffleOrder { seed }.order(&buckets)).to_pyarray(py)
}

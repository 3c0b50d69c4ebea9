//! Shuffled orders: the program's, and a permutation that takes no memory.

use komabako::dataset::large::ShuffleOrder;
use komabako::record::order::Permutation;
use numpy::{PyArray1, PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::Written;

/// Writes the numbers at some places of a permutation of the numbers below `count`. Places must be below `count` too.
#[pyfunction]
pub fn permute(
    py: Python,
    places: PyReadonlyArray1<u64>,
    count: u64,
    key: Vec<u64>,
    out: &Bound<PyArray1<u64>>,
) -> PyResult<()> {
    let places = places.as_array();
    if count > 1 << 63 || places.iter().any(|&place| place >= count) {
        return Err(PyValueError::new_err(format!("a place is not below {count}, or this is above 2^63")));
    }
    let mut out = Written::claim(out)?;
    let out = out.table(1).cells;
    py.detach(|| {
        let order = Permutation::new(count, &key);
        out.iter_mut().zip(places).for_each(|(number, &place)| *number = order.at(place));
    });
    Ok(())
}

/// Writes the buckets that records draw in the program's shuffle, from the record number `first` on.
#[pyfunction]
pub fn shuffle_buckets(seed: u64, first: u64, out: &Bound<PyArray1<u16>>) -> PyResult<()> {
    ShuffleOrder { seed }.draw_buckets(first, Written::claim(out)?.table(1).cells);
    Ok(())
}

/// The shuffled order of all records of some buckets, as indices into `buckets`.
#[pyfunction]
pub fn shuffle_order<'py>(
    py: Python<'py>,
    seed: u64,
    buckets: PyReadonlyArray1<'py, u16>,
) -> Bound<'py, PyArray1<usize>> {
    let buckets = buckets.as_array().to_vec();
    py.detach(|| ShuffleOrder { seed }.order(&buckets)).to_pyarray(py)
}

//! The native half of the Python package `komabako`.
//!
//! A thin layer: the crates of the workspace do the computing, and Python checks the arguments. This crate turns arrays into
//! slices, distributes them to threads with the GIL released, and turns faults into exceptions.

#![forbid(unsafe_code)]

mod arrays;
mod fault;
mod features;
mod moves;
mod order;
mod positions;
mod program;
mod records;
mod rows;
mod small;
mod stream;
mod words;

use pyo3::prelude::*;
use pyo3::types::IntoPyDict;

/// The native half of komabako. Not for direct use: its arguments are checked in Python.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("CODECS", positions::codecs().into_py_dict(module.py())?)?;
    module.add("FAULTS", fault::NAMES.to_vec())?;
    module.add_function(wrap_pyfunction!(program::run_program, module)?)?;
    module.add_class::<small::Packing>()?;
    module.add_function(wrap_pyfunction!(small::small_hashes, module)?)?;
    module.add_function(wrap_pyfunction!(small::small_boards, module)?)?;
    module.add_function(wrap_pyfunction!(small::small_packed, module)?)?;
    module.add_function(wrap_pyfunction!(small::small_sfens, module)?)?;
    module.add_function(wrap_pyfunction!(small::small_bits, module)?)?;
    module.add_function(wrap_pyfunction!(small::small_nnue, module)?)?;
    module.add_function(wrap_pyfunction!(small::small_masks, module)?)?;
    module.add_class::<stream::Reader>()?;
    module.add_class::<stream::Writer>()?;
    module.add_function(wrap_pyfunction!(stream::detect, module)?)?;
    module.add_function(wrap_pyfunction!(stream::format_of_path, module)?)?;
    module.add_function(wrap_pyfunction!(words::decode_board, module)?)?;
    module.add_function(wrap_pyfunction!(words::encode_board, module)?)?;
    module.add_function(wrap_pyfunction!(words::pack_as, module)?)?;
    module.add_function(wrap_pyfunction!(words::hashes, module)?)?;
    module.add_function(wrap_pyfunction!(words::to_sfen, module)?)?;
    module.add_function(wrap_pyfunction!(words::from_sfen, module)?)?;
    module.add_function(wrap_pyfunction!(records::convert, module)?)?;
    module.add_function(wrap_pyfunction!(records::losses, module)?)?;
    module.add_function(wrap_pyfunction!(records::validate, module)?)?;
    module.add_function(wrap_pyfunction!(records::targets, module)?)?;
    module.add_function(wrap_pyfunction!(order::permute, module)?)?;
    module.add_function(wrap_pyfunction!(order::shuffle_buckets, module)?)?;
    module.add_function(wrap_pyfunction!(order::shuffle_order, module)?)?;
    module.add_function(wrap_pyfunction!(moves::convert_moves, module)?)?;
    module.add_function(wrap_pyfunction!(moves::moves_to_usi, module)?)?;
    module.add_function(wrap_pyfunction!(moves::moves_from_usi, module)?)?;
    module.add_function(wrap_pyfunction!(moves::is_legal, module)?)?;
    module.add_function(wrap_pyfunction!(features::dlshogi, module)?)?;
    module.add_function(wrap_pyfunction!(features::dlshogi_bits, module)?)?;
    module.add_function(wrap_pyfunction!(features::nnue, module)?)?;
    module.add_function(wrap_pyfunction!(features::labels, module)?)?;
    module.add_function(wrap_pyfunction!(features::legal_mask, module)?)
}

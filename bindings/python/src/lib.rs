//! The native half of the Python package `komabako`.
//!
//! A thin layer: the crates of the workspace do the computing. This crate checks the arguments, turns arrays into slices,
//! distributes them to threads with the GIL released, and turns faults into exceptions.

#![forbid(unsafe_code)]

mod archive;
mod arguments;
mod arrays;
mod fault;
mod features;
mod loader;
mod moves;
mod order;
mod positions;
mod program;
mod records;
mod rows;
mod stream;
mod words;

use pyo3::prelude::*;

/// The native half of komabako. Not for direct use: the functions of Python have the names and the defaults of its arguments.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("FAULTS", komabako::record::fault::NUMBERED.to_vec())?;
    module.add_function(wrap_pyfunction!(program::run_program, module)?)?;
    module.add_function(wrap_pyfunction!(arguments::threads, module)?)?;
    module.add_function(wrap_pyfunction!(arguments::word_size, module)?)?;
    module.add_class::<archive::Archive>()?;
    module.add_class::<loader::Loader>()?;
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
    module.add_function(wrap_pyfunction!(records::record_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(records::overwrite, module)?)?;
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
    module.add_function(wrap_pyfunction!(features::nnue, module)?)?;
    module.add_function(wrap_pyfunction!(features::labels, module)?)?;
    module.add_function(wrap_pyfunction!(features::legal_mask, module)?)
}

//! The native half of the Python package `komabako`.
//!
//! A thin layer: the crates of the workspace do the computing. This crate checks the arguments, turns arrays into slices,
//! distributes them to threads with the GIL released, and turns faults into exceptions.

#![forbid(unsafe_code)]

mod archive;
mod arguments;
mod arrays;
mod candidates;
mod condition;
mod fault;
mod features;
mod games;
mod loader;
mod moves;
mod order;
mod own;
mod position;
mod positions;
mod program;
mod records;
mod rows;
mod solve;
mod stream;
mod turned;
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
    module.add_class::<candidates::CandidateReader>()?;
    module.add_class::<games::Game>()?;
    module.add_class::<games::Games>()?;
    module.add_class::<loader::Loader>()?;
    module.add_class::<position::Move>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<stream::Reader>()?;
    module.add_class::<stream::Writer>()?;
    module.add_function(wrap_pyfunction!(loader::merge_states, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(stream::detect, module)?)?;
    module.add_function(wrap_pyfunction!(stream::format_of_path, module)?)?;
    module.add_function(wrap_pyfunction!(stream::made_up, module)?)?;
    module.add_function(wrap_pyfunction!(words::decode_board, module)?)?;
    module.add_function(wrap_pyfunction!(words::encode_board, module)?)?;
    module.add_function(wrap_pyfunction!(words::recode, module)?)?;
    module.add_function(wrap_pyfunction!(turned::turned, module)?)?;
    module.add_function(wrap_pyfunction!(turned::turned_moves, module)?)?;
    module.add_function(wrap_pyfunction!(candidates::policy, module)?)?;
    module.add_function(wrap_pyfunction!(condition::holds, module)?)?;
    module.add_function(wrap_pyfunction!(words::hashes, module)?)?;
    module.add_function(wrap_pyfunction!(words::to_sfen, module)?)?;
    module.add_function(wrap_pyfunction!(words::from_sfen, module)?)?;
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
    module.add_function(wrap_pyfunction!(moves::moves_from_labels, module)?)?;
    module.add_function(wrap_pyfunction!(moves::is_legal, module)?)?;
    module.add_function(wrap_pyfunction!(features::dlshogi, module)?)?;
    module.add_function(wrap_pyfunction!(features::nnue, module)?)?;
    module.add_function(wrap_pyfunction!(features::labels, module)?)?;
    module.add_function(wrap_pyfunction!(features::legal_mask, module)?)
}

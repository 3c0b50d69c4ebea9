//! The program `komabako`, as the package's script.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the program with these arguments, of which the first is the program's name, and returns its exit code.
#[pyfunction]
pub fn run_program(py: Python, arguments: Vec<OsString>) -> u8 {
    py.detach(|| komabako_program::run(arguments.into_iter()))
}

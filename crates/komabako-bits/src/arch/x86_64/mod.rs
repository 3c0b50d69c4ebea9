//! Backends in x86-64 instructions.

mod bmi2;

pub use bmi2::{Bmi2, run_bmi2};

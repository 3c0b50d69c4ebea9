//! Backends in x86-64 instructions.

#[macro_use]
mod witness;

mod bmi2;
mod cpu;

pub use bmi2::Bmi2;
pub use cpu::slow_pext;

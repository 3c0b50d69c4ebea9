//! Backends in x86-64 instructions.

#[macro_use]
mod witness;

mod avx2;
mod avx512;
mod bmi2;
mod cpu;
mod sse41;

pub use avx2::Avx2;
pub use avx512::Avx512;
pub use bmi2::Bmi2;
pub use cpu::slow_pext;
pub use sse41::Sse41;

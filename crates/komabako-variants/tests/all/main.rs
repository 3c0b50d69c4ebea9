//! The tests of the crate's surface, in one program: each more program would link everything again.

mod agreement;
mod majors;
mod owners;
mod vectors;

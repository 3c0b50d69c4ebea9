//! The tests of the crate's public interface, in one program: each further program would link everything again.

mod agreement;
mod layout;
mod majors;
mod owners;
mod vectors;

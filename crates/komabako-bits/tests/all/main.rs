//! The tests of the crate's public interface, in one program: each further program would link everything again.

mod backends;
mod choice;
mod lanes;

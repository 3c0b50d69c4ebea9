//! The tests of the crate's surface, in one program: each more program would link everything again.

mod backends;
mod choice;
mod lanes;

//! The tests of the crate's surface, in one program: each more program would link everything again.

mod position;
mod sfen;

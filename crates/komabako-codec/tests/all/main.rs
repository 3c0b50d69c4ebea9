//! The tests of the crate's surface, in one program: each more program would link everything again.

mod agreement;
mod layout;
mod lenient;
mod own_board;
mod recode;
mod vectors;

//! The tests of the crate's surface, in one program: each more program would link everything again.

mod agreement;
mod common;
mod fuzz;
mod npm;
mod random_trees;

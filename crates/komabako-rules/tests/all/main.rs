//! The tests of the crate's public interface, in one program: each further program would link everything again.

mod allocation;
mod common;
mod do_undo;
mod exchange;
mod fuzz;
mod generator;
mod illegality;
mod legality;
mod mates;
mod notation;
mod perft;

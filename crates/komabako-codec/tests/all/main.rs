//! The tests of the crate's public interface, in one program: each further program would link everything again.

mod agreement;
mod game_word;
mod lenient;
mod own_board;
mod recode;
mod vectors;

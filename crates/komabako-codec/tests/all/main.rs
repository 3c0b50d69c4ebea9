//! The tests of the crate's surface, in one program: every program more would be linked with everything again.

mod agreement;
mod layout;
mod lenient;
mod own_board;
mod recode;
mod vectors;

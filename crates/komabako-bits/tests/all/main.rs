//! The tests of the crate's surface, in one program: every program more would be linked with everything again.

mod backends;
mod choice;
mod lanes;

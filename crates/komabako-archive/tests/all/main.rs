//! The tests of the crate's public interface, in one program: each further program would link everything again.

mod common;
mod container;
mod damage;
mod fuzz;
mod python;
mod round_trip;
mod sizes;
mod vectors;

//! The tests of the crate's public interface, in one program: each additional program would link everything again.

mod common;
mod damage;
mod documents;
mod engine;
#[cfg(target_os = "linux")]
mod faults;
mod formats;
mod fuzz;
mod order;
mod outputs;
mod processes;
mod resources;
mod selection;
mod training;

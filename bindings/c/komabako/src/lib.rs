//! The C interface of Komabako, as `include/komabako.h` declares it.
//!
//! `ffi` has the exported functions: they check pointers, turn them into slices and catch panics. Everything else is safe
//! Rust on slices: `positions`, `records` and `batches` do the work with the crates of Komabako, `numbers` has the numbers that the
//! header gives to formats and sets, `failure` what a failed call says.

#![deny(unsafe_code)]

mod batches;
mod failure;
mod ffi;
mod numbers;
mod positions;
mod records;

//! Pointers of C as slices, texts and values, for the libraries beside this one: what can be checked of them is checked here.

#![deny(unsafe_code)]

pub mod arrays;
pub mod ffi;

pub use arrays::{Array, array, separate};

//! Batches for shogi's nnue-pytorch, in the two layouts that its branches read from a shared library.
//!
//! `komabako-nnue-coo` and `komabako-nnue-padded` export the functions. Here is what they have in common: the inputs
//! ([`inputs`]), the arrays of a batch ([`batch`]), and the stream of batches from files ([`stream`]), which the loader of Komabako
//! reads.

#![deny(unsafe_code)]

pub mod batch;
mod ffi;
pub mod inputs;
pub mod stream;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

pub use komabako_c_pointers::ffi as pointers;

/// Runs a function of the interface. A failure or a panic is told on standard error, and the caller gets a null pointer.
pub fn guard<T>(call: impl FnOnce() -> Result<Option<*mut T>, String>) -> *mut T {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => return value.unwrap_or(null_mut()),
        Ok(Err(text)) => eprintln!("komabako: {text}"),
        Err(_) => eprintln!("komabako: a program error; the message above says where"),
    }
    null_mut()
}

/// Drops what a call returns.
pub fn discard<T>(call: impl FnOnce() -> T) {
    guard::<()>(|| {
        drop(call());
        Ok(None)
    });
}

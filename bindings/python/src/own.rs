//! [`Own`]: what belongs to one process.

use std::mem;
use std::process;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// A value with threads in the process that made it. A child after a fork has none of them: it would wait for ever, even for a lock
/// that one of them held.
pub struct Own<T> {
    /// Always there until it is dropped.
    value: Mutex<Option<T>>,
    process: u32,
}

impl<T> Own<T> {
    pub fn new(value: T) -> Own<T> {
        Own { value: Mutex::new(Some(value)), process: process::id() }
    }

    /// Refuses another process than that of the value.
    pub fn check(&self) -> PyResult<()> {
        if self.is_here() {
            return Ok(());
        }
        let text = "this loop or file began in another process, before a fork: begin another one";
        Err(PyRuntimeError::new_err(text))
    }

    /// Calls a function with the value, locked; after a panic as well: loaders and ends of channels stay valid.
    pub fn with<R>(&self, call: impl FnOnce(&mut T) -> R) -> R {
        let mut value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        call(value.as_mut().expect("it is not being dropped"))
    }

    fn is_here(&self) -> bool {
        self.process == process::id()
    }
}

impl<T> Drop for Own<T> {
    fn drop(&mut self) {
        if !self.is_here() {
            // Dropping waits for threads, or takes the lock of a channel.
            let value = self.value.get_mut().unwrap_or_else(PoisonError::into_inner);
            mem::forget(value.take());
        }
    }
}

//! The outputs that a command has completed, which the report of a later failure lists.

use std::sync::{Mutex, PoisonError};

use komabako::dataset::when_output_completes;

/// The maximum number of names that are kept: `--split` may write a million files.
const KEPT: usize = 1000;

/// The outputs with their final names.
#[derive(Default)]
pub struct Completed {
    pub count: u64,
    /// The names of the first of them.
    pub names: Vec<String>,
}

static COMPLETED: Mutex<Completed> = Mutex::new(Completed { count: 0, names: Vec::new() });

/// Begins to note completed outputs.
pub fn watch() {
    drain();
    when_output_completes(note);
}

fn note(name: &str) {
    let mut completed = COMPLETED.lock().unwrap_or_else(PoisonError::into_inner);
    completed.count += 1;
    if completed.names.len() < KEPT {
        completed.names.push(name.to_owned());
    }
}

/// The number of outputs completed so far, and the names of the first of them.
pub fn so_far() -> (u64, Vec<String>) {
    let completed = COMPLETED.lock().unwrap_or_else(PoisonError::into_inner);
    (completed.count, completed.names.clone())
}

/// The outputs completed so far, which are then forgotten.
pub fn drain() -> Completed {
    std::mem::take(&mut *COMPLETED.lock().unwrap_or_else(PoisonError::into_inner))
}

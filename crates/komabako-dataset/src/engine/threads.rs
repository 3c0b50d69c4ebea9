//! [`start`]: threads that the system may refuse.

use std::thread::{Builder, Scope, ScopedJoinHandle};

use crate::DatasetError;

/// Starts a thread of a scope.
///
/// # Errors
/// [`DatasetError::Thread`] where `Scope::spawn` would panic: at the limit of threads or memory.
pub(crate) fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    run: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, DatasetError> {
    Builder::new().spawn_scoped(scope, run).map_err(DatasetError::Thread)
}

/// Starts up to `threads` threads with the same work: fewer if the system refuses more.
///
/// # Errors
/// As [`start`], if none could be started.
pub(crate) fn start_workers<'scope, W: FnOnce() + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    mut worker: impl FnMut() -> W,
) -> Result<(), DatasetError> {
    for number in 0..threads {
        match start(scope, worker()) {
            Err(error) if number == 0 => return Err(error),
            Err(_) => return Ok(()),
            Ok(_) => {}
        }
    }
    Ok(())
}

//! [`start`]: threads that the system may refuse.

use std::panic::resume_unwind;
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

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

/// What `find` returns for each of some items, in their order: each on a thread of its own, but on this one if there is only one item
/// or the system refuses another thread.
pub(crate) fn find_on_threads<I: Copy + Send, T: Send>(
    items: impl ExactSizeIterator<Item = I>,
    find: impl Fn(I) -> T + Sync,
) -> Vec<T> {
    if items.len() == 1 {
        return items.map(find).collect();
    }
    thread::scope(|scope| {
        let find = &find;
        let start = |item| Builder::new().spawn_scoped(scope, move || find(item)).map_err(|_| item);
        let threads: Vec<_> = items.map(start).collect();
        let join = |thread: Result<ScopedJoinHandle<'_, T>, I>| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(item) => find(item),
        };
        threads.into_iter().map(join).collect()
    })
}

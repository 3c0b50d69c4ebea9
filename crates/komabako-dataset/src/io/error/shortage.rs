//! [`Shortage`]: why a job would not finish.

use std::path::PathBuf;

/// Why a job would not finish.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Shortage {
    /// It needs more memory than is allowed or installed.
    #[error("the job needs {needed} bytes of memory, but only {allowed} are allowed; raise the limit")]
    Memory {
        /// The bytes that it needs.
        needed: u64,
        /// The bytes that it may take.
        allowed: u64,
    },
    /// It would fill a disk.
    #[error(
        "{}: the job needs {needed} bytes there, but only {free} are free; free some space, or name another directory",
        path.display()
    )]
    Disk {
        /// A directory on that disk.
        path: PathBuf,
        /// The bytes that it needs there.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
}

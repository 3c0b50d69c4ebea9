//! [`Shortage`]: why a job would not finish.

use std::path::PathBuf;

use komabako_messages::{Size, messages};

use super::file;

/// Why a job would not finish.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shortage {
    /// It needs more memory than is allowed or installed.
    Memory {
        /// The bytes that it needs.
        needed: u64,
        /// The bytes that it may take.
        allowed: u64,
    },
    /// It would fill a disk.
    Disk {
        /// A directory on that disk.
        path: PathBuf,
        /// The bytes that it needs there.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
}

messages! {
    Shortage {
        Memory { needed as size, allowed as size } => "the job needs {needed} of memory, but the limit is {allowed}",
            "メモリが {needed} 必要ですが、使えるのは {allowed} です";
        Disk { path as file, needed as size, free as size } => "{path}: the job needs {needed} there, but {free} are free",
            "{path}: {needed} 必要ですが、空きは {free} です";
    }
}

const fn size(bytes: &u64) -> Size {
    Size(*bytes)
}

impl core::error::Error for Shortage {}

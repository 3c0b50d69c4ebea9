//! Standard input that must not be empty.
//!
//! A closed standard input (`<&-` in a shell) reads like an empty one: before `main`, Rust opens `/dev/null` in its place. A
//! parent that hands over `/dev/null` cannot be told apart from that (Python's `subprocess.DEVNULL` is opened in the same way),
//! so neither is refused as such, and the same holds for standard output. But nothing read never replaces something kept.

use core::fmt;
use std::fs;
use std::io;
use std::path::Path;

/// What an error holds if standard input is empty and its records were to replace those of a file.
#[derive(Debug)]
struct Empty;

impl fmt::Display for Empty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is empty, and would replace a file by an empty one")
    }
}

impl core::error::Error for Empty {}

/// The error of an empty input that would replace a file.
pub fn empty() -> io::Error {
    io::Error::other(Empty)
}

/// Whether an error is that of [`empty`].
pub fn is_empty(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|cause| cause.is::<Empty>())
}

/// Whether something is lost if an empty file takes the place of a path.
pub fn holds_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| known.is_file() && known.len() > 0)
}

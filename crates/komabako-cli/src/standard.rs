//! Standard streams that are closed, or as good as closed.
//!
//! A closed standard input (`<&-` in a shell) reads like an empty one: before `main`, Rust opens `/dev/null` in its place, for
//! reading and writing. A parent that hands over `/dev/null` opened in the same way (Python's `subprocess.DEVNULL`) cannot be
//! distinguished from that. So an empty input is refused only where it would replace something kept. Of an output, the shell's
//! `>/dev/null` can be distinguished: it is opened for writing alone. One that is opened for both is taken for closed, a parent's
//! `subprocess.DEVNULL` too: an error that names the way out costs less than records that are gone.

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

/// Whether standard output was closed when the program started, so that what is written there is lost.
pub fn output_is_closed() -> bool {
    let is_null = fs::read_link("/proc/self/fd/1").is_ok_and(|target| target == Path::new("/dev/null"));
    let flags = fs::read_to_string("/proc/self/fdinfo/1").ok().and_then(|info| {
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
        u32::from_str_radix(flags.trim(), 8).ok()
    });
    // The lowest two bits: 0 to read, 1 to write, 2 for both. Without `/proc`, on other systems than Linux, nothing is known.
    is_null && flags.is_some_and(|flags| flags & 3 == 2)
}

/// Whether something is lost if an empty file takes the place of a path.
pub fn holds_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| known.is_file() && known.len() > 0)
}

//! Standard streams that are closed, or cannot be distinguished from closed ones.
//!
//! A closed standard input (`<&-` in a shell) reads like an empty one: before `main`, Rust opens `/dev/null` in its place, for
//! reading and writing. A parent that passes `/dev/null` opened in the same way (Python's `subprocess.DEVNULL`) looks the same.
//! So an empty input is refused only if it would replace existing data. For an output, the shell's `>/dev/null` can be
//! distinguished: it is opened for writing only. If it is opened for both, it is treated as closed, including a parent's
//! `subprocess.DEVNULL`: an error that names a way out costs less than lost records.

use std::fs;
use std::io;
use std::path::Path;

use komabako::messages::Phrase;

/// The cause of the error if standard input is empty and would replace the records of a file.
const EMPTY: Phrase = Phrase::new(
    "it is empty, and would replace an existing file with an empty one",
    "入力が空です。既存のファイルが空のファイルで置き換わるところでした",
);

/// The error of an empty input that would replace a file.
pub fn empty() -> io::Error {
    io::Error::other(EMPTY)
}

/// Whether an error was made by [`empty`].
pub fn is_empty(error: &io::Error) -> bool {
    error.get_ref().and_then(|cause| cause.downcast_ref()) == Some(&EMPTY)
}

/// Whether a path means standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether a path means standard output.
pub fn is_output(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    is_dash(path) || cfg!(unix) && names.iter().any(|name| path == Path::new(name))
}

/// Whether standard output was closed when the program started, so that output written there is lost.
pub fn output_is_closed() -> bool {
    let is_null = fs::read_link("/proc/self/fd/1").is_ok_and(|target| target == Path::new("/dev/null"));
    let flags = fs::read_to_string("/proc/self/fdinfo/1").ok().and_then(|info| {
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"))?;
        u32::from_str_radix(flags.trim(), 8).ok()
    });
    // The lowest two bits: 0 for reading, 1 for writing, 2 for both. Without `/proc` (not Linux) the result is false.
    is_null && flags.is_some_and(|flags| flags & 3 == 2)
}

/// Whether replacing a path with an empty file would lose data.
pub fn holds_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| known.is_file() && known.len() > 0)
}

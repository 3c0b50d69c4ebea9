//! Failed calls: their numbers, and their texts by thread.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use komabako::loader::LoaderError;

/// Why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// An argument that no call can have.
    Argument(String),
    /// A bad record, without an array for faults.
    Record {
        /// Its number, from 0.
        record: usize,
        /// The fault in words.
        fault: String,
    },
    /// The loader's.
    Loader(LoaderError),
}

impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure::Argument(text)
    }
}

impl From<LoaderError> for Failure {
    fn from(error: LoaderError) -> Failure {
        Failure::Loader(error)
    }
}

impl Failure {
    /// The number that the call returns.
    fn status(&self) -> i32 {
        match self {
            Failure::Argument(_) => -1,
            Failure::Record { .. } | Failure::Loader(LoaderError::BadRecord(_)) => -2,
            Failure::Loader(error) => match error {
                LoaderError::BadPlan(_) => -3,
                LoaderError::NoRandomAccess(_) | LoaderError::NotUniform(_) => -4,
                LoaderError::TooLittleMemory { .. } => -5,
                LoaderError::Source(_) | LoaderError::DamagedArchive(_) => -6,
                LoaderError::StateMismatch(_) => -7,
                LoaderError::BadState(_) => -8,
                LoaderError::Policy(_) => -9,
                LoaderError::Feature(_) => -10,
                LoaderError::System(_) => -11,
                LoaderError::Panicked => PANIC,
                // A kind that is newer than this library.
                _ => -12,
            },
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Argument(text) => f.write_str(text),
            Failure::Loader(error) => error.with_advice().fmt(f),
            Failure::Record { record, fault } => {
                write!(f, "record {record}: {fault}; pass an array for faults to keep the others")
            }
        }
    }
}

const PANIC: i32 = -99;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a call. Its failure, or its panic, becomes a number and a text.
pub fn guard(call: impl FnOnce() -> Result<i32, Failure>) -> i32 {
    // After a panic only results of this call are meaningless. A loader is behind a lock, and begins again from its last batch.
    let (status, text) = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(status)) => return status,
        Ok(Err(failure)) => (failure.status(), failure.to_string()),
        Err(panic) => (PANIC, format!("a program error of komabako: {}", message(&*panic))),
    };
    // A thread that is ending has no text.
    _ = LAST.try_with(|last| last.replace(text));
    status
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// The text of the last failed call of this thread.
pub fn last() -> String {
    LAST.try_with(|last| last.borrow().clone()).unwrap_or_default()
}

/// Writes a text with a final 0, cut to the buffer at a whole character, and returns the length of the whole text. Nothing is
/// written where there is no buffer.
pub fn write_text(text: &str, buffer: Result<&mut [u8], String>) -> usize {
    let buffer = buffer.unwrap_or_default();
    if let Some(room) = buffer.len().checked_sub(1) {
        let length = text.floor_char_boundary(room);
        buffer[..length].copy_from_slice(&text.as_bytes()[..length]);
        buffer[length] = 0;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_a_number_and_a_text() {
        assert_eq!(guard(|| panic!("a {}", "test")), PANIC);
        assert_eq!(last(), "a program error of komabako: a test");
        assert_eq!(guard(|| Err(Failure::Argument("no".to_owned()))), -1);
        assert_eq!(guard(|| Ok(3)), 3);
        assert_eq!(last(), "no");
        std::thread::spawn(|| assert_eq!(last(), "")).join().unwrap();
    }

    #[test]
    fn texts_are_cut_to_their_buffers() {
        let mut buffer = [7; 6];
        assert_eq!(write_text("駒箱", Ok(&mut buffer)), 6);
        assert_eq!(buffer, [0xe9, 0xa7, 0x92, 0, 7, 7]);
        assert_eq!(write_text("abc", Ok(&mut buffer)), 3);
        assert_eq!(buffer[..4], *b"abc\0");
        assert_eq!(write_text("abc", Ok(&mut [])), 3);
        assert_eq!(write_text("abc", Err("no buffer".to_owned())), 3);
    }
}

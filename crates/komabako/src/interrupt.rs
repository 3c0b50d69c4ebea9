//! Ends a conversion cleanly on Ctrl-C, SIGTERM and SIGHUP, so that no temporary file stays behind.

use std::io::{self, Read};
use std::process;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komabako::dataset::{Waiting, stop_waiting_when};

use crate::standard;

/// The exit code of a program that Ctrl-C ended, by the shells' convention 128 + SIGINT.
pub const EXIT_CODE: u8 = 130;

/// The interval at which waiting code checks for a request to stop.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Signals within this time are one request: `timeout` sends one to the program and another to its process group.
const SAME_REQUEST: Duration = Duration::from_millis(500);

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handlers: the first signal only makes [`requested`] true, and ends the wait for a pipe; another one, later
/// than [`SAME_REQUEST`], exits the program at once.
pub fn catch() {
    stop_waiting_when(requested);
    // Without a handler the program still runs; only the temporary file would stay behind.
    let mut first = None;
    let _ = ctrlc::set_handler(move || {
        let first = *first.get_or_insert_with(Instant::now);
        if REQUESTED.swap(true, Ordering::Relaxed) && first.elapsed() > SAME_REQUEST {
            process::exit(EXIT_CODE.into());
        }
    });
    // A write beyond the limit of a file's size (`ulimit -f`) raises a signal that ends the program and leaves an unfinished
    // file. With a handler the write fails like any other. The flag is never read.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Standard input that stops waiting when the user asks to stop.
pub struct Stdin {
    waiting: io::Result<Waiting>,
    /// Whether an input without any byte is an error.
    must_not_be_empty: bool,
}

impl Stdin {
    /// Starts reading. `must_not_be_empty` makes an input without any byte [an error](standard::empty).
    pub fn open(must_not_be_empty: bool) -> Self {
        Stdin { waiting: Waiting::start(|| Ok(io::stdin())), must_not_be_empty }
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = match &mut self.waiting {
            Ok(waiting) => waiting.read(buffer)?,
            Err(error) => return Err(io::Error::new(error.kind(), error.to_string())),
        };
        if length == 0 && !buffer.is_empty() && self.must_not_be_empty {
            return Err(standard::empty());
        }
        self.must_not_be_empty &= length == 0;
        Ok(length)
    }
}

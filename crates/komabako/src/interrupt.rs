//! Ends a conversion cleanly on Ctrl-C, SIGTERM and SIGHUP, so that no temporary file stays behind.

use std::io::{self, Read};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
#[cfg(unix)]
use std::{fs, os::unix::net::UnixStream, sync::Arc, thread};

use komabako::dataset::{Waiting, stop_waiting_when};
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::standard;

/// The exit code of a program that Ctrl-C ended, by the shells' convention 128 + SIGINT.
pub const EXIT_CODE: u8 = 130;

/// The interval at which waiting code checks for a request to stop.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Signals within this time are one request: `timeout` sends one to the program and another to its process group.
const SAME_REQUEST: Duration = Duration::from_millis(500);

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handlers: the first signal only makes [`requested`] true, and ends the wait for a pipe; another one, later
/// than [`SAME_REQUEST`], exits the program at once. A signal that is ignored when the program starts stays ignored: `nohup` has
/// SIGHUP so, and shells have SIGINT so for the background jobs of scripts.
pub fn catch() {
    stop_waiting_when(requested);
    // Without a handler the program still runs; only the temporary file would stay behind.
    #[cfg(windows)]
    let _ = ctrlc::set_handler(on_signal());
    // It refuses if any of the signals has a handler or is ignored, and does not say which.
    #[cfg(unix)]
    if ctrlc::try_set_handler(on_signal()).is_err() {
        let _ = catch_those_not_ignored();
    }
    // A write beyond the limit of a file's size (`ulimit -f`) raises a signal that ends the program and leaves an unfinished
    // file. With a handler the write fails like any other. The flag is never read.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// What to do at each signal.
fn on_signal() -> impl FnMut() + Send {
    let mut first = None;
    move || {
        let first = *first.get_or_insert_with(Instant::now);
        if REQUESTED.swap(true, Ordering::Relaxed) && first.elapsed() > SAME_REQUEST {
            process::exit(EXIT_CODE.into());
        }
    }
}

/// Installs the handlers of the signals that are not ignored. Each signal writes a byte to a socket, which a thread reads.
#[cfg(unix)]
fn catch_those_not_ignored() -> io::Result<()> {
    let ignored = ignored_signals();
    let (mut received, sent) = UnixStream::pair()?;
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if ignored & 1 << (signal - 1) == 0 {
            signal_hook::low_level::pipe::register(signal, sent.try_clone()?)?;
        }
    }
    let mut on_signal = on_signal();
    thread::Builder::new().spawn(move || {
        while received.read_exact(&mut [0]).is_ok() {
            on_signal();
        }
    })?;
    Ok(())
}

/// The signals that are ignored, a bit each, from signal 1 on. Only Linux tells without `unsafe` code; on other systems all that
/// shells and `nohup` may have set so count as ignored.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.unwrap_or(1 << (SIGINT - 1) | 1 << (SIGHUP - 1))
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

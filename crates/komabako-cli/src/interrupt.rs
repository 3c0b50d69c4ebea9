//! Ends a conversion cleanly on Ctrl-C, SIGTERM and SIGHUP, so that no temporary file stays behind.

use std::io::{self, Read};
use std::process;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::standard;

/// The exit code of a program that Ctrl-C ended, by the shells' convention 128 + SIGINT.
pub const EXIT_CODE: u8 = 130;

/// The interval at which waiting code checks for a request to stop.
pub const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The size of a chunk in bytes.
const CHUNK: usize = 1 << 18;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handlers: the first signal only makes [`requested`] true, the second exits the program at once.
pub fn catch() {
    // Without a handler the program still runs; only the temporary file would stay behind.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
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

/// Standard input that stops waiting when the user asks to stop: it is read on a separate thread.
pub struct Stdin {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    used: usize,
    /// Whether an input without any byte is an error.
    must_not_be_empty: bool,
}

impl Stdin {
    /// Starts reading. `must_not_be_empty` makes an input without any byte [an error](standard::empty).
    pub fn open(must_not_be_empty: bool) -> Self {
        let (sender, chunks) = mpsc::sync_channel(2);
        let refused = sender.clone();
        let read = move || {
            let mut stdin = io::stdin().lock();
            loop {
                let mut chunk = Vec::with_capacity(CHUNK);
                let read = stdin.by_ref().take(CHUNK as u64).read_to_end(&mut chunk).map(|_| chunk);
                let is_last = read.as_ref().map_or(true, Vec::is_empty);
                if sender.send(read).is_err() || is_last {
                    break;
                }
            }
        };
        if let Err(error) = thread::Builder::new().spawn(read) {
            // The first message of the channel, which is empty: this does not wait.
            let _ = refused.send(Err(error));
        }
        Stdin { chunks, chunk: Vec::new(), used: 0, must_not_be_empty }
    }
}

/// The end of the input, unless it ended because the same Ctrl-C killed the program that wrote it: that end arrives at about
/// the same time as our own signal.
fn end() -> io::Result<usize> {
    thread::sleep(POLL_INTERVAL);
    if requested() { Err(interrupted()) } else { Ok(0) }
}

fn interrupted() -> io::Error {
    io::Error::other("interrupted")
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.used == self.chunk.len() {
            match self.chunks.recv_timeout(POLL_INTERVAL) {
                Ok(chunk) => (self.chunk, self.used) = (chunk?, 0),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if requested() => return Err(interrupted()),
                Err(RecvTimeoutError::Timeout) => continue,
            }
            if self.chunk.is_empty() {
                let length = end()?;
                return if self.must_not_be_empty { Err(standard::empty()) } else { Ok(length) };
            }
            self.must_not_be_empty = false;
        }
        let length = buffer.len().min(self.chunk.len() - self.used);
        buffer[..length].copy_from_slice(&self.chunk[self.used..][..length]);
        self.used += length;
        Ok(length)
    }
}

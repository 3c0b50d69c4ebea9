//! Ends a conversion cleanly on Ctrl-C, SIGTERM and SIGHUP, so that no temporary file stays behind.

use std::io::{self, Read};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The exit code of a program that Ctrl-C ended, by the shells' convention 128 + SIGINT.
pub const EXIT_CODE: u8 = 130;

/// How often a reader that waits for input looks whether to stop.
const PATIENCE: Duration = Duration::from_millis(20);

/// Bytes handed over at a time.
const CHUNK: usize = 1 << 18;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// From now on the first signal only makes [`requested`] true. The second ends the program at once.
pub fn catch() {
    // Without a handler the program still runs; only the temporary file would stay behind.
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            process::exit(EXIT_CODE.into());
        }
    });
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Standard input that stops waiting when the user asks to stop: read on a thread of its own.
pub struct Stdin {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    used: usize,
}

impl Stdin {
    /// Starts to read.
    pub fn open() -> Self {
        let (sender, chunks) = mpsc::sync_channel(2);
        thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            loop {
                let mut chunk = Vec::with_capacity(CHUNK);
                let read = stdin.by_ref().take(CHUNK as u64).read_to_end(&mut chunk).map(|_| chunk);
                let is_last = read.as_ref().map_or(true, Vec::is_empty);
                if sender.send(read).is_err() || is_last {
                    break;
                }
            }
        });
        Stdin { chunks, chunk: Vec::new(), used: 0 }
    }
}

/// The end of the input, unless it ends because the same Ctrl-C ended the program that wrote it: that reaches us about
/// when our own signal does.
fn end() -> io::Result<usize> {
    thread::sleep(PATIENCE);
    if requested() { Err(interrupted()) } else { Ok(0) }
}

fn interrupted() -> io::Error {
    io::Error::other("interrupted")
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.used == self.chunk.len() {
            match self.chunks.recv_timeout(PATIENCE) {
                Ok(chunk) => (self.chunk, self.used) = (chunk?, 0),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if requested() => return Err(interrupted()),
                Err(RecvTimeoutError::Timeout) => continue,
            }
            if self.chunk.is_empty() {
                return end();
            }
        }
        let length = buffer.len().min(self.chunk.len() - self.used);
        buffer[..length].copy_from_slice(&self.chunk[self.used..][..length]);
        self.used += length;
        Ok(length)
    }
}

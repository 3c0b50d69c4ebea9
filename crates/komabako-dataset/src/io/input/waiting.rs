//! [`Waiting`]: a stream that may keep its reader waiting: standard input, a pipe, a terminal.
//!
//! Opening a named pipe waits for a program that writes to it, and reading waits for its data, both without an end. So a thread
//! opens and reads the stream, and the reader of its chunks can stop waiting when the user wants to stop. The thread then
//! ends with the program.

use core::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The interval at which a waiting reader asks whether to stop.
const INTERVAL: Duration = Duration::from_millis(20);

/// The size of a chunk in bytes.
const CHUNK: usize = 1 << 18;

static IS_STOPPED: OnceLock<fn() -> bool> = OnceLock::new();

/// Makes every [`Waiting`] reader of the program fail once `is_stopped` returns true, for example after Ctrl-C. It is called
/// some fifty times per second, on any thread. Without this, readers wait as long as it takes. Only the first call counts.
pub fn stop_waiting_when(is_stopped: fn() -> bool) {
    let _ = IS_STOPPED.set(is_stopped);
}

/// Fails if the program is to [stop](stop_waiting_when).
pub(crate) fn check_stopped() -> io::Result<()> {
    match IS_STOPPED.get() {
        Some(is_stopped) if is_stopped() => Err(io::Error::other(Stopped)),
        _ => Ok(()),
    }
}

/// The cause of the error of a reader that has stopped waiting.
#[derive(Debug)]
pub(crate) struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl core::error::Error for Stopped {}

/// The number of the descriptor that a path means: that of `/dev/stdout`, of a shell's `>(…)`.
pub(crate) fn descriptor(path: &Path) -> Option<u32> {
    if !cfg!(unix) {
        return None;
    }
    match path.to_str()? {
        "/dev/stdin" => Some(0),
        "/dev/stdout" => Some(1),
        "/dev/stderr" => Some(2),
        path => path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"))?.parse().ok(),
    }
}

/// A stream that is opened and read on a thread of its own.
pub struct Waiting {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    used: usize,
}

impl Waiting {
    /// Starts reading the stream that `open` returns, and waits until it has.
    ///
    /// # Errors
    /// The error of `open`; that of starting a thread; that of [stopping](stop_waiting_when).
    pub fn start<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static) -> io::Result<Waiting> {
        let (sender, chunks) = mpsc::sync_channel(2);
        let read = move || {
            let opened = open();
            // An empty chunk says that the stream is open.
            let (mut stream, said) = match opened {
                Ok(stream) => (stream, sender.send(Ok(Vec::new()))),
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            let mut is_wanted = said.is_ok();
            while is_wanted {
                let mut chunk = Vec::with_capacity(CHUNK);
                let read = stream.by_ref().take(CHUNK as u64).read_to_end(&mut chunk).map(|_| chunk);
                let is_last = read.as_ref().map_or(true, Vec::is_empty);
                is_wanted = sender.send(read).is_ok() && !is_last;
            }
        };
        thread::Builder::new().spawn(read)?;
        let mut waiting = Waiting { chunks, chunk: Vec::new(), used: 0 };
        waiting.next()?;
        Ok(waiting)
    }

    /// Opens a pipe or a device.
    ///
    /// # Errors
    /// As of [`start`](Waiting::start).
    pub(crate) fn open(path: &Path) -> io::Result<Waiting> {
        let path = path.to_owned();
        Waiting::start(move || File::open(path))
    }

    /// Opens a pipe, a device or a file that is an open descriptor (`/dev/stdout`) for writing: a named pipe waits for a program that
    /// reads it.
    ///
    /// # Errors
    /// As of [`start`](Waiting::start).
    pub fn open_to_write(path: &Path) -> io::Result<File> {
        #[cfg(unix)]
        if let Some(number) = descriptor(path) {
            use std::os::fd::AsFd;
            match number {
                1 => return io::stdout().as_fd().try_clone_to_owned().map(File::from),
                2 => return io::stderr().as_fd().try_clone_to_owned().map(File::from),
                // A file that is opened again would be written from its start on.
                _ if path.is_file() => return File::options().append(true).open(path),
                _ => {}
            }
        }
        let path = path.to_owned();
        let (sender, opened) = mpsc::channel();
        thread::Builder::new().spawn(move || sender.send(File::options().write(true).open(path)))?;
        loop {
            match opened.recv_timeout(INTERVAL) {
                Ok(file) => return file,
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::Other.into()),
                Err(RecvTimeoutError::Timeout) => check_stopped()?,
            }
        }
    }

    /// The next chunk; empty at the end of the stream.
    fn next(&mut self) -> io::Result<Vec<u8>> {
        loop {
            match self.chunks.recv_timeout(INTERVAL) {
                Ok(chunk) => return chunk,
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) => check_stopped()?,
            }
        }
    }
}

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.used == self.chunk.len() && !buffer.is_empty() {
            self.chunk = self.next()?;
            self.used = 0;
            if self.chunk.is_empty() {
                // The end may be there because the same Ctrl-C ended the program that wrote: then our own signal comes at
                // about the same time.
                thread::sleep(INTERVAL);
                check_stopped()?;
                return Ok(0);
            }
        }
        let length = buffer.len().min(self.chunk.len() - self.used);
        buffer[..length].copy_from_slice(&self.chunk[self.used..][..length]);
        self.used += length;
        Ok(length)
    }
}

//! [`Counter`]: the number of bytes read from the inputs.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A count that readers on other threads add to.
#[derive(Clone, Default)]
pub(crate) struct Counter(Arc<AtomicU64>);

impl Counter {
    /// The bytes counted so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds bytes that were read.
    pub fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The same stream, with its bytes counted.
    pub fn counting<R: Read>(&self, source: R) -> Counting<R> {
        Counting { source, counter: self.clone() }
    }
}

/// A stream whose bytes are counted.
pub(crate) struct Counting<R> {
    source: R,
    counter: Counter,
}

impl<R: Seek> Seek for Counting<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.counter.add(read as u64);
        Ok(read)
    }
}

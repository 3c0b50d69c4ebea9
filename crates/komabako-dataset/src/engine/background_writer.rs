//! [`BackgroundWriter`]: writes chunks of bytes on a separate thread.

use std::sync::mpsc::{self, Receiver, Sender};

use crate::DatasetError;

/// Sends chunks to a [`WriteChunk`] on another thread.
///
/// A fixed number of chunks is recycled, so that memory is bounded: [`send`](Self::send) exchanges a full chunk for an empty
/// one, and blocks until one is available. Dropping it blocks until the writer has finished.
pub(crate) struct BackgroundWriter<R> {
    /// `None` after an error or [`finish`](Self::finish).
    full: Option<Sender<AddressedChunk>>,
    back: Receiver<Answer<R>>,
    /// The total number of chunks, and those that are ready to be filled.
    chunks: usize,
    ready: Vec<Vec<u8>>,
}

/// Writes chunks in the order in which they were sent.
pub(crate) trait WriteChunk {
    /// Writes one chunk to its address, such as the number of a file.
    fn write_chunk(&mut self, address: usize, chunk: &[u8]) -> Result<(), DatasetError>;
}

/// The half that runs on the writing thread.
pub(crate) struct WriterThread<R> {
    destination: R,
    full: Receiver<AddressedChunk>,
    back: Sender<Answer<R>>,
}

type AddressedChunk = (usize, Vec<u8>);

enum Answer<R> {
    /// A written chunk, cleared.
    Empty(Vec<u8>),
    /// Writing failed, and the destination was dropped.
    Failed(DatasetError),
    /// Everything is written.
    Done(R),
}

impl<R: WriteChunk> BackgroundWriter<R> {
    /// A writer with `chunks` chunks besides the one being filled, and the half that [runs](WriterThread::run) on the
    /// other thread.
    pub fn new(destination: R, chunks: usize) -> (BackgroundWriter<R>, WriterThread<R>) {
        let (full_sender, full) = mpsc::channel();
        let (back, answers) = mpsc::channel();
        let ready = vec![Vec::new(); chunks];
        (
            BackgroundWriter { full: Some(full_sender), back: answers, chunks, ready },
            WriterThread { destination, full, back },
        )
    }

    /// Sends a chunk, and returns an empty one.
    ///
    /// # Errors
    /// The destination's error, at this chunk or at an earlier one; after that [`DatasetError::Cancelled`].
    pub fn send(&mut self, address: usize, chunk: Vec<u8>) -> Result<Vec<u8>, DatasetError> {
        let Some(full) = &self.full else { return Err(DatasetError::Cancelled) };
        // If the other thread has ended, its answer holds the reason.
        let _ = full.send((address, chunk));
        if self.ready.is_empty() {
            self.await_chunk()?;
        }
        Ok(self.ready.pop().expect("one is ready"))
    }

    /// Waits until everything that was sent is written.
    ///
    /// # Errors
    /// As [`BackgroundWriter::send`].
    pub fn flush(&mut self) -> Result<(), DatasetError> {
        if self.full.is_none() {
            return Err(DatasetError::Cancelled);
        }
        // Every chunk is back only if every chunk has been written.
        while self.ready.len() < self.chunks {
            self.await_chunk()?;
        }
        Ok(())
    }

    /// Waits until a chunk is back.
    fn await_chunk(&mut self) -> Result<(), DatasetError> {
        match self.answer() {
            Answer::Empty(chunk) => {
                self.ready.push(chunk);
                Ok(())
            }
            Answer::Failed(error) => {
                // No further call can succeed: the writer is gone, and its error is reported once.
                self.full = None;
                Err(error)
            }
            Answer::Done(_) => unreachable!("more may come"),
        }
    }

    /// Waits until everything is written, and returns the destination.
    ///
    /// # Errors
    /// As [`BackgroundWriter::send`].
    pub fn finish(mut self) -> Result<R, DatasetError> {
        if self.full.take().is_none() {
            return Err(DatasetError::Cancelled);
        }
        loop {
            match self.answer() {
                Answer::Empty(_) => {}
                Answer::Failed(error) => return Err(error),
                Answer::Done(destination) => return Ok(destination),
            }
        }
    }

    fn answer(&self) -> Answer<R> {
        self.back.recv().expect("the destination says when it fails")
    }
}

impl<R> Drop for BackgroundWriter<R> {
    fn drop(&mut self) {
        self.full = None;
        // The other thread drops its sender last, so this loop ends when that thread is done.
        while self.back.recv().is_ok() {}
    }
}

impl<R: WriteChunk> WriterThread<R> {
    /// Writes the chunks that are sent, until the sender is dropped or the destination fails.
    pub fn run(self) {
        let WriterThread { mut destination, full, back } = self;
        for (address, mut chunk) in full {
            if let Err(error) = destination.write_chunk(address, &chunk) {
                // Its unfinished output is removed before the error is reported.
                drop(destination);
                let _ = back.send(Answer::Failed(error));
                return;
            }
            chunk.clear();
            // The `BackgroundWriter` may be gone.
            let _ = back.send(Answer::Empty(chunk));
        }
        let _ = back.send(Answer::Done(destination));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Collects chunks, and fails at the chunk `fail`.
    #[derive(Default)]
    struct Chunks(Vec<(usize, Vec<u8>)>);

    impl WriteChunk for Chunks {
        fn write_chunk(&mut self, address: usize, chunk: &[u8]) -> Result<(), DatasetError> {
            if chunk == b"fail" {
                return Err(DatasetError::Part("shelf".into()));
            }
            self.0.push((address, chunk.to_vec()));
            Ok(())
        }
    }

    #[test]
    fn chunks_arrive_in_order_and_come_back_empty() {
        for chunks in 1..4 {
            let (mut writer, writer_thread) = BackgroundWriter::new(Chunks::default(), chunks);
            thread::spawn(move || writer_thread.run());
            let mut chunk = Vec::new();
            for number in 0..100_u8 {
                chunk.push(number);
                chunk = writer.send(usize::from(number % 7), chunk).unwrap();
                assert!(chunk.is_empty());
                if number % 11 == 3 {
                    writer.flush().unwrap();
                }
            }
            let expected: Vec<_> =
                (0..100_u8).map(|number| (usize::from(number % 7), vec![number])).collect();
            assert_eq!(writer.finish().unwrap().0, expected);
        }
    }

    #[test]
    fn an_error_is_reported_once_and_later_sends_are_cancelled() {
        for later in [0, 1, 5] {
            let (mut writer, writer_thread) = BackgroundWriter::new(Chunks::default(), 2);
            thread::spawn(move || writer_thread.run());
            let mut reported = writer.send(0, b"fail".to_vec()).err();
            for _ in 0..later {
                let error = writer.send(0, b"more".to_vec()).err();
                assert!(reported.is_none() || matches!(error, Some(DatasetError::Cancelled)), "{error:?}");
                reported = reported.or(error);
            }
            let end = writer.finish().err();
            assert!(matches!(reported.or(end), Some(DatasetError::Part(_))));
        }
    }

    /// Writes slowly.
    struct Slow<'a>(&'a AtomicBool);

    impl WriteChunk for Slow<'_> {
        fn write_chunk(&mut self, _: usize, _: &[u8]) -> Result<(), DatasetError> {
            thread::sleep(Duration::from_millis(20));
            self.0.store(true, Ordering::Relaxed);
            Ok(())
        }
    }

    #[test]
    fn dropping_the_writer_waits_for_the_thread() {
        let is_written = AtomicBool::new(false);
        thread::scope(|scope| {
            let (mut writer, writer_thread) = BackgroundWriter::new(Slow(&is_written), 2);
            scope.spawn(move || writer_thread.run());
            writer.send(0, Vec::new()).unwrap();
            drop(writer);
            assert!(is_written.load(Ordering::Relaxed));
        });
    }
}

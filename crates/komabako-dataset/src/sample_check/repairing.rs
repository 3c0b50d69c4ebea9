//! A repair whose output another job reads directly, without a file in between.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use super::Mismatch;
use crate::io::compression::Content;
use crate::io::input::{Counter, Stamp};
use crate::repair::{Job, Moves};
use crate::{DatasetError, FileFormat, Input, JobOptions, Output, Progress, Step};

/// The maximum number of chunks that the repair may be ahead of the job that reads them.
const CHUNKS: usize = 4;

/// The records of an input as `repair` writes them; `None` unless the input is a file. The repair runs on its own threads,
/// from the first read on, and ends when the content is dropped.
pub(super) fn content(
    mismatch: &Mismatch,
    stamp: Option<Stamp>,
    counter: &Counter,
) -> Option<Content<'static>> {
    let path = mismatch.path.clone()?;
    let moves = match &mismatch.moves {
        None => Moves::Auto,
        Some(moves) => moves.encoding().map_or(Moves::Mixed, Moves::All),
    };
    let counter = counter.clone();
    let request = RepairRequest { path, stamp, format: mismatch.format, moves, counter };
    Some(Box::new(RepairedContent { request: Some(request), chunks: None, chunk: io::Cursor::default() }))
}

/// The input to repair, and the method.
struct RepairRequest {
    path: PathBuf,
    stamp: Option<Stamp>,
    format: FileFormat,
    moves: Moves,
    /// The count of the bytes that the job reads.
    counter: Counter,
}

/// A chunk of the repaired records, `None` at their end, or the error that ended them. The end is a message of its own because
/// a closed channel may also mean that the repair panicked: then records would be missing.
type Chunk = Result<Option<Vec<u8>>, DatasetError>;

/// Runs a repair and reads its output.
struct RepairedContent {
    request: Option<RepairRequest>,
    chunks: Option<Receiver<Chunk>>,
    chunk: io::Cursor<Vec<u8>>,
}

impl Read for RepairedContent {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Starts at the first read: inputs are read one after the other, and each repair takes all CPUs.
        if let Some(request) = self.request.take() {
            self.chunks = Some(start(request));
        }
        loop {
            let read = self.chunk.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(chunks) = &self.chunks else { return Ok(0) };
            let chunk =
                chunks.recv().map_err(|_| io::Error::other("the repair ended before its input did"))?;
            match chunk.map_err(io::Error::other)? {
                Some(chunk) => self.chunk = io::Cursor::new(chunk),
                None => self.chunks = None,
            }
        }
    }
}

/// Starts a repair.
fn start(request: RepairRequest) -> Receiver<Chunk> {
    // Bounded: the repair waits for the job that reads, so that memory does not grow with the file.
    let (sender, receiver) = mpsc::sync_channel(CHUNKS);
    let refused = sender.clone();
    let repair = move || {
        let RepairRequest { path, stamp, format, moves, counter } = request;
        let output = Output::Stream(path.display().to_string(), Box::new(Chunks(sender.clone())));
        let options = JobOptions { from: Some(format), ..JobOptions::default() };
        let job = Job { moves, options, ..Job::new(vec![Input::Path(path)], output) };
        // If the receiver is gone, neither the end nor the error is of use.
        let _ = sender.send(run(job, stamp, &counter).map(|()| None));
    };
    if let Err(error) = thread::Builder::new().spawn(repair) {
        // The first message of the channel, which is empty: this does not wait.
        let _ = refused.send(Err(DatasetError::Thread(error)));
    }
    receiver
}

/// Repairs the file that the job has examined.
fn run(job: Job, stamp: Option<Stamp>, counter: &Counter) -> Result<(), DatasetError> {
    let plan = job.plan()?;
    plan.inputs().sources().iter().try_for_each(|source| source.check_stamp(stamp))?;
    let mut counted = Counted { counter, bytes: 0 };
    let bytes = plan.run(&mut counted)?.counts.bytes_read;
    counted.count_to(bytes);
    Ok(())
}

/// Counts the bytes that a repair reads as bytes that the job reads.
struct Counted<'c> {
    counter: &'c Counter,
    /// The bytes that are counted.
    bytes: u64,
}

impl Counted<'_> {
    fn count_to(&mut self, bytes: u64) {
        self.counter.add(bytes.saturating_sub(self.bytes));
        self.bytes = self.bytes.max(bytes);
    }
}

impl Progress for Counted<'_> {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        self.count_to(step.bytes);
        ControlFlow::Continue(())
    }
}

/// Sends the bytes that are written.
struct Chunks(SyncSender<Chunk>);

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(Ok(Some(bytes.to_vec()))).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repair_without_an_end_is_an_error() {
        let (sender, chunks) = mpsc::sync_channel(2);
        let mut content =
            RepairedContent { request: None, chunks: Some(chunks), chunk: io::Cursor::default() };
        sender.send(Ok(Some(vec![1, 2]))).unwrap();
        // As in a panic, which drops the sender.
        drop(sender);
        let mut read = Vec::new();
        assert!(content.read_to_end(&mut read).is_err());
        assert_eq!(read, [1, 2]);

        let (sender, chunks) = mpsc::sync_channel(2);
        content.chunks = Some(chunks);
        sender.send(Ok(Some(vec![3]))).unwrap();
        sender.send(Ok(None)).unwrap();
        drop(sender);
        assert_eq!(content.read_to_end(&mut read).unwrap(), 1);
    }
}

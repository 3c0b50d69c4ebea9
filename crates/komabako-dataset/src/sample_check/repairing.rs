//! A repair whose output another job reads directly, without a file in between.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use super::Mismatch;
use crate::io::detect::Content;
use crate::repair::{Job, Moves};
use crate::{DatasetError, FileFormat, Input, JobOptions, Output};

/// The maximum number of chunks that the repair may be ahead of the job that reads them.
const CHUNKS: usize = 4;

/// The records of an input as `repair` writes them; `None` unless the input is a file. The repair runs on its own threads,
/// from the first read on, and ends when the content is dropped.
pub(super) fn content(mismatch: &Mismatch) -> Option<Content<'static>> {
    let path = mismatch.path.clone()?;
    let moves = match &mismatch.moves {
        None => Moves::Auto,
        Some(moves) => moves.encoding().map_or(Moves::Mixed, Moves::All),
    };
    let request = RepairRequest { path, format: mismatch.format, moves };
    Some(Box::new(RepairedContent { request: Some(request), chunks: None, chunk: io::Cursor::default() }))
}

/// The input to repair, and the method.
struct RepairRequest {
    path: PathBuf,
    format: FileFormat,
    moves: Moves,
}

/// A chunk of the repaired records, or the error that ended them.
type Chunk = Result<Vec<u8>, DatasetError>;

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
            // A finished repair has dropped its end of the channel.
            let Some(Ok(chunk)) = self.chunks.as_ref().map(Receiver::recv) else { return Ok(0) };
            self.chunk = io::Cursor::new(chunk.map_err(io::Error::other)?);
        }
    }
}

/// Starts a repair.
fn start(request: RepairRequest) -> Receiver<Chunk> {
    // Bounded: the repair waits for the job that reads, so that memory does not grow with the file.
    let (sender, receiver) = mpsc::sync_channel(CHUNKS);
    thread::spawn(move || {
        let RepairRequest { path, format, moves } = request;
        let output = Output::Stream(path.display().to_string(), Box::new(Chunks(sender.clone())));
        let options = JobOptions { from: Some(format), ..JobOptions::default() };
        let job = Job { moves, options, ..Job::new(vec![Input::Path(path)], output) };
        if let Err(error) = job.run(&mut ()) {
            // If the receiver is gone, the error is of no use.
            let _ = sender.send(Err(error));
        }
    });
    receiver
}

/// Sends the bytes that are written.
struct Chunks(SyncSender<Chunk>);

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(Ok(bytes.to_vec())).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! [`PartitionWriter`]: writes many temporary files at once, of which one is open at a time.

use std::fs::File;
use std::io::Write;
use std::mem;
use std::path::PathBuf;
use std::thread;

use komabako_record::hash::Hasher128;

use super::TempFile;
use crate::DatasetError;
use crate::Name;
use crate::engine::background_writer::{BackgroundWriter, WriteChunk};

/// Files that grow in turns, on a background thread once more than one buffer is to be written.
pub(crate) struct PartitionWriter {
    /// A buffer for each file. Reserved at once: growing per entry could take up to twice the bytes.
    waiting: Vec<Vec<u8>>,
    /// The last entries of each file, for which there is room in the caches: entries go to any of the buffers in turn, and a CPU
    /// waits for each that it does not hold, while it fetches in advance what it copies at once.
    staged: Vec<Vec<u8>>,
    /// The number of bytes to buffer before a file is written.
    buffer: usize,
    files: Files,
}

/// The thread that has the files.
enum Files {
    /// The caller's: nothing has been sent yet.
    Local(Growing),
    /// The writer thread.
    Background(BackgroundWriter<Growing>),
}

/// The files and their lengths and hashes.
#[derive(Default)]
struct Growing(Vec<GrowingFile>);

struct GrowingFile {
    path: PathBuf,
    bytes: u64,
    hasher: Hasher128,
}

/// The bytes of entries to copy to a buffer at once.
const STAGED_BYTES: usize = 1 << 10;

/// The slack of a buffer for the entries that fill it.
const ENTRY_BYTES: usize = STAGED_BYTES + (1 << 10);

/// The maximum memory of a file besides its buffer.
const FILE_BYTES: u64 = 6 << 10;

/// The number of buffers in transit to or from the writer thread.
const BUFFERS_IN_TRANSIT: usize = 4;

impl PartitionWriter {
    /// The number of buffers for `files` files.
    pub fn buffers(files: usize) -> u64 {
        files as u64 + BUFFERS_IN_TRANSIT as u64
    }

    /// The maximum memory of `files` files, with buffers of `buffer` bytes.
    pub fn memory(files: usize, buffer: usize) -> u64 {
        PartitionWriter::buffers(files).saturating_mul(buffer as u64 + FILE_BYTES)
    }

    /// Creates empty files at the paths, replacing existing ones, with a buffer of `buffer` bytes for each.
    pub fn create(
        paths: impl IntoIterator<Item = PathBuf>,
        buffer: usize,
    ) -> Result<PartitionWriter, DatasetError> {
        let mut files = Vec::new();
        for path in paths {
            File::create(&path).map_err(|error| DatasetError::Create(path.clone(), error))?;
            files.push(GrowingFile { path, bytes: 0, hasher: Hasher128::new() });
        }
        Ok(PartitionWriter::new(files, buffer))
    }

    /// Resumes files from an earlier state: their content is checked, and anything after it is truncated.
    pub fn reopen(
        parts: impl IntoIterator<Item = (PathBuf, TempFile)>,
        buffer: usize,
    ) -> Result<PartitionWriter, DatasetError> {
        let mut files = Vec::new();
        for (path, part) in parts {
            let hasher = part.truncate(&path)?;
            files.push(GrowingFile { path, bytes: part.bytes, hasher });
        }
        Ok(PartitionWriter::new(files, buffer))
    }

    fn new(files: Vec<GrowingFile>, buffer: usize) -> PartitionWriter {
        let waiting = vec![Vec::new(); files.len()];
        let staged = vec![Vec::new(); files.len()];
        PartitionWriter { waiting, staged, buffer, files: Files::Local(Growing(files)) }
    }

    /// Flushes all buffers, and returns the length and checksum of each file.
    pub fn checkpoint(&mut self) -> Result<Vec<TempFile>, DatasetError> {
        (0..self.staged.len()).try_for_each(|file| self.copy_staged(file))?;
        for (file, waiting) in self.waiting.iter_mut().enumerate().filter(|(_, waiting)| !waiting.is_empty())
        {
            match &mut self.files {
                Files::Local(files) => {
                    files.write_chunk(file, waiting)?;
                    waiting.clear();
                }
                Files::Background(writer) => *waiting = writer.send(file, mem::take(waiting))?,
            }
        }
        let files = match mem::replace(&mut self.files, Files::Local(Growing::default())) {
            Files::Local(files) => files,
            Files::Background(writer) => writer.finish()?,
        };
        let parts = files.0.iter().map(|file| TempFile::new(file.bytes, &file.hasher)).collect();
        self.files = Files::Local(files);
        Ok(parts)
    }

    /// Appends to a file whatever `entry` appends to the vector. An entry of more than 1 KiB may take extra memory
    /// until it is written. An error may stem from an earlier entry.
    #[inline]
    pub fn push(&mut self, file: usize, entry: impl FnOnce(&mut Vec<u8>)) -> Result<(), DatasetError> {
        let staged = &mut self.staged[file];
        if staged.capacity() == 0 {
            staged.reserve_exact(ENTRY_BYTES);
        }
        entry(staged);
        if staged.len() < STAGED_BYTES { Ok(()) } else { self.copy_staged(file) }
    }

    /// Moves the last entries of a file to its buffer.
    fn copy_staged(&mut self, file: usize) -> Result<(), DatasetError> {
        let staged = &mut self.staged[file];
        let waiting = &mut self.waiting[file];
        if waiting.capacity() == 0 {
            waiting.reserve_exact(self.buffer + ENTRY_BYTES);
        }
        waiting.extend_from_slice(staged);
        staged.clear();
        staged.shrink_to(ENTRY_BYTES);
        if waiting.len() < self.buffer { Ok(()) } else { self.flush(file) }
    }

    /// Sends the buffer of a file to the writer thread.
    fn flush(&mut self, file: usize) -> Result<(), DatasetError> {
        // The first full buffer starts the thread: a small job writes everything at the end and needs none.
        if let Files::Local(files) = &mut self.files {
            let (writer, writer_thread) = BackgroundWriter::new(mem::take(files), BUFFERS_IN_TRANSIT);
            let thread = thread::Builder::new().spawn(move || writer_thread.run());
            thread.map_err(DatasetError::Thread)?;
            self.files = Files::Background(writer);
        }
        let Files::Background(writer) = &mut self.files else {
            unreachable!("the files have been sent to the writer thread")
        };
        // A full buffer is exchanged for an empty one: nothing is copied, and memory stays at the reserved amount.
        let spare = writer.send(file, mem::take(&mut self.waiting[file]))?;
        // A buffer that grew beyond its reserve is freed.
        if spare.capacity() <= self.buffer + ENTRY_BYTES {
            self.waiting[file] = spare;
        }
        Ok(())
    }

    /// Flushes all buffers, and returns the length and checksum of each file.
    pub fn finish(mut self) -> Result<Vec<TempFile>, DatasetError> {
        self.checkpoint()
    }
}

impl WriteChunk for Growing {
    fn write_chunk(&mut self, file: usize, chunk: &[u8]) -> Result<(), DatasetError> {
        let GrowingFile { path, bytes, hasher } = &mut self.0[file];
        // Opened for each chunk: there may be more files than a process may have open.
        let append = || File::options().append(true).open(&*path)?.write_all(chunk);
        append().map_err(|error| DatasetError::Write(Name::from(&path), error))?;
        hasher.write(chunk);
        *bytes += chunk.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_stay_within_the_announced_memory() {
        const BUFFER: usize = 5_000;
        let directory = tempfile::tempdir().unwrap();
        let mut spill =
            PartitionWriter::create((0..3).map(|file| directory.path().join(file.to_string())), BUFFER)
                .unwrap();
        for number in 0..1_000 {
            // Now and then an entry too large for any buffer.
            let length = if number % 97 == 0 { 9_000 } else { number % 400 };
            spill.push(number % 3, |out| out.extend(std::iter::repeat_n(number as u8, length))).unwrap();
            let buffers: usize = spill.waiting.iter().map(Vec::capacity).sum();
            let taken = buffers + BUFFERS_IN_TRANSIT * (BUFFER + ENTRY_BYTES) + 3 * size_of::<GrowingFile>();
            assert!(taken as u64 <= PartitionWriter::memory(3, BUFFER), "{taken} after {number}");
        }
        let lengths: Vec<u64> = spill.finish().unwrap().iter().map(|part| part.bytes).collect();
        let expected = |file: usize| {
            (file..1_000).step_by(3).map(|number| if number % 97 == 0 { 9_000 } else { number % 400 })
        };
        assert_eq!(lengths, [0, 1, 2].map(|file| expected(file).sum::<usize>() as u64));
    }
}

//! [`PartitionWriter`]: many temporary files written at once, of which one is open at a time.

use std::fs::File;
use std::io::Write;
use std::mem;
use std::path::PathBuf;
use std::thread;

use komabako_record::hash::Hasher128;

use super::TempFile;
use crate::DatasetError;
use crate::engine::background_writer::{BackgroundWriter, WriteChunk};

/// Files that grow in turns, on a thread of their own once there is more to write than one buffer holds.
pub(crate) struct PartitionWriter {
    /// A buffer for each file. Reserved at once: grown entry by entry it would take up to twice its bytes.
    waiting: Vec<Vec<u8>>,
    /// How many bytes are collected before a file is written.
    buffer: usize,
    files: Files,
}

/// Where the files are.
enum Files {
    /// Nothing is written.
    Here(Growing),
    /// On the thread that writes them.
    There(BackgroundWriter<Growing>),
}

/// The files and what is known of each.
#[derive(Default)]
struct Growing(Vec<GrowingFile>);

struct GrowingFile {
    path: PathBuf,
    bytes: u64,
    hasher: Hasher128,
}

/// The slack of a buffer: room for the entry that fills it.
const ENTRY_BYTES: usize = 1 << 10;

/// The most memory of a file beside its buffer.
const FILE_BYTES: u64 = 3 << 10;

/// How many buffers are on their way to their files or back.
const ON_THE_WAY: usize = 4;

impl PartitionWriter {
    /// The number of buffers for `files` files.
    pub fn buffers(files: usize) -> u64 {
        files as u64 + ON_THE_WAY as u64
    }

    /// The most memory of `files` files, with buffers of `bytes`.
    pub fn memory(files: usize, buffer: usize) -> u64 {
        PartitionWriter::buffers(files).saturating_mul(buffer as u64 + FILE_BYTES)
    }

    /// Starts empty files at the paths, replacing what is there, with a buffer of `bytes` for each.
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

    /// Goes on with files as they were once: what they hold is checked, and what came after is cut off.
    pub fn reopen(
        parts: impl IntoIterator<Item = (PathBuf, TempFile)>,
        buffer: usize,
    ) -> Result<PartitionWriter, DatasetError> {
        let mut files = Vec::new();
        for (path, part) in parts {
            let hasher = part.cut(&path)?;
            files.push(GrowingFile { path, bytes: part.bytes, hasher });
        }
        Ok(PartitionWriter::new(files, buffer))
    }

    fn new(files: Vec<GrowingFile>, buffer: usize) -> PartitionWriter {
        let waiting = files.iter().map(|_| Vec::new()).collect();
        PartitionWriter { waiting, buffer, files: Files::Here(Growing(files)) }
    }

    /// Flushes all buffers, and returns the length and checksum of each file.
    pub fn checkpoint(&mut self) -> Result<Vec<TempFile>, DatasetError> {
        for (file, waiting) in self.waiting.iter_mut().enumerate().filter(|(_, waiting)| !waiting.is_empty())
        {
            match &mut self.files {
                Files::Here(files) => {
                    files.write_chunk(file, waiting)?;
                    waiting.clear();
                }
                Files::There(writer) => *waiting = writer.send(file, mem::take(waiting))?,
            }
        }
        let files = match mem::replace(&mut self.files, Files::Here(Growing::default())) {
            Files::Here(files) => files,
            Files::There(writer) => writer.finish()?,
        };
        let parts = files.0.iter().map(|file| TempFile::new(file.bytes, &file.hasher)).collect();
        self.files = Files::Here(files);
        Ok(parts)
    }

    /// Appends to a file what the function appends to a vector. An entry of more than 1 KiB may take memory of its own
    /// until it is written. An error may be that of an earlier entry.
    #[inline]
    pub fn push(&mut self, file: usize, entry: impl FnOnce(&mut Vec<u8>)) -> Result<(), DatasetError> {
        let waiting = &mut self.waiting[file];
        if waiting.capacity() == 0 {
            waiting.reserve_exact(self.buffer + ENTRY_BYTES);
        }
        entry(waiting);
        if waiting.len() < self.buffer { Ok(()) } else { self.flush(file) }
    }

    /// Has what is collected for a file written.
    fn flush(&mut self, file: usize) -> Result<(), DatasetError> {
        // The thread is started by the first full buffer: a small job writes everything at the end and needs none.
        if let Files::Here(files) = &mut self.files {
            let (writer, writer_thread) = BackgroundWriter::new(mem::take(files), ON_THE_WAY);
            thread::spawn(move || writer_thread.run());
            self.files = Files::There(writer);
        }
        let Files::There(writer) = &mut self.files else { unreachable!("they have been sent there") };
        // A full buffer is exchanged for an empty one: nothing is copied, and memory stays what was reserved.
        let spare = writer.send(file, mem::take(&mut self.waiting[file]))?;
        // One that has grown beyond its room is given back.
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
        append().map_err(|error| DatasetError::Write(path.display().to_string(), error))?;
        hasher.write(chunk);
        *bytes += chunk.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_take_no_more_than_announced() {
        const BUFFER: usize = 5_000;
        let directory = tempfile::tempdir().unwrap();
        let mut spill =
            PartitionWriter::create((0..3).map(|file| directory.path().join(file.to_string())), BUFFER)
                .unwrap();
        for number in 0..1_000 {
            // Now and then an entry that no buffer has room for.
            let length = if number % 97 == 0 { 9_000 } else { number % 400 };
            spill.push(number % 3, |out| out.extend(std::iter::repeat_n(number as u8, length))).unwrap();
            let buffers: usize = spill.waiting.iter().map(Vec::capacity).sum();
            let taken = buffers + ON_THE_WAY * (BUFFER + ENTRY_BYTES) + 3 * size_of::<GrowingFile>();
            assert!(taken as u64 <= PartitionWriter::memory(3, BUFFER), "{taken} after {number}");
        }
        let lengths: Vec<u64> = spill.finish().unwrap().iter().map(|part| part.bytes).collect();
        let expected = |file: usize| {
            (file..1_000).step_by(3).map(|number| if number % 97 == 0 { 9_000 } else { number % 400 })
        };
        assert_eq!(lengths, [0, 1, 2].map(|file| expected(file).sum::<usize>() as u64));
    }
}

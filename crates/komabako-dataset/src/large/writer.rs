//! [`OutputWriter`]: writes the output of a job, record by record.

use std::io::Write;
use std::mem;
use std::thread::Scope;

use komabako_record::hash::Hasher128;

use super::entries::Piece;
use crate::Name;
use crate::engine::background_writer::{BackgroundWriter, WriteChunk};
use crate::engine::temporary::TempFile;
use crate::engine::threads::start;
use crate::io::archive::About;
use crate::io::compression::Encoder;
use crate::io::output::Target;
use crate::{Compression, DatasetError, FileFormat};

/// An output that is written on a separate thread.
pub(super) struct OutputWriter<'a> {
    writer: BackgroundWriter<EncodedOutput<'a>>,
    /// The chunk that is being filled.
    chunk: Vec<u8>,
    /// Whether records need a line end.
    is_text: bool,
    /// The number of records so far.
    pub records: u64,
    /// The number of bytes so far, before compression.
    pub bytes: u64,
    /// The checksum of the bytes so far, if a later run can resume.
    hasher: Option<Hasher128>,
}

/// The encoder and its target.
struct EncodedOutput<'a> {
    encoder: Encoder<Target<'a>>,
    name: Name,
}

/// The size of a chunk.
const CHUNK_BYTES: usize = 1 << 18;
/// The number of chunks in transit to the output or back.
const CHUNKS_IN_TRANSIT: usize = 3;

impl<'a> OutputWriter<'a> {
    /// Its memory besides the encoder, in bytes.
    pub const MEMORY: u64 = (1 + CHUNKS_IN_TRANSIT as u64) * CHUNK_BYTES as u64;

    /// Starts the thread that writes to an empty target; first the header, if `has_header` is set.
    pub fn start<'scope>(
        target: Target<'a>,
        to: FileFormat,
        has_header: bool,
        compression: Compression,
        threads: usize,
        about: About,
        scope: &'scope Scope<'scope, '_>,
    ) -> Result<OutputWriter<'a>, DatasetError>
    where
        'a: 'scope,
    {
        let name = target.name().clone();
        let encoder = compression.encoder(target, threads);
        let mut encoder = encoder.map_err(|error| DatasetError::Write(name.clone(), error))?;
        encoder.describe(about);
        let (writer, writer_thread) =
            BackgroundWriter::new(EncodedOutput { encoder, name }, CHUNKS_IN_TRANSIT);
        start(scope, move || writer_thread.run())?;
        let is_text = to.is_text();
        let chunk = if has_header { to.header().to_vec() } else { Vec::new() };
        let bytes = chunk.len() as u64;
        Ok(OutputWriter { writer, chunk, is_text, records: 0, bytes, hasher: None })
    }

    /// The same, but appending to written content, uncompressed, with occasional [checkpoints](OutputWriter::checkpoint).
    pub fn resuming(self, records: u64, bytes: u64, hasher: Hasher128) -> OutputWriter<'a> {
        // If bytes have been written, the header is among them.
        let chunk = if bytes == 0 { self.chunk } else { Vec::new() };
        let bytes = bytes.max(chunk.len() as u64);
        OutputWriter { chunk, records, bytes, hasher: Some(hasher), ..self }
    }

    /// Writes a record. An error may stem from an earlier one.
    #[inline]
    pub fn write(&mut self, record: &[u8]) -> Result<(), DatasetError> {
        let length = record.len() + usize::from(self.is_text);
        if self.chunk.len() + length > CHUNK_BYTES {
            self.flush()?;
        }
        // Reserved at once, not grown record by record.
        if self.chunk.capacity() < CHUNK_BYTES {
            self.chunk.reserve_exact(CHUNK_BYTES - self.chunk.len());
        }
        self.chunk.extend_from_slice(record);
        if self.is_text {
            self.chunk.push(b'\n');
        }
        self.records += 1;
        self.bytes += length as u64;
        Ok(())
    }

    /// Writes neighbouring records with their line ends. An error may stem from an earlier one.
    pub fn write_piece(&mut self, piece: Piece) -> Result<(), DatasetError> {
        self.records += piece.records;
        self.bytes += piece.bytes.len() as u64;
        if !self.chunk.is_empty() {
            self.flush()?;
        }
        // Not copied, but sent as it is.
        self.chunk = piece.bytes;
        self.flush()
    }

    /// Sends the chunk to the writing thread.
    fn flush(&mut self) -> Result<(), DatasetError> {
        // These are the bytes as they will be in the file: an output that can be resumed is not compressed.
        if let Some(hasher) = &mut self.hasher {
            hasher.write(&self.chunk);
        }
        self.chunk = self.writer.send(0, mem::take(&mut self.chunk))?;
        Ok(())
    }

    /// Waits until all is written, and returns the length and checksum of the output; `None` if no later run can resume.
    pub fn checkpoint(&mut self) -> Result<Option<TempFile>, DatasetError> {
        if self.hasher.is_some() {
            self.flush()?;
            self.writer.flush()?;
        }
        Ok(self.hasher.as_ref().map(|hasher| TempFile::new(self.bytes, hasher)))
    }

    /// Writes everything. Returns the output, which still has its temporary name, and the number of its records and bytes.
    pub fn finish(self) -> Result<(Target<'a>, (u64, u64)), DatasetError> {
        let OutputWriter { mut writer, chunk, records, bytes, .. } = self;
        writer.send(0, chunk)?;
        let EncodedOutput { encoder, name } = writer.finish()?;
        let target = encoder.finish().map_err(|error| DatasetError::Write(name, error))?;
        Ok((target, (records, bytes)))
    }
}

impl WriteChunk for EncodedOutput<'_> {
    fn write_chunk(&mut self, _: usize, chunk: &[u8]) -> Result<(), DatasetError> {
        self.encoder.write_all(chunk).map_err(|error| DatasetError::Write(self.name.clone(), error))
    }
}

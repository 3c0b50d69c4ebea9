//! [`Writer`]: the output of a job, record by record.

use std::io::Write;
use std::mem;
use std::thread::Scope;

use crate::compression::Encoder;
use crate::courier::{Courier, Recipient};
use crate::output::Target;
use crate::{Compression, DatasetError, FileFormat, Output};

/// An output that is being written, on a thread of its own.
pub(super) struct Writer<'a> {
    courier: Courier<Sink<'a>>,
    /// What is collected for it.
    piece: Vec<u8>,
    /// Whether records want a line end.
    is_text: bool,
    /// Records so far.
    pub records: u64,
    /// Bytes so far, before compression.
    pub bytes: u64,
}

/// Where the output goes.
struct Sink<'a> {
    encoder: Encoder<Target<'a>>,
    name: String,
}

/// How much is collected before it is written.
const PIECE_BYTES: usize = 1 << 18;
/// How many pieces are on their way to the output or back.
const ON_THE_WAY: usize = 3;

impl<'a> Writer<'a> {
    /// The memory that it takes beside the encoder, in bytes.
    pub const MEMORY: u64 = (1 + ON_THE_WAY as u64) * PIECE_BYTES as u64;

    /// Opens an output and starts its thread.
    pub fn open<'scope>(
        output: Output<'a>,
        to: FileFormat,
        compression: Compression,
        threads: usize,
        force: bool,
        scope: &'scope Scope<'scope, '_>,
    ) -> Result<Writer<'a>, DatasetError>
    where
        'a: 'scope,
    {
        let target = Target::open(output, force)?;
        let name = target.name().to_owned();
        let encoder = compression.encoder(target, threads);
        let encoder = encoder.map_err(|error| DatasetError::Write(name.clone(), error))?;
        let (courier, round) = Courier::new(Sink { encoder, name }, ON_THE_WAY);
        scope.spawn(move || round.run());
        Ok(Writer { courier, piece: Vec::new(), is_text: to.is_text(), records: 0, bytes: 0 })
    }

    /// Writes a record. An error may be that of an earlier one.
    #[inline]
    pub fn put(&mut self, record: &[u8]) -> Result<(), DatasetError> {
        let line_end: &[u8] = if self.is_text { b"\n" } else { b"" };
        let length = record.len() + line_end.len();
        if self.piece.len() + length > PIECE_BYTES {
            self.piece = self.courier.hand_over(0, mem::take(&mut self.piece))?;
        }
        // Not grown record by record.
        if self.piece.capacity() == 0 {
            self.piece.reserve_exact(PIECE_BYTES);
        }
        self.piece.extend_from_slice(record);
        self.piece.extend_from_slice(line_end);
        self.records += 1;
        self.bytes += length as u64;
        Ok(())
    }

    /// Writes what is left, and puts the output in its place. Returns how many records and bytes it has.
    pub fn finish(self) -> Result<(u64, u64), DatasetError> {
        let Writer { mut courier, piece, records, bytes, .. } = self;
        courier.hand_over(0, piece)?;
        let Sink { encoder, name } = courier.finish()?;
        encoder.finish().map_err(|error| DatasetError::Write(name, error))?.complete()?;
        Ok((records, bytes))
    }
}

impl Recipient for Sink<'_> {
    fn take(&mut self, _: usize, piece: &[u8]) -> Result<(), DatasetError> {
        self.encoder.write_all(piece).map_err(|error| DatasetError::Write(self.name.clone(), error))
    }
}

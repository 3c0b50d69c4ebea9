//! [`Writer`]: the output of a job, record by record.

use std::io::{BufWriter, Write};

use crate::compression::Encoder;
use crate::output::Target;
use crate::{Compression, DatasetError, FileFormat, Output};

/// An output that is being written.
pub(super) struct Writer<'a> {
    sink: BufWriter<Encoder<Target<'a>>>,
    name: String,
    /// Whether records want a line end.
    is_text: bool,
    /// Records so far.
    pub records: u64,
    /// Bytes so far, before compression.
    pub bytes: u64,
}

impl<'a> Writer<'a> {
    pub fn open(
        output: Output<'a>,
        to: FileFormat,
        compression: Compression,
        threads: usize,
        force: bool,
    ) -> Result<Writer<'a>, DatasetError> {
        let target = Target::open(output, force)?;
        let name = target.name().to_owned();
        let encoder = compression.encoder(target, threads);
        let encoder = encoder.map_err(|error| DatasetError::Write(name.clone(), error))?;
        let sink = BufWriter::with_capacity(1 << 20, encoder);
        Ok(Writer { sink, name, is_text: to.is_text(), records: 0, bytes: 0 })
    }

    /// Writes a record.
    #[inline]
    pub fn put(&mut self, record: &[u8]) -> Result<(), DatasetError> {
        let line_end: &[u8] = if self.is_text { b"\n" } else { b"" };
        let written = self.sink.write_all(record).and_then(|()| self.sink.write_all(line_end));
        self.records += 1;
        self.bytes += (record.len() + line_end.len()) as u64;
        written.map_err(|error| DatasetError::Write(self.name.clone(), error))
    }

    /// Writes what is left, and puts the output in its place. Returns how many records and bytes it has.
    pub fn finish(self) -> Result<(u64, u64), DatasetError> {
        let Writer { sink, name, records, bytes, .. } = self;
        let encoder = sink.into_inner().map_err(std::io::IntoInnerError::into_error);
        let target = encoder.and_then(Encoder::finish);
        target.map_err(|error| DatasetError::Write(name, error))?.complete()?;
        Ok((records, bytes))
    }
}

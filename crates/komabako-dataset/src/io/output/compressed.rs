//! [`Compressed`]: an output that is compressed as it is written.

use std::io::Write;

use super::{Output, Target};
use crate::Name;
use crate::io::compression::Encoder;
use crate::{Compression, DatasetError, FileFormat};

/// An opened output, and the number of bytes written to it.
pub(crate) struct Compressed<'a> {
    sink: Encoder<Target<'a>>,
    name: Name,
    /// The bytes so far, before compression.
    pub bytes: u64,
}

impl<'a> Compressed<'a> {
    /// Opens an output. Nothing is visible under its name before [`Compressed::complete`].
    pub fn open(
        output: Output<'a>,
        compression: Compression,
        threads: usize,
        force: bool,
    ) -> Result<Compressed<'a>, DatasetError> {
        let target = Target::open(output, force)?;
        let name = target.name().clone();
        match compression.encoder(target, threads) {
            Ok(sink) => Ok(Compressed { sink, name, bytes: 0 }),
            Err(error) => Err(DatasetError::Write(name, error)),
        }
    }

    /// The same for records of a format, whose header is written first.
    pub fn open_records(
        output: Output<'a>,
        format: FileFormat,
        compression: Compression,
        threads: usize,
        force: bool,
    ) -> Result<Compressed<'a>, DatasetError> {
        let mut opened = Compressed::open(output, compression, threads, force)?;
        opened.write(format.header())?;
        Ok(opened)
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), DatasetError> {
        self.bytes += bytes.len() as u64;
        self.sink.write_all(bytes).map_err(|error| DatasetError::Write(self.name.clone(), error))
    }

    /// Writes the end and renames the output to its name.
    pub fn complete(self) -> Result<(), DatasetError> {
        let name = self.name;
        self.sink.finish().map_err(|error| DatasetError::Write(name, error))?.complete()
    }
}

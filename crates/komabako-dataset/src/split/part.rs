//! [`OpenPart`]: a part that is being written.

use std::io::{BufWriter, Write};

use super::Part;
use crate::Name;
use crate::io::archive::About;
use crate::io::compression::Encoder;
use crate::io::output::{FinishedTarget, Output, Target};
use crate::{DatasetError, FileFormat};

/// The size of a write buffer.
const BUFFER: usize = 1 << 18;

/// A part that is being written.
pub(super) struct OpenPart {
    sink: Encoder<BufWriter<Target<'static>>>,
    part: Part,
}

impl OpenPart {
    /// Opens a part of records of a format.
    pub fn open(
        output: Output<'static>,
        format: FileFormat,
        force: bool,
        threads: usize,
        about: &About,
    ) -> Result<OpenPart, DatasetError> {
        let compression = output.compression(None).holding(format)?;
        let target = Target::open(output, force)?;
        let part = Part { name: target.name().to_string(), records: 0, bytes: 0 };
        let sink = compression.encoder(BufWriter::with_capacity(BUFFER, target), threads);
        let mut opened = OpenPart { sink: sink.map_err(|error| failed(&part, error))?, part };
        opened.sink.describe(about.clone());
        opened.write(0, format.header(), b"")?;
        Ok(opened)
    }

    /// Appends a record or a game of `count` records, and its end: for text, the line end.
    pub fn write(&mut self, count: u64, bytes: &[u8], end: &[u8]) -> Result<(), DatasetError> {
        let written = self.sink.write_all(bytes).and_then(|()| self.sink.write_all(end));
        written.map_err(|error| failed(&self.part, error))?;
        self.part.records += count;
        self.part.bytes += (bytes.len() + end.len()) as u64;
        Ok(())
    }

    /// Completes the part. It is not visible under its name until it is renamed.
    pub fn finish(self) -> Result<(FinishedTarget, Part), DatasetError> {
        let OpenPart { sink, part } = self;
        let buffer = sink.finish().map_err(|error| failed(&part, error))?;
        // The buffer is empty: finishing the encoder has flushed it.
        let (target, _) = buffer.into_parts();
        Ok((target.finish(), part))
    }
}

fn failed(part: &Part, error: std::io::Error) -> DatasetError {
    DatasetError::Write(Name::from(&part.name), error)
}

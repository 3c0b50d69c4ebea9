//! [`Compressed`]: an output that is compressed as it is written.

use std::io::Write;
use std::iter;
use std::path::Path;

use super::{Appended, Output, Target, complete_all, directory_of};
use crate::Name;
use crate::io::archive::About;
use crate::io::compression::Encoder;
use crate::{Compression, DatasetError, FileFormat};

/// An opened output, and the number of bytes written to it.
pub(crate) struct Compressed<'a> {
    sink: Encoder<Target<'a>>,
    name: Name,
    /// The archive that was copied to its start.
    existing: Option<Appended>,
    /// The bytes so far, before compression.
    pub bytes: u64,
}

impl<'a> Compressed<'a> {
    /// Opens an output whose name was free when the job was planned. Nothing is visible under it before [`Compressed::complete`].
    pub fn open(
        output: Output<'a>,
        compression: Compression,
        threads: usize,
        force: bool,
    ) -> Result<Compressed<'a>, DatasetError> {
        let place = output.file().map(|path| directory_of(path).to_owned());
        let target = Target::open_planned(output, force)?;
        Compressed::encode(target, place.as_deref(), compression, threads)
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

    /// Opens an archive that is written after the members of an existing one, which is copied first.
    pub fn open_after(
        output: Output<'a>,
        mut existing: Appended,
        compression: Compression,
        threads: usize,
    ) -> Result<Compressed<'a>, DatasetError> {
        let place = output.file().map(|path| directory_of(path).to_owned());
        // Before it is copied, so that no other job replaces it meanwhile.
        existing.lock()?;
        let mut target = Target::open(output, true)?;
        target.complete_at_once();
        existing.copy(&mut target)?;
        let opened = Compressed::encode(target, place.as_deref(), compression, threads)?;
        Ok(Compressed { existing: Some(existing), ..opened })
    }

    /// Encodes to a target. `place`: the directory for temporary files, if it is a file.
    fn encode(
        target: Target<'a>,
        place: Option<&Path>,
        compression: Compression,
        threads: usize,
    ) -> Result<Compressed<'a>, DatasetError> {
        let name = target.name().clone();
        match compression.encoder(target, threads) {
            Ok(mut sink) => {
                place.iter().for_each(|place| sink.spill_in(place));
                Ok(Compressed { sink, name, existing: None, bytes: 0 })
            }
            Err(error) => Err(DatasetError::Write(name, error)),
        }
    }

    /// Sets what the header of an archive says besides the format, before anything is written.
    pub fn describe(&mut self, about: About) {
        self.sink.describe(about);
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), DatasetError> {
        self.bytes += bytes.len() as u64;
        self.sink.write_all(bytes).map_err(|error| DatasetError::Write(self.name.clone(), error))
    }

    /// Writes the end and renames the output to its name.
    pub fn complete(self) -> Result<(), DatasetError> {
        self.complete_with(Vec::new())
    }

    /// The same, and then renames files that are already written.
    pub fn complete_with(self, files: Vec<Target>) -> Result<(), DatasetError> {
        let Compressed { sink, name, existing, .. } = self;
        let target = sink.finish().map_err(|error| DatasetError::Write(name, error))?;
        // Immediately before it is replaced: sorting and compressing the records may take long.
        existing.iter().try_for_each(Appended::check)?;
        if cfg!(windows) {
            drop(existing);
        }
        complete_all(iter::once(target).chain(files).map(Target::finish))
    }
}

//! [`Collection`]: a copy of the bad records, and a list of their faults.

use std::fmt::Display;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Output, Target, complete_all};
use crate::DatasetError;
use crate::Name;
use crate::escape::Escaped;
use crate::io::error::RecordError;

/// A file of bad records and the list of reasons beside it. Neither is visible under its name before it is
/// [complete](Collection::complete).
pub struct Collection {
    records: BufWriter<Target<'static>>,
    reasons: BufWriter<Target<'static>>,
    is_text: bool,
    /// Whether a record has bytes: of games and damaged ends there are only reasons.
    has_records: bool,
    /// The input, record and byte offset of the last addition.
    last: Option<(Name, u64, u64)>,
}

impl Collection {
    /// The paths of both files.
    pub fn paths(path: &Path) -> [PathBuf; 2] {
        [path.to_owned(), reasons_path(path)]
    }

    /// Opens both files. `is_text`: the records are text and need line ends.
    ///
    /// # Errors
    /// If a file cannot be created, or exists and is not to be overwritten (`force`).
    pub fn open(path: &Path, is_text: bool, force: bool) -> Result<Collection, DatasetError> {
        let open = |path: &Path| Target::open(Output::path(path), force).map(BufWriter::new);
        let records = open(path)?;
        let reasons = open(&reasons_path(path))?;
        Ok(Collection { records, reasons, is_text, has_records: false, last: None })
    }

    /// Adds a record, with the name of its fault. A game is added once, however many of its records are bad.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add<F: Display>(
        &mut self,
        bytes: &[u8],
        error: &RecordError<F>,
        name: &str,
    ) -> Result<(), DatasetError> {
        if self.last.is_none() {
            written(&mut self.reasons, |file| writeln!(file, "input\trecord\toffset\tfault\tmessage"))?;
        }
        let RecordError { input, record, offset, fault, .. } = error;
        let is_same_game = self.last.as_ref().is_some_and(|(last_input, last_record, last_offset)| {
            last_input == input && last_offset == offset && last_record < record
        });
        if !is_same_game {
            self.has_records |= self.is_text || !bytes.is_empty();
            written(&mut self.records, |file| {
                file.write_all(bytes)?;
                if self.is_text { file.write_all(b"\n") } else { Ok(()) }
            })?;
        }
        self.last = Some((input.clone(), *record, *offset));
        written(&mut self.reasons, |file| {
            writeln!(file, "{}\t{record}\t{offset}\t{name}\t{}", Escaped(input), Escaped(fault))
        })
    }

    /// Gives both files their names; one without content is not made.
    ///
    /// # Errors
    /// If a file cannot be written, or has appeared in the meantime and is not to be overwritten.
    pub fn complete(self) -> Result<(), DatasetError> {
        complete_all(self.finish()?.into_iter().map(Target::finish))
    }

    /// Flushes both files and returns those with content, to be renamed into place.
    pub(crate) fn finish(mut self) -> Result<Vec<Target<'static>>, DatasetError> {
        if self.last.is_none() {
            return Ok(Vec::new());
        }
        written(&mut self.records, Write::flush)?;
        written(&mut self.reasons, Write::flush)?;
        let mut files = vec![self.reasons.into_parts().0];
        if self.has_records {
            files.push(self.records.into_parts().0);
        }
        Ok(files)
    }
}

/// The path of the list of reasons.
pub(crate) fn reasons_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".reasons.tsv");
    name.into()
}

fn written(
    file: &mut BufWriter<Target<'static>>,
    write: impl FnOnce(&mut BufWriter<Target<'static>>) -> std::io::Result<()>,
) -> Result<(), DatasetError> {
    write(file).map_err(|error| DatasetError::Write(file.get_ref().name().clone(), error))
}

//! [`Appended`]: an archive to which a member is added.

use std::io;
use std::path::Path;

use super::Target;
use crate::io::archive::Members;
use crate::io::input::{Opened, Watch, open};
use crate::{DatasetError, FileFormat, Name};

/// An archive to which a member is added: its bytes are copied in front of it, so that it stays as it is until the whole has its name.
pub struct Appended {
    watch: Watch,
    /// The format of its records.
    pub(crate) format: FileFormat,
}

impl Appended {
    /// Opens an archive; `None` if there is no file.
    ///
    /// # Errors
    /// [`DatasetError::NotAppended`] if it is no archive, or does not end as one.
    pub(crate) fn open(path: &Path) -> Result<Option<Appended>, DatasetError> {
        if !path.exists() {
            return Ok(None);
        }
        let refused = || DatasetError::NotAppended(path.to_owned());
        let Opened::File(file, stamp) = open(path)? else { return Err(refused()) };
        let watch = Watch::new(path, file, stamp);
        let members = Members::find(&mut watch.file(), stamp.bytes);
        let members = members.map_err(|error| DatasetError::Read { input: path.into(), offset: 0, error })?;
        let format = members.ok_or_else(refused)?.format();
        Ok(Some(Appended { watch, format }))
    }

    /// Its size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.watch.stamp().bytes
    }

    /// Copies it to the start of a target.
    pub(super) fn copy(&self, target: &mut Target) -> Result<(), DatasetError> {
        let failed = |error| DatasetError::Write(Name::from(self.watch.path()), error);
        let mut content = self.watch.content(0).map_err(failed)?;
        let copied = match target.file() {
            // The system copies from file to file.
            Some(mut file) => io::copy(&mut content, &mut file),
            None => io::copy(&mut content, target),
        };
        let copied = copied.map_err(|error| DatasetError::Write(target.name().clone(), error))?;
        if copied == self.bytes() { Ok(()) } else { Err(self.watch.altered()) }
    }

    /// Checks that it is still the file that was copied.
    ///
    /// # Errors
    /// [`DatasetError::Altered`].
    pub(crate) fn check(&self) -> Result<(), DatasetError> {
        Watch::open(self.watch.path(), self.watch.stamp()).map(drop)
    }
}

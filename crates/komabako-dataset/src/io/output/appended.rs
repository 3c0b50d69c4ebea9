//! [`Appended`]: an archive to which a member is added.

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use komabako_archive::MAGIC;

use super::Target;
use crate::engine::temporary::directory::try_lock;
use crate::io::archive::{ArchiveReader, Contents, Members};
use crate::io::error::{SystemError, Tail};
use crate::io::input::{Opened, Stamp, Watch, open};
use crate::{DatasetError, FileFormat, Name};

/// An archive to which a member is added: its bytes are copied in front of it, so that it stays as it is until the whole has its name.
/// On Windows it is closed before: a name is not given away while the file that has it is open.
pub struct Appended {
    path: PathBuf,
    stamp: Stamp,
    /// The open file, once it is locked.
    lock: Option<File>,
    /// The format of its records.
    pub(crate) format: FileFormat,
}

impl Appended {
    /// Opens an archive; `None` if there is no file.
    ///
    /// # Errors
    /// [`DatasetError::Tail`] if it has a member that cannot be read with the others, which salvaging would leave out;
    /// [`DatasetError::NotAppended`] if it is no archive, or does not end as one.
    pub(crate) fn open(path: &Path) -> Result<Option<Appended>, DatasetError> {
        if !path.exists() {
            return Ok(None);
        }
        let refused = DatasetError::NotAppended(path.to_owned());
        let Opened::File(mut file, stamp) = open(path)? else { return Err(refused) };
        let failed = |error| DatasetError::Read { input: path.into(), offset: 0, error };
        let Some(members) = Members::find(&mut file, stamp.bytes).map_err(failed)? else {
            let other = other_member(file, path).map_err(failed)?;
            return Err(other.map_or(refused, |tail| DatasetError::Tail(Box::new(tail))));
        };
        Ok(Some(Appended { path: path.to_owned(), stamp, lock: None, format: members.format() }))
    }

    /// Its size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.stamp.bytes
    }

    /// Keeps other jobs from adding to it until it is dropped. Of two jobs that copied the same archive, the second would replace what
    /// the first had added.
    ///
    /// # Errors
    /// [`DatasetError::InUse`] if another job adds to it.
    pub(super) fn lock(&mut self) -> Result<(), DatasetError> {
        let mut options = File::options();
        // NFS locks only what may be written.
        options.read(true).write(true);
        // A lock of Windows would keep everyone from reading the archive: there, no one else may open it to write.
        #[cfg(windows)]
        {
            const FILE_SHARE_READ: u32 = 1;
            std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, FILE_SHARE_READ);
        }
        let file = match options.open(&self.path) {
            Err(error) if SystemError(&error).is_held() => {
                return Err(DatasetError::InUse(self.path.clone()));
            }
            opened => opened.or_else(|_| File::open(&self.path)),
        };
        let file = file.map_err(|error| DatasetError::Open(self.path.clone(), error))?;
        if cfg!(windows) {
            self.lock = Some(file);
            return Ok(());
        }
        match try_lock(&file) {
            Err(TryLockError::WouldBlock) => Err(DatasetError::InUse(self.path.clone())),
            // On a file system without locks, too, only the check is left.
            Err(TryLockError::Error(_)) | Ok(()) => {
                self.lock = Some(file);
                Ok(())
            }
        }
    }

    /// Copies it to the start of a target.
    pub(super) fn copy(&self, target: &mut Target) -> Result<(), DatasetError> {
        let watch = Watch::open(&self.path, self.stamp)?;
        let failed = |error| DatasetError::Write(Name::from(&self.path), error);
        let mut content = watch.content(0).map_err(failed)?;
        let copied = match target.file() {
            // The system copies from file to file.
            Some(mut file) => io::copy(&mut content, &mut file),
            None => io::copy(&mut content, target),
        };
        let copied = copied.map_err(|error| DatasetError::Write(target.name().clone(), error))?;
        if copied == self.bytes() { Ok(()) } else { Err(watch.altered()) }
    }

    /// Checks that it is still the file that was copied.
    ///
    /// # Errors
    /// [`DatasetError::Altered`].
    pub(super) fn check(&self) -> Result<(), DatasetError> {
        Watch::open(&self.path, self.stamp).map(drop)
    }
}

/// The first member of another kind in an archive.
fn other_member(mut file: File, path: &Path) -> io::Result<Option<Tail>> {
    let mut magic = Vec::new();
    file.rewind()?;
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
    if magic != MAGIC {
        return Ok(None);
    }
    file.rewind()?;
    let content = Box::new(BufReader::new(file));
    ArchiveReader::new(content, Contents::default()).find_other_member(path.into())
}

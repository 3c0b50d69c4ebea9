//! [`Watch`]: notices that a file changes while a job reads it.
//!
//! A file that another program truncates at the end of a record reads like a shorter file, and one that it appends to like any
//! other. So every reader of a file compares its [`Stamp`] with that of the beginning of the job, when it opens the file and
//! when it has read what it wants, before the output gets its name.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::DatasetError;
use crate::Name;

/// The size and time of a file; zeros if they are unknown. Renaming the file does not change them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl Stamp {
    /// The stamp of a file with this metadata.
    pub fn new(metadata: &Metadata) -> Stamp {
        let age = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = age.map_or(0, |age| u64::try_from(age.as_nanos()).unwrap_or(u64::MAX));
        Stamp { bytes: metadata.len(), modified }
    }
}

/// A regular file that is being read, and its stamp from the beginning of the job.
pub(crate) struct Watch {
    path: PathBuf,
    file: Arc<File>,
    stamp: Stamp,
}

impl Watch {
    /// Opens a file again.
    ///
    /// # Errors
    /// [`DatasetError::Open`], or [`DatasetError::Altered`] if it does not have the stamp any more.
    pub fn open(path: &Path, stamp: Stamp) -> Result<Watch, DatasetError> {
        let file = File::open(path).map_err(|error| DatasetError::Open(path.to_owned(), error))?;
        let watch = Watch::new(path, file, stamp);
        watch.check_stamp()?;
        Ok(watch)
    }

    /// Watches a file that is open.
    pub fn new(path: &Path, file: File, stamp: Stamp) -> Watch {
        Watch { path: path.to_owned(), file: Arc::new(file), stamp }
    }

    /// The file, at the place to which it was read or sought.
    pub fn file(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    /// Its content from an offset up to its size at the beginning of the job: what is appended to it is not read.
    pub fn content(&self, offset: u64) -> io::Result<Take<Arc<File>>> {
        let mut file = self.file();
        file.seek(SeekFrom::Start(offset))?;
        Ok(file.take(self.stamp.bytes.saturating_sub(offset)))
    }

    /// Fills a buffer with its bytes from an offset on. Its place for reading does not matter.
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_exact_at(&*self.file, bytes, offset);
        #[cfg(not(unix))]
        {
            // `seek_read` of Windows moves the file's place, which another thread may be using.
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(bytes)
        }
    }

    /// The stamp from the beginning of the job.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Checks the file after it was read, to its end or as far as needed.
    ///
    /// # Errors
    /// [`DatasetError::Altered`] if its size or time has changed, or its content ends before its size.
    pub fn check(&self) -> Result<(), DatasetError> {
        self.check_stamp()?;
        // The size of a file of the system (`/sys`, `/proc`) may not be that of its content.
        let mut file = &*self.file;
        let mut has_size = || {
            let is_before_end = file.stream_position()? < self.stamp.bytes;
            Ok(is_before_end == (file.read(&mut [0])? > 0))
        };
        if self.name_failure(has_size())? { Ok(()) } else { Err(self.altered()) }
    }

    /// The same after `read` bytes were read from its start on. If these are all, its size and time suffice, which saves two
    /// calls of the system for each of many small files.
    ///
    /// # Errors
    /// As [`check`](Watch::check).
    pub fn check_read(&self, read: u64) -> Result<(), DatasetError> {
        if read == self.stamp.bytes { self.check_stamp() } else { self.check() }
    }

    /// Checks its size and time.
    pub fn check_stamp(&self) -> Result<(), DatasetError> {
        let now = self.name_failure(self.file.metadata())?;
        if Stamp::new(&now) == self.stamp { Ok(()) } else { Err(self.altered()) }
    }

    fn name_failure<T>(&self, result: io::Result<T>) -> Result<T, DatasetError> {
        result.map_err(|error| DatasetError::Read { input: Name::from(&self.path), offset: 0, error })
    }

    /// The error of a file that has changed.
    pub fn altered(&self) -> DatasetError {
        DatasetError::Altered(self.path.clone())
    }
}

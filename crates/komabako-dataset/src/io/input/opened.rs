//! [`open`]: opens a file, a pipe or a device.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{Stamp, Waiting};
use crate::{DatasetError, Name};

/// An input with a path.
pub(crate) enum Opened {
    /// A regular file, and its stamp.
    File(File, Stamp),
    /// A pipe, a terminal or another device, which has no size and cannot be read twice.
    Stream(Waiting),
}

impl Opened {
    /// The size of a file.
    pub fn size(&self) -> Option<u64> {
        match self {
            Opened::File(_, stamp) => Some(stamp.bytes),
            Opened::Stream(_) => None,
        }
    }
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Opened::File(file, _) => file.read(buffer),
            Opened::Stream(stream) => stream.read(buffer),
        }
    }
}

/// Opens a file or anything else that can be read. Refuses directories here, since not every system does.
pub(crate) fn open(path: &Path) -> Result<Opened, DatasetError> {
    let open = || {
        let known = fs::metadata(path)?;
        if known.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !known.is_file() {
            return Ok(Opened::Stream(Waiting::open(path)?));
        }
        let file = File::open(path)?;
        let stamp = Stamp::new(&file.metadata()?);
        Ok(Opened::File(file, stamp))
    };
    open().map_err(|error| DatasetError::Open(path.to_owned(), error))
}

/// The content of a file or anything else that can be read, to its end.
///
/// # Errors
/// [`DatasetError::Open`] or [`DatasetError::Read`].
pub fn read_whole(path: &Path) -> Result<Vec<u8>, DatasetError> {
    let mut bytes = Vec::new();
    let read = open(path)?.read_to_end(&mut bytes);
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(DatasetError::Read { input: Name::from(path), offset: bytes.len() as u64, error }),
    }
}

//! [`TempFile`]: the length and checksum of a finished temporary file; [`Shape`]: the layout of its entries.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use komabako_record::hash::Hasher128;
use serde::{Deserialize, Serialize};

use crate::Name;
use crate::{DatasetError, FileFormat};

/// A finished temporary file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TempFile {
    /// Its length.
    pub bytes: u64,
    /// Its checksum, 128-bit XXH3 in hexadecimal digits.
    pub xxh3: String,
}

impl TempFile {
    pub fn new(bytes: u64, hasher: &Hasher128) -> TempFile {
        TempFile { bytes, xxh3: format!("{:032x}", hasher.finish()) }
    }

    /// The content, verified.
    pub fn load(&self, path: &Path) -> Result<Vec<u8>, DatasetError> {
        let mut content = Vec::new();
        // At most the bytes that were written, so that a file that has grown cannot exhaust the memory.
        content.reserve_exact(self.bytes as usize + 1);
        let mut file = open(path)?.take(self.bytes + 1);
        file.read_to_end(&mut content).map_err(|error| failed(path, error))?;
        let mut hasher = Hasher128::new();
        hasher.write(&content);
        if TempFile::new(content.len() as u64, &hasher) == *self { Ok(content) } else { Err(damaged(path)) }
    }

    /// Truncates a file to this length. Verifies the rest, and returns its hasher.
    pub fn truncate(&self, path: &Path) -> Result<Hasher128, DatasetError> {
        let mut file = File::options().read(true).write(true).open(path).map_err(not_opened(path))?;
        let mut hasher = Hasher128::new();
        let mut content = (&mut file).take(self.bytes);
        let mut chunk = vec![0; 1 << 20];
        let mut bytes = 0;
        loop {
            match content.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => {
                    hasher.write(&chunk[..read]);
                    bytes += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(path, error)),
            }
        }
        // Checked before truncating: a file that contradicts the manifest is left as evidence.
        if TempFile::new(bytes, &hasher) != *self {
            return Err(damaged(path));
        }
        let truncated = file.set_len(self.bytes);
        truncated.map_err(|error| DatasetError::Write(Name::from(&path), error))?;
        Ok(hasher)
    }

    /// Calls `each` with the content in chunks, each preceded by the bytes that the previous call left unused. If this returns
    /// an error, the bytes that were passed may be wrong.
    pub fn scan(
        &self,
        path: &Path,
        mut each: impl FnMut(&[u8]) -> Result<usize, DatasetError>,
    ) -> Result<(), DatasetError> {
        const CHUNK: u64 = 1 << 20;
        let mut file = open(path)?;
        let mut hasher = Hasher128::new();
        let mut bytes = 0;
        let mut content = Vec::new();
        loop {
            let kept = content.len();
            let read = file.by_ref().take(CHUNK).read_to_end(&mut content);
            if read.map_err(|error| failed(path, error))? == 0 {
                // Leftover bytes are the start of an entry whose end is missing.
                let whole = kept == 0 && TempFile::new(bytes, &hasher) == *self;
                return if whole { Ok(()) } else { Err(damaged(path)) };
            }
            hasher.write(&content[kept..]);
            bytes += (content.len() - kept) as u64;
            // An entry may straddle two reads: the bytes that `each` leaves are the start of the next one.
            let used = each(&content)?;
            content.drain(..used);
        }
    }
}

fn open(path: &Path) -> Result<File, DatasetError> {
    File::open(path).map_err(not_opened(path))
}

/// A missing file counts as corrupt.
fn not_opened(path: &Path) -> impl FnOnce(io::Error) -> DatasetError {
    |error| match error.kind() {
        io::ErrorKind::NotFound => damaged(path),
        _ => DatasetError::Open(path.to_owned(), error),
    }
}

fn failed(path: &Path, error: io::Error) -> DatasetError {
    DatasetError::Read { input: path.into(), offset: 0, error }
}

fn damaged(path: &Path) -> DatasetError {
    DatasetError::Part(path.to_owned())
}

/// The layout of the records or keys of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// All have this size.
    Fixed(usize),
    /// Each is preceded by its length in four bytes.
    Varying,
}

/// The size of a length, in bytes.
const LENGTH: usize = 4;

impl Shape {
    /// The shape of a format's records.
    pub fn for_format(format: FileFormat) -> Shape {
        format.record_size().map_or(Shape::Varying, Shape::Fixed)
    }

    /// Appends a record.
    #[inline]
    pub fn append(self, record: &[u8], out: &mut Vec<u8>) {
        if self == Shape::Varying {
            out.extend_from_slice(&(record.len() as u32).to_le_bytes());
        }
        out.extend_from_slice(record);
    }

    /// Reads the next record of a file, in place of the content of `record`. Returns the number of bytes that it takes.
    pub fn read(self, file: &mut impl Read, record: &mut Vec<u8>) -> io::Result<u64> {
        let (size, taken) = match self {
            Shape::Fixed(size) => (size, size),
            Shape::Varying => {
                let mut length = [0; LENGTH];
                file.read_exact(&mut length)?;
                let size = u32::from_le_bytes(length) as usize;
                (size, LENGTH + size)
            }
        };
        record.resize(size, 0);
        file.read_exact(record)?;
        Ok(taken as u64)
    }

    /// The record at the start of `bytes`, and the rest; `None` if they are too short.
    #[inline]
    pub fn split(self, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        match self {
            Shape::Fixed(size) => bytes.split_at_checked(size),
            Shape::Varying => {
                let (length, rest) = bytes.split_first_chunk::<LENGTH>()?;
                rest.split_at_checked(u32::from_le_bytes(*length) as usize)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_both_shapes_round_trip() {
        for shape in [Shape::Fixed(3), Shape::Varying] {
            let mut out = Vec::new();
            shape.append(b"abc", &mut out);
            shape.append(b"def", &mut out);
            let (first, rest) = shape.split(&out).unwrap();
            let (second, rest) = shape.split(rest).unwrap();
            assert_eq!((first, second, rest), (&b"abc"[..], &b"def"[..], &b""[..]));
            assert_eq!(shape.split(&out[..2]), None);
        }
    }

    #[test]
    fn changed_byte_or_length_is_detected() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("part");
        let content = vec![7; 3_000_000];
        let mut hasher = Hasher128::new();
        hasher.write(&content);
        let part = TempFile::new(content.len() as u64, &hasher);
        let check = |content: &[u8]| {
            std::fs::write(&path, content).unwrap();
            let scanned = part.scan(&path, |chunk| Ok(chunk.len()));
            let loaded = part.load(&path).map(|loaded| assert_eq!(loaded, content));
            assert_eq!(loaded.is_ok(), scanned.is_ok());
            scanned
        };
        assert!(check(&content).is_ok());
        let mut flipped = content.clone();
        flipped[2_999_999] ^= 1;
        for damaged in [&flipped, &content[1..], &[&content[..], &[7]].concat()] {
            assert!(matches!(check(damaged), Err(DatasetError::Part(_))));
        }
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(part.load(&path), Err(DatasetError::Part(_))));
    }
}

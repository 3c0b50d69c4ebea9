//! [`Column`]: scores in a file or in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::UNKNOWN;
use crate::compression::Compression;
use crate::{DatasetError, Input};

/// Bytes of a score.
const SIZE: usize = size_of::<i16>();

/// As much of a file as tells its compression.
const HEAD: usize = 8;

/// A column of scores, to be merged onto records.
///
/// Of a plain file, scores are read when they are needed. Compressed files and streams are read into memory: two bytes
/// a record.
pub struct Column {
    name: String,
    /// Where it was read from, if that is not a stream.
    path: Option<PathBuf>,
    scores: u64,
    content: Content,
}

enum Content {
    File(Mutex<File>),
    Memory(Vec<u8>),
}

impl Column {
    /// Opens a column.
    ///
    /// # Errors
    /// If it cannot be opened or read, or has an odd number of bytes ([`DatasetError::ScoreSize`]).
    pub fn open(input: Input<'_>) -> Result<Column, DatasetError> {
        let name = input.name();
        let path = match &input {
            Input::Path(path) => Some(path.clone()),
            Input::Stream(..) => None,
        };
        let (scores, content) = match input {
            Input::Stream(_, stream) => in_memory(&name, stream)?,
            Input::Path(path) => {
                let open = |error| DatasetError::Open(path.clone(), error);
                let mut file = File::open(&path).map_err(open)?;
                let metadata = file.metadata().map_err(open)?;
                if metadata.is_file() && !starts_compressed(&mut file).map_err(open)? {
                    (whole(&name, metadata.len())?, Content::File(Mutex::new(file)))
                } else {
                    in_memory(&name, file)?
                }
            }
        };
        Ok(Column { name, path, scores, content })
    }

    /// The bytes that it keeps in memory.
    pub(crate) fn memory(&self) -> u64 {
        match &self.content {
            Content::File(_) => 0,
            Content::Memory(bytes) => bytes.capacity() as u64,
        }
    }

    /// The column as an input that no output may overwrite.
    pub(crate) fn input(&self) -> Option<Input<'static>> {
        self.path.as_ref().map(Input::path)
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of scores.
    pub fn len(&self) -> u64 {
        self.scores
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.scores == 0
    }

    /// Reads so many scores from one on, as far as there are any.
    pub(crate) fn read(&self, first: u64, count: usize, scores: &mut Vec<i16>) -> io::Result<()> {
        scores.clear();
        let end = self.scores.min(first.saturating_add(count as u64));
        let first = first.min(end);
        match &self.content {
            Content::Memory(all) => {
                scores.extend(from_bytes(&all[first as usize * SIZE..end as usize * SIZE]));
            }
            Content::File(file) => {
                let mut bytes = vec![0; (end - first) as usize * SIZE];
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(first * SIZE as u64))?;
                file.read_exact(&mut bytes)?;
                scores.extend(from_bytes(&bytes));
            }
        }
        Ok(())
    }

    /// The score of a record: that of the column, or the record's own where the column has none.
    pub(crate) fn merged(score: i16, own: Option<i16>) -> Option<i16> {
        if score == UNKNOWN { own } else { Some(score) }
    }
}

/// The number of scores in so many bytes.
fn whole(name: &str, bytes: u64) -> Result<u64, DatasetError> {
    if bytes.is_multiple_of(SIZE as u64) {
        Ok(bytes / SIZE as u64)
    } else {
        Err(DatasetError::ScoreSize(name.to_owned(), bytes))
    }
}

fn starts_compressed(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::with_capacity(HEAD);
    file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(Compression::from_magic(&head) != Compression::None)
}

fn in_memory<'a>(name: &str, mut stream: impl Read + Send + 'a) -> Result<(u64, Content), DatasetError> {
    let mut bytes = Vec::new();
    let mut read = || {
        let mut head = Vec::with_capacity(HEAD);
        stream.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let compression = Compression::from_magic(&head);
        compression.decoder(io::Cursor::new(head).chain(&mut stream))?.read_to_end(&mut bytes)
    };
    let done = read().map(drop);
    done.map_err(|error| DatasetError::Read { input: name.to_owned(), offset: bytes.len() as u64, error })?;
    bytes.shrink_to_fit();
    Ok((whole(name, bytes.len() as u64)?, Content::Memory(bytes)))
}

fn from_bytes(bytes: &[u8]) -> impl Iterator<Item = i16> + '_ {
    bytes.chunks_exact(SIZE).map(|score| i16::from_le_bytes([score[0], score[1]]))
}

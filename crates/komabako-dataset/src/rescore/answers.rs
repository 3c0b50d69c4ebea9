//! [`Answers`]: a file of what the engines said of each record, in the order of the records.
//!
//! It is appended to as answers come, so that a killed run goes on from its end, and removed when the output is complete:
//!
//! ```text
//! file   = header entry*
//! header = one line of JSON: everything that the answers depend on
//! entry  = score i16, move u16 (encoding A), kind u8, check u24        all little-endian
//! check  = the low bits of XXH3-128 of the entry's number (u64) and its first five bytes
//! ```
//!
//! The entries end before the first whose check is wrong: a machine that lost power may have left zeros.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use komabako_record::hash::hash128;
use komabako_rules::Move16;

use super::error::RescoreError;
use super::reply::{Reply, ScoreKind};
use super::{Replace, Scored};
use crate::engine::temporary::directory::has_name;
use crate::io::score_column::UNKNOWN;
use crate::record::Labels;
use crate::{DatasetError, Name};

/// The bytes of an entry.
const SIZE: usize = 8;
/// The number of entries that are read at a time.
const CHUNK: usize = 1 << 13;

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    Reply(Reply),
    /// No game can be played from the position, so no engine was asked.
    NotAsked,
    /// The record does not decode.
    Bad,
    /// The engine failed at it twice.
    Failed,
}

impl Answer {
    /// Replaces the labels of a record.
    pub fn apply(self, replace: Replace, labels: &mut Labels) {
        let Answer::Reply(reply) = self else { return };
        if replace.replaces_score() {
            labels.score = Some(reply.score);
        }
        // An engine that resigns or declares a win gives no move.
        if replace.replaces_move()
            && let Some(mv) = reply.mv
        {
            labels.best_move = Some(mv.into());
        }
    }

    /// The score for a column.
    pub fn score(self) -> i16 {
        match self {
            Answer::Reply(reply) => reply.score,
            Answer::NotAsked | Answer::Bad | Answer::Failed => UNKNOWN,
        }
    }

    fn to_bytes(self, number: u64) -> [u8; SIZE] {
        let (score, mv, kind) = match self {
            Answer::Reply(Reply { score, kind, mv }) => {
                (score, mv.unwrap_or(Move16::NONE).bits(), KINDS.iter().position(|&known| known == kind))
            }
            Answer::NotAsked => (0, 0, Some(NOT_ASKED.into())),
            Answer::Bad => (0, 0, Some(BAD.into())),
            Answer::Failed => (0, 0, Some(FAILED.into())),
        };
        let mut bytes = [0; SIZE];
        bytes[..2].copy_from_slice(&score.to_le_bytes());
        bytes[2..4].copy_from_slice(&mv.to_le_bytes());
        bytes[4] = kind.unwrap_or_default() as u8;
        let check = check(number, &bytes);
        bytes[5..].copy_from_slice(&check);
        bytes
    }

    /// The answer in an entry; `None` if its check is wrong.
    fn from_bytes(bytes: &[u8], number: u64) -> Option<Answer> {
        let bytes: &[u8; SIZE] = bytes.try_into().ok()?;
        if bytes[5..] != check(number, bytes) {
            return None;
        }
        Some(match bytes[4] {
            NOT_ASKED => Answer::NotAsked,
            BAD => Answer::Bad,
            FAILED => Answer::Failed,
            kind => {
                let mv = Move16::from_bits(u16::from_le_bytes([bytes[2], bytes[3]]));
                Answer::Reply(Reply {
                    score: i16::from_le_bytes([bytes[0], bytes[1]]),
                    kind: *KINDS.get(usize::from(kind))?,
                    mv: if mv == Move16::NONE { None } else { Some(mv) },
                })
            }
        })
    }
}

const KINDS: [ScoreKind; 4] = [ScoreKind::Exact, ScoreKind::Clamped, ScoreKind::Mate, ScoreKind::Bound];
const NOT_ASKED: u8 = 16;
const BAD: u8 = 17;
const FAILED: u8 = 18;

fn check(number: u64, entry: &[u8; SIZE]) -> [u8; 3] {
    let mut bytes = [0; 13];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    bytes[8..].copy_from_slice(&entry[..5]);
    let hash = hash128(&bytes).to_le_bytes();
    [hash[0], hash[1], hash[2]]
}

/// Whether a run has locked a file of answers.
fn is_locked(path: &Path) -> bool {
    let file = File::options().read(true).write(true).open(path);
    file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// The file of answers, which the run has locked.
pub struct Answers {
    path: PathBuf,
    file: Mutex<File>,
    /// The length of the header.
    start: u64,
    count: u64,
    replace: Replace,
}

impl Answers {
    /// Creates the file, or with `resume` opens that of an earlier run with the same header.
    pub(crate) fn open(
        path: &Path,
        header: &str,
        replace: Replace,
        resume: bool,
    ) -> Result<Answers, DatasetError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        if !resume {
            options.create_new(true);
        }
        let mut file = options.open(path).map_err(|error| match error.kind() {
            // The answers of a run that is alive are neither to be resumed nor to be renamed.
            io::ErrorKind::AlreadyExists if is_locked(path) => RescoreError::Locked(path.to_owned()).into(),
            io::ErrorKind::AlreadyExists => RescoreError::Answers(path.to_owned()).into(),
            io::ErrorKind::NotFound if resume => RescoreError::NoAnswers(path.to_owned()).into(),
            _ => DatasetError::Create(path.to_owned(), error),
        })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RescoreError::Locked(path.to_owned()).into()),
            // A file system without locks: the run is not protected from another one, but works.
            Err(TryLockError::Error(_)) => {}
        }
        if !resume {
            let written = file.write_all(format!("{header}\n").as_bytes());
            written.map_err(|error| DatasetError::Write(Name::from(path), error))?;
        }
        let start = header.len() as u64 + 1;
        let mut answers = Answers { path: path.to_owned(), file: Mutex::new(file), start, count: 0, replace };
        if resume {
            answers.find_end(header)?;
        }
        Ok(answers)
    }

    /// Finds the end of the whole entries, and cuts off what follows. Completes a header of which a run wrote only a part.
    fn find_end(&mut self, header: &str) -> Result<(), DatasetError> {
        let header = format!("{header}\n");
        let mut found = Vec::new();
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let read = file.take(header.len() as u64).read_to_end(&mut found);
        read.map_err(|error| self.read_failed(error))?;
        if let Some(missing) = header.as_bytes().strip_prefix(&*found)
            && !missing.is_empty()
        {
            let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
            return file.write_all(missing).map_err(|error| self.write_failed(error));
        }
        if found != header.as_bytes() {
            return Err(RescoreError::OtherAnswers(self.path.clone()).into());
        }
        let mut answers = Vec::new();
        loop {
            self.count += answers.len() as u64;
            self.fetch_up_to(self.count, CHUNK, &mut answers).map_err(|error| self.read_failed(error))?;
            if answers.is_empty() {
                break;
            }
        }
        let end = self.offset(self.count);
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.set_len(end).map_err(|error| self.write_failed(error))
    }

    /// The number of answers.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Appends answers.
    pub(crate) fn append(&mut self, answers: &[Answer]) -> Result<(), DatasetError> {
        let end = self.offset(self.count);
        let mut bytes = Vec::with_capacity(SIZE * answers.len());
        for answer in answers {
            bytes.extend(answer.to_bytes(self.count));
            self.count += 1;
        }
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let written = file.seek(SeekFrom::Start(end)).and_then(|_| file.write_all(&bytes));
        written.map_err(|error| self.write_failed(error))
    }

    /// Reads the answers for `count` records from number `first` on.
    pub(crate) fn fetch(&self, first: u64, count: usize, answers: &mut Vec<Answer>) -> io::Result<()> {
        self.fetch_up_to(first, count, answers)?;
        if answers.len() < count { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    /// The same, or fewer where the whole entries end.
    fn fetch_up_to(&self, first: u64, count: usize, answers: &mut Vec<Answer>) -> io::Result<()> {
        answers.clear();
        let mut bytes = Vec::with_capacity(SIZE * count);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.offset(first)))?;
        Read::by_ref(&mut *file).take((SIZE * count) as u64).read_to_end(&mut bytes)?;
        for (entry, number) in bytes.chunks_exact(SIZE).zip(first..) {
            let Some(answer) = Answer::from_bytes(entry, number) else { break };
            answers.push(answer);
        }
        Ok(())
    }

    /// Counts all answers by their kind.
    pub(crate) fn tally(&self) -> Result<Scored, DatasetError> {
        let mut scored = Scored::default();
        self.each_chunk(&mut |answers| {
            answers.iter().for_each(|&answer| scored.add(answer));
            Ok(())
        })?;
        Ok(scored)
    }

    /// Passes all answers to a function, in order.
    pub(crate) fn each_chunk(
        &self,
        take: &mut dyn FnMut(&[Answer]) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let mut answers = Vec::new();
        let mut first = 0;
        while first < self.count {
            let count = (self.count - first).min(CHUNK as u64) as usize;
            self.fetch(first, count, &mut answers).map_err(|error| self.read_failed(error))?;
            first += count as u64;
            take(&answers)?;
        }
        Ok(())
    }

    /// The labels that the answers replace.
    pub(crate) fn replace(&self) -> Replace {
        self.replace
    }

    /// The offset of the answer for a record.
    pub(crate) fn offset(&self, number: u64) -> u64 {
        self.start + SIZE as u64 * number
    }

    /// The name of the file.
    pub(crate) fn name(&self) -> Name {
        Name::from(&self.path)
    }

    /// Removes the file: the output is complete. If it was renamed, another run may have its name.
    pub(crate) fn remove(&self) {
        if has_name(&self.file.lock().unwrap_or_else(PoisonError::into_inner), &self.path) {
            // What is left is only in the way of the next run, which names it.
            let _ = fs::remove_file(&self.path);
        }
    }

    fn read_failed(&self, error: io::Error) -> DatasetError {
        DatasetError::Read { input: self.name(), offset: 0, error }
    }

    fn write_failed(&self, error: io::Error) -> DatasetError {
        DatasetError::Write(self.name(), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run was killed, or the disk was full, before the header was written.
    #[test]
    fn a_part_of_the_header_is_completed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("out.answers");
        let open = || Answers::open(&path, "header", Replace::default(), true);
        for part in ["", "head", "header"] {
            fs::write(&path, part).unwrap();
            assert_eq!(open().unwrap().count(), 0);
            assert_eq!(fs::read(&path).unwrap(), b"header\n");
        }
        fs::write(&path, "heart").unwrap();
        assert!(open().is_err());
    }
}

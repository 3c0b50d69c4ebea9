//! [`Saved`]: statistics in files that can be merged.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use komabako_messages::{Lang, Message, say, say_match};
use komabako_record::hash::hash128;
use komabako_record::stats::SavedStatsFault;
use serde::{Deserialize, Serialize};

use super::{GameStats, Stats, Summary};
use crate::io::error::JobError;
use crate::io::input;
use crate::{Compression, DatasetError, FileFormat, Inputs, Output, Partition, Source};

/// The first bytes of such a file.
const MAGIC: &[u8; 16] = b"komabako stats\r\n";
/// The version of the files that are written.
const VERSION: u32 = 1;
/// The size of the checksum at the end.
const CHECKSUM: usize = 16;

/// The counts of one or several jobs.
///
/// A file has 16 bytes (`komabako stats\r\n`), the version (1) and the length of the JSON in four bytes each, little-endian, the
/// data besides the figures as JSON, [`Stats::to_bytes`], and the XXH3 checksum of everything before it in 16 bytes.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The inputs and partitions that the jobs read.
    pub parts: Vec<SavedPart>,
    /// Their counts. [Samples](crate::Counts::samples) of bad records and [tails](crate::Counts::tails) are not saved, except
    /// the number of tails.
    pub summary: Summary,
}

/// The inputs and the partition that a job read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedPart {
    /// The inputs, in order.
    pub inputs: Vec<SavedInput>,
    /// The partition of their records, such as `0/3`.
    pub partition: String,
}

/// Partitions that were not counted, of inputs whose other partitions were.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingParts {
    /// The inputs.
    pub inputs: Vec<SavedInput>,
    /// The missing partitions, in order.
    pub partitions: Vec<Partition>,
}

/// An input of a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedInput {
    /// Its path, or `-` for a stream.
    pub name: String,
    /// The name of its format, if it has one.
    pub format: Option<Cow<'static, str>>,
    /// The name of its compression.
    pub compression: Cow<'static, str>,
    /// A checksum of its size and of samples of its bytes, which tells files of one name apart; `None` for a stream.
    pub content: Option<String>,
}

/// The number of samples for [`SavedInput::content`], evenly spaced, and their size in bytes.
const SAMPLES: (u64, usize) = (16, 4096);

impl SavedInput {
    fn new(source: &Source) -> SavedInput {
        SavedInput {
            name: source.name().plain().to_owned(),
            format: source.detection().format.map(|format| FileFormat::name(format).into()),
            compression: Compression::name(source.detection().compression).into(),
            content: source.path().and_then(|path| content(path).ok()),
        }
    }

    /// Whether both are the same file, perhaps by different paths or on different machines.
    fn is_same(&self, other: &SavedInput) -> bool {
        let file_name = |input: &SavedInput| Path::new(&input.name).file_name().map(ToOwned::to_owned);
        self.content.is_some() && self.content == other.content && file_name(self) == file_name(other)
    }
}

/// See [`SavedInput::content`].
fn content(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut bytes = size.to_le_bytes().to_vec();
    let (samples, length) = SAMPLES;
    for sample in 0..samples {
        let last = size.saturating_sub(length as u64);
        file.seek(SeekFrom::Start(last / (samples - 1) * sample))?;
        file.by_ref().take(length as u64).read_to_end(&mut bytes)?;
    }
    Ok(format!("{:032x}", hash128(&bytes)))
}

/// Everything in a file except the figures.
#[derive(Serialize, Deserialize)]
struct Header {
    parts: Vec<SavedPart>,
    read: u64,
    bad: BTreeMap<Cow<'static, str>, u64>,
    tails: u64,
    bytes_read: u64,
    seconds: f64,
    /// Files of earlier versions have none.
    #[serde(default)]
    games: GameStats,
}

/// Why saved statistics cannot be merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub fault: SavedFault,
}

/// A fault of a file of saved statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SavedFault {
    /// It is not a file of saved statistics.
    Other,
    /// It was written by a later version of the program: this is the version of the file.
    Version(u32),
    /// It is corrupt.
    Damaged,
    /// It has a partition that this other file has too.
    Twice(PathBuf),
    /// It has a partition of the same inputs as this other file, but divided into another number of partitions: records would be
    /// counted twice.
    OtherDivision(PathBuf),
}

impl Message for SavedError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display().to_string();
        say!(f, lang, "{path}: {fault}", "{path}: {fault}", path, fault = &self.fault)
    }
}

komabako_messages::english!(SavedError);

impl Message for SavedFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say_match!(f, lang, self;
            SavedFault::Other => "not saved statistics", "保存した集計ではありません";
            SavedFault::Version(version) => "saved statistics of version {version}, which this program does not know",
                "保存した集計のバージョン {version} は、このプログラムでは読めません", version;
            SavedFault::Damaged => "damaged", "壊れています";
            SavedFault::Twice(other) => "the same part of the same inputs as {other}",
                "{other} と同じ入力の同じ分担です", other = other.display().to_string();
            SavedFault::OtherDivision(other) =>
                "the same inputs as {other}, but divided into another number of parts: records would be counted \
                 twice",
                "{other} と同じ入力ですが分担の数が違います。同じレコードを 2 度数えることになります",
                other = other.display().to_string();
        )
    }
}

impl core::error::Error for SavedError {}

impl JobError for SavedError {
    fn kind(&self) -> &'static str {
        match self.fault {
            SavedFault::Other => "saved_other",
            SavedFault::Version(_) => "saved_version",
            SavedFault::Damaged => "saved_damaged",
            SavedFault::Twice(_) => "saved_twice",
            SavedFault::OtherDivision(_) => "saved_other_division",
        }
    }
}

impl SavedPart {
    /// The part for a partition of inputs that a job will read.
    pub fn new(inputs: &Inputs, partition: Partition) -> SavedPart {
        let inputs = inputs.sources().iter().map(SavedInput::new).collect();
        SavedPart { inputs, partition: partition.to_string() }
    }

    /// Whether both are parts of the same inputs.
    fn has_inputs_of(&self, other: &SavedPart) -> bool {
        let is_same = |(one, other): (&SavedInput, &SavedInput)| one.is_same(other);
        self.inputs.len() == other.inputs.len() && self.inputs.iter().zip(&other.inputs).all(is_same)
    }

    /// The partition; `None` if a later version wrote a form that this one cannot read.
    fn parsed(&self) -> Option<Partition> {
        self.partition.parse().ok()
    }

    /// The reason why this cannot be merged with another part, which is in the file `other`.
    fn conflict(&self, part: &SavedPart, other: &Path) -> Option<SavedFault> {
        let parts = |part: &SavedPart| part.parsed().map(Partition::parts);
        if !self.has_inputs_of(part) {
            None
        } else if self.partition == part.partition {
            Some(SavedFault::Twice(other.to_owned()))
        } else {
            (parts(self) != parts(part)).then(|| SavedFault::OtherDivision(other.to_owned()))
        }
    }
}

impl Saved {
    /// The content of a file of these statistics.
    #[expect(clippy::missing_panics_doc, reason = "strings and numbers have a form in JSON")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Summary { stats, games, counts, merged_tails } = &self.summary;
        let header = Header {
            parts: self.parts.clone(),
            read: counts.read,
            bad: counts.bad.clone(),
            tails: merged_tails + counts.tails.len() as u64,
            bytes_read: counts.bytes_read,
            seconds: counts.seconds,
            games: games.clone(),
        };
        let header = serde_json::to_vec(&header).expect("strings and numbers have a form in JSON");
        let length = (header.len() as u32).to_le_bytes();
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes(), &length, &header, &stats.to_bytes()].concat();
        let checksum = hash128(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Writes a file of these statistics, complete or not at all.
    ///
    /// # Errors
    /// If the output exists and is not to be overwritten (`force`), or cannot be written.
    pub fn write(&self, output: Output, force: bool) -> Result<(), DatasetError> {
        output.write(&self.to_bytes(), force)
    }

    /// Reads statistics from the bytes of a file.
    ///
    /// # Errors
    /// The fault of the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Saved, SavedFault> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(SavedFault::Other)?;
        let (version, rest) = rest.split_first_chunk().ok_or(SavedFault::Damaged)?;
        match u32::from_le_bytes(*version) {
            VERSION => {}
            version => return Err(SavedFault::Version(version)),
        }
        let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(SavedFault::Damaged)?;
        if hash128(content) != u128::from_le_bytes(*checksum) {
            return Err(SavedFault::Damaged);
        }
        let damaged = || SavedFault::Damaged;
        let (length, _) = rest.split_first_chunk().ok_or_else(damaged)?;
        let start = MAGIC.len() + 8;
        let end = start + u32::from_le_bytes(*length) as usize;
        let header = content.get(start..end).ok_or_else(damaged)?;
        let Header { parts, read, bad, tails, bytes_read, seconds, games } =
            serde_json::from_slice(header).map_err(|_| SavedFault::Damaged)?;
        let stats = Stats::from_bytes(&content[end..]).map_err(|fault| match fault {
            SavedStatsFault::Version(version) => SavedFault::Version(version as u32),
            _ => SavedFault::Damaged,
        })?;
        let mut summary = Summary { stats, games, merged_tails: tails, ..Summary::default() };
        let counts = &mut summary.counts;
        counts.read = read;
        counts.bad = bad;
        counts.bytes_read = bytes_read;
        counts.seconds = seconds;
        Ok(Saved { parts, summary })
    }

    /// Merges files of statistics; the result equals one job's count of all their inputs.
    ///
    /// # Errors
    /// A file that cannot be read; [`SavedError`] if it does not hold saved statistics, or counts records that another file
    /// counts too.
    pub fn merge(paths: &[impl AsRef<Path>]) -> Result<Saved, DatasetError> {
        let mut merged = Saved { parts: Vec::new(), summary: Summary::default() };
        let mut known: Vec<(SavedPart, &Path)> = Vec::new();
        let mut read: Vec<(u128, &Path)> = Vec::new();
        for path in paths {
            let path = path.as_ref();
            let of_this = |fault| SavedError { path: path.to_owned(), fault };
            let bytes = input::read_whole(path)?;
            let Saved { parts, summary } = Saved::from_bytes(&bytes).map_err(of_this)?;
            // Streams have no content to compare, but the same file of counts is given twice.
            let checksum = hash128(&bytes);
            if let Some((_, other)) = read.iter().find(|(known, _)| *known == checksum) {
                return Err(of_this(SavedFault::Twice(other.to_path_buf())).into());
            }
            read.push((checksum, path));
            for part in &parts {
                if let Some(fault) = known.iter().find_map(|(known, other)| part.conflict(known, other)) {
                    return Err(of_this(fault).into());
                }
            }
            known.extend(parts.iter().map(|part| (part.clone(), path)));
            merged.parts.extend(parts);
            merged.summary.merge(&summary);
        }
        Ok(merged)
    }

    /// The missing partitions of inputs of which only some partitions were counted.
    pub fn missing(&self) -> Vec<MissingParts> {
        let mut counted: Vec<(&SavedPart, Vec<Partition>)> = Vec::new();
        for part in &self.parts {
            let Some(partition) = part.parsed() else { continue };
            match counted.iter_mut().find(|(known, _)| known.has_inputs_of(part)) {
                Some((_, partitions)) => partitions.push(partition),
                None => counted.push((part, vec![partition])),
            }
        }
        let missing = counted.into_iter().map(|(part, partitions)| MissingParts {
            inputs: part.inputs.clone(),
            partitions: partitions[0].all().filter(|partition| !partitions.contains(partition)).collect(),
        });
        missing.filter(|missing| !missing.partitions.is_empty()).collect()
    }

    /// The inputs of all parts, each once, in the order of first occurrence.
    pub fn inputs(&self) -> Vec<SavedInput> {
        let mut inputs: Vec<SavedInput> = Vec::new();
        for input in self.parts.iter().flat_map(|part| &part.inputs) {
            if !inputs.contains(input) {
                inputs.push(input.clone());
            }
        }
        inputs
    }
}

impl Summary {
    /// Adds another job's counts of other records.
    fn merge(&mut self, other: &Summary) {
        let Summary { stats, games, counts, merged_tails } = other;
        self.stats.merge(stats);
        self.games.merge(games);
        self.merged_tails = self.merged_tails.saturating_add(*merged_tails);
        self.counts.read = self.counts.read.saturating_add(counts.read);
        self.counts.bytes_read = self.counts.bytes_read.saturating_add(counts.bytes_read);
        self.counts.seconds += counts.seconds;
        for (name, count) in &counts.bad {
            let bad = self.counts.bad.entry(name.clone()).or_default();
            *bad = bad.saturating_add(*count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_distinguished_from_other_files_and_later_versions() {
        let saved = Saved { parts: Vec::new(), summary: Summary::default() };
        let bytes = saved.to_bytes();
        assert!(Saved::from_bytes(&bytes).is_ok());
        for index in (0..bytes.len()).take(400) {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1;
            let expected = match index {
                0..16 => SavedFault::Other,
                16..20 => SavedFault::Version(VERSION ^ 1 << (8 * (index - 16))),
                _ => SavedFault::Damaged,
            };
            assert_eq!(Saved::from_bytes(&damaged).err(), Some(expected), "{index}");
            assert!(Saved::from_bytes(&bytes[..index]).is_err(), "{index}");
        }
    }
}

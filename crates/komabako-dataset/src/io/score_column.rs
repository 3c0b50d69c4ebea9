//! [`Column`]: scores in a file or a stream.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::Name;
use crate::io::compression::Compression;
use crate::io::input::{self, Opened, Watch};
use crate::{DatasetError, Input, Output};
use komabako_record::findings::Finding;

/// The score in a column for a record without one: YaneuraOu's `VALUE_NONE`. Merging it, or −32768, leaves the record's score
/// unchanged.
pub const UNKNOWN: i16 = 32002;

/// The largest score on either side that a column of 32-bit numbers gives. Such a number may be an evaluation or a mate, and
/// nothing larger is a mate in a record: beyond it are YaneuraOu's `VALUE_INFINITE` and [`UNKNOWN`]. `scores` and `rescore`,
/// which know evaluations from mates, clamp evaluations below [`MATE`] instead.
const LARGEST: i64 = 32_000;

/// Scores from here on mean mate rather than an evaluation: dlshogi uses 30000 for it, YaneuraOu 31754 and more.
pub(crate) const MATE: i16 = 30_000;

/// The numbers of a column, little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Width {
    /// `i16`: scores, [`UNKNOWN`] for none; −32768 is read so too. All others are scores: tools of hcpe write up to ±32767.
    #[default]
    I16,
    /// `f32`: scores, NaN for none. They are rounded, half away from zero, but below 30000 no further than to 29999, and clamped to
    /// ±32000.
    F32,
    /// `u32`: scores without a sign, `u32::MAX` for none, clamped to 32000. Scores of records are not written so.
    U32,
}

impl Width {
    /// The width that the extension of a file names, before that of its compression.
    pub(crate) fn from_path(path: &Path) -> Width {
        let compressed = Compression::from_path(path) != Compression::None;
        let plain = if compressed { path.file_stem().map(Path::new) } else { Some(path) };
        let extension = plain.and_then(Path::extension).and_then(OsStr::to_str).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "f32" => Width::F32,
            "u32" => Width::U32,
            _ => Width::I16,
        }
    }

    /// The width of a column of records' scores that is written.
    pub(crate) fn of_written(output: &Output) -> Result<Width, DatasetError> {
        match output.named().map_or(Width::I16, Width::from_path) {
            Width::U32 => Err(DatasetError::ScoreSign(output.name().to_string())),
            width => Ok(width),
        }
    }

    /// Appends a score.
    pub(crate) fn append(self, score: Option<i16>, out: &mut Vec<u8>) {
        match self {
            Width::I16 => out.extend_from_slice(&score.unwrap_or(UNKNOWN).to_le_bytes()),
            Width::F32 => out.extend_from_slice(&score.map_or(f32::NAN, f32::from).to_le_bytes()),
            Width::U32 => {
                let score = score.and_then(|score| u32::try_from(score).ok());
                out.extend_from_slice(&score.unwrap_or(u32::MAX).to_le_bytes());
            }
        }
    }

    /// The bytes of a number.
    pub const fn bytes(self) -> usize {
        match self {
            Width::I16 => 2,
            Width::F32 | Width::U32 => 4,
        }
    }

    /// Reads the score from the bytes of a number; `None` for the values that stand for no score.
    fn read(self, bytes: &[u8]) -> Option<ColumnScore> {
        match (self, bytes) {
            (Width::I16, &[low, high]) => {
                let score = known(i16::from_le_bytes([low, high]))?;
                Some(ColumnScore { score, is_clamped: false })
            }
            (Width::F32, &[a, b, c, d]) => {
                let score = f32::from_le_bytes([a, b, c, d]);
                // The conversion saturates, so infinities are clamped too.
                (!score.is_nan()).then(|| ColumnScore::clamped(rounded(score)))
            }
            (Width::U32, &[a, b, c, d]) => {
                let score = u32::from_le_bytes([a, b, c, d]);
                (score != u32::MAX).then(|| ColumnScore::clamped(score.into()))
            }
            _ => None,
        }
    }
}

/// The nearest score. An evaluation does not become a mate.
fn rounded(score: f32) -> i64 {
    let nearest = score.round();
    let mate = f32::from(MATE);
    if nearest.abs() >= mate && score.abs() < mate { score.trunc() as i64 } else { nearest as i64 }
}

/// The score, or `None` for the two values that stand for no score.
pub(crate) fn known(score: i16) -> Option<i16> {
    (!Finding::is_no_score(score)).then_some(score)
}

/// A score of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ColumnScore {
    /// The score.
    pub score: i16,
    /// Whether the column has a larger one.
    pub is_clamped: bool,
}

impl ColumnScore {
    fn clamped(score: i64) -> ColumnScore {
        let clamped = score.clamp(-LARGEST, LARGEST);
        ColumnScore { score: clamped as i16, is_clamped: clamped != score }
    }
}

/// A column of scores to merge onto records.
///
/// It is read once, along with the records: only the scores of the blocks in flight are in memory.
pub struct Column<'a> {
    name: Name,
    width: Width,
    /// Its path, if it is not a stream.
    path: Option<PathBuf>,
    /// Its file, if it is a regular one.
    watch: Option<Watch>,
    /// The number of scores, if known without reading.
    scores: Option<u64>,
    source: Box<dyn Read + Send + 'a>,
}

impl<'a> Column<'a> {
    /// Opens a column, whose [`Width`] its extension names; a stream has that of `i16`. Reads only enough to find its compression.
    ///
    /// # Errors
    /// If it cannot be opened or read, or if its bytes are known not to be whole numbers ([`DatasetError::ScoreSize`]).
    pub fn open(input: Input<'a>) -> Result<Column<'a>, DatasetError> {
        let name = input.name();
        let width = match &input {
            Input::Path(path) => Width::from_path(path),
            Input::Stream(..) => Width::I16,
        };
        let (path, watch, mut stream): (_, _, Box<dyn Read + Send + 'a>) = match input {
            Input::Stream(_, stream) => (None, None, stream),
            Input::Path(path) => match input::open(&path)? {
                Opened::File(file, stamp) => {
                    let watch = Watch::new(&path, file, stamp);
                    let content = watch.file();
                    (Some(path), Some(watch), Box::new(content))
                }
                Opened::Stream(stream) => (Some(path), None, Box::new(stream)),
            },
        };
        let mut head = Vec::with_capacity(Compression::HEAD);
        let decoded = stream.by_ref().take(Compression::HEAD as u64).read_to_end(&mut head).and_then(|_| {
            let compression = Compression::from_magic(&head);
            // The size of a compressed column does not determine the number of scores.
            let bytes = match compression {
                Compression::None => watch.as_ref().map(|watch| watch.stamp().bytes),
                _ => None,
            };
            Ok((bytes, compression.decoder(io::Cursor::new(head).chain(stream))?))
        });
        let failed = |error| DatasetError::Read { input: name.clone(), offset: 0, error };
        let (bytes, source) = decoded.map_err(failed)?;
        let scores = bytes.map(|bytes| whole(&name, bytes, width)).transpose()?;
        Ok(Column { name, width, path, watch, scores, source })
    }

    /// The column as an input that no output may overwrite.
    pub(crate) fn input(&self) -> Option<Input<'static>> {
        self.path.as_ref().map(Input::path)
    }

    /// The number of scores; `None` if it must be read to count them: the column is compressed or a stream.
    pub fn scores(&self) -> Option<u64> {
        self.scores
    }

    /// Checks that the numbers of scores and `records` are equal, as far as they are known without reading.
    pub(crate) fn check(&self, records: Option<u64>) -> Result<(), DatasetError> {
        self.scores.zip(records).map_or(Ok(()), |(scores, records)| same_count(&self.name, scores, records))
    }

    /// Starts reading.
    pub(crate) fn read(self) -> Scores<'a> {
        let window = ColumnWindow {
            source: self.source,
            width: self.width,
            kept: Vec::new(),
            first: 0,
            taken: BTreeMap::new(),
        };
        Scores { name: self.name, watch: self.watch, window: Mutex::new(window) }
    }
}

/// The scores of a column that is being read. With the lock in [`Column`], a job could not take one with a longer lifetime.
pub(crate) struct Scores<'a> {
    /// The name for messages.
    pub name: Name,
    watch: Option<Watch>,
    window: Mutex<ColumnWindow<'a>>,
}

/// A column, and the scores of it that are in memory.
struct ColumnWindow<'a> {
    source: Box<dyn Read + Send + 'a>,
    width: Width,
    /// The bytes that were read and not all fetched.
    kept: Vec<u8>,
    /// The number of the first score that is kept.
    first: u64,
    /// The runs of scores after `first` that were fetched: their ends, by their starts.
    taken: BTreeMap<u64, u64>,
}

impl Scores<'_> {
    /// The byte at which the score of a record starts.
    pub fn offset(&self, record: u64) -> u64 {
        let window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        window.width.bytes() as u64 * record
    }

    /// Reads `count` scores starting at `first`, or fewer at the end of the column. Each may be fetched once, in any order;
    /// the scores before a fetched run stay in memory until they are fetched too.
    pub fn fetch(&self, first: u64, count: usize, scores: &mut Vec<Option<ColumnScore>>) -> io::Result<()> {
        scores.clear();
        self.window.lock().unwrap_or_else(PoisonError::into_inner).fetch(first, count, scores)
    }

    /// Checks, after all records are read, that there was one score for each.
    pub fn finish(&self, records: u64) -> Result<(), DatasetError> {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        // Scores that were not fetched count too: a column that is longer than the records is refused, with both numbers.
        let width = window.width;
        let offset = width.bytes() as u64 * window.first + window.kept.len() as u64;
        let rest = io::copy(&mut window.source, &mut io::sink());
        let rest = rest.map_err(|error| DatasetError::Read { input: self.name.clone(), offset, error })?;
        self.watch.as_ref().map_or(Ok(()), Watch::check)?;
        same_count(&self.name, whole(&self.name, offset + rest, width)?, records)
    }
}

impl ColumnWindow<'_> {
    fn fetch(&mut self, first: u64, count: usize, scores: &mut Vec<Option<ColumnScore>>) -> io::Result<()> {
        // A block may have no records, only games without moves.
        if count == 0 {
            return Ok(());
        }
        let size = self.width.bytes();
        let start = (first - self.first) as usize * size;
        let end = start + count * size;
        // Workers finish out of order: the scores before this run are read too, and kept for the workers that need them.
        let missing = end.saturating_sub(self.kept.len());
        self.source.by_ref().take(missing as u64).read_to_end(&mut self.kept)?;
        let there = self.kept.get(start..end.min(self.kept.len())).unwrap_or_default();
        scores.extend(there.chunks_exact(size).map(|score| self.width.read(score)));
        self.taken.insert(first, first + count as u64);
        self.release();
        Ok(())
    }

    /// Frees the runs that were fetched and have no gap before them.
    fn release(&mut self) {
        let mut next = self.first;
        // Runs are fetched out of order: only those without a gap before them can be freed.
        while let Some(end) = self.taken.remove(&next) {
            next = end;
        }
        let forgotten = (next - self.first) as usize * self.width.bytes();
        if forgotten <= self.kept.len() {
            self.kept.drain(..forgotten);
            self.first = next;
        } else {
            // The column has ended: the bytes kept are its last ones.
            self.taken.insert(self.first, next);
        }
    }
}

fn same_count(column: &str, scores: u64, records: u64) -> Result<(), DatasetError> {
    if scores == records {
        Ok(())
    } else {
        Err(DatasetError::ScoreCount { column: column.to_owned(), scores, records })
    }
}

/// The number of scores in `bytes`.
fn whole(name: &str, bytes: u64, width: Width) -> Result<u64, DatasetError> {
    let size = width.bytes() as u64;
    if bytes.is_multiple_of(size) {
        Ok(bytes / size)
    } else {
        Err(DatasetError::ScoreSize { column: name.to_owned(), size: bytes, each: size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(scores: u64) -> Scores<'static> {
        let bytes: Vec<u8> = (0..scores).flat_map(|score| (score as i16).to_le_bytes()).collect();
        Column::open(Input::Stream("column".into(), Box::new(io::Cursor::new(bytes)))).unwrap().read()
    }

    fn plain(scores: &[Option<ColumnScore>]) -> Vec<i16> {
        scores.iter().map(|score| score.unwrap().score).collect()
    }

    fn kept(column: &Scores) -> usize {
        column.window.lock().unwrap().kept.len()
    }

    #[test]
    fn scores_are_kept_until_earlier_ones_are_fetched() {
        let column = column(10);
        let mut scores = Vec::new();
        for (first, count, expected, bytes) in
            [(4, 2, vec![4, 5], 12), (0, 1, vec![0], 10), (6, 3, vec![6, 7, 8], 16), (1, 3, vec![1, 2, 3], 0)]
        {
            column.fetch(first, count, &mut scores).unwrap();
            assert_eq!((plain(&scores), kept(&column)), (expected, bytes), "{first}");
        }
        assert!(matches!(column.finish(9), Err(DatasetError::ScoreCount { scores: 10, .. })));
    }

    #[test]
    fn every_number_is_a_score_or_none_or_clamped() {
        let is = |score, is_clamped| Some(ColumnScore { score, is_clamped });
        for score in i16::MIN..=i16::MAX {
            let expected = if [i16::MIN, UNKNOWN].contains(&score) { None } else { is(score, false) };
            assert_eq!(Width::I16.read(&score.to_le_bytes()), expected);
        }
        for (number, expected) in [
            (f32::NAN, None),
            (-2.5, is(-3, false)),
            (29_999.5, is(29_999, false)),
            (-29_999.9, is(-29_999, false)),
            (30_000.0, is(30_000, false)),
            (32_000.4, is(32_000, false)),
            (-32_000.5, is(-32_000, true)),
            (32_002.0, is(32_000, true)),
            (-32_768.0, is(-32_000, true)),
            (1e9, is(32_000, true)),
            (f32::NEG_INFINITY, is(-32_000, true)),
        ] {
            assert_eq!(Width::F32.read(&number.to_le_bytes()), expected, "{number}");
        }
        for (number, expected) in [
            (u32::MAX, None),
            (32_000, is(32_000, false)),
            (32_002, is(32_000, true)),
            (40_000, is(32_000, true)),
            (u32::MAX - 1, is(32_000, true)),
        ] {
            assert_eq!(Width::U32.read(&number.to_le_bytes()), expected, "{number}");
        }
    }

    #[test]
    fn empty_fetch_changes_nothing() {
        let column = column(3);
        let mut scores = Vec::new();
        for (first, count, expected) in [(0, 2, vec![0, 1]), (0, 0, vec![]), (2, 0, vec![]), (2, 1, vec![2])]
        {
            column.fetch(first, count, &mut scores).unwrap();
            assert_eq!(plain(&scores), expected);
        }
        column.finish(3).unwrap();
    }

    #[test]
    fn short_column_returns_its_scores() {
        let column = column(5);
        let mut scores = Vec::new();
        for (first, count, expected) in [(0, 4, vec![0, 1, 2, 3]), (8, 4, vec![]), (4, 4, vec![4])] {
            column.fetch(first, count, &mut scores).unwrap();
            assert_eq!(plain(&scores), expected);
        }
        assert!(matches!(column.finish(12), Err(DatasetError::ScoreCount { scores: 5, records: 12, .. })));
    }
}

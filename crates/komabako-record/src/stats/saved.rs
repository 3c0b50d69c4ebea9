//! Statistics as bytes, so that the statistics of several machines can be merged.

use alloc::vec::Vec;

use komabako_messages::messages;

use super::Stats;

/// The version of the bytes that are written.
const VERSION: u64 = 1;

/// The largest accepted count, so that sums of counts do not overflow. It exceeds the number of records of any real file.
const MAX_COUNT: u64 = 1 << 53;

/// The largest accepted sum.
const MAX_SUM: u128 = 1 << 96;

/// Why bytes are not valid statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SavedStatsFault {
    /// They have this version, whose counts differ.
    Version(u64),
    /// They are truncated or have excess bytes.
    Length,
    /// A number is out of range.
    Number,
    /// The sketch of distinct positions is not valid.
    Sketch,
}

messages! {
    SavedStatsFault {
        Version(version) with (known = VERSION) => "statistics of version {version}; only version {known} is supported",
            "バージョン {version} の集計です (読めるのは {known})";
        Length => "statistics that are truncated or have excess bytes", "集計が途中で切れているか、余分なバイトがあります";
        Number => "a number out of range", "範囲外の数があります";
        Sketch => "a damaged sketch of distinct positions", "異なる局面の数の推定が壊れています";
    }
}

impl core::error::Error for SavedStatsFault {}

/// Visits all numbers of the statistics to write or to read them. One list serves both, so that they agree.
pub(super) trait Numbers {
    /// A count.
    fn count(&mut self, count: &mut u64);

    /// A sum, or a bound of values.
    fn sum(&mut self, sum: &mut i128);

    /// Counts.
    fn counts(&mut self, counts: &mut [u64]) {
        counts.iter_mut().for_each(|count| self.count(count));
    }
}

/// Writes numbers with seven bits per byte, the lowest first.
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u128) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }
}

impl Numbers for Writer {
    fn count(&mut self, count: &mut u64) {
        self.number(u128::from(*count));
    }

    fn sum(&mut self, sum: &mut i128) {
        // The sign is in the lowest bit, so that small numbers of either sign are short.
        self.number((*sum << 1 ^ *sum >> 127) as u128);
    }
}

/// Reads numbers; after a fault all further numbers are 0.
struct Reader<'a> {
    bytes: &'a [u8],
    fault: Option<SavedStatsFault>,
}

impl Reader<'_> {
    fn number(&mut self, max: u128) -> u128 {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            let Some((&byte, rest)) = self.bytes.split_first() else {
                return self.fail(SavedStatsFault::Length);
            };
            self.bytes = rest;
            if shift > 112 {
                return self.fail(SavedStatsFault::Number);
            }
            number |= u128::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        if number > max { self.fail(SavedStatsFault::Number) } else { number }
    }

    fn fail(&mut self, fault: SavedStatsFault) -> u128 {
        self.fault.get_or_insert(fault);
        0
    }
}

impl Numbers for Reader<'_> {
    fn count(&mut self, count: &mut u64) {
        *count = self.number(u128::from(MAX_COUNT)) as u64;
    }

    fn sum(&mut self, sum: &mut i128) {
        let number = self.number(MAX_SUM);
        *sum = (number >> 1) as i128 ^ -((number & 1) as i128);
    }
}

impl Stats {
    /// The statistics as bytes: about 50 KiB, or 300 KiB with many positions.
    ///
    /// ```
    /// use komabako_record::FileFormat;
    /// use komabako_record::stats::Stats;
    /// let mut stats = Stats::default();
    /// stats.add(&FileFormat::Sfen.decode(b"startpos").expect("a good record"));
    /// let mut same = Stats::from_bytes(&stats.to_bytes())?;
    /// same.merge(&stats);
    /// assert_eq!(same.records, 2);
    /// # Ok::<(), komabako_record::stats::SavedStatsFault>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer(Vec::new());
        writer.number(u128::from(VERSION));
        self.clone().visit(&mut writer);
        let sketch = self.distinct.to_bytes();
        writer.number(sketch.len() as u128);
        writer.0.extend(sketch);
        writer.0
    }

    /// Reads the statistics from the bytes of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    /// If the bytes are not valid statistics, or have another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Stats, SavedStatsFault> {
        let mut reader = Reader { bytes, fault: None };
        let version = reader.number(u128::from(u64::MAX)) as u64;
        if reader.fault.is_none() && version != VERSION {
            return Err(SavedStatsFault::Version(version));
        }
        let mut stats = Stats::default();
        stats.visit(&mut reader);
        let length = reader.number(u128::from(MAX_COUNT));
        match reader.fault {
            Some(fault) => return Err(fault),
            None if reader.bytes.len() as u128 != length => return Err(SavedStatsFault::Length),
            None => {}
        }
        stats.distinct.merge_bytes(reader.bytes).ok_or(SavedStatsFault::Sketch)?;
        Ok(stats)
    }

    fn visit(&mut self, numbers: &mut dyn Numbers) {
        numbers.count(&mut self.records);
        numbers.counts(&mut self.side_to_move);
        numbers.count(&mut self.in_check);
        numbers.count(&mut self.unplayable);
        self.results.visit(numbers);
        self.plies.visit(numbers);
        self.scores.visit(numbers);
        self.pieces.visit(numbers);
        self.kings.visit(numbers);
        self.moves.visit(numbers);
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::FileFormat;

    fn stats() -> Stats {
        let mut stats = Stats::default();
        for score in [-31_000, -77, 5, 30_500] {
            let record = format!("sfen startpos\nmove 7g7f\nscore {score}\nply 1\nresult 1\ne\n");
            stats.add(&FileFormat::Plain.decode(record.as_bytes()).unwrap());
        }
        stats
    }

    #[test]
    fn saved_statistics_round_trip() {
        for stats in [Stats::default(), stats()] {
            let bytes = stats.to_bytes();
            let same = Stats::from_bytes(&bytes).unwrap();
            assert_eq!(format!("{same:?}"), format!("{stats:?}"));
            assert_eq!(same.to_bytes(), bytes);
        }
    }

    #[test]
    fn invalid_saved_statistics_are_refused() {
        let bytes = stats().to_bytes();
        for length in (0..40).chain(bytes.len() - 40..bytes.len()) {
            assert!(Stats::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        assert_eq!(Stats::from_bytes(&[&bytes[..], &[0]].concat()).err(), Some(SavedStatsFault::Length));
        assert_eq!(Stats::from_bytes(&[2]).err(), Some(SavedStatsFault::Version(2)));
        let long = [&[1][..], &[0xff; 18], &[1]].concat();
        assert_eq!(Stats::from_bytes(&long).err(), Some(SavedStatsFault::Number));
        for index in (0..200).chain((200..bytes.len()).step_by(101)) {
            let mut damaged = bytes.clone();
            damaged[index] ^= 0x55;
            // Whatever the damaged bytes contain, reading does not panic and the result can be merged.
            if let Ok(mut stats) = Stats::from_bytes(&damaged) {
                stats.merge(&Stats::from_bytes(&bytes).unwrap());
            }
        }
    }

    #[test]
    fn sums_keep_their_sign() {
        for sum in [0, 1, -1, i128::from(i64::MIN), i128::from(i64::MAX)] {
            let mut writer = Writer(Vec::new());
            writer.sum(&mut sum.clone());
            let mut reader = Reader { bytes: &writer.0, fault: None };
            let mut same = 7;
            reader.sum(&mut same);
            assert_eq!((same, reader.fault, reader.bytes.len()), (sum, None, 0));
        }
    }
}

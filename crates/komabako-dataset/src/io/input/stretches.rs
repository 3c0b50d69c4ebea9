//! Stretches of records at equal distances: a sample of an input's start, end and middle.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// The number of stretches to read, and the number of records in each.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    pub stretches: u64,
    pub records: u64,
}

impl Spread {
    /// The ranges of `records` to read, ascending, the first and the last records among them. In a small file
    /// stretches would overlap: each record is read once.
    fn ranges(self, records: u64) -> impl Iterator<Item = Range<u64>> {
        let last_start = records.saturating_sub(self.records);
        let steps = self.stretches.saturating_sub(1).max(1);
        let mut next = 0;
        (0..self.stretches).filter_map(move |stretch| {
            let spread = (u128::from(last_start) * u128::from(stretch) / u128::from(steps)) as u64;
            let range = next.max(spread)..(spread + self.records).min(records);
            if range.is_empty() {
                return None;
            }
            next = range.end;
            Some(range)
        })
    }

    /// Reads stretches of a file of whole records of `size` bytes.
    ///
    /// # Errors
    /// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the file has fewer records than it should.
    pub fn of_file(
        self,
        file: &mut (impl Read + Seek),
        size: usize,
        records: u64,
    ) -> io::Result<Vec<Vec<u8>>> {
        let mut stretches = Vec::new();
        for range in self.ranges(records) {
            let mut bytes = vec![0; (range.end - range.start) as usize * size];
            file.seek(SeekFrom::Start(range.start * size as u64))?;
            file.read_exact(&mut bytes)?;
            stretches.push(bytes);
        }
        Ok(stretches)
    }

    /// Stretches of the start of a content.
    pub fn of_bytes(self, bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
        let ranges = self.ranges((bytes.len() / size) as u64);
        ranges.map(|range| bytes[range.start as usize * size..range.end as usize * size].to_vec()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_cover_both_ends_and_never_overlap() {
        let spread = Spread { stretches: 4, records: 3 };
        for records in 0..100 {
            let ranges: Vec<_> = spread.ranges(records).collect();
            assert!(ranges.windows(2).all(|two| two[0].end <= two[1].start), "{ranges:?}");
            if records > 0 {
                assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, records));
            }
        }
        assert_eq!(spread.ranges(100).collect::<Vec<_>>(), [0..3, 32..35, 64..67, 97..100]);
        assert_eq!(spread.of_bytes(&[1, 1, 2, 2, 3], 2), [[1, 1, 2, 2]]);
    }
}

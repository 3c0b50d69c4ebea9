//! [`Kept`]: the decoded records of an archive, for a job that reads them twice.

use std::io::{self, Read};
use std::sync::Arc;

/// The records of an archive's blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kept(Arc<Vec<Vec<u8>>>);

impl Kept {
    /// The records of all blocks of an archive.
    pub fn new(blocks: Vec<Vec<u8>>) -> Kept {
        Kept(Arc::new(blocks))
    }

    /// All records.
    pub fn content(self) -> impl Read + Send + 'static {
        Content { blocks: self, block: 0, passed: 0 }
    }
}

struct Content {
    blocks: Kept,
    /// The number of the block, and the bytes of it that were passed on.
    block: usize,
    passed: usize,
}

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(records) = self.blocks.0.get(self.block) {
            let rest = &records[self.passed..];
            if !rest.is_empty() {
                let length = rest.len().min(buffer.len());
                buffer[..length].copy_from_slice(&rest[..length]);
                self.passed += length;
                return Ok(length);
            }
            self.block += 1;
            self.passed = 0;
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use komabako_archive::{Codec, Encoding, Header, Source, write_archive};

    use super::*;
    use crate::io::archive::{ArchiveReader, Contents};

    /// Reads at most some bytes of an archive whose records are to be kept. Returns what is kept.
    fn kept(archive: &[u8], most: u64) -> Option<Vec<u8>> {
        let contents = Contents::default();
        contents.keep_records();
        let reader = ArchiveReader::new(Box::new(archive), contents.clone());
        let _ = reader.take(most).read_to_end(&mut Vec::new());
        let mut records = Vec::new();
        contents.kept()?.content().read_to_end(&mut records).unwrap();
        Some(records)
    }

    #[test]
    fn the_records_of_a_whole_sound_archive_are_kept() {
        let records: Vec<u8> = (0..40 * 1000).map(|number| (number / 256) as u8).collect();
        let encoding = Encoding::new(Codec::Stored);
        let mut archive = write_archive(&Header::new(Source::Psv), &records, 300, &encoding).unwrap();
        assert_eq!(kept(&archive, u64::MAX), Some(records));
        assert_eq!(kept(&archive, 39_000), None, "a part");
        archive[20_000] ^= 1;
        assert_eq!(kept(&archive, u64::MAX), None, "a damaged block");
    }
}

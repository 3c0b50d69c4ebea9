//! [`Stream`]: splits a file that arrives in chunks into blocks.

use komabako::record::block::{Block, StreamPlace, line_ends};
use komabako::record::{FileFormat, boundaries};

/// The sizes of blocks in bytes. They equal the program's: its sketch of distinct positions is slightly more accurate for
/// one block than for merged blocks, so other sizes would give other figures.
const BLOCK_BYTES: usize = 1 << 19;
const GAMES_BLOCK_BYTES: usize = 1 << 17;

/// A longer record is treated as damage. For hcpe3, which has the longest games, this is a thousand times a usual game.
const LONGEST: usize = 64 << 20;

/// Cuts a file into blocks of whole records.
pub struct Stream {
    format: FileFormat,
    /// The received bytes that are not yet split.
    waiting: Vec<u8>,
    /// The bytes after the last whole record of the split part.
    incomplete: Vec<u8>,
    /// The place of the next record.
    place: StreamPlace,
    tail: Option<Tail>,
}

/// The bytes after the last whole record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tail {
    /// The number that a record in their place would have.
    pub record: u64,
    /// The offset at which they start.
    pub offset: u64,
    /// Whether the file ends within a record; otherwise the start of the next record cannot be found.
    pub is_truncated: bool,
}

impl Tail {
    /// The name of the fault, as in the program's reports.
    pub const fn name(self) -> &'static str {
        if self.is_truncated { "TRUNCATED" } else { "DAMAGED" }
    }
}

impl Stream {
    pub fn new(format: FileFormat) -> Self {
        let place = StreamPlace::default();
        Self { format, waiting: Vec::new(), incomplete: Vec::new(), place, tail: None }
    }

    /// Passes the blocks of the next chunk to `each`; the last chunk also flushes the rest. Chunks after damage are
    /// ignored.
    pub fn push(&mut self, chunk: &[u8], is_last: bool, mut each: impl FnMut(&Block)) {
        self.waiting.extend_from_slice(chunk);
        let block_bytes = if self.format.holds_games() { GAMES_BLOCK_BYTES } else { BLOCK_BYTES };
        let mut consumed = 0;
        while self.tail.is_none() && (self.waiting.len() - consumed >= block_bytes || is_last) {
            let bytes = &self.waiting[consumed..self.waiting.len().min(consumed + block_bytes)];
            consumed += bytes.len();
            let is_end = bytes.len() < block_bytes;
            self.incomplete.extend_from_slice(bytes);
            self.emit_block(is_end, &mut each);
            if is_end {
                break;
            }
        }
        self.waiting.drain(..consumed);
    }

    /// The bytes after the last whole record; known at the end.
    pub fn tail(&self) -> Option<Tail> {
        self.tail
    }

    /// Passes the whole records of the split part to `each` as a block.
    fn emit_block(&mut self, is_end: bool, each: &mut impl FnMut(&Block)) {
        let found = boundaries::cut(self.format, &self.incomplete, is_end, self.place.offset == 0);
        let units = found.cuts.units();
        let incomplete = self.incomplete.split_off(found.whole);
        let bytes = std::mem::replace(&mut self.incomplete, incomplete);
        let records = found.cuts.len() as u64;
        let games = found.cuts.games().len() as u64;
        let place = self.place;
        self.place = StreamPlace {
            record: place.record + records,
            game: place.game + games,
            offset: place.offset + bytes.len() as u64,
            line: place.line + if self.format.is_text() { line_ends(&bytes) } else { 0 },
        };
        if units > 0 {
            let mut block = Block::default();
            block.restart(place);
            block.buffer().extend(bytes);
            block.set_cuts(found.cuts);
            each(&block);
        }
        let is_truncated = is_end && found.damage.is_none();
        let is_tail = found.damage.is_some()
            || self.incomplete.len() > LONGEST
            || is_end && !self.incomplete.is_empty();
        if is_tail {
            let StreamPlace { record, offset, .. } = self.place;
            self.tail = Some(Tail { record, offset, is_truncated });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The records of a file passed in chunks of `chunk` bytes, and the tail.
    fn records(format: FileFormat, file: &[u8], chunk: usize) -> (Vec<(u64, Vec<u8>)>, Option<Tail>) {
        let mut stream = Stream::new(format);
        let mut records = Vec::new();
        let mut each = |block: &Block| {
            records.extend((0..block.len()).map(|index| (block.offset(index), block.record(index).to_vec())));
        };
        file.chunks(chunk).for_each(|chunk| stream.push(chunk, false, &mut each));
        stream.push(b"", true, &mut each);
        (records, stream.tail())
    }

    #[test]
    fn chunks_of_any_size_give_the_same_records() {
        let file: Vec<u8> = (0..40_u32 * 30_000).map(|byte| (byte % 251) as u8).collect();
        let (whole, tail) = records(FileFormat::Psv, &file, file.len());
        assert_eq!((whole.len(), tail), (30_000, None));
        for chunk in [997, 1 << 16, BLOCK_BYTES] {
            assert_eq!(records(FileFormat::Psv, &file, chunk).0, whole, "{chunk}");
        }
        let text = b"sfen startpos\nmove 7g7f\nscore 35\nply 1\nresult 1\ne\n".repeat(50);
        let (whole, tail) = records(FileFormat::Plain, &text, text.len());
        assert_eq!((whole.len(), tail), (50, None));
        assert_eq!(records(FileFormat::Plain, &text, 7).0, whole);
    }

    #[test]
    fn truncated_file_has_a_tail() {
        let (whole, tail) = records(FileFormat::Psv, &[0; 95], 40);
        assert_eq!(whole.len(), 2);
        assert_eq!(tail, Some(Tail { record: 2, offset: 80, is_truncated: true }));
    }
}

//! [`Stream`]: the blocks of a file that comes in pieces.

use komabako::record::block::{Block, StreamPlace, line_ends};
use komabako::record::{FileFormat, boundaries};

/// How much is cut at a time. As the program does: its sketch of different positions is a little better of a single block
/// than of blocks put together, so that other sizes would give other figures.
const BLOCK_BYTES: usize = 1 << 19;
const GAMES_BLOCK_BYTES: usize = 1 << 17;

/// A record that is longer is damage; of games in hcpe3, which are the longest, a thousand times what is played.
const LONGEST: usize = 64 << 20;

/// Cuts a file into blocks of whole records.
pub struct Stream {
    format: FileFormat,
    /// What came and is not cut.
    waiting: Vec<u8>,
    /// The bytes past the last whole record of what was cut.
    rest: Vec<u8>,
    /// Where the next record starts.
    place: StreamPlace,
    tail: Option<Tail>,
}

/// What follows the last whole record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tail {
    /// The number of the record that it is instead of.
    pub record: u64,
    /// Where it starts.
    pub offset: u64,
    /// Whether the file ends within a record; otherwise there is no knowing where one starts.
    pub is_truncated: bool,
}

impl Tail {
    /// The name of the fault, as the program's reports have it.
    pub const fn name(self) -> &'static str {
        if self.is_truncated { "TRUNCATED" } else { "DAMAGED" }
    }
}

impl Stream {
    pub fn new(format: FileFormat) -> Self {
        let place = StreamPlace::default();
        Self { format, waiting: Vec::new(), rest: Vec::new(), place, tail: None }
    }

    /// Gives the blocks of the next piece, of the last one with what was left. A piece of a file that is damaged before is
    /// not looked at.
    pub fn push(&mut self, piece: &[u8], is_last: bool, mut each: impl FnMut(&Block)) {
        self.waiting.extend_from_slice(piece);
        let want = if self.format.holds_games() { GAMES_BLOCK_BYTES } else { BLOCK_BYTES };
        let mut cut = 0;
        while self.tail.is_none() && (self.waiting.len() - cut >= want || is_last) {
            let bytes = &self.waiting[cut..self.waiting.len().min(cut + want)];
            cut += bytes.len();
            let is_end = bytes.len() < want;
            self.rest.extend_from_slice(bytes);
            self.cut(is_end, &mut each);
            if is_end {
                break;
            }
        }
        self.waiting.drain(..cut);
    }

    /// What follows the last whole record, at the end.
    pub fn tail(&self) -> Option<Tail> {
        self.tail
    }

    fn cut(&mut self, is_end: bool, each: &mut impl FnMut(&Block)) {
        let found = boundaries::cut(self.format, &self.rest, is_end, self.place.offset == 0);
        let units = found.cuts.units();
        let rest = self.rest.split_off(found.whole);
        let bytes = std::mem::replace(&mut self.rest, rest);
        let (records, games) = (found.cuts.len() as u64, found.cuts.games().len() as u64);
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
        let is_tail = found.damage.is_some() || self.rest.len() > LONGEST || is_end && !self.rest.is_empty();
        if is_tail {
            let StreamPlace { record, offset, .. } = self.place;
            self.tail = Some(Tail { record, offset, is_truncated });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The records of a file in pieces of some size, with what follows the last.
    fn records(format: FileFormat, file: &[u8], piece: usize) -> (Vec<(u64, Vec<u8>)>, Option<Tail>) {
        let mut stream = Stream::new(format);
        let mut records = Vec::new();
        let mut each = |block: &Block| {
            records.extend((0..block.len()).map(|index| (block.offset(index), block.record(index).to_vec())));
        };
        file.chunks(piece).for_each(|piece| stream.push(piece, false, &mut each));
        stream.push(b"", true, &mut each);
        (records, stream.tail())
    }

    #[test]
    fn chunks_of_any_size_give_the_same_records() {
        let file: Vec<u8> = (0..40_u32 * 30_000).map(|byte| (byte % 251) as u8).collect();
        let (whole, tail) = records(FileFormat::Psv, &file, file.len());
        assert_eq!((whole.len(), tail), (30_000, None));
        for piece in [997, 1 << 16, BLOCK_BYTES] {
            assert_eq!(records(FileFormat::Psv, &file, piece).0, whole, "{piece}");
        }
        let text = b"sfen startpos\nmove 7g7f\nscore 35\nply 1\nresult 1\ne\n".repeat(50);
        let (whole, tail) = records(FileFormat::Plain, &text, text.len());
        assert_eq!((whole.len(), tail), (50, None));
        assert_eq!(records(FileFormat::Plain, &text, 7).0, whole);
    }

    #[test]
    fn a_file_that_ends_within_a_record_has_a_tail() {
        let (whole, tail) = records(FileFormat::Psv, &[0; 95], 40);
        assert_eq!(whole.len(), 2);
        assert_eq!(tail, Some(Tail { record: 2, offset: 80, is_truncated: true }));
    }
}

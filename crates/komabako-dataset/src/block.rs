//! [`Block`]: whole records as they lie in a stream, and [`RecordReader`], which cuts a stream into blocks.

use std::io::{self, Read};
use std::ops::Range;

use crate::error::{Damage, DatasetError, Tail, TailCause};
use crate::games::{self, GamePlace};
use crate::{FileFormat, Record, RecordFault, batch, compression, cut};

/// How many bytes a reader asks of its stream at a time, and about the size of a block.
const BLOCK_BYTES: usize = 1 << 19;

/// The same for games, of which as few as four bytes make a record.
const GAMES_BLOCK_BYTES: usize = 1 << 17;

/// What no record is longer than.
fn record_limit(format: FileFormat) -> usize {
    match format {
        FileFormat::Hcpe3 => games::LONGEST_HCPE3,
        _ => Damage::LONGEST,
    }
}

/// Consecutive whole records of one stream. Of a format of games these are the positions of whole games.
#[derive(Clone, Default)]
pub struct Block {
    bytes: Vec<u8>,
    cuts: Cuts,
    first: u64,
    first_game: u64,
    ordinal: u64,
    offset: u64,
    /// Which input of a job it is from.
    pub(crate) source: usize,
}

/// Where the records of a block lie in its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cuts {
    /// So many records of one size, without gaps.
    Every { size: usize, count: usize },
    /// From byte to byte, ascending; line ends and blank lines lie between.
    At(Vec<(u32, u32)>),
    /// Games, each of which expands to several records, or to none.
    Games(Vec<GameCut>),
}

/// Where a game lies in the bytes of a block, and its records among those of the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameCut {
    pub start: u32,
    pub end: u32,
    /// The index of its first record.
    pub first: u32,
    /// The number of its records.
    pub moves: u32,
}

/// A game of a block.
#[derive(Clone, Copy)]
pub(crate) struct BlockGame<'a> {
    /// Its number in the stream.
    pub number: u64,
    /// The byte of the stream at which it starts.
    pub offset: u64,
    pub bytes: &'a [u8],
    /// The index in the block of its first record.
    pub first: usize,
    /// The number of its records.
    pub moves: usize,
}

impl Default for Cuts {
    fn default() -> Self {
        Cuts::At(Vec::new())
    }
}

impl Cuts {
    pub(crate) fn len(&self) -> usize {
        match self {
            Cuts::Every { count, .. } => *count,
            Cuts::At(cuts) => cuts.len(),
            Cuts::Games(games) => games.last().map_or(0, |last| (last.first + last.moves) as usize),
        }
    }

    /// The number of pieces of the stream: games, or records.
    fn pieces(&self) -> usize {
        match self {
            Cuts::Games(games) => games.len(),
            _ => self.len(),
        }
    }

    /// The games, if that is what was cut.
    fn games(&self) -> &[GameCut] {
        match self {
            Cuts::Games(games) => games,
            _ => &[],
        }
    }
}

impl Block {
    pub(crate) fn new(bytes: Vec<u8>, cuts: Cuts) -> Block {
        Block { bytes, cuts, ..Block::default() }
    }

    /// The block with other bytes in the same records.
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Block {
        Block { bytes, cuts: self.cuts.clone(), ..*self }
    }

    /// The bytes, to be used again.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Whether the block holds no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number in the stream of the block's first record.
    pub fn first_record(&self) -> u64 {
        self.first
    }

    /// The number of the block's first record among those of all inputs of a job.
    pub(crate) fn ordinal(&self) -> u64 {
        self.ordinal
    }

    pub(crate) fn set_ordinal(&mut self, ordinal: u64) {
        self.ordinal = ordinal;
    }

    /// The indices of the records whose numbers among those of all inputs are in a range.
    pub(crate) fn indices(&self, range: &Range<u64>) -> Range<usize> {
        let index = |ordinal: u64| ordinal.saturating_sub(self.ordinal).min(self.len() as u64) as usize;
        index(range.start)..index(range.end)
    }

    /// The number of games, those without a record included; 0 if the format has none.
    pub fn game_count(&self) -> usize {
        self.cuts.games().len()
    }

    /// The bytes of a record; of text, without the line end; of games, those of the whole game.
    ///
    /// # Panics
    /// If the block has no record of that index.
    #[inline]
    pub fn record(&self, index: usize) -> &[u8] {
        let (start, end) = self.span(index);
        &self.bytes[start..end]
    }

    /// The bytes of all records and what lies between them.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The byte of the stream at which a record starts; of games, the byte at which its game does.
    ///
    /// # Panics
    /// If the block has no record of that index.
    pub fn offset(&self, index: usize) -> u64 {
        self.offset + self.span(index).0 as u64
    }

    /// Reads one record. To read many, [`crate::convert`] and [`crate::legality`] work on slices; of games this replays
    /// the game up to the record.
    ///
    /// # Errors
    /// What is wrong with the record.
    ///
    /// # Panics
    /// If the block has no record of that index, or is of another format.
    pub fn decode(&self, format: FileFormat, index: usize) -> Result<Record, RecordFault> {
        if format.holds_games() {
            batch::decode_one(format, self, index)
        } else {
            format.decode(self.record(index))
        }
    }

    /// The place of a record in the games of the stream; `None` if the format has no games.
    ///
    /// # Panics
    /// If the block has no record of that index.
    pub fn place(&self, index: usize) -> Option<GamePlace> {
        assert!(index < self.len(), "record {index} of a block of {}", self.len());
        let game = self.game_of(index);
        let first = self.cuts.games().get(game)?.first as usize;
        Some(GamePlace { game: self.first_game + game as u64, number: (index - first) as u32 + 1 })
    }

    /// The index in the block of the game that a record is of.
    fn game_of(&self, record: usize) -> usize {
        // The last that starts at the record or before: games before it may have no record.
        self.cuts.games().partition_point(|game| game.first as usize <= record).saturating_sub(1)
    }

    /// The games, from that of a record on.
    pub(crate) fn games_from(&self, record: usize) -> impl Iterator<Item = BlockGame<'_>> {
        self.games_but(self.game_of(record))
    }

    /// All games, also those before the first record.
    pub(crate) fn games(&self) -> impl Iterator<Item = BlockGame<'_>> {
        self.games_but(0)
    }

    /// The games but for so many at the start.
    fn games_but(&self, skipped: usize) -> impl Iterator<Item = BlockGame<'_>> {
        self.cuts.games()[skipped..].iter().zip(skipped as u64..).map(|(cut, game)| BlockGame {
            number: self.first_game + game,
            offset: self.offset + u64::from(cut.start),
            bytes: &self.bytes[cut.start as usize..cut.end as usize],
            first: cut.first as usize,
            moves: cut.moves as usize,
        })
    }

    #[inline]
    fn span(&self, index: usize) -> (usize, usize) {
        match &self.cuts {
            Cuts::Every { size, count } => {
                assert!(index < *count, "record {index} of a block of {count}");
                (index * size, (index + 1) * size)
            }
            Cuts::At(cuts) => {
                let (start, end) = cuts[index];
                (start as usize, end as usize)
            }
            Cuts::Games(games) => {
                assert!(index < self.len(), "record {index} of a block of {}", self.len());
                let game = games[self.game_of(index)];
                (game.start as usize, game.end as usize)
            }
        }
    }
}

/// Cuts a stream of one format, already decompressed, into blocks of whole records.
///
/// Reads in large pieces and allocates nothing for a record; a block that is handed back is used again. Bytes are
/// not looked at further than it takes to find where records end.
pub struct RecordReader<R> {
    source: R,
    input: String,
    format: FileFormat,
    /// What was read past the last whole record.
    rest: Vec<u8>,
    records: u64,
    games: u64,
    offset: u64,
    end: Option<End>,
}

/// Why a reader reads no further.
enum End {
    /// The stream is at its end.
    Whole,
    /// This comes after its last whole record.
    Tail(TailCause),
    /// The stream cannot be read.
    Failed(io::Error),
    /// All has been said.
    Reported,
}

impl<R: Read> RecordReader<R> {
    /// A reader of a stream; `input` is its name in errors.
    pub fn new(source: R, format: FileFormat, input: impl Into<String>) -> Self {
        RecordReader {
            source,
            input: input.into(),
            format,
            rest: Vec::new(),
            records: 0,
            games: 0,
            offset: 0,
            end: None,
        }
    }

    /// The same where the stream starts in the middle of the input: at a record and a byte.
    pub(crate) fn starting_at(mut self, record: u64, offset: u64) -> Self {
        self.records = record;
        self.offset = offset;
        self
    }

    /// Fills a block with the next records: at least one, or of games at least one game, which may have no moves and so
    /// no records. `false` at the end of the stream; the block is empty then.
    ///
    /// # Errors
    /// After the last whole record: [`DatasetError::Tail`] if the stream does not end there, [`DatasetError::Read`]
    /// if it cannot be read on. Each is returned once, then `false`.
    pub fn next_block(&mut self, block: &mut Block) -> Result<bool, DatasetError> {
        block.bytes.clear();
        block.cuts = Cuts::default();
        block.first = self.records;
        block.first_game = self.games;
        block.offset = self.offset;
        if self.end.is_none() {
            block.bytes.append(&mut self.rest);
        }
        while self.end.is_none() {
            self.read(&mut block.bytes);
            let cut = cut::cut(self.format, &block.bytes, self.end.is_some(), self.offset == 0);
            let is_found = cut.cuts.pieces() > 0;
            if is_found || self.end.is_some() || cut.damage.is_some() {
                self.rest.extend_from_slice(&block.bytes[cut.whole..]);
                block.cuts = cut.cuts;
                self.records += block.cuts.len() as u64;
                self.games += block.cuts.games().len() as u64;
                self.offset += cut.whole as u64;
                self.note_end(cut.damage);
                if is_found {
                    return Ok(true);
                }
            } else if block.bytes.len() > record_limit(self.format) {
                self.rest.append(&mut block.bytes);
                self.end = Some(End::Tail(TailCause::Damaged(Damage::TooLong)));
            }
        }
        match self.end.replace(End::Reported) {
            Some(End::Tail(cause)) => Err(DatasetError::Tail(Box::new(self.tail(cause)))),
            Some(End::Failed(error)) => {
                let offset = self.offset + self.rest.len() as u64;
                Err(DatasetError::Read { input: self.input.clone(), offset, error })
            }
            _ => Ok(false),
        }
    }

    /// Appends the next piece of the stream.
    fn read(&mut self, bytes: &mut Vec<u8>) {
        let want = if self.format.holds_games() { GAMES_BLOCK_BYTES } else { BLOCK_BYTES } as u64;
        match self.source.by_ref().take(want).read_to_end(bytes) {
            Ok(read) if (read as u64) < want => self.end = Some(End::Whole),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                self.end = Some(End::Tail(TailCause::Compressed));
            }
            Err(error) if compression::is_corruption(&error) => {
                self.end = Some(End::Tail(TailCause::Corrupt));
            }
            Err(error) => self.end = Some(End::Failed(error)),
        }
    }

    /// Takes into account what the last cut left over.
    fn note_end(&mut self, damage: Option<Damage>) {
        match (damage, &self.end) {
            (Some(what), _) => self.end = Some(End::Tail(TailCause::Damaged(what))),
            (None, Some(End::Whole)) if !self.rest.is_empty() => {
                self.end = Some(End::Tail(TailCause::Truncated));
            }
            _ => {}
        }
    }

    fn tail(&self, cause: TailCause) -> Tail {
        Tail {
            input: self.input.clone(),
            records: self.records,
            offset: self.offset,
            length: self.rest.len() as u64,
            cause,
        }
    }
}

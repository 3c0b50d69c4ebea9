//! [`Block`]: consecutive whole records of a stream; [`boundaries`]: where they end.

pub mod boundaries;

use alloc::vec::Vec;
use core::ops::Range;

use crate::fault::{Damage, GamePlace};
use crate::move16::MoveEncoding;

/// Consecutive whole records of one stream. In a format of games these are the positions of whole games.
#[derive(Clone, Default, Debug)]
pub struct Block {
    bytes: Vec<u8>,
    cuts: Cuts,
    place: StreamPlace,
    ordinal: u64,
    source: usize,
    moves: Option<MoveEncoding>,
}

/// A position in a stream that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StreamPlace {
    /// The number of the next record, counted from 0.
    pub record: u64,
    /// The number of the next game, counted from 0; 0 if the format has no games.
    pub game: u64,
    /// The byte offset at which they start.
    pub offset: u64,
    /// The number of lines before that byte in a text format; otherwise 0.
    pub line: u64,
}

impl StreamPlace {
    /// The place after some text that contains no record: comments and blank lines.
    pub fn after_text(self, bytes: &[u8]) -> StreamPlace {
        let line = self.line + line_ends(bytes);
        StreamPlace { offset: self.offset + bytes.len() as u64, line, ..self }
    }
}

/// The boundaries of the records in the bytes of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cuts {
    /// Records of a fixed size, without gaps.
    Every {
        /// The size of a record in bytes.
        size: usize,
        /// The number of records.
        count: usize,
    },
    /// The byte ranges of the records, ascending; line ends, blank lines and comments are between them.
    At(Vec<(u32, u32)>),
    /// Games, each of which expands to any number of records.
    Games(Vec<GameCut>),
}

/// The whole records at the start of some bytes.
#[derive(Debug)]
pub struct Cut {
    /// The records.
    pub cuts: Cuts,
    /// The number of bytes they take, including the gaps before, between and after them.
    pub whole: usize,
    /// The damage that hides the end of the next record.
    pub damage: Option<Damage>,
}

/// The range of a game in the bytes of a block, and of its records among the block's records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameCut {
    /// The byte of the block at which the game starts.
    pub start: u32,
    /// The byte after its end.
    pub end: u32,
    /// The index of its first record.
    pub first: u32,
    /// The number of its records.
    pub moves: u32,
}

/// A game of a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockGame<'a> {
    /// Its number in the stream.
    pub number: u64,
    /// The byte of the stream at which it starts.
    pub offset: u64,
    /// The bytes of the whole game.
    pub bytes: &'a [u8],
    /// The index in the block of its first record.
    pub first: usize,
    /// The number of its records.
    pub moves: usize,
}

/// The number of line ends in some bytes.
pub fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}

impl Default for Cuts {
    fn default() -> Self {
        Cuts::At(Vec::new())
    }
}

impl Cuts {
    /// The number of records.
    pub fn len(&self) -> usize {
        match self {
            Cuts::Every { count, .. } => *count,
            Cuts::At(cuts) => cuts.len(),
            Cuts::Games(games) => games.last().map_or(0, |last| (last.first + last.moves) as usize),
        }
    }

    /// Whether the block has no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of units of the stream: games in a format of games, otherwise records.
    pub fn units(&self) -> usize {
        match self {
            Cuts::Games(games) => games.len(),
            _ => self.len(),
        }
    }

    /// The games; empty unless the block consists of games.
    pub fn games(&self) -> &[GameCut] {
        match self {
            Cuts::Games(games) => games,
            _ => &[],
        }
    }
}

impl Block {
    /// A block of bytes and the boundaries of its records.
    pub fn new(bytes: Vec<u8>, cuts: Cuts) -> Block {
        Block { bytes, cuts, ..Block::default() }
    }

    /// A copy of the block with other bytes but the same boundaries.
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Block {
        Block { bytes, cuts: self.cuts.clone(), ..*self }
    }

    /// Empties the block so that it can be refilled from `place` in a stream.
    pub fn restart(&mut self, place: StreamPlace) {
        self.bytes.clear();
        self.cuts = Cuts::default();
        self.place = place;
    }

    /// The byte buffer, to be filled after [`Block::restart`] and before [`Block::set_cuts`].
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// Sets the boundaries of the records.
    pub fn set_cuts(&mut self, cuts: Cuts) {
        self.cuts = cuts;
    }

    /// Returns the byte buffer for reuse.
    pub fn into_bytes(self) -> Vec<u8> {
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

    /// The number of the block's first record in the stream.
    pub fn first_record(&self) -> u64 {
        self.place.record
    }

    /// The number of the block's first record, counted over all inputs of a job.
    pub fn ordinal(&self) -> u64 {
        self.ordinal
    }

    /// Sets the value of [`Block::ordinal`].
    pub fn set_ordinal(&mut self, ordinal: u64) {
        self.ordinal = ordinal;
    }

    /// The index of the job's input that the block is from, as set with [`Block::set_source`].
    pub fn source(&self) -> usize {
        self.source
    }

    /// Sets the value of [`Block::source`].
    pub fn set_source(&mut self, source: usize) {
        self.source = source;
    }

    /// The encoding in which the moves are read; `None` means the format's own.
    pub fn moves(&self) -> Option<MoveEncoding> {
        self.moves
    }

    /// Sets the value of [`Block::moves`].
    pub fn set_moves(&mut self, moves: Option<MoveEncoding>) {
        self.moves = moves;
    }

    /// The indices of the records whose numbers, counted over all inputs, are in `range`.
    pub fn indices(&self, range: &Range<u64>) -> Range<usize> {
        let index = |ordinal: u64| ordinal.saturating_sub(self.ordinal).min(self.len() as u64) as usize;
        index(range.start)..index(range.end)
    }

    /// The number of games, including those without a record; 0 if the format has no games.
    pub fn game_count(&self) -> usize {
        self.cuts.games().len()
    }

    /// The bytes of a record: for text, without the line end; for games, the bytes of the whole game.
    ///
    /// # Panics
    /// If the block has no record of that index.
    #[inline]
    pub fn record(&self, index: usize) -> &[u8] {
        let (start, end) = self.span(index);
        &self.bytes[start..end]
    }

    /// The bytes of all records, including those between them.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The byte of the stream at which a record starts; for games, at which its game starts.
    ///
    /// # Panics
    /// If the block has no record of that index.
    pub fn offset(&self, index: usize) -> u64 {
        self.place.offset + self.span(index).0 as u64
    }

    /// The line of the stream at which a record of text starts, counted from 1; `None` if the format is not text. It
    /// counts the lines from the start of the block, so use it only for messages.
    ///
    /// # Panics
    /// If the block has no record of that index.
    pub fn line(&self, index: usize) -> Option<u64> {
        let Cuts::At(_) = &self.cuts else { return None };
        Some(self.place.line + line_ends(&self.bytes[..self.span(index).0]) + 1)
    }

    /// The place of a record in the games of the stream; `None` if the format has no games.
    ///
    /// # Panics
    /// If the block has no record of that index.
    pub fn place(&self, index: usize) -> Option<GamePlace> {
        assert!(index < self.len(), "record {index} of a block of {}", self.len());
        let game = self.game_of(index);
        let first = self.cuts.games().get(game)?.first as usize;
        Some(GamePlace { game: self.place.game + game as u64, number: (index - first) as u32 + 1 })
    }

    /// The number of recorded moves of a record's game from that record on, including its own; `None` if the format has
    /// no games.
    ///
    /// # Panics
    /// If the block has no record of that index.
    pub fn plies_left(&self, index: usize) -> Option<u32> {
        assert!(index < self.len(), "record {index} of a block of {}", self.len());
        let game = self.cuts.games().get(self.game_of(index))?;
        Some(game.first + game.moves - index as u32)
    }

    /// The index in the block of the game that contains a record.
    fn game_of(&self, record: usize) -> usize {
        // The last game that starts at the record or before: games before it may have no records.
        self.cuts.games().partition_point(|game| game.first as usize <= record).saturating_sub(1)
    }

    /// The games, starting with the game of a record.
    pub fn games_from(&self, record: usize) -> impl Iterator<Item = BlockGame<'_>> {
        self.games_skipping(self.game_of(record))
    }

    /// All games, including those before the first record.
    pub fn games(&self) -> impl Iterator<Item = BlockGame<'_>> {
        self.games_skipping(0)
    }

    /// The games after the first `skipped`.
    fn games_skipping(&self, skipped: usize) -> impl Iterator<Item = BlockGame<'_>> {
        self.cuts.games()[skipped..].iter().zip(skipped as u64..).map(|(cut, game)| BlockGame {
            number: self.place.game + game,
            offset: self.place.offset + u64::from(cut.start),
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

//! Codec 1, *columns* (`spec/archive.md` §4): each field by itself, through zstd. No list of moves is made.
//!
//! Nothing is an exception here: a record that continues no game is stored as it is, field by field.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::Position;
use komabako_codec::{GameWord, Word};
use komabako_rules::State;

use crate::Source;
use crate::block::Joints;
use crate::error::{Fault, Malformed};
use crate::prediction::Prediction;
use crate::source::Fields;

/// A column as stored, and through zstd.
const STORED: u8 = 0;
const ZSTD: u8 = 1;

/// The columns in their order.
#[derive(Default)]
struct Columns {
    /// 1 for a record that continues the one before it, else 0.
    joints: Vec<u8>,
    // Of loose records, those that do not.
    words: Vec<u8>,
    plies: Vec<u8>,
    results: Vec<u8>,
    paddings: Vec<u8>,
    // Of all records.
    moves_low: Vec<u8>,
    moves_high: Vec<u8>,
    scores_low: Vec<u8>,
    scores_high: Vec<u8>,
}

/// Encodes whole records.
pub(crate) fn encode(source: Source, records: &[u8], level: i32) -> Vec<u8> {
    let mut columns = Columns::default();
    let mut line = Line::default();
    let mut prediction = Prediction::default();
    let mut before: Option<Fields> = None;
    for fields in source.fields(records) {
        let is_chained = before.is_some_and(|before| line.leads_to(source, &before, &fields));
        columns.joints.push(u8::from(is_chained));
        if !is_chained {
            line = Line::default();
            prediction = Prediction::default();
            columns.words.extend_from_slice(&fields.word);
            columns.plies.extend_from_slice(&fields.ply.to_le_bytes());
            columns.results.push(fields.result);
            columns.paddings.push(fields.padding);
        }
        // Bits 0–6, to, with 15; and 7–14.
        columns.moves_low.push((fields.mv & 0x7f) as u8 | (fields.mv >> 8 & 0x80) as u8);
        columns.moves_high.push((fields.mv >> 7) as u8);
        let [low, high] = zigzag(fields.score.wrapping_sub(prediction.score() as i16)).to_le_bytes();
        columns.scores_low.push(low);
        columns.scores_high.push(high);
        prediction.push(fields.score);
        before = Some(fields);
    }
    let mut payload = Vec::new();
    let mut writer = ColumnWriter::new(level);
    let Columns { joints, words, plies, results, paddings, moves_low, moves_high, scores_low, scores_high } =
        columns;
    for column in [joints, words, plies, results, paddings, moves_low, moves_high, scores_low, scores_high] {
        writer.write(&column, &mut payload);
    }
    payload
}

/// Appends the `wanted` records of a payload of `count`.
pub(crate) fn decode(
    source: Source,
    count: usize,
    wanted: Range<usize>,
    payload: &[u8],
    out: &mut Vec<u8>,
) -> Result<Joints, Fault> {
    let mut columns = ColumnReader::new(payload);
    let joints = columns.read(count)?;
    if joints.iter().fold(0, |all, joint| all | joint) > 1 {
        return Err(Malformed::Symbol.into());
    }
    let loose = count_loose(&joints);
    let found = Joints { loose, chained: count - loose, bridged: 0 };
    let words = columns.read(loose * size_of::<Word>())?;
    let plies = columns.read(loose * 2)?;
    let results = columns.read(loose)?;
    let paddings = columns.read(loose)?;
    let moves_low = columns.read(count)?;
    let moves_high = columns.read(count)?;
    let scores_low = columns.read(count)?;
    let scores_high = columns.read(count)?;
    if !columns.is_at_end() {
        return Err(Malformed::Length.into());
    }
    let loose = words.as_chunks::<32>().0.iter().zip(plies.as_chunks::<2>().0).zip(&*results).zip(&*paddings);

    // The game of the first wanted record starts at the last loose one up to it.
    let up_to_first = &joints[..count.min(wanted.start + 1)];
    let start = up_to_first.iter().rposition(|&joint| joint == 0).unwrap_or(0);
    let mut loose = loose.skip(count_loose(&joints[..start]));

    let mut line = Line::default();
    let mut prediction = Prediction::default();
    let mut fields = Fields::default();
    for index in start..wanted.end {
        let is_wanted = index >= wanted.start;
        if joints[index] == 1 {
            if index == start {
                return Err(Malformed::Joint.into());
            }
            let word = line.advance(source, &fields).ok_or(Malformed::Joint)?;
            if is_wanted {
                fields.word = word.word();
            }
            fields.follow(1, source);
        } else {
            line = Line::default();
            prediction = Prediction::default();
            let (((&word, &ply), &result), &padding) = loose.next().ok_or(Malformed::Length)?;
            fields = Fields { word, ply: u16::from_le_bytes(ply), result, padding, ..fields };
        }
        fields.mv = move_of_halves(moves_low[index], moves_high[index]);
        fields.score = unzigzag(u16::from_le_bytes([scores_low[index], scores_high[index]]))
            .wrapping_add(prediction.score() as i16);
        prediction.push(fields.score);
        if is_wanted {
            source.write(&fields, out);
        }
    }
    Ok(found)
}

/// The number of joints that are 0, where all are 0 or 1.
fn count_loose(joints: &[u8]) -> usize {
    joints.len() - joints.iter().map(|&joint| usize::from(joint)).sum::<usize>()
}

fn move_of_halves(low: u8, high: u8) -> u16 {
    u16::from(low & 0x7f) | u16::from(low & 0x80) << 8 | u16::from(high) << 7
}

/// Small numbers of either sign as small numbers.
fn zigzag(difference: i16) -> u16 {
    (difference << 1 ^ difference >> 15) as u16
}

fn unzigzag(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
}

/// The positions of a chain. They are found when they are needed: in shuffled files they never are.
#[derive(Default)]
struct Line {
    /// At the record before, with its word.
    at: Option<(State<()>, GameWord)>,
}

impl Line {
    /// Plays the move of a record, at which the line stands, and returns the word after it; `None` if it is not legal or
    /// the position is no game's.
    fn advance(&mut self, source: Source, record: &Fields) -> Option<&mut GameWord> {
        if self.at.is_none() {
            let state = state_of(source, &record.word)?;
            let word = source.game_word(&state.setup())?;
            self.at = Some((state, word));
        }
        let (state, word) = self.at.as_mut()?;
        let mv = source.decode_move(record.mv).filter(|&mv| state.is_legal(mv))?;
        state.do_move(mv);
        match (mv.dropped(), mv.from()) {
            (Some(kind), _) => word.drop_piece(kind, mv.to()?),
            (None, from) => word.move_piece(from?, mv.to()?, mv.is_promotion()),
        }
        Some(word)
    }

    /// Whether a record is the one after `before`, at which the line stands; if so, the line stands at the record.
    fn leads_to(&mut self, source: Source, before: &Fields, record: &Fields) -> bool {
        // Bit 0 of a word is the side to move. In a shuffled file this test spares most states.
        let may_follow = record.continues(before, 1, source) && (record.word[0] ^ before.word[0]) & 1 == 1;
        may_follow && self.advance(source, before).is_some_and(|word| word.word() == record.word)
    }
}

/// The state of a packed position; `None` if it is no position of a game.
pub(crate) fn state_of(source: Source, word: &Word) -> Option<State<()>> {
    let setup = source.words().unpack(word).ok()?;
    State::new(&Position::new(setup).ok()?).ok()
}

/// Writes columns; through zstd where that makes them shorter.
pub(crate) struct ColumnWriter {
    /// `None` at level 0, or without the memory for it: columns are stored.
    #[cfg(feature = "fast")]
    zstd: Option<zstd::bulk::Compressor<'static>>,
}

impl ColumnWriter {
    #[cfg(feature = "fast")]
    pub fn new(level: i32) -> ColumnWriter {
        let zstd = if level == 0 { None } else { zstd::bulk::Compressor::new(level).ok() };
        ColumnWriter { zstd }
    }

    #[cfg(not(feature = "fast"))]
    pub fn new(_level: i32) -> ColumnWriter {
        ColumnWriter {}
    }

    #[cfg(feature = "fast")]
    fn compress(&mut self, column: &[u8]) -> Option<Vec<u8>> {
        self.zstd.as_mut()?.compress(column).ok()
    }

    #[cfg(not(feature = "fast"))]
    fn compress(&mut self, _column: &[u8]) -> Option<Vec<u8>> {
        None
    }

    pub fn write(&mut self, column: &[u8], payload: &mut Vec<u8>) {
        let compressed = self.compress(column).filter(|compressed| compressed.len() < column.len());
        let method = if compressed.is_some() { ZSTD } else { STORED };
        let bytes = compressed.as_deref().unwrap_or(column);
        payload.push(method);
        payload.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        payload.extend_from_slice(bytes);
    }
}

/// Reads columns, one after the other.
pub(crate) struct ColumnReader<'a> {
    rest: &'a [u8],
    /// Once it is needed.
    #[cfg(feature = "fast")]
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl<'a> ColumnReader<'a> {
    pub fn new(columns: &'a [u8]) -> ColumnReader<'a> {
        ColumnReader {
            rest: columns,
            #[cfg(feature = "fast")]
            zstd: None,
        }
    }

    /// Whether no column is left.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads a column, which has `length` bytes once it is decompressed.
    pub fn read(&mut self, length: usize) -> Result<Cow<'a, [u8]>, Fault> {
        let &[method, a, b, c, d] = self.rest.split_off(..5).ok_or(Malformed::Length)? else {
            return Err(Malformed::Length.into());
        };
        let stored = u32::from_le_bytes([a, b, c, d]) as usize;
        let bytes = self.rest.split_off(..stored).ok_or(Malformed::Length)?;
        match method {
            STORED if stored == length => Ok(Cow::Borrowed(bytes)),
            STORED => Err(Malformed::Length.into()),
            ZSTD => self.decompress(bytes, length).map(Cow::Owned),
            _ => Err(Malformed::Compression.into()),
        }
    }

    /// Decompresses into a buffer of the known length, which also bounds the window.
    #[cfg(feature = "fast")]
    fn decompress(&mut self, bytes: &[u8], length: usize) -> Result<Vec<u8>, Fault> {
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            zstd => zstd.insert(zstd::bulk::Decompressor::new().map_err(|_| Malformed::Compression)?),
        };
        let column = zstd.decompress(bytes, length).map_err(|_| Malformed::Compression)?;
        if column.len() == length { Ok(column) } else { Err(Malformed::Length.into()) }
    }

    #[cfg(not(feature = "fast"))]
    fn decompress(&mut self, _bytes: &[u8], _length: usize) -> Result<Vec<u8>, Fault> {
        Err(Fault::NoZstd)
    }
}

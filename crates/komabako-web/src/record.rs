//! Records of training files: the content of a chunk of a file.

use komabako::board::sfen::Sfen;
use komabako::messages::Phrase;
use komabako::record::block::{Block, Cuts};
use komabako::record::detect::{Evidence, NotRecognized, SAMPLE_BYTES, Sample};
use komabako::record::legality::{judge, state_of};
use komabako::record::move16::Move16;
use komabako::record::record::MoveBits;
use komabako::record::{Field, FileFormat, GameResult, Record, boundaries, packed_word};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Sentence};
use crate::moves::MoveText;
use crate::word::{FormatName, to_hex};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FormatRow {
    name: &'static str,
    description: &'static str,
    extensions: &'static [&'static str],
    record_size: Option<usize>,
    text: bool,
    games: bool,
    header: String,
    fields: Vec<&'static str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    format: String,
    limit: usize,
    /// Whether the chunk is the start (`first`) or the end (`last`) of its file.
    #[serde(default)]
    first: bool,
    #[serde(default)]
    last: bool,
}

#[derive(Serialize)]
pub struct Read {
    records: Vec<RecordText>,
    bytes: usize,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct RecordText {
    offset: u64,
    len: usize,
    hex: Option<String>,
    word: Option<WordText>,
    sfen: Option<String>,
    error: Option<Failure>,
    score: Option<i16>,
    #[serde(rename = "move")]
    best_move: Option<RecordedMove>,
    move_error: Option<Failure>,
    result: Option<&'static str>,
    ply: Option<u32>,
    game: Option<Place>,
}

#[derive(Serialize)]
struct WordText {
    format: FormatName,
    hex: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum RecordedMove {
    Piece(MoveText),
    Special { special: String },
}

/// The number of the game, from 0, and of the move in it, from 1.
#[derive(Serialize)]
struct Place {
    number: u64,
    #[serde(rename = "move")]
    mv: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detect {
    file: String,
    size: Option<u64>,
}

#[derive(Serialize)]
pub struct Detected {
    format: &'static str,
    why: Vec<Reason>,
}

/// An observation for or against a format, and its counts of records.
#[derive(Serialize)]
struct Reason {
    name: &'static str,
    sentence: Sentence,
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    good: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<usize>,
}

impl Reason {
    /// `detected`: the format of evidence that is about none in particular.
    fn new(evidence: &Evidence, detected: FileFormat) -> Self {
        let (good, sampled) = match *evidence {
            Evidence::Decoded { good, sampled, .. } | Evidence::OtherCodec { good, sampled, .. } => {
                (Some(good), Some(sampled))
            }
            _ => (None, None),
        };
        let format = evidence.format().unwrap_or(detected).name();
        Self { name: evidence.name(), sentence: Sentence::of(evidence), format, good, sampled }
    }
}

fn not_recognized(error: &NotRecognized) -> Failure {
    match error {
        NotRecognized::Foreign(what) => Failure::new(error.name(), &what.with_advice()),
        NotRecognized::NoFormat { .. } => Failure::new(error.name(), error),
    }
}

/// The failure of a call that names a format of files that does not exist.
pub fn unknown_format() -> Failure {
    Failure::new("FORMAT", &Phrase::new("no format of files has this name", "その名前の形式はありません"))
}

/// Every format of files of records.
pub fn formats() -> Vec<FormatRow> {
    let row = |&format: &FileFormat| FormatRow {
        name: format.name(),
        description: format.description().en,
        extensions: format.extensions(),
        record_size: format.record_size(),
        text: format.is_text(),
        games: format.holds_games(),
        header: String::from_utf8_lossy(format.header()).into_owned(),
        fields: Field::ALL.iter().filter(|&&field| format.holds(field)).map(|field| field.name()).collect(),
    };
    FileFormat::ALL.iter().map(row).collect()
}

/// Detects the format of a file from its first bytes, by the rules of the program.
pub fn detect(request: &Detect, bytes: &[u8]) -> Result<Detected, Failure> {
    let head = bytes[..bytes.len().min(SAMPLE_BYTES)].to_vec();
    // As in the program, a file that fills the sample may continue.
    let is_whole = head.len() < SAMPLE_BYTES && request.size.is_some_and(|size| size <= head.len() as u64);
    let mut sample = if is_whole { Sample::whole(head) } else { Sample::start(head) };
    if let Some(size) = request.size {
        sample = sample.size(size);
    }
    let extension = request.file.rsplit_once('.').map_or("", |(_, extension)| extension);
    if let Some(format) = FileFormat::from_extension(extension) {
        sample = sample.hint(format);
    }
    let found = sample.detect().map_err(|error| not_recognized(&error))?;
    let format = found.format.ok_or_else(|| Failure::new("UNRECOGNIZED", &Evidence::Empty))?;
    let why = found.why.iter().map(|evidence| Reason::new(evidence, format)).collect();
    Ok(Detected { format: format.name(), why })
}

/// The records in a chunk of a file that starts at a record.
pub fn read(request: &Chunk, bytes: &[u8]) -> Result<Read, Failure> {
    let &Chunk { ref format, limit, first, last } = request;
    let format: FileFormat = format.parse().map_err(|_| unknown_format())?;
    let cut = boundaries::cut(format, bytes, last, first);
    if let (Cuts::Games(_) | Cuts::At(_), Some(damage), 0) = (&cut.cuts, cut.damage, cut.whole) {
        return Err(Failure::new("DAMAGE", &damage));
    }
    let block = Block::new(bytes[..cut.whole].to_vec(), cut.cuts);
    let mut count = block.len().min(limit);
    if format.holds_games() && (1..block.len()).contains(&count) {
        // The bytes of a game are consumed together: whole games, and at least one.
        let game = |index: usize| block.place(index).map(|place| place.game);
        let ends_game = |&count: &usize| game(count) != game(count - 1);
        let before = (1..=count).rev().find(ends_game);
        count = before.or_else(|| (count..block.len()).find(ends_game)).unwrap_or(block.len());
    }
    let records: Vec<RecordText> = (0..count).map(|index| record(format, &block, index)).collect();
    let bytes = match records.last() {
        Some(last) if count < block.len() => last.offset as usize + last.len + format.record_end().len(),
        None if !block.is_empty() => 0,
        _ => cut.whole,
    };
    Ok(Read { records, bytes })
}

fn record(format: FileFormat, block: &Block, index: usize) -> RecordText {
    let bytes = block.record(index);
    let mut text = RecordText {
        offset: block.offset(index),
        len: bytes.len(),
        // The bytes of a game belong to all of its records and may be long.
        hex: (!format.is_text() && !format.holds_games()).then(|| to_hex(bytes)),
        word: word(format, bytes),
        game: block.place(index).map(|place| Place { number: place.game, mv: place.number }),
        ..RecordText::default()
    };
    match block.decode(format, index) {
        Ok(Record { setup, labels }) => {
            text.sfen = Some(Sfen { setup, ply: labels.ply }.to_string());
            text.score = labels.score;
            text.ply = labels.ply;
            text.result = labels.result.map(result_name);
            if let Some(bits) = labels.best_move {
                recorded_move(&setup, bits, &mut text);
            }
        }
        Err(fault) => text.error = Some(Failure::new(fault.name(), &fault)),
    }
    text
}

/// Adds the move of a record and its fault.
fn recorded_move(setup: &komabako::board::Setup, bits: MoveBits, text: &mut RecordText) {
    let mv = match bits.decode() {
        Ok(mv) => mv,
        Err(fault) => {
            text.move_error = Some(Failure::new(fault.name(), &fault));
            return;
        }
    };
    let state = state_of(setup);
    let fault = state.as_ref().map_err(|fault| *fault).and_then(|state| judge(state, mv)).err();
    text.move_error = fault.map(|fault| Failure::new(fault.name(), &fault));
    text.best_move = match state {
        _ if mv == Move16::NONE => None,
        Ok(state) if mv.is_well_formed() => Some(RecordedMove::Piece(MoveText::new(&state, mv, None))),
        _ => Some(RecordedMove::Special { special: mv.to_string() }),
    };
}

const fn result_name(result: GameResult) -> &'static str {
    match result {
        GameResult::Draw => "draw",
        GameResult::BlackWin => "black",
        GameResult::WhiteWin => "white",
    }
}

/// The word at the start of a record, if the record has one.
fn word(format: FileFormat, record: &[u8]) -> Option<WordText> {
    let (format, word) = packed_word(format, record)?;
    Some(WordText { format: format.into(), hex: to_hex(&word[..format.size()]) })
}

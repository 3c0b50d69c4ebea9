//! Positions packed in every format, explained, and read back.

use std::ops::Range;

use komabako::board::sfen::{self, Sfen};
use komabako::board::{Setup, Square};
use komabako::codec::explanation::{FieldValue, Owner, Owners, Symbol};
use komabako::codec::packed_sfen::PhantomPawns;
use komabako::codec::{PackedSfen, PositionCodec, Word};
use komabako::messages::{Phrase, from_fn, say};
use komabako::variants::{Payload, UnknownFormat, WordFormat, c250, ext};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::vocabulary::{ColorName, KindName, SquareName};

/// A format of words, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct FormatName(pub WordFormat);

impl From<WordFormat> for FormatName {
    fn from(format: WordFormat) -> Self {
        FormatName(format)
    }
}

impl From<FormatName> for &'static str {
    fn from(name: FormatName) -> Self {
        name.0.name()
    }
}

impl TryFrom<String> for FormatName {
    type Error = UnknownFormat;

    fn try_from(name: String) -> Result<Self, UnknownFormat> {
        name.parse().map(FormatName)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    sfen: String,
    #[serde(default)]
    payload: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decode {
    format: FormatName,
    hex: String,
    #[serde(default)]
    lenient: bool,
}

/// A position in one format, or the reason why it has no word in it.
#[derive(Serialize)]
pub struct Explained {
    format: FormatName,
    bytes: usize,
    hex: Option<String>,
    error: Option<Failure>,
    fields: Vec<FieldText>,
    symbols: Vec<Code>,
    owners: Vec<OwnedBits>,
    places: Vec<PlaceText>,
    payload: Option<u8>,
    rank: Option<RankText>,
}

#[derive(Serialize)]
struct FieldText {
    field: &'static str,
    offset: u16,
    len: u16,
    meaning: String,
}

#[derive(Serialize)]
struct Code {
    #[serde(flatten)]
    text: FieldText,
    owner: OwnerName,
}

/// A run of bits with one owner.
#[derive(Serialize)]
struct OwnedBits {
    offset: usize,
    len: usize,
    owner: OwnerName,
}

/// A square described by the bits of another owner.
#[derive(Serialize)]
struct PlaceText {
    owner: OwnerName,
    square: SquareName,
}

/// The part of a position that bits describe.
#[derive(Serialize)]
#[serde(tag = "of", rename_all = "lowercase")]
enum OwnerName {
    Side,
    King { color: ColorName },
    Pair { kind: KindName },
    Square { square: SquareName },
    Hand { color: ColorName, kind: KindName },
    Box { kind: KindName },
    Payload,
    Padding,
}

impl From<Owner> for OwnerName {
    fn from(owner: Owner) -> Self {
        match owner {
            Owner::Side => OwnerName::Side,
            Owner::King(color) => OwnerName::King { color: color.into() },
            Owner::Pair(kind) => OwnerName::Pair { kind: kind.into() },
            Owner::Square(square) => OwnerName::Square { square: square.into() },
            Owner::Hand(color, kind) => OwnerName::Hand { color: color.into(), kind: kind.into() },
            Owner::Box(kind) => OwnerName::Box { kind: kind.into() },
            Owner::Payload => OwnerName::Payload,
            _ => OwnerName::Padding,
        }
    }
}

#[derive(Serialize)]
struct RankText {
    class: String,
    number: String,
}

#[derive(Serialize)]
pub struct Decoded {
    sfen: Option<String>,
    error: Option<Failure>,
    word: Explained,
}

/// A word as one format reads it.
#[derive(Serialize)]
pub struct ReadWord {
    format: FormatName,
    hex: String,
    sfen: Option<String>,
    error: Option<Failure>,
}

const PAYLOAD_RANGE: Phrase =
    Phrase::new("the payload is not a number from 0 to 63", "付加情報は 0 から 63 の数です");
const HEX_LENGTH: Phrase = Phrase::new("an odd number of hex digits", "16 進の桁数が奇数です");

/// A position in every format.
pub fn words(request: &Words) -> Result<Vec<Explained>, Failure> {
    let setup = sfen::parse(&request.sfen)?.setup;
    let payload =
        Payload::new(request.payload).ok_or_else(|| Failure::new("PAYLOAD_RANGE", &PAYLOAD_RANGE))?;
    let of_format = |&format: &WordFormat| match pack(format, &setup, payload) {
        Ok(bytes) => explain(format, &bytes),
        Err(error) => Explained {
            format: format.into(),
            bytes: format.size(),
            hex: None,
            error: Some(error),
            fields: Vec::new(),
            symbols: Vec::new(),
            owners: Vec::new(),
            places: Vec::new(),
            payload: None,
            rank: None,
        },
    };
    Ok(WordFormat::ALL.iter().map(of_format).collect())
}

/// The position of a word; a refused word is still explained.
pub fn decode(request: &Decode) -> Result<Decoded, Failure> {
    let &Decode { format: FormatName(format), lenient, ref hex } = request;
    let bytes = from_hex(hex)?;
    if bytes.len() != format.size() {
        let found = bytes.len();
        let size = format.size();
        let sentence = from_fn(|lang, f| {
            say!(
                f,
                lang,
                "{found} bytes where a word has {size}",
                "{found} バイトです。符号語は {size} バイトです",
                found,
                size
            )
        });
        return Err(Failure::new("WORD_SIZE", &sentence));
    }
    let (sfen, error) = match unpack(format, &bytes, lenient) {
        Ok(setup) => (Some(Sfen { setup, ply: None }.to_string()), None),
        Err(error) => (None, Some(error)),
    };
    Ok(Decoded { sfen, error, word: explain(format, &bytes) })
}

/// Reads the hex digits of a word or a record in every format with words of that size. A record of 36, 38 or 40 bytes
/// starts with a word.
pub fn read_hex(text: &str) -> Result<Vec<ReadWord>, Failure> {
    let bytes = from_hex(text.strip_prefix("0x").unwrap_or(text))?;
    let formats: &[WordFormat] = match bytes.len() {
        30 => &[WordFormat::R238],
        32 => &WordFormat::ALL[..6],
        36 => &[WordFormat::SspfExt, WordFormat::R238],
        38 => &[WordFormat::Hcp],
        40 => &[WordFormat::PackedSfen],
        length => {
            let sentence = from_fn(|lang, f| {
                say!(
                    f,
                    lang,
                    "{length} bytes; words have 30 or 32, records 36, 38 or 40",
                    "{length} バイトです。符号語は 30 か 32、レコードは 36、38、40 バイトです",
                    length
                )
            });
            return Err(Failure::new("WORD_SIZE", &sentence));
        }
    };
    let read = |&format: &WordFormat| {
        let word = &bytes[..format.size()];
        let (sfen, error) = match unpack(format, word, false) {
            Ok(setup) => (Some(Sfen { setup, ply: None }.to_string()), None),
            Err(error) => (None, Some(error)),
        };
        ReadWord { format: format.into(), hex: to_hex(word), sfen, error }
    };
    Ok(formats.iter().map(read).collect())
}

/// Packs a setup; only the format with a payload uses `payload`.
fn pack(format: WordFormat, setup: &Setup, payload: Payload) -> Result<Vec<u8>, Failure> {
    let mut word = format.pack(setup)?;
    if format == WordFormat::C250 {
        word = c250::with_payload(&word, payload);
    }
    Ok(word[..format.size()].to_vec())
}

/// Unpacks a word of the format's size. Any payload of C250 is accepted.
fn unpack(format: WordFormat, bytes: &[u8], lenient: bool) -> Result<Setup, Failure> {
    let word = word_of(bytes);
    Ok(match format {
        WordFormat::PackedSfen if lenient => {
            PackedSfen::new().unpack_lenient(&word, PhantomPawns::default())?.setup
        }
        WordFormat::SspfExt if lenient => ext::unpack_lenient(&word)?,
        WordFormat::C250 => format.unpack(&c250::position_key(&word))?,
        _ => format.unpack(&word)?,
    })
}

/// The bytes as a word, padded with zeros.
fn word_of(bytes: &[u8]) -> Word {
    let mut word = [0; 32];
    let length = bytes.len().min(word.len());
    word[..length].copy_from_slice(&bytes[..length]);
    word
}

/// Explains a word bit by bit, as far as it can be read.
fn explain(format: WordFormat, bytes: &[u8]) -> Explained {
    let word = word_of(bytes);
    let fields = format.fields(&word);
    let owners = format.owners(&word);
    let number = fields.first().and_then(|field| field.meaning.split_once("; number "));
    Explained {
        format: format.into(),
        bytes: bytes.len(),
        hex: Some(to_hex(bytes)),
        error: None,
        payload: (format == WordFormat::C250).then(|| c250::payload(&word).get()),
        rank: match (format, number) {
            (WordFormat::R238, Some((class, number))) => {
                Some(RankText { class: class.to_owned(), number: number.to_owned() })
            }
            _ => None,
        },
        fields: fields.into_iter().map(FieldText::from).collect(),
        symbols: format.symbols(&word).into_iter().map(Code::from).collect(),
        places: owners.iter().flat_map(Owners::places).map(|&place| place.into()).collect(),
        owners: owners.iter().flat_map(Owners::runs).map(OwnedBits::from).collect(),
    }
}

impl From<(Owner, Square)> for PlaceText {
    fn from((owner, square): (Owner, Square)) -> Self {
        Self { owner: owner.into(), square: square.into() }
    }
}

impl From<(Range<usize>, Owner)> for OwnedBits {
    fn from((bits, owner): (Range<usize>, Owner)) -> Self {
        Self { offset: bits.start, len: bits.len(), owner: owner.into() }
    }
}

impl From<FieldValue> for FieldText {
    fn from(value: FieldValue) -> Self {
        let FieldValue { field, offset, len, meaning, .. } = value;
        Self { field: field.name(), offset, len, meaning }
    }
}

impl From<Symbol> for Code {
    fn from(symbol: Symbol) -> Self {
        let Symbol { field, offset, len, meaning, owner, .. } = symbol;
        Self { text: FieldText { field: field.name(), offset, len, meaning }, owner: owner.into() }
    }
}

/// Bytes as lower-case hex digits.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Result<Vec<u8>, Failure> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    if let Some(at) = text.bytes().position(|byte| digit(byte).is_none()) {
        let column = at + 1;
        let sentence = from_fn(|lang, f| {
            say!(
                f,
                lang,
                "column {column}: not a hex digit",
                "{column} 桁目: 16 進の数字ではありません",
                column
            )
        });
        return Err(Failure::new("HEX_DIGIT", &sentence).at_column(column));
    }
    if !text.len().is_multiple_of(2) {
        return Err(Failure::new("HEX_LENGTH", &HEX_LENGTH));
    }
    let pairs = text.as_bytes().chunks_exact(2);
    Ok(pairs.filter_map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect())
}

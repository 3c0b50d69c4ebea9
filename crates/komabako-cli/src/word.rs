//! [`WordFormat`]: the formats of `encode`, `decode` and `inspect`, and [`Packed`], a word in one of them.

use std::fmt;

use clap::ValueEnum;
use komabako::bits::Backend;
use komabako::board::Setup;
use komabako::codec::layout::{FieldValue, Owners, Symbol};
use komabako::codec::packed_sfen::PhantomPawns;
use komabako::codec::{Explain, Hcp, Nshogi, PackError, PackedSfen, PositionCodec, Sspf, Word};
use komabako::dataset::FileFormat;
use komabako::variants::r238::{self, Rank};
use komabako::variants::{C250, Payload, PayloadCodec, R238, SspfExt, c250};

use crate::fault::Fault;
use crate::hex::{self, HexError};

/// A format of one packed position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WordFormat {
    /// SSPFv1.
    Sspfv1,
    /// YaneuraOu's PackedSfen.
    Psv,
    /// PackedSfen as found in the wild; the same as `psv` when writing.
    PsvLenient,
    /// HuffmanCodedPos.
    Hcp,
    /// nshogi's `HuffmanCode`.
    Nshogi,
    /// SSPFv1's extension.
    Sspfv1Ext,
    /// C250.
    C250,
    /// R238.
    R238,
}

/// A packed position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    format: WordFormat,
    /// The bytes of the format, followed by zeros if it has fewer than 32.
    word: Word,
}

/// Evaluates `$body` with the codec of a format of 32 bytes, or `$rank` with the one of R238.
macro_rules! with_codec {
    ($format:expr, $backend:expr, $codec:ident => $body:expr, $r238:ident => $rank:expr) => {
        match $format {
            WordFormat::Sspfv1 => {
                let $codec = Sspf::with_backend($backend);
                $body
            }
            WordFormat::Psv | WordFormat::PsvLenient => {
                let $codec = PackedSfen::with_backend($backend);
                $body
            }
            WordFormat::Hcp => {
                let $codec = Hcp::with_backend($backend);
                $body
            }
            WordFormat::Nshogi => {
                let $codec = Nshogi::with_backend($backend);
                $body
            }
            WordFormat::Sspfv1Ext => {
                let $codec = SspfExt::with_backend($backend);
                $body
            }
            WordFormat::C250 => {
                let $codec = C250::with_backend($backend);
                $body
            }
            WordFormat::R238 => {
                let $r238 = R238::with_backend($backend);
                $rank
            }
        }
    };
}

impl WordFormat {
    /// The formats with strict readers: those that are tried if the user names none.
    pub const STRICT: [WordFormat; 7] = [
        WordFormat::Sspfv1,
        WordFormat::Psv,
        WordFormat::Hcp,
        WordFormat::Nshogi,
        WordFormat::Sspfv1Ext,
        WordFormat::C250,
        WordFormat::R238,
    ];

    /// The name of the option's value.
    pub const fn name(self) -> &'static str {
        match self {
            WordFormat::Sspfv1 => "sspfv1",
            WordFormat::Psv => "psv",
            WordFormat::PsvLenient => "psv-lenient",
            WordFormat::Hcp => "hcp",
            WordFormat::Nshogi => "nshogi",
            WordFormat::Sspfv1Ext => "sspfv1-ext",
            WordFormat::C250 => "c250",
            WordFormat::R238 => "r238",
        }
    }

    /// The size of a word in bytes.
    pub const fn size(self) -> usize {
        match self {
            WordFormat::R238 => size_of::<Rank>(),
            _ => size_of::<Word>(),
        }
    }

    /// Packs a setup.
    pub fn pack(self, setup: &Setup, backend: Backend) -> Result<Packed, PackError> {
        with_codec!(self, backend,
            codec => codec.pack(setup).map(|word| self.packed(&word)),
            r238 => Ok(self.packed(&r238.rank(setup))))
    }

    /// Reads the hex digits of a word.
    pub fn parse(self, line: &[u8]) -> Result<Packed, HexError> {
        match self {
            WordFormat::R238 => hex::parse::<30>(line).map(|rank| self.packed(&rank)),
            _ => hex::parse::<32>(line).map(|word| self.packed(&word)),
        }
    }

    /// The word of this format in some bytes.
    fn packed(self, bytes: &[u8]) -> Packed {
        let mut word = [0; 32];
        word[..bytes.len()].copy_from_slice(bytes);
        Packed { format: self, word }
    }
}

impl Packed {
    /// The word at the start of a file's record, if the format has one.
    pub fn of_record(format: FileFormat, record: &[u8]) -> Option<Packed> {
        let word_format = match format {
            FileFormat::Psv | FileFormat::PackedSfen => WordFormat::Psv,
            FileFormat::PsvLenient => WordFormat::PsvLenient,
            FileFormat::Hcpe | FileFormat::Hcpe2 | FileFormat::Hcp => WordFormat::Hcp,
            FileFormat::Sspfv1 => WordFormat::Sspfv1,
            FileFormat::Nshogi => WordFormat::Nshogi,
            FileFormat::Sspfv1Ext | FileFormat::Ext36 => WordFormat::Sspfv1Ext,
            FileFormat::C250 => WordFormat::C250,
            FileFormat::R238 | FileFormat::Compact36 | FileFormat::Compact32 => WordFormat::R238,
            _ => return None,
        };
        let mut packed = word_format.packed(record.get(..word_format.size())?);
        if matches!(format, FileFormat::Compact36 | FileFormat::Compact32) {
            // The result occupies the two bits that a rank leaves free.
            packed.word[29] &= 0x3f;
        }
        Some(packed)
    }

    /// The format.
    pub fn format(&self) -> WordFormat {
        self.format
    }

    /// The bytes that the format uses.
    pub fn bytes(&self) -> &[u8] {
        &self.word[..self.format.size()]
    }

    /// The payload of a C250 word.
    pub fn payload(&self) -> Option<Payload> {
        (self.format == WordFormat::C250).then(|| c250::payload(&self.word))
    }

    /// The same with a payload, if the format has one.
    pub fn with_payload(self, payload: Payload) -> Packed {
        match self.format {
            WordFormat::C250 => Packed { word: c250::with_payload(&self.word, payload), ..self },
            _ => self,
        }
    }

    /// Unpacks the position; for psv-lenient, `phantom_pawns` decides how doubtful pawns are read. Any payload is accepted.
    pub fn unpack(&self, backend: Backend, phantom_pawns: PhantomPawns) -> Result<Setup, Fault> {
        let word = &self.word;
        match self.format {
            WordFormat::PsvLenient => {
                let codec = PackedSfen::with_backend(backend);
                let lenient = codec.unpack_lenient(word, phantom_pawns);
                lenient.map(|lenient| lenient.setup).map_err(Fault::Unpack)
            }
            WordFormat::C250 => {
                let decoded = C250::with_backend(backend).decode(word);
                decoded.map(|(setup, _)| setup).map_err(Fault::Unpack)
            }
            format => with_codec!(format, backend,
                codec => codec.unpack(word).map_err(Fault::Unpack),
                r238 => r238.unrank(&self.rank()).map_err(Fault::Rank)),
        }
    }

    /// The word field by field.
    pub fn fields(&self, backend: Backend) -> Vec<FieldValue> {
        with_codec!(self.format, backend,
            codec => codec.fields(&self.word),
            _r238 => r238::fields(&self.rank()))
    }

    /// The word code by code; empty for a format of fixed fields.
    pub fn symbols(&self, backend: Backend) -> Vec<Symbol> {
        with_codec!(self.format, backend,
            codec => codec.symbols(&self.word),
            _r238 => Vec::new())
    }

    /// The owner of each bit; `None` for a rank, whose bits form one number.
    pub fn owners(&self, backend: Backend) -> Option<Owners> {
        with_codec!(self.format, backend,
            codec => Some(codec.owners(&self.word)),
            _r238 => None)
    }

    /// The word as a rank.
    fn rank(&self) -> Rank {
        *self.word.first_chunk().expect("a word is longer than a rank")
    }
}

impl fmt::Display for WordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

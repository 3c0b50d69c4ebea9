//! [`NamedFormat`]: the formats of `encode`, `decode` and `inspect`, and [`Packed`], a word in one of them.

use std::fmt;
use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use komabako::bits::Backend;
use komabako::board::Setup;
use komabako::codec::explanation::{FieldValue, Owners, Symbol};
use komabako::codec::packed_sfen::PhantomPawns;
use komabako::codec::{PackError, PackedSfen, PositionCodec, Word};
use komabako::dataset::FileFormat;
use komabako::record::packed_word;
use komabako::variants::{Payload, WordFormat, c250};

use crate::fault::Fault;
use crate::hex::{self, HexError};

/// A format of words, and its reader: the value of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedFormat {
    pub format: WordFormat,
    /// Whether words are read as found in the wild, which differs for PSV only.
    is_lenient: bool,
}

/// PSV's lenient reader comes after its strict one.
static NAMED: LazyLock<Vec<NamedFormat>> = LazyLock::new(|| {
    let mut named = Vec::new();
    for &format in WordFormat::ALL {
        named.push(NamedFormat::from(format));
        if format == WordFormat::PackedSfen {
            named.push(NamedFormat { format, is_lenient: true });
        }
    }
    named
});

impl ValueEnum for NamedFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &NAMED
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

impl From<WordFormat> for NamedFormat {
    fn from(format: WordFormat) -> Self {
        NamedFormat { format, is_lenient: false }
    }
}

/// A packed position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    format: NamedFormat,
    /// The bytes of the format, followed by zeros if it has fewer than 32.
    word: Word,
}

impl NamedFormat {
    /// The name of the option's value.
    pub fn name(self) -> &'static str {
        if self.is_lenient { "psv-lenient" } else { self.format.name() }
    }

    pub fn pack(self, setup: &Setup, backend: Backend) -> Result<Packed, PackError> {
        Ok(Packed { format: self, word: self.format.pack_on(backend, setup)? })
    }

    /// Reads the hex digits of a word.
    pub fn parse(self, line: &[u8]) -> Result<Packed, HexError> {
        let mut word = [0; 32];
        hex::read(line, &mut word[..self.format.size()])?;
        Ok(Packed { format: self, word })
    }
}

impl Packed {
    /// The word at the start of a file's record, if the format has one.
    pub fn of_record(format: FileFormat, record: &[u8]) -> Option<Packed> {
        let (word_format, word) = packed_word(format, record)?;
        let is_lenient = format == FileFormat::PsvLenient;
        Some(Packed { format: NamedFormat { format: word_format, is_lenient }, word })
    }

    pub fn format(&self) -> NamedFormat {
        self.format
    }

    /// The bytes that the format uses.
    pub fn bytes(&self) -> &[u8] {
        &self.word[..self.format.format.size()]
    }

    /// The payload of a C250 word.
    pub fn payload(&self) -> Option<Payload> {
        (self.format.format == WordFormat::C250).then(|| c250::payload(&self.word))
    }

    /// The same with a payload, if the format has one.
    pub fn with_payload(self, payload: Payload) -> Packed {
        match self.format.format {
            WordFormat::C250 => Packed { word: c250::with_payload(&self.word, payload), ..self },
            _ => self,
        }
    }

    /// Unpacks the position; for psv-lenient, `phantom_pawns` decides how doubtful pawns are read. Any payload is accepted.
    pub fn unpack(&self, backend: Backend, phantom_pawns: PhantomPawns) -> Result<Setup, Fault> {
        if self.format.is_lenient {
            let lenient = PackedSfen::with_backend(backend).unpack_lenient(&self.word, phantom_pawns);
            return lenient.map(|lenient| lenient.setup).map_err(Fault::Unpack);
        }
        let word = self.with_payload(Payload::ZERO).word;
        self.format.format.unpack_on(backend, &word).map_err(Fault::Unpack)
    }

    /// The word field by field.
    pub fn fields(&self) -> Vec<FieldValue> {
        self.format.format.fields(&self.word)
    }

    /// The word code by code; empty for a format of fixed fields.
    pub fn symbols(&self) -> Vec<Symbol> {
        self.format.format.symbols(&self.word)
    }

    /// The owner of each bit; `None` for a rank, whose bits form one number.
    pub fn owners(&self) -> Option<Owners> {
        self.format.format.owners(&self.word)
    }
}

impl fmt::Display for NamedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

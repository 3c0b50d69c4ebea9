//! [`WordFormat`]: the formats of `encode`, `decode` and `inspect`.

use std::fmt;

use clap::ValueEnum;
use komabako::bits::Backend;
use komabako::board::Setup;
use komabako::codec::layout::{FieldValue, Symbol};
use komabako::codec::packed_sfen::PhantomPawns;
use komabako::codec::{Hcp, Nshogi, PackError, PackedSfen, PositionCodec, Sspf, UnpackError, Word};
use komabako::dataset::FileFormat;

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
}

/// Evaluates an expression with the codec of a format.
macro_rules! with_codec {
    ($format:expr, $backend:expr, $codec:ident => $body:expr) => {
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
        }
    };
}

impl WordFormat {
    /// The formats with strict readers: every one in which a word may be without being named.
    pub const STRICT: [WordFormat; 4] =
        [WordFormat::Sspfv1, WordFormat::Psv, WordFormat::Hcp, WordFormat::Nshogi];

    /// The name of the option's value.
    pub const fn name(self) -> &'static str {
        match self {
            WordFormat::Sspfv1 => "sspfv1",
            WordFormat::Psv => "psv",
            WordFormat::PsvLenient => "psv-lenient",
            WordFormat::Hcp => "hcp",
            WordFormat::Nshogi => "nshogi",
        }
    }

    /// The format of the words with which records of a file begin, if they do.
    pub const fn of_file(format: FileFormat) -> Option<WordFormat> {
        Some(match format {
            FileFormat::Psv | FileFormat::PackedSfen => WordFormat::Psv,
            FileFormat::PsvLenient => WordFormat::PsvLenient,
            FileFormat::Hcpe | FileFormat::Hcpe2 | FileFormat::Hcpe3 | FileFormat::Hcp => WordFormat::Hcp,
            FileFormat::Sspfv1 => WordFormat::Sspfv1,
            FileFormat::Nshogi => WordFormat::Nshogi,
            _ => return None,
        })
    }

    /// Packs a setup.
    pub fn pack(self, setup: &Setup, backend: Backend) -> Result<Word, PackError> {
        with_codec!(self, backend, codec => codec.pack(setup))
    }

    /// Unpacks a word.
    pub fn unpack(self, word: &Word, backend: Backend) -> Result<Setup, UnpackError> {
        match self {
            WordFormat::PsvLenient => {
                let codec = PackedSfen::with_backend(backend);
                codec.unpack_lenient(word, PhantomPawns::default()).map(|lenient| lenient.setup)
            }
            _ => with_codec!(self, backend, codec => codec.unpack(word)),
        }
    }

    /// The word field by field.
    pub fn fields(self, word: &Word, backend: Backend) -> Vec<FieldValue> {
        with_codec!(self, backend, codec => codec.fields(word))
    }

    /// The word code by code; empty for a format of fixed fields.
    pub fn symbols(self, word: &Word, backend: Backend) -> Vec<Symbol> {
        with_codec!(self, backend, codec => codec.symbols(word))
    }
}

impl fmt::Display for WordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

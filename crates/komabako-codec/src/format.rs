//! [`Format`]: a codec chosen at run time.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use komabako_bits::Backend;
use komabako_board::Setup;

use crate::layout::{FieldValue, Owners, Symbol};
use crate::{
    Explain, Hcp, Nshogi, PackError, PackedSfen, PositionCodec, SliceError, Sspf, UnpackError, Word,
};

/// The name of a codec, for programs that choose one at run time.
///
/// The methods run the codec on the fastest backend of this CPU, unless they take a backend.
///
/// ```
/// use komabako_codec::Format;
/// let format: Format = "hcp".parse()?;
/// assert_eq!(format, Format::Hcp);
/// assert!(Format::ALL.iter().all(|&format| format.name().parse() == Ok(format)));
/// # Ok::<(), komabako_codec::UnknownFormat>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// [`Sspf`]
    Sspf,
    /// [`PackedSfen`]
    PackedSfen,
    /// [`Hcp`]
    Hcp,
    /// [`Nshogi`]
    Nshogi,
}

/// Evaluates an expression with the codec of a format.
macro_rules! with_codec {
    ($format:expr, $codec:ident => $body:expr) => {
        match $format {
            Format::Sspf => {
                type $codec = Sspf;
                $body
            }
            Format::PackedSfen => {
                type $codec = PackedSfen;
                $body
            }
            Format::Hcp => {
                type $codec = Hcp;
                $body
            }
            Format::Nshogi => {
                type $codec = Nshogi;
                $body
            }
        }
    };
}

impl Format {
    /// Every format.
    pub const ALL: &[Format] = &[Format::Sspf, Format::PackedSfen, Format::Hcp, Format::Nshogi];

    /// The codec's [`NAME`](PositionCodec::NAME): `sspfv1`, `psv`, `hcp` or `nshogi`.
    pub const fn name(self) -> &'static str {
        with_codec!(self, Codec => Codec::NAME)
    }

    /// See [`PositionCodec::pack`].
    ///
    /// # Errors
    /// As there.
    pub fn pack(self, setup: &Setup) -> Result<Word, PackError> {
        with_codec!(self, Codec => Codec::new().pack(setup))
    }

    /// See [`PositionCodec::unpack`].
    ///
    /// # Errors
    /// As there.
    pub fn unpack(self, word: &Word) -> Result<Setup, UnpackError> {
        with_codec!(self, Codec => Codec::new().unpack(word))
    }

    /// See [`PositionCodec::pack_slice`].
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn pack_slice(self, setups: &[Setup], words: &mut [Word]) -> Result<(), SliceError<PackError>> {
        self.pack_slice_on(Backend::detect(), setups, words)
    }

    /// See [`PositionCodec::pack_slice`]; on a chosen backend.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn pack_slice_on(
        self,
        backend: Backend,
        setups: &[Setup],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        with_codec!(self, Codec => Codec::with_backend(backend).pack_slice(setups, words))
    }

    /// See [`PositionCodec::unpack_slice`].
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn unpack_slice(self, words: &[Word], setups: &mut [Setup]) -> Result<(), SliceError<UnpackError>> {
        self.unpack_slice_on(Backend::detect(), words, setups)
    }

    /// See [`PositionCodec::unpack_slice`]; on a chosen backend.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn unpack_slice_on(
        self,
        backend: Backend,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>> {
        with_codec!(self, Codec => Codec::with_backend(backend).unpack_slice(words, setups))
    }

    /// See [`Explain::fields`].
    pub fn fields(self, word: &Word) -> Vec<FieldValue> {
        with_codec!(self, Codec => Codec::new().fields(word))
    }

    /// See [`Explain::symbols`].
    pub fn symbols(self, word: &Word) -> Vec<Symbol> {
        with_codec!(self, Codec => Codec::new().symbols(word))
    }

    /// See [`Explain::owners`].
    pub fn owners(self, word: &Word) -> Owners {
        with_codec!(self, Codec => Codec::new().owners(word))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that no format has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownFormat;

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown position format; known formats: sspfv1, psv, hcp, nshogi")
    }
}

impl core::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.iter().copied().find(|format| format.name() == name).ok_or(UnknownFormat)
    }
}

//! [`WordFormat`]: a format of packed positions, chosen at run time.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use komabako_bits::Backend;
use komabako_board::Setup;
use komabako_codec::contract::Kernels;
use komabako_codec::explanation::{FieldValue, Owners, Symbol};
use komabako_codec::{Hcp, Nshogi, PackError, PackedSfen, SliceError, Sspf, UnpackError, Word};
use komabako_messages::{Lang, Message, say};

use crate::{C250, R238, SspfExt};

/// A format of packed positions, for programs that choose one at run time: the codecs of `komabako-codec` and of this crate.
///
/// Every format packs to a [`Word`] of 32 bytes; [`size`](Self::size) of them are the format's, the others are zero.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_variants::WordFormat;
/// let format: WordFormat = "r238".parse()?;
/// let word = format.pack(&Setup::START)?;
/// assert_eq!(format.size(), 30);
/// assert_eq!(format.unpack(&word)?, Setup::START);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum WordFormat {
    /// [`Sspf`]: SSPFv1.
    Sspf,
    /// [`PackedSfen`], as in PSV.
    PackedSfen,
    /// [`Hcp`]: HuffmanCodedPos.
    Hcp,
    /// [`Nshogi`].
    Nshogi,
    /// [`SspfExt`]: SSPFv1's extension.
    SspfExt,
    /// [`C250`] with payload 0.
    C250,
    /// [`R238`].
    R238,
}

impl WordFormat {
    /// Every format.
    pub const ALL: &[WordFormat] = &[
        WordFormat::Sspf,
        WordFormat::PackedSfen,
        WordFormat::Hcp,
        WordFormat::Nshogi,
        WordFormat::SspfExt,
        WordFormat::C250,
        WordFormat::R238,
    ];

    /// The formats of `komabako-codec`. Words of one are easily taken for words of another.
    pub const BASE: &[WordFormat] =
        &[WordFormat::Sspf, WordFormat::PackedSfen, WordFormat::Hcp, WordFormat::Nshogi];

    const fn kernels(self) -> &'static Kernels {
        match self {
            WordFormat::Sspf => Sspf::KERNELS,
            WordFormat::PackedSfen => PackedSfen::KERNELS,
            WordFormat::Hcp => Hcp::KERNELS,
            WordFormat::Nshogi => Nshogi::KERNELS,
            WordFormat::SspfExt => SspfExt::KERNELS,
            WordFormat::C250 => C250::KERNELS,
            WordFormat::R238 => R238::KERNELS,
        }
    }

    /// Its name: `sspfv1`, `psv`, `hcp`, `nshogi`, `sspfv1-ext`, `c250` or `r238`.
    pub const fn name(self) -> &'static str {
        self.kernels().name
    }

    /// The number of bytes of a word that it uses: 32, or 30 for a rank.
    pub const fn size(self) -> usize {
        self.kernels().size
    }

    /// Whether it is SSPFv1 or its extension, which allow pieces off the board in any order within a kind.
    pub const fn is_sspf(self) -> bool {
        matches!(self, WordFormat::Sspf | WordFormat::SspfExt)
    }

    /// Packs a setup, on the fastest backend of this CPU.
    ///
    /// # Errors
    /// See [`PositionCodec::pack`](komabako_codec::PositionCodec::pack).
    pub fn pack(self, setup: &Setup) -> Result<Word, PackError> {
        self.pack_on(Backend::detect(), setup)
    }

    /// [`pack`](Self::pack) on a chosen backend.
    ///
    /// # Errors
    /// As there.
    pub fn pack_on(self, backend: Backend, setup: &Setup) -> Result<Word, PackError> {
        let mut word = [0; 32];
        (self.kernels().pack)(backend, setup, &mut word)?;
        Ok(word)
    }

    /// Unpacks a word, strictly, on the fastest backend of this CPU.
    ///
    /// # Errors
    /// See [`PositionCodec::unpack`](komabako_codec::PositionCodec::unpack).
    pub fn unpack(self, word: &Word) -> Result<Setup, UnpackError> {
        self.unpack_on(Backend::detect(), word)
    }

    /// [`unpack`](Self::unpack) on a chosen backend.
    ///
    /// # Errors
    /// As there.
    pub fn unpack_on(self, backend: Backend, word: &Word) -> Result<Setup, UnpackError> {
        let mut setup = Setup::EMPTY;
        (self.kernels().unpack)(backend, word, &mut setup)?;
        Ok(setup)
    }

    /// Packs setups.
    ///
    /// # Errors
    /// See [`PositionCodec::pack_slice`](komabako_codec::PositionCodec::pack_slice).
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn pack_slice(
        self,
        backend: Backend,
        setups: &[Setup],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        (self.kernels().pack_slice)(backend, setups, words)
    }

    /// Unpacks words, strictly.
    ///
    /// # Errors
    /// See [`PositionCodec::unpack_slice`](komabako_codec::PositionCodec::unpack_slice).
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn unpack_slice(
        self,
        backend: Backend,
        words: &[Word],
        setups: &mut [Setup],
    ) -> Result<(), SliceError<UnpackError>> {
        (self.kernels().unpack_slice)(backend, words, setups)
    }

    /// The word field by field, for human readers; for a refused word, as much as can be read.
    pub fn fields(self, word: &Word) -> Vec<FieldValue> {
        (self.kernels().fields)(word)
    }

    /// The word code by code, for human readers; empty for formats of fixed fields.
    pub fn symbols(self, word: &Word) -> Vec<Symbol> {
        (self.kernels().symbols)(word)
    }

    /// The owner of each bit of the word; `None` for a rank, whose bits are one number.
    pub fn owners(self, word: &Word) -> Option<Owners> {
        (self.kernels().owners)(word)
    }
}

impl fmt::Display for WordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that no format has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownFormat;

impl Message for UnknownFormat {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            f,
            lang,
            "unknown format of positions; known are",
            "その名前の局面の形式はありません。あるのは"
        )?;
        for (index, format) in WordFormat::ALL.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma} {format}")?;
        }
        Ok(())
    }
}

komabako_messages::english!(UnknownFormat);
komabako_messages::untranslated!(WordFormat);

impl core::error::Error for UnknownFormat {}

impl FromStr for WordFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.iter().copied().find(|format| format.name() == name).ok_or(UnknownFormat)
    }
}

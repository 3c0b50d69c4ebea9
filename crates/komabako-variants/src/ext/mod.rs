//! SSPFv1's extension: the fixed bit planes of the base form for every possible position (`spec/ext.md`).

mod explain;
mod fast;
mod reference;

use alloc::vec::Vec;

use komabako_bits::BitOps;
use komabako_board::Setup;
use komabako_codec::contract::{Algorithm, Format, Kernels};
use komabako_codec::explanation::{FieldValue, Owners, Symbol};
use komabako_codec::{Codec, PackError, UnpackError, Word};

use crate::planes::TailOrder;

/// The extension of SSPFv1: any setup in 256 bits. A setup that the [base form](komabako_codec::Sspf) holds has the same
/// word in both.
///
/// [`spec::ext`](crate::spec::ext) is the specification; the decoder's checks run in its order. Packing never fails.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_codec::{PositionCodec, Sspf};
/// use komabako_variants::SspfExt;
/// let tsume: Setup = "8k/9/7S1/9/9/9/9/9/9 b 2G 1".parse()?;
/// let word = SspfExt::new().pack(&tsume)?;
/// assert_eq!(SspfExt::new().unpack(&word)?, tsume);
/// assert!(Sspf::new().pack(&tsume).is_err());
/// assert_eq!(SspfExt::new().pack(&Setup::START), Sspf::new().pack(&Setup::START));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SspfExt = Codec<Extension>;

/// The algorithm of [`SspfExt`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extension;

impl Algorithm for Extension {
    const NAME: &'static str = "sspfv1-ext";

    #[inline(always)]
    fn pack_to<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        *word = fast::pack(ops, setup);
        Ok(())
    }

    #[inline(always)]
    fn unpack_to<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        let Some(unpacked) = fast::unpack(ops, word) else { return Err(fault(word)) };
        *setup = unpacked;
        Ok(())
    }

    fn reference_pack(setup: &Setup) -> Result<Word, PackError> {
        Ok(reference::pack(setup))
    }

    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError> {
        reference::unpack(word, TailOrder::Canonical)
    }

    fn fields(word: &Word) -> Vec<FieldValue> {
        explain::fields(word)
    }

    fn symbols(_: &Word) -> Vec<Symbol> {
        Vec::new()
    }

    fn owners(word: &Word) -> Option<Owners> {
        Some(reference::owners(word))
    }
}

static KERNELS: Kernels = Kernels::by_setup::<Extension>();

impl Format for Extension {
    const KERNELS: &'static Kernels = &KERNELS;
}

/// The fault that the reference finds in a word that the fast implementation refuses.
///
/// # Panics
/// If the reference finds no fault.
#[cold]
#[inline(never)]
fn fault(word: &Word) -> UnpackError {
    let Err(error) = reference::unpack(word, TailOrder::Canonical) else {
        unreachable!("the fast form accepts every good word")
    };
    error
}

/// Unpacks a word of the extension whose pieces off the board may be in any order within a kind, as the format's
/// author allows. [`SspfExt::pack`](komabako_codec::PositionCodec::pack) packs the result to its canonical word.
///
/// Slow: it reads bit by bit.
///
/// # Errors
/// As [`SspfExt::unpack`](komabako_codec::PositionCodec::unpack), but never `TAIL_ORDER`.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_codec::PositionCodec;
/// use komabako_variants::{SspfExt, ext};
/// let setup: Setup = "4k4/9/9/9/9/9/9/9/4K4 b Pp 1".parse()?;
/// let canonical = SspfExt::new().pack(&setup)?;
/// let mut word = canonical;
/// word[27] ^= 0b1100; // White's pawn first, then Black's: the colours are bits 218 and 219
/// assert_eq!(SspfExt::new().unpack(&word).unwrap_err().name(), "TAIL_ORDER");
/// assert_eq!(ext::unpack_lenient(&word)?, setup);
/// assert_eq!(ext::canonicalize(&word)?, canonical);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn unpack_lenient(word: &Word) -> Result<Setup, UnpackError> {
    reference::unpack(word, TailOrder::Any)
}

/// The canonical word of the position that [`unpack_lenient`] reads.
///
/// # Errors
/// As [`unpack_lenient`].
pub fn canonicalize(word: &Word) -> Result<Word, UnpackError> {
    unpack_lenient(word).map(|setup| reference::pack(&setup))
}

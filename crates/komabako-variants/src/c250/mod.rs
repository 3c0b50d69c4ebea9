//! C250: any setup in 250 bits at fixed offsets, and six bits for the user (`spec/c250.md`).

mod explain;
mod fast;
mod payload;
mod reference;

use alloc::vec::Vec;

use komabako_bits::BitOps;
use komabako_board::Setup;
use komabako_codec::contract::{Algorithm, Format, Kernels, WithPayload};
use komabako_codec::explanation::{FieldValue, Owners, Symbol};
use komabako_codec::{Codec, Field, PackError, UnpackError, UnpackFault, Word};
pub use payload::{Outcome, Payload, Repetition, Scored};

use crate::word::{self, bit};

/// C250: any setup in 250 bits, and a [`Payload`] of six.
///
/// As a [`PositionCodec`](komabako_codec::PositionCodec) it packs the payload 0 and refuses any other, so that equal words
/// are equal positions; [`encode`](Codec::encode) and [`decode`](Codec::decode) take and return a payload. Packing never
/// fails. [`spec::c250`](crate::spec::c250) is the specification; the decoder's checks run in its order.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_codec::PositionCodec;
/// use komabako_variants::{C250, Payload, c250};
/// let tsume: Setup = "8k/9/7S1/9/9/9/9/9/9 b 2G 1".parse()?;
/// let payload = Payload::new(37).expect("37 is below 64");
/// let word = C250::new().encode(&tsume, payload);
/// assert_eq!(C250::new().decode(&word)?, (tsume, payload));
/// assert_eq!(C250::new().unpack(&word).unwrap_err().name(), "PAYLOAD");
/// assert_eq!(C250::new().unpack(&c250::position_key(&word))?, tsume);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type C250 = Codec<Compact>;

/// The algorithm of [`C250`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact;

impl Algorithm for Compact {
    const NAME: &'static str = "c250";

    #[inline(always)]
    fn pack_to<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        *word = fast::encode(ops, setup);
        Ok(())
    }

    #[inline(always)]
    fn unpack_to<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        match fast::decode(ops, word) {
            Some(unpacked) if payload(word) == Payload::ZERO => *setup = unpacked,
            _ => return Err(fault(word)),
        }
        Ok(())
    }

    fn reference_pack(setup: &Setup) -> Result<Word, PackError> {
        Ok(reference::encode(setup, Payload::ZERO))
    }

    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError> {
        let setup = reference::decode(word)?;
        match reference::PAYLOAD.clone().find(|&index| bit(word, index)) {
            Some(index) => Err(word::fault(UnpackFault::Payload, Field::Payload, index)),
            None => Ok(setup),
        }
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

static KERNELS: Kernels = Kernels::by_setup::<Compact>();

impl Format for Compact {
    const KERNELS: &'static Kernels = &KERNELS;
}

/// The fault that the reference finds in a word that the fast implementation refuses.
///
/// # Panics
/// If the reference finds no fault.
#[cold]
#[inline(never)]
fn fault(word: &Word) -> UnpackError {
    let Err(error) = Compact::reference_unpack(word) else {
        unreachable!("the fast form accepts every good word")
    };
    error
}

impl WithPayload for Compact {
    type Payload = Payload;

    const NONE: Payload = Payload::ZERO;

    #[inline(always)]
    fn payload(word: &Word) -> Payload {
        payload(word)
    }

    #[inline(always)]
    fn with_payload(word: &Word, payload: Payload) -> Word {
        with_payload(word, payload)
    }
}

/// The payload of a word: the top six bits of its last byte.
#[inline(always)]
pub const fn payload(word: &Word) -> Payload {
    Payload::of_byte(word[31])
}

/// The word with another payload.
#[inline(always)]
pub const fn with_payload(word: &Word, payload: Payload) -> Word {
    let mut word = *word;
    word[31] = word[31] & 3 | payload.get() << 2;
    word
}

/// The word with payload 0: for two words with any payloads, the keys are equal if and only if the positions are.
#[inline(always)]
pub const fn position_key(word: &Word) -> Word {
    with_payload(word, Payload::ZERO)
}

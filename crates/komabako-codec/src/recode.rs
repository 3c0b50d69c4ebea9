//! Converts between PSV and HCP in one step, or checks their words in place.
//!
//! The result is the same as unpacking a word and packing the setup, equally strict, but several times faster: a converter
//! between PSV and `hcpe` files need not make a position from each record.
//!
//! ```
//! use komabako_board::Setup;
//! use komabako_codec::{Backend, Hcp, PackedSfen, PositionCodec, recode};
//! let psv = PackedSfen::new().pack(&Setup::START)?;
//! let mut hcp = [[0; 32]];
//! recode::psv_to_hcp(Backend::detect(), &[psv], &mut hcp)?;
//! assert_eq!(hcp, [Hcp::new().pack(&Setup::START)?]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use komabako_bits::Backend;

use crate::hcp::HuffmanCodedPos;
use crate::huffman::recode::{check, slice};
use crate::packed_sfen::Psv;
use crate::{SliceError, UnpackError, Word};

/// Converts words of PSV to words of HCP.
///
/// # Errors
/// As [`unpack_slice`](crate::PositionCodec::unpack_slice) of PSV: the first word that is refused, by its index; the words
/// before it are recoded.
///
/// # Panics
/// If the slices differ in length.
pub fn psv_to_hcp(backend: Backend, psv: &[Word], hcp: &mut [Word]) -> Result<(), SliceError<UnpackError>> {
    slice::<Psv, HuffmanCodedPos>(backend, psv, hcp)
}

/// Converts words of HCP to words of PSV.
///
/// # Errors
/// As [`unpack_slice`](crate::PositionCodec::unpack_slice) of HCP: the first word that is refused, by its index; the words
/// before it are recoded.
///
/// # Panics
/// If the slices differ in length.
pub fn hcp_to_psv(backend: Backend, hcp: &[Word], psv: &mut [Word]) -> Result<(), SliceError<UnpackError>> {
    slice::<HuffmanCodedPos, Psv>(backend, hcp, psv)
}

/// Checks words of PSV as [`unpack_slice`](crate::PositionCodec::unpack_slice) does, without making a setup.
///
/// # Errors
/// As there: the first word that is refused, by its index.
pub fn check_psv(backend: Backend, psv: &[Word]) -> Result<(), SliceError<UnpackError>> {
    check::<Psv>(backend, psv)
}

/// Checks words of HCP as [`unpack_slice`](crate::PositionCodec::unpack_slice) does, without making a setup.
///
/// # Errors
/// As there: the first word that is refused, by its index.
pub fn check_hcp(backend: Backend, hcp: &[Word]) -> Result<(), SliceError<UnpackError>> {
    check::<HuffmanCodedPos>(backend, hcp)
}

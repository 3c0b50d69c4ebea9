//! PSV, YaneuraOu's `PackedSfen` (`spec/formats.md`), and the reader for the words of other programs.

mod lenient;

use komabako_board::BaseKind;

use crate::Codec;
use crate::huffman::{Scheme, spec::Spec};
use crate::kernels::{Format, Kernels};

pub use lenient::{Lenient, PhantomPawns, Variant};

/// PSV, YaneuraOu's `PackedSfen`: both kings on the board, any other piece removed or not.
///
/// Packs and unpacks only the canonical variant. [`PackedSfen::unpack_lenient`] reads the variants in the wild.
///
/// ```
/// use komabako_codec::{PackedSfen, PositionCodec};
/// let start = *b"\x58\xa4\x51\x22\x0c\xeb\x67\x22\x7e\x96\x53\x22\x1c\xaf\x44\x78\
///                \x24\xc2\x2b\x11\x9e\x53\x22\x1c\xeb\x6f\x22\x3e\x96\x51\x22\x0c";
/// let setup = PackedSfen::new().unpack(&start)?;
/// assert_eq!(PackedSfen::new().pack(&setup), Ok(start));
///
/// let error = PackedSfen::new().unpack(&[0xff; 32]).unwrap_err();
/// assert_eq!((error.name(), error.bit), ("KING_CODE", 1));
/// # Ok::<(), komabako_codec::UnpackError>(())
/// ```
pub type PackedSfen = Codec<Psv>;

/// The algorithm of [`PackedSfen`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Psv;

impl Scheme for Psv {
    const NAME: &'static str = "psv";
    const SPEC: Spec = Spec {
        empty: "0",
        board: [
            ["1000", "1001", "1010", "1011"],
            ["110000", "110001", "110010", "110011"],
            ["110100", "110101", "110110", "110111"],
            ["111000", "111001", "111010", "111011"],
            ["111100", "111101", "", ""],
            ["11111000", "11111001", "11111010", "11111011"],
            ["11111100", "11111101", "11111110", "11111111"],
        ],
        tail: [
            ["000", "001", "010"],
            ["10000", "10001", "10010"],
            ["10100", "10101", "10110"],
            ["11000", "11001", "11010"],
            ["11100", "11101", "11011"],
            ["1111000", "1111001", "1111010"],
            ["1111100", "1111101", "1111110"],
        ],
        tail_order: BaseKind::IN_HAND,
        has_box: true,
        side_after_board: false,
        ranks_from_below: false,
    };
}

static KERNELS: Kernels = Kernels::with_byte_boards::<Psv>();

impl Format for Psv {
    const KERNELS: &'static Kernels = &KERNELS;
}

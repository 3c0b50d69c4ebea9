//! HCP, Apery's `HuffmanCodedPos` (`spec/formats.md`).

use komabako_board::BaseKind;

use crate::Codec;
use crate::huffman::{Scheme, spec::Spec};
use crate::kernels::{Format, Kernels};

/// HCP, the `HuffmanCodedPos` of Apery, cshogi and dlshogi: both kings on the board, any other piece removed or not.
///
/// A word of HCP and a word of PSV begin with the same 15 bits. If read as the other format, most are refused, but not all.
///
/// ```
/// use komabako_codec::{Hcp, PackedSfen, PositionCodec};
/// let start = *b"\x58\xa4\x49\x21\x0c\xd7\x57\x21\x7e\x8e\x4d\x21\x2c\xaf\x42\x78\
///                \x14\xc2\xab\x10\x9e\x4d\x21\x2c\xd7\x5f\x21\x3e\x8e\x49\x21\x0c";
/// let setup = Hcp::new().unpack(&start)?;
/// assert_eq!(Hcp::new().pack(&setup), Ok(start));
/// assert_ne!(PackedSfen::new().unpack(&start)?, setup);
/// # Ok::<(), komabako_codec::UnpackError>(())
/// ```
pub type Hcp = Codec<HuffmanCodedPos>;

/// The algorithm of [`Hcp`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HuffmanCodedPos;

impl Scheme for HuffmanCodedPos {
    const NAME: &'static str = "hcp";
    const SPEC: Spec = Spec {
        empty: "0",
        board: [
            ["1000", "1010", "1001", "1011"],
            ["110000", "110010", "110001", "110011"],
            ["111000", "111010", "111001", "111011"],
            ["110100", "110110", "110101", "110111"],
            ["111100", "111101", "", ""],
            ["11111000", "11111010", "11111001", "11111011"],
            ["11111100", "11111110", "11111101", "11111111"],
        ],
        tail: [
            ["000", "001", "010"],
            ["10000", "10001", "10010"],
            ["11000", "11001", "11010"],
            ["10100", "10101", "10110"],
            ["11100", "11101", "10111"],
            ["1111100", "1111101", "1111000"],
            ["1111110", "1111111", "1111010"],
        ],
        tail_order: BaseKind::IN_HAND,
        has_box: true,
        side_after_board: false,
        ranks_from_below: false,
    };
}

static KERNELS: Kernels = Kernels::with_byte_boards::<HuffmanCodedPos>();

impl Format for HuffmanCodedPos {
    const KERNELS: &'static Kernels = &KERNELS;
}

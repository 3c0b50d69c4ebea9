//! nshogi's `HuffmanCode` (`spec/formats.md`).

use komabako_board::BaseKind;

use crate::Codec;
use crate::huffman::{Scheme, spec::Spec};
use crate::kernels::{Format, Kernels};

/// nshogi's `HuffmanCode`: both kings on the board, the 38 other pieces on it or in a hand.
///
/// ```
/// use komabako_codec::{Nshogi, PositionCodec};
/// let start = *b"\x24\x96\x10\x8e\x45\xc5\x05\x8e\x8e\xaa\x11\x8e\x4d\x2f\x1c\xfb\
///                \xe1\xd8\x0b\xc7\xbe\x11\x8e\x4d\xc5\x01\x8e\xae\xaa\x10\x8e\x45";
/// let setup = Nshogi::new().unpack(&start)?;
/// assert_eq!(Nshogi::new().pack(&setup), Ok(start));
/// # Ok::<(), komabako_codec::UnpackError>(())
/// ```
pub type Nshogi = Codec<HuffmanCode>;

/// The algorithm of [`Nshogi`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HuffmanCode;

impl Scheme for HuffmanCode {
    const NAME: &'static str = "nshogi";
    const SPEC: Spec = Spec {
        empty: "1",
        board: [
            ["0000", "0001", "0010", "0011"],
            ["010000", "010001", "010010", "010011"],
            ["010100", "010101", "010110", "010111"],
            ["011000", "011001", "011010", "011011"],
            ["011110", "011111", "", ""],
            ["01110000", "01110001", "01110010", "01110011"],
            ["01110100", "01110101", "01110110", "01110111"],
        ],
        tail: [
            ["000", "001", ""],
            ["10000", "10001", ""],
            ["10100", "10101", ""],
            ["11000", "11001", ""],
            ["11100", "11101", ""],
            ["1111000", "1111001", ""],
            ["1111100", "1111101", ""],
        ],
        tail_order: [
            BaseKind::Pawn,
            BaseKind::Lance,
            BaseKind::Knight,
            BaseKind::Silver,
            BaseKind::Bishop,
            BaseKind::Rook,
            BaseKind::Gold,
        ],
        has_box: false,
        side_after_board: true,
        ranks_from_below: true,
    };
}

static KERNELS: Kernels = Kernels::with_byte_boards::<HuffmanCode>();

impl Format for HuffmanCode {
    const KERNELS: &'static Kernels = &KERNELS;
}

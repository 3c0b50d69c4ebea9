//! PSV words in the variants of older programs (`spec/formats.md` §2.3).

use komabako_board::{BaseKind, Color, Setup};
use komabako_codec::{Explain, Field, PackedSfen, PositionCodec, Word};

/// The codes of the pieces in a hand, without the colour bit.
const CODES: [&str; 7] = ["00", "1000", "1010", "1100", "1110", "111100", "111110"];

/// The order of a hand's pieces in variant B.
const VARIANT_B: [BaseKind; 7] = {
    use BaseKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
    [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold]
};

/// The word in variant B, written by YaneuraOu before 2024: removed pieces leave zeros.
///
/// # Panics
/// If a king is missing.
pub fn variant_b(setup: &Setup) -> Word {
    write(setup, VARIANT_B, "")
}

/// The word in variant C, written by rshogi: removed pieces leave codes of boxed pawns, as many as fit.
///
/// # Panics
/// If a king is missing.
pub fn variant_c(setup: &Setup) -> Word {
    write(setup, BaseKind::SFEN_HAND, "010")
}

/// The word written by a program with this order of hands. It fills the bits of missing pieces with a code, as often as it
/// fits, and then with zeros.
fn write(setup: &Setup, order: [BaseKind; 7], fill: &str) -> Word {
    let canonical = PackedSfen::new().pack(setup).expect("both kings are there");
    let fields = PackedSfen::new().fields(&canonical);
    let mut bits: String =
        fields.iter().take_while(|it| it.field != Field::BlackHand).map(|it| it.bits.as_str()).collect();
    for (color, color_bit) in [(Color::Black, "0"), (Color::White, "1")] {
        for kind in order {
            let code = [CODES[kind as usize], color_bit].concat();
            bits += &code.repeat(setup.hand(color).count(kind).into());
        }
    }
    if !fill.is_empty() {
        bits += &fill.repeat((256 - bits.len()) / fill.len());
    }
    let mut word = [0; 32];
    for (index, _) in bits.bytes().enumerate().filter(|&(_, bit)| bit == b'1') {
        word[index / 8] |= 1 << (index % 8);
    }
    word
}

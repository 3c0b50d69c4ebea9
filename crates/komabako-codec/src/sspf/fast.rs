//! The form by compress and expand (`spec/sspf-family.md` §2.5).

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Hand, Setup};

use super::planes::{Counts, Planes};
use super::{hands, refusal, squares};
use crate::{PackError, Word};

#[inline(always)]
pub fn pack<B: BitOps>(ops: B, setup: &Setup) -> Result<Word, PackError> {
    let board = Planes::of_board(ops, setup);
    let hands = hands::pack(ops, setup.parts().hands);
    let word = Planes { color: board.color | hands.colors.wrapping_shl(board.pieces), ..board }.join();
    // Forty pieces: both kings are there, and nothing is removed.
    let [low, high] = setup.kind(BaseKind::King).lanes();
    match board.pieces + hands.len + ops.popcount(low) + ops.popcount(high) {
        40 => Ok(word),
        _ => Err(refusal(setup)),
    }
}

/// The setup of a good word, `None` for any other.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, word: &Word) -> Option<Setup> {
    let planes = Planes::split(ops, word);
    let counts = Counts::new(ops, &planes);
    let hands = hands::unpack(ops, counts.off_board, planes.color.wrapping_shr(planes.pieces));
    let [black_king, white_king] = planes.kings;
    let good = counts.are_good
        & hands.are_ordered
        & (black_king <= 80)
        & (white_king <= 80)
        & (black_king != white_king);
    if !good {
        return None;
    }
    let [black_hand, white_hand] = hands.bits;
    Some(planes.to_setup(
        ops,
        [squares::set(black_king), squares::set(white_king)],
        [Hand::from_bits_trusted(black_hand), Hand::from_bits_trusted(white_hand)],
    ))
}

#[cfg(test)]
mod tests {
    use komabako_bits::Reference;
    use komabako_testkit::setups;

    use super::*;
    use crate::sspf::reference;

    #[test]
    fn good_words_need_no_reference() {
        for setup in setups::random(1).take(2_000) {
            if let Ok(word) = reference::pack(&setup) {
                assert_eq!(unpack(Reference, &word), Some(setup));
            }
        }
    }
}

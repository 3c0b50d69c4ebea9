//! Ranks as a colour sees them, and shifts along files.

use komabako_board::{Bitboard, Rank};

/// The first `count` ranks from the far side of a colour.
pub(crate) const fn far(count: u8, white: bool) -> Bitboard {
    let mut set = 0;
    let mut number = 1;
    while number <= count {
        let Some(rank) = Rank::new(if white { 10 - number } else { number }) else { unreachable!() };
        set |= Bitboard::rank(rank).to_u128();
        number += 1;
    }
    Bitboard::from_u128(set)
}

/// The three ranks in which a colour's pieces promote.
#[inline(always)]
pub(crate) const fn promotion_zone<const WHITE: bool>() -> Bitboard {
    const { far(3, WHITE) }
}

/// The rank on which a colour's pawns and lances have no move.
#[inline(always)]
pub(crate) const fn last<const WHITE: bool>() -> Bitboard {
    const { far(1, WHITE) }
}

/// The two ranks on which a colour's knights have no move.
#[inline(always)]
pub(crate) const fn last_two<const WHITE: bool>() -> Bitboard {
    const { far(2, WHITE) }
}

/// The squares in front of a colour's pieces.
#[inline(always)]
pub(crate) fn forward<const WHITE: bool>(set: Bitboard) -> Bitboard {
    // A piece on the last rank would step into the next file.
    let [low, high] = set.without(last::<WHITE>()).lanes();
    Bitboard::from_lanes(if WHITE { [low << 1, high << 1] } else { [low >> 1, high >> 1] })
}

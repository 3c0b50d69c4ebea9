//! The sets of one square.

use komabako_board::Bitboard;

/// The set of the square with this index, of which only the low seven bits count; empty from 81 up.
///
/// A look-up, because it costs less than shifts of 128 bits.
#[inline(always)]
pub fn set(index: u64) -> Bitboard {
    SETS[index as usize % SETS.len()]
}

static SETS: [Bitboard; 128] = {
    let mut sets = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while index < sets.len() {
        sets[index] = Bitboard::of_index(index);
        index += 1;
    }
    sets
};

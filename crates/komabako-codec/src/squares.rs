//! The sets of one square.

use komabako_board::Bitboard;

/// The set of the square with this index, of which only the low seven bits count; empty from 81 up.
///
/// A lookup, because it costs less than shifts of 128 bits.
#[inline(always)]
pub fn set(index: u64) -> Bitboard {
    SETS[index as usize % SETS.len()]
}

/// All squares but the one with this index, of which only the low seven bits count; all of them from 81 up.
///
/// A lookup too: complementing a set costs as much as three instructions if the result is the mask of a `PDEP`.
#[inline(always)]
pub fn others(index: u64) -> Bitboard {
    OTHERS[index as usize % OTHERS.len()]
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

static OTHERS: [Bitboard; 128] = {
    let mut sets = SETS;
    let mut index = 0;
    while index < sets.len() {
        sets[index] = Bitboard::ALL.without(sets[index]);
        index += 1;
    }
    sets
};

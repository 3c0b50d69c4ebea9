//! Rows in ascending order.

use komabako_bits::BitOps;
use komabako_board::{Setup, SetupParts};

use super::batch::{CAPACITY, HAND, Lists};

/// The words of a set of indices relative to their king's square, which are below 1,791.
const WORDS: usize = 28;

/// Sorts the first `count` indices of a list. They are at least `least` and less than 64 · [`WORDS`] more; `repeats` of them
/// are `least` itself, the others differ.
///
/// Indices ascend as bits of a set, which is read off from below.
#[inline(always)]
pub fn sort(indices: &mut [i32; CAPACITY], count: usize, least: i32, repeats: usize) {
    let mut set = [0u64; 32];
    for place in 0..count {
        let bit = (indices[place & 63] - least) as usize;
        set[bit / 64 % 32] |= 1 << (bit % 64);
    }
    let mut at = 0;
    if repeats > 0 {
        set[0] &= !1;
        while at < repeats {
            indices[at & 63] = least;
            at += 1;
        }
    }
    let mut first = least;
    for &word in &set[..WORDS] {
        let mut left = word;
        while left != 0 {
            indices[at & 63] = first + left.trailing_zeros() as i32;
            left &= left - 1;
            at += 1;
        }
        first += 64;
    }
}

/// The first number of pieces on the board, and the numbers of each kind, of both owners.
const BOARD: i32 = 90;
const KIND: i32 = 162;

impl Lists {
    /// Appends the indices of all pieces but kings, ascending, on a board that is not mirrored.
    ///
    /// Numbers ascend by kind, those in hand first, then by owner, the own ones first, then by square as the colour sees it.
    /// So the pieces of a kind on the board are in White's list in the reverse order of Black's.
    #[inline(always)]
    pub fn push_pieces<B: BitOps>(&mut self, ops: B, setup: &Setup) {
        let &SetupParts { colors: [black, white], kinds, promoted, hands, side: _ } = setup.parts();
        let mut bits = [hands[0].bits(), hands[1].bits()];
        let mut width = 8;
        for (kind, of_black) in HAND[0].iter().enumerate() {
            let of_white = &HAND[1][kind];
            let mask = (1 << width) - 1;
            let black = (bits[0] & mask) as usize;
            let white = (bits[1] & mask) as usize;
            for nth in 0..black {
                self.indices[0][(self.count + nth) & 63] = self.bucket[0] + of_black[0][0] + nth as i32;
                self.indices[1][(self.count + white + nth) & 63] =
                    self.bucket[1] + of_black[1][0] + nth as i32;
            }
            for nth in 0..white {
                self.indices[0][(self.count + black + nth) & 63] =
                    self.bucket[0] + of_white[0][0] + nth as i32;
                self.indices[1][(self.count + nth) & 63] = self.bucket[1] + of_white[1][0] + nth as i32;
            }
            self.count += black + white;
            bits = [bits[0] >> width, bits[1] >> width];
            width = 4;
        }

        let black = black.to_u128();
        let white = white.to_u128();
        let promoted = promoted.to_u128();
        let [p, l, n, s, g, b, r, _] = kinds;
        let [p, l, n, s] = [p.to_u128(), l.to_u128(), n.to_u128(), s.to_u128()];
        let [g, b, r] = [g.to_u128(), b.to_u128(), r.to_u128()];
        let golds = g | (p | l | n | s) & promoted;
        let groups = [
            p & !promoted,
            l & !promoted,
            n & !promoted,
            s & !promoted,
            golds,
            b & !promoted,
            b & promoted,
            r & !promoted,
            r & promoted,
        ];
        let mut first = BOARD;
        for group in &groups {
            // Black's squares, then White's: 162 bits.
            let low = group & black;
            let high = group & white;
            let words = [low as u64, (low >> 64) as u64 | (high << 17) as u64, (high >> 47) as u64];
            let mut reversed = self.count;
            for word in &words {
                reversed += ops.popcount(*word) as usize;
            }
            let mut number = self.bucket[0] + first;
            // What Black's and White's index of a piece add up to.
            let both = self.bucket[0] + self.bucket[1] + 2 * first + KIND - 1;
            for word in &words {
                let mut left = *word;
                while left != 0 {
                    let black = number + left.trailing_zeros() as i32;
                    left &= left - 1;
                    reversed = reversed.wrapping_sub(1);
                    self.indices[0][self.count & 63] = black;
                    self.indices[1][reversed & 63] = both - black;
                    self.count += 1;
                }
                number += 64;
            }
            first += KIND;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_sorted_with_repetitions_of_the_least() {
        for (indices, repeats) in [
            (&[][..], 0),
            (&[1000], 0),
            (&[2790, 1000, 1064, 1063, 1001], 0),
            (&[1000, 1003, 1000, 1002, 1000], 3),
        ] {
            let mut expected = indices.to_vec();
            expected.sort_unstable();
            let mut sorted = [7; CAPACITY];
            sorted[..indices.len()].copy_from_slice(indices);
            sort(&mut sorted, indices.len(), 1000, repeats);
            assert_eq!(sorted[..indices.len()], expected);
        }
    }
}

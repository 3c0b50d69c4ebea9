//! [`Symbols`]: the bits that describe each piece on the board, piece by piece and as the fields of a word.

use komabako_bits::BitOps;

/// Seven bits of each piece, as seven numbers: either *dense*, with a bit per piece that is zero if it has no meaning for the
/// piece, or the fields of a word, which omit such bits.
///
/// Dense numbers for boards may have ones past the last piece, which are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Symbols {
    /// The bits of the kinds' codes: not a pawn; S G B R; N G B R; B R; R.
    pub kind: [u64; 5],
    /// Promoted.
    pub promoted: u64,
    /// White's.
    pub color: u64,
}

impl Symbols {
    /// The dense numbers of pieces, given the dense numbers of the five bits of their [`Cell`](crate::Cell)s.
    #[inline(always)]
    pub fn of_cells([a, b, c, promoted, white]: [u64; 5]) -> Self {
        // Cells number the kinds so that the bits of their codes are small functions: N, G, B and R have two ones or
        // three.
        let most = a & b | c & (a | b);
        Self { kind: [b | c, c, most, b & c, a & b & c], promoted, color: white }
    }

    /// The inverse of [`of_cells`](Self::of_cells).
    #[inline(always)]
    pub fn to_cells(self) -> [u64; 5] {
        let [nonpawns, bit1, bit2, bishops_rooks, rooks] = self.kind;
        let a = !nonpawns | bit2 & !bishops_rooks | rooks;
        let b = nonpawns & !bit1 | bishops_rooks;
        [a, b, bit1, self.promoted, self.color]
    }

    /// The fields of dense numbers.
    #[inline(always)]
    pub fn compress<B: BitOps>(&self, ops: B) -> Self {
        let [nonpawns, bit1, bit2, bishops_rooks, rooks] = self.kind;
        // The zeros are pawns, eighteen at most.
        let nonpawn = ops.mask_near(nonpawns);
        let gbr = bit1 & bit2;
        Self {
            kind: [
                nonpawns,
                ops.compress(bit1, &nonpawn),
                ops.compress(bit2, &nonpawn),
                ops.pext_few::<8>(bishops_rooks, gbr),
                ops.pext_few::<4>(rooks, bishops_rooks),
            ],
            promoted: ops.pext_most::<4>(self.promoted, gbr ^ bishops_rooks),
            color: self.color,
        }
    }

    /// The dense numbers of fields.
    #[inline(always)]
    pub fn expand<B: BitOps>(&self, ops: B) -> Self {
        let [nonpawns, kind1, kind2, kind3, kind4] = self.kind;
        // The zeros are pawns, eighteen at most in a good word.
        let nonpawn = ops.mask_near(nonpawns);
        let bit1 = ops.expand(kind1, &nonpawn);
        let bit2 = ops.expand(kind2, &nonpawn);
        let gbr = bit1 & bit2;
        let bishops_rooks = ops.pdep_few::<8>(kind3, gbr);
        Self {
            kind: [nonpawns, bit1, bit2, bishops_rooks, ops.pdep_few::<4>(kind4, bishops_rooks)],
            promoted: ops.pdep_most::<4>(self.promoted, gbr ^ bishops_rooks),
            color: self.color,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_codes_map_one_to_one() {
        // P L N S G B R, from cell 1, and the bits of their codes, zeros where a code has ended.
        let codes = [0b00000, 0b00001, 0b00101, 0b00011, 0b00111, 0b01111, 0b11111];
        for (cell, code) in (1_u64..).zip(codes) {
            let cells = [cell & 1, cell >> 1 & 1, cell >> 2, 1, 0];
            let symbols = Symbols::of_cells(cells);
            assert_eq!(symbols.kind, [0, 1, 2, 3, 4].map(|bit| code >> bit & 1), "cell {cell}");
            assert_eq!(symbols.to_cells().map(|plane| plane & 1), cells, "cell {cell}");
        }
    }
}

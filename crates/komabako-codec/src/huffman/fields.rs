//! Numbers of pieces in the fields of [`Hand::bits`](komabako_board::Hand::bits), all kinds at once.
//!
//! A field may overflow into the next one, or out of the number. For the pieces of a word that is read to its end, the
//! sum of all fields is [`INVENTORY`] only if no field overflowed: the codes of a set have a fixed number of bits, on the
//! board and off it, and in an overflow at least 16 pieces count as one, or as none.

use komabako_board::BaseKind;

/// One set.
pub const INVENTORY: u32 = of_each([18, 4, 4, 4, 4, 2, 2]);

/// By the low three bits of a [`Cell`](crate::Cell): one piece of that kind; 0 for squares without one.
pub const ONE: [u32; 8] = {
    let mut ones = [0; 8];
    let mut kind = 0;
    while kind < 7 {
        ones[kind + 1] = 1 << place(BaseKind::IN_HAND[kind]);
        kind += 1;
    }
    ones
};

/// The fields with these counts of each kind, P L N S G B R.
#[inline(always)]
pub const fn of_each(counts: [u32; 7]) -> u32 {
    let mut fields = counts[0];
    let mut kind = 1;
    while kind < counts.len() {
        fields = fields.wrapping_add(counts[kind] << (4 + 4 * kind));
        kind += 1;
    }
    fields
}

/// The lowest bit of a kind's field.
pub const fn place(kind: BaseKind) -> u32 {
    match kind {
        BaseKind::Pawn => 0,
        _ => 4 + 4 * kind as u32,
    }
}

//! Masks of legal moves for a sequence of positions.

use komabako_board::Color;
use komabako_rules::zobrist::Key;
use komabako_rules::{MoveList, State};

use super::{COMPACT, COMPACT_LABELS, DIRECTION_OF, DIRECTIONS, DROPS, LABELS};

/// The numbering of labels in a mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Classes {
    /// All 2,187 labels.
    All,
    /// The 1,496 labels that occur for some legal move.
    Compact,
}

impl Classes {
    /// The number of labels.
    pub const fn count(self) -> usize {
        match self {
            Classes::All => LABELS,
            Classes::Compact => COMPACT_LABELS,
        }
    }
}

/// Writes masks of legal moves. Reusing it avoids clearing a move list (2 KiB) for each position.
///
/// ```
/// use komabako_features::label::{Classes, Masks};
/// use komabako_rules::State;
/// let (mut masks, mut legal) = (Masks::new(), [false; 1496]);
/// masks.write_bools(&State::<()>::start(), Classes::Compact, &mut legal);
/// assert_eq!(legal.iter().filter(|&&is_legal| is_legal).count(), 30);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Masks {
    moves: MoveList,
}

impl Masks {
    /// A writer of masks.
    pub const fn new() -> Masks {
        Masks { moves: MoveList::new() }
    }

    /// Writes one bit per label, the lowest first: 274 bytes, or 187 for compact labels.
    ///
    /// # Panics
    /// If `mask` is shorter.
    pub fn write_bits<K: Key>(&mut self, state: &State<K>, classes: Classes, mask: &mut [u8]) {
        state.legal_moves(&mut self.moves);
        mask.fill(0);
        self.for_each_label(state.side_to_move(), classes, |label| mask[label / 8] |= 1 << (label % 8));
    }

    /// Writes for each label whether it is that of a legal move.
    ///
    /// # Panics
    /// If `mask` is shorter than the number of labels.
    pub fn write_bools<K: Key>(&mut self, state: &State<K>, classes: Classes, mask: &mut [bool]) {
        state.legal_moves(&mut self.moves);
        mask.fill(false);
        self.for_each_label(state.side_to_move(), classes, |label| mask[label] = true);
    }

    /// Visits the labels of the moves; every legal move has one.
    #[inline]
    fn for_each_label(&self, side: Color, classes: Classes, mut visit: impl FnMut(usize)) {
        // Computes 80 − s without a branch: s with all bits inverted is −1 − s.
        let (invert, add) = if side == Color::White { (usize::MAX, 81) } else { (0, 0) };
        for &mv in &self.moves {
            let bits = usize::from(mv.bits());
            let source = bits >> 7 & 0x7f;
            let target = bits & 0x7f;
            let seen = |square: usize| (square ^ invert).wrapping_add(add).min(80);
            let to = seen(target);
            let way = if mv.is_drop() {
                DROPS + source - 1
            } else {
                let promotion = if mv.is_promotion() { DIRECTIONS } else { 0 };
                usize::from(DIRECTION_OF[seen(source)][to]) + promotion
            };
            let label = 81 * way + to;
            visit(match classes {
                Classes::All => label,
                Classes::Compact => usize::from(COMPACT[label]),
            });
        }
    }
}

//! [`Owner`]: the part of a position that a bit of a word describes.

use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{BaseKind, Color, Piece, Setup, Square};

use crate::word::BITS;

/// The part of a position that a bit of a word describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Owner {
    /// The side to move.
    Side,
    /// The place of a king, on the board or missing.
    King(Color),
    /// The places of both kings, bishops or rooks, if one number holds them.
    Pair(BaseKind),
    /// A square and the piece on it.
    Square(Square),
    /// A piece in a hand.
    Hand(Color, BaseKind),
    /// A piece that is neither on the board nor in a hand.
    Box(BaseKind),
    /// The user's bits.
    Payload,
    /// Bits that are unused or cannot be read.
    Padding,
}

/// The owner of every bit of a word.
///
/// ```
/// use komabako_board::{Setup, Square};
/// use komabako_codec::explanation::Owner;
/// use komabako_codec::{Explain, Hcp, PositionCodec};
/// let word = Hcp::new().pack(&Setup::START)?;
/// let owners = Hcp::new().owners(&word).expect("codes have bits of their own");
/// assert_eq!(owners.at(0), Owner::Side);
/// // A pawn takes four bits, and a square without a piece takes one.
/// let ones = |bits: [u64; 4]| bits.iter().map(|part| part.count_ones()).sum::<u32>();
/// assert_eq!(ones(owners.bits_of_square(Square::SQ_7G)), 4);
/// assert_eq!(ones(owners.bits_of_square(Square::SQ_5E)), 1);
/// # Ok::<(), komabako_codec::PackError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owners {
    bits: [Owner; BITS],
    /// The squares of kings, and of bishops and rooks in pairs, whose places are written as numbers.
    places: Vec<(Owner, Square)>,
}

impl Owners {
    /// No bit has a known owner.
    pub const NONE: Owners = Owners { bits: [Owner::Padding; BITS], places: Vec::new() };

    /// The owner of a bit.
    ///
    /// # Panics
    /// If `bit` is 256 or more.
    pub fn at(&self, bit: usize) -> Owner {
        self.bits[bit]
    }

    /// The bits of an owner: bit `i` of the word is bit `i % 64` of number `i / 64`.
    pub fn bits_of(&self, owner: Owner) -> [u64; 4] {
        self.select(|other| other == owner)
    }

    /// The bits that describe a square: its own and, if a king or a piece of a pair is on it, the bits of that piece's place.
    pub fn bits_of_square(&self, square: Square) -> [u64; 4] {
        self.select(|owner| owner == Owner::Square(square) || self.places.contains(&(owner, square)))
    }

    /// The bits in runs with the same owner, in order; they cover each of the 256 bits once.
    pub fn runs(&self) -> Vec<(Range<usize>, Owner)> {
        let mut runs: Vec<(Range<usize>, Owner)> = Vec::new();
        for (bit, &owner) in self.bits.iter().enumerate() {
            match runs.last_mut() {
                Some((run, last)) if *last == owner => run.end = bit + 1,
                _ => runs.push((bit..bit + 1, owner)),
            }
        }
        runs
    }

    /// The squares of the kings and pairs that are stored as numbers, with their owners.
    pub fn places(&self) -> &[(Owner, Square)] {
        &self.places
    }

    /// Assigns bits to an owner.
    ///
    /// # Panics
    /// If the bits are not all in a word.
    pub fn set(&mut self, bits: Range<usize>, owner: Owner) {
        self.bits[bits].fill(owner);
    }

    /// Records that the place of `owner` is this square.
    pub fn add_place(&mut self, owner: Owner, square: Square) {
        self.places.push((owner, square));
    }

    fn select(&self, is_wanted: impl Fn(Owner) -> bool) -> [u64; 4] {
        let mut bits = [0; 4];
        for (bit, _) in self.bits.iter().enumerate().filter(|&(_, &owner)| is_wanted(owner)) {
            bits[bit / 64] |= 1 << (bit % 64);
        }
        bits
    }
}

/// Bit planes of pieces, in the terms of the specifications of SSPFv1, its extension and C250.
#[derive(Clone, Debug)]
pub struct PieceBits {
    /// Bit 0, 1, … of the kinds' codes.
    pub codes: Vec<Range<usize>>,
    /// Whether the pieces on the board that can promote have.
    pub is_promoted: Range<usize>,
    /// The colours.
    pub color: Range<usize>,
    /// The kinds in the order of the tails, and the lengths of their codes.
    pub kinds: Vec<(BaseKind, usize)>,
}

impl PieceBits {
    /// Assigns the bits of the planes to the pieces of `setup` on these squares and to the pieces off the board. Bits after the
    /// last piece of a plane have no owner.
    ///
    /// A packer walks the planes in the same way: each piece takes the next bit of every plane that its code is long enough for.
    pub fn assign(mut self, owners: &mut Owners, setup: &Setup, squares: &[Square]) {
        let mut give = |plane: &mut Range<usize>, owner| {
            if let Some(bit) = plane.next() {
                owners.set(bit..bit + 1, owner);
            }
        };
        for &square in squares {
            let Some((piece_kind, _)) = setup.piece_at(square).map(Piece::to_parts) else { continue };
            let base = BaseKind::of(piece_kind);
            let length = self.kinds.iter().find(|(kind, _)| *kind == base).map_or(0, |&(_, length)| length);
            let owner = Owner::Square(square);
            self.codes.iter_mut().take(length).for_each(|plane| give(plane, owner));
            give(&mut self.color, owner);
            if base.can_promote() {
                give(&mut self.is_promoted, owner);
            }
        }
        for &(kind, _) in &self.kinds {
            let hands = [Color::Black, Color::White]
                .map(|color| (setup.hand(color).count(kind), Owner::Hand(color, kind)));
            for (count, owner) in hands.into_iter().chain([(setup.removed(kind), Owner::Box(kind))]) {
                for _ in 0..count {
                    give(&mut self.codes[0], owner);
                    give(&mut self.color, owner);
                }
            }
        }
    }
}

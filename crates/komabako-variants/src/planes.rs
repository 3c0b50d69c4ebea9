//! The shared parts of SSPFv1's extension and C250, in the terms of their specifications: the pieces on the board as bit
//! planes, the pieces off the board as two tails.

use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{BaseKind, Color, Hand, Piece, Setup, Square, color, kind};
use komabako_codec::contract::PieceBits;
use komabako_codec::{Field, UnpackError, UnpackFault, Word};

use crate::builder::piece;
use crate::word::{bit, fault, set_bit};

/// The planes of a format.
pub struct Planes {
    /// Bit 0, 1, … of the kinds' codes, in the stages of the decoder's checks.
    pub stages: &'static [Stage],
    pub is_promoted: Range<usize>,
    pub color: Range<usize>,
    /// The kinds, in the order of the tails, and their codes, bit 0 first.
    pub kinds: &'static [(BaseKind, &'static str)],
}

/// Planes of the kinds' codes that a decoder reads together. Each has a bit for every piece whose code is long enough.
pub struct Stage {
    /// The planes, each with the fault of ones past the last piece; `None` for the first plane, which ends in a tail.
    pub planes: &'static [(Field, Range<usize>, Option<UnpackFault>)],
    /// A code or its prefix, the most pieces that may have it, and the fault if there are more; checked in this order.
    pub limits: &'static [(&'static str, usize, UnpackFault)],
}

/// The order of the pieces off the board that a decoder accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TailOrder {
    Canonical,
    Any,
}

/// The bits of `tail0` and `tailc` for a piece off the board.
const BLACK_HAND: (bool, bool) = (false, false);
const WHITE_HAND: (bool, bool) = (false, true);
const REMOVED: (bool, bool) = (true, false);

impl Planes {
    /// The planes in the form that assigns bits to owners.
    pub fn piece_bits(&self) -> PieceBits {
        let planes = self.stages.iter().flat_map(|stage| stage.planes);
        PieceBits {
            codes: planes.map(|(_, plane, _)| plane.clone()).collect(),
            is_promoted: self.is_promoted.clone(),
            color: self.color.clone(),
            kinds: self.kinds.iter().map(|&(kind, code)| (kind, code.len())).collect(),
        }
    }

    /// Writes the planes of the pieces on these squares, and the tails.
    pub fn write(&self, word: &mut Word, setup: &Setup, squares: &[Square]) {
        let mut put = |plane: &mut Range<usize>, one: bool| {
            if let (Some(index), true) = (plane.next(), one) {
                set_bit(word, index);
            }
        };
        let planes = self.stages.iter().flat_map(|stage| stage.planes);
        let mut codes: Vec<_> = planes.map(|(_, plane, _)| plane.clone()).collect();
        let mut colors = self.color.clone();
        let mut promoted = self.is_promoted.clone();
        for piece in squares.iter().filter_map(|&square| setup.piece_at(square)) {
            let (piece_kind, color) = piece.to_parts();
            let base = BaseKind::of(piece_kind);
            for (plane, code_bit) in codes.iter_mut().zip(self.code(base).bytes()) {
                put(plane, code_bit == b'1');
            }
            put(&mut colors, color == Color::White);
            if base.can_promote() {
                put(&mut promoted, kind::is_promoted(piece_kind));
            }
        }
        for &(kind, _) in self.kinds {
            let [black, white] = [Color::Black, Color::White].map(|color| setup.hand(color).count(kind));
            let entries = [(black, BLACK_HAND), (white, WHITE_HAND), (setup.removed(kind), REMOVED)];
            for (tail0, tailc) in
                entries.into_iter().flat_map(|(count, entry)| (0..count).map(move |_| entry))
            {
                put(&mut codes[0], tail0);
                put(&mut colors, tailc);
            }
        }
    }

    /// Reads the planes of a word with `n` pieces of these kinds on the board. Returns these pieces in order, and the hands.
    ///
    /// # Errors
    /// The first fault in the order of the specification.
    pub fn read(
        &self,
        word: &Word,
        n: usize,
        order: TailOrder,
    ) -> Result<(Vec<Piece>, [Hand; 2]), UnpackError> {
        let kinds = self.read_kinds(word, n)?;
        let promotable = kinds.iter().filter(|kind| kind.can_promote()).count();
        zeros_from(word, Field::IsPromoted, &self.is_promoted, promotable, UnpackFault::PromotedTail)?;

        let mut promoted = self.is_promoted.clone();
        let pieces = kinds.iter().zip(self.color.clone()).map(|(&kind, color)| {
            let is_promoted = kind.can_promote() && promoted.next().is_some_and(|index| bit(word, index));
            piece(kind, is_promoted, color::from_bit(bit(word, color)))
        });
        Ok((pieces.collect(), self.read_tails(word, &kinds, order)?))
    }

    /// The kinds of the `n` pieces on the board.
    fn read_kinds(&self, word: &Word, n: usize) -> Result<Vec<BaseKind>, UnpackError> {
        let mut codes = alloc::vec![Vec::new(); n];
        for stage in self.stages {
            let open_codes: Vec<usize> = (0..n).filter(|&piece| self.kind(&codes[piece]).is_none()).collect();
            for (field, plane, past_end) in stage.planes {
                if let Some(past_end) = past_end {
                    zeros_from(word, *field, plane, open_codes.len(), *past_end)?;
                }
                for (&piece, index) in open_codes.iter().zip(plane.clone()) {
                    codes[piece].push(if bit(word, index) { b'1' } else { b'0' });
                }
            }
            let (field, plane, _) = &stage.planes[0];
            for &(code, limit, too_many) in stage.limits {
                let pieces = open_codes.iter().zip(plane.clone());
                let mut matching = pieces.filter(|(piece, _)| codes[**piece] == code.as_bytes());
                if let Some((_, index)) = matching.nth(limit) {
                    return Err(fault(too_many, *field, index));
                }
            }
        }
        Ok(codes.iter().filter_map(|code| self.kind(code)).collect())
    }

    /// The hands described by the tails after these pieces.
    fn read_tails(
        &self,
        word: &Word,
        on_board: &[BaseKind],
        order: TailOrder,
    ) -> Result<[Hand; 2], UnpackError> {
        let tail0 = self.stages[0].planes[0].1.clone().skip(on_board.len());
        let tailc = self.color.clone().skip(on_board.len());
        let entries: Vec<_> = tail0.zip(tailc).map(|(i, j)| ((bit(word, i), bit(word, j)), j)).collect();
        if let Some(&(_, index)) = entries.iter().find(|(entry, _)| *entry == (true, true)) {
            return Err(fault(UnpackFault::RemovedColor, Field::Color, index));
        }
        let mut entries = entries.into_iter();
        let mut hands = [Hand::EMPTY; 2];
        for &(kind, _) in self.kinds {
            let off_board =
                usize::from(kind.inventory()) - on_board.iter().filter(|&&other| other == kind).count();
            let mut latest = BLACK_HAND;
            for (entry, index) in entries.by_ref().take(off_board) {
                // The canonical order of the entries (tail0, tailc) is their numeric order: 00, 01, 10.
                if order == TailOrder::Canonical && entry < latest {
                    return Err(fault(UnpackFault::TailOrder, Field::Color, index));
                }
                latest = entry;
                let owner = usize::from(entry == WHITE_HAND);
                if entry != REMOVED {
                    hands[owner] =
                        hands[owner].added(kind).expect("no more pieces are off the board than a set has");
                }
            }
        }
        Ok(hands)
    }

    fn code(&self, kind: BaseKind) -> &'static str {
        self.kinds.iter().find(|(other, _)| *other == kind).map_or("", |(_, code)| code)
    }

    fn kind(&self, code: &[u8]) -> Option<BaseKind> {
        self.kinds.iter().find(|(_, other)| other.as_bytes() == code).map(|(kind, _)| *kind)
    }
}

/// Refuses ones in a plane after the bits of `used` pieces.
fn zeros_from(
    word: &Word,
    field: Field,
    plane: &Range<usize>,
    used: usize,
    past_end: UnpackFault,
) -> Result<(), UnpackError> {
    match plane.clone().skip(used).find(|&index| bit(word, index)) {
        Some(index) => Err(fault(past_end, field, index)),
        None => Ok(()),
    }
}

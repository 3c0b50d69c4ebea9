//! Reading the words of PSV files that are not canonical (`spec/formats.md`, variants).

use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, Setup};

use super::{PackedSfen, Psv};
use crate::huffman::Scheme;
use crate::huffman::reader::{OffBoard, PLACES, Reader, add_to_hand, fail, too_many};
use crate::word::BITS;
use crate::{Field, PositionCodec, UnpackError, UnpackFault, Word};

/// The variant of a word, by its order of the pieces off the board and its encoding of removed pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Variant {
    /// Canonical: hands in the order P L N S G B R, codes for removed pieces. YaneuraOu since 2024, cshogi, rsshogi.
    A,
    /// Hands in the order P L N S B R G, zeros for removed pieces. YaneuraOu before 2024 and its forks.
    B,
    /// Hands in the order R B G S N L P, codes of boxed pawns for removed pieces. rshogi.
    C,
    /// Another order, or a mixture.
    Other,
}

/// The treatment of zeros at the end of a word that may be either pawns in Black's hand or the room of removed pieces.
///
/// A removed piece of variant B leaves zeros, and three zeros are the code of a pawn in Black's hand. They are certainly not
/// pawns beyond the eighteenth, after a piece in White's hand, or after any piece in a hand if the word holds fewer
/// than 40 pieces: variant B writes Black's pawns first. A word of fewer than 40 pieces stays ambiguous if nothing
/// else is off the board and the others are fewer than 18 pawns. In a word of 40 pieces the zeros are read as pawns; if
/// that is ambiguous, [`Lenient::rival`] holds the alternative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PhantomPawns {
    /// They are not pawns: pawns have been removed.
    Strip,
    /// They are pawns, up to the eighteenth: only other pieces have been removed.
    #[default]
    Keep,
    /// Refuse the word with [`UnpackFault::PhantomPawns`].
    Error,
}

/// A word read leniently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lenient {
    /// The position.
    pub setup: Setup,
    /// The variant of the word.
    pub variant: Variant,
    /// The number of pawn codes read as the room of removed pieces: in Black's hand (variant B) or boxed (C).
    pub dropped_pawns: u8,
    /// The number of zeros at the end of the word, 0 to 2, that are too few for a code.
    pub trailing_zeros: u8,
    /// The other position with the same word in variant B: without the last pawns in Black's hand, which are removed there.
    /// Only a word that holds all 40 pieces can have one, even if it is canonical.
    pub rival: Option<Setup>,
}

impl PackedSfen {
    /// Unpacks a word of any variant.
    ///
    /// A canonical word gives the same result as [`unpack`](PositionCodec::unpack). Other words are accepted if the codes of
    /// pieces off the board follow each other, in any order, up to the end or up to one or two zeros. The removed pieces are
    /// the pieces missing from the board and the hands; the codes of the box are ignored. Costs a few microseconds for a word
    /// that is not canonical.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack) for the board; [`UnpackFault::TailCode`] or [`UnpackFault::Length`] if a code cannot
    /// be read; more pieces of a kind than a set has; [`UnpackFault::PhantomPawns`] depending on the policy `phantoms`.
    pub fn unpack_lenient(&self, word: &Word, phantoms: PhantomPawns) -> Result<Lenient, UnpackError> {
        // Nearly all words are canonical: only other words pay for the slow reader.
        match self.unpack(word) {
            Ok(setup) => Ok(Lenient {
                setup,
                variant: Variant::A,
                dropped_pawns: 0,
                trailing_zeros: 0,
                rival: rival_of_canonical(&setup),
            }),
            Err(_) => read(word, phantoms),
        }
    }

    /// The canonical word of a word of any variant.
    ///
    /// # Errors
    /// As [`unpack_lenient`](Self::unpack_lenient).
    ///
    /// # Panics
    /// Never: a setup read from a word has both kings, and PSV has a box.
    pub fn canonicalize(&self, word: &Word, phantoms: PhantomPawns) -> Result<Word, UnpackError> {
        let lenient = self.unpack_lenient(word, phantoms)?;
        Ok(self.pack(&lenient.setup).expect("a word has both kings, and PSV has a box"))
    }
}

/// Reads a word that is not canonical.
fn read(word: &Word, phantoms: PhantomPawns) -> Result<Lenient, UnpackError> {
    let mut reader = Reader::new(Psv::CODEBOOK, word);
    let mut setup = reader.board()?;
    let mut tail = Vec::new();
    while reader.at < BITS {
        let start = reader.at;
        match reader.tail_code() {
            Ok(piece) => tail.push((start, piece)),
            // Pieces omitted by variant B leave zeros, of which one or two at the end are too few for a code.
            Err(UnpackFault::Length) if reader.rest_is_zero() => break,
            Err(fault) => {
                let place = tail.last().map_or(Field::BlackHand, |&(_, piece): &(_, OffBoard)| piece.place);
                return Err(fail(fault, place, start));
            }
        }
    }
    let trailing_zeros = (BITS - reader.at) as u8;
    let in_tail = tail.len();

    // Boxed pawns at the end are variant C's padding, pawns in Black's hand at the end may be variant B's.
    let boxed = tail.iter().rev().take_while(|(_, piece)| *piece == BOXED_PAWN).count();
    tail.truncate(in_tail - boxed);
    let last_pawns = tail.iter().rev().take_while(|(_, piece)| *piece == BLACK_PAWN).count();
    let others = &tail[..tail.len() - last_pawns];
    let other_pawns = others.iter().filter(|(_, piece)| is_held_pawn(piece)).count();
    let room = usize::from(setup.removed(BaseKind::Pawn)).saturating_sub(other_pawns);
    let rival_pawns = (boxed == 0 && follows(others, VARIANT_B)).then_some(other_pawns as u8);
    let after_white = others.iter().any(|(_, piece)| piece.place == Field::WhiteHand);
    if boxed == 0 && (trailing_zeros > 0 || last_pawns > room || after_white) {
        let kept = match phantoms {
            _ if !others.is_empty() || last_pawns.min(room) == 0 => 0,
            PhantomPawns::Strip => 0,
            PhantomPawns::Keep => last_pawns.min(room),
            PhantomPawns::Error => {
                let start = tail.first().map_or(reader.at, |&(start, _)| start);
                return Err(fail(UnpackFault::PhantomPawns, Field::BlackHand, start));
            }
        };
        tail.truncate(others.len() + kept);
    }

    for &(start, OffBoard { place, kind }) in &tail {
        let held = match place {
            Field::BlackHand => add_to_hand(&mut setup, Color::Black, kind),
            Field::WhiteHand => add_to_hand(&mut setup, Color::White, kind),
            // The box is not trusted: every piece that is neither on the board nor in a hand has been removed.
            _ => Ok(()),
        };
        held.map_err(|_| fail(too_many(kind), place, start))?;
    }
    let dropped_pawns = (in_tail - tail.len()) as u8;
    // With a dropped pawn or a box the set is not complete; without a pawn at the end no pawn can be taken away.
    let rival_pawns = rival_pawns.filter(|&pawns| setup.is_complete() && pawns < black_pawns(&setup));
    let rival = rival_pawns.map(|pawns| with_black_pawns(&setup, pawns));
    Ok(Lenient { setup, variant: variant(&tail, boxed > 0), dropped_pawns, trailing_zeros, rival })
}

/// The rival of a canonical word: if only Black's pawns are off the board, they may have been removed.
fn rival_of_canonical(setup: &Setup) -> Option<Setup> {
    let pawns = black_pawns(setup);
    let off_board = setup.hand(Color::Black).len() + setup.hand(Color::White).len();
    let alone = pawns > 0 && off_board == u32::from(pawns) && setup.is_complete();
    alone.then(|| with_black_pawns(setup, 0))
}

fn black_pawns(setup: &Setup) -> u8 {
    setup.hand(Color::Black).count(BaseKind::Pawn)
}

fn with_black_pawns(setup: &Setup, pawns: u8) -> Setup {
    let mut setup = *setup;
    setup.set_hand_count(Color::Black, BaseKind::Pawn, pawns).expect("fewer pawns than there were");
    setup
}

const BLACK_PAWN: OffBoard = OffBoard { place: Field::BlackHand, kind: BaseKind::Pawn };
const BOXED_PAWN: OffBoard = OffBoard { place: Field::Box, kind: BaseKind::Pawn };

fn is_held_pawn(piece: &OffBoard) -> bool {
    piece.kind == BaseKind::Pawn && piece.place != Field::Box
}

/// The order of a hand in variant B: by the numbers of the kinds.
const VARIANT_B: &[BaseKind] = BaseKind::YANEURAOU.split_at(7).0;

/// The variant that writes pieces off the board in this order.
fn variant(tail: &[(usize, OffBoard)], boxed_pawns: bool) -> Variant {
    match boxed_pawns {
        false if follows(tail, VARIANT_B) => Variant::B,
        _ if follows(tail, &BaseKind::SFEN_HAND) => Variant::C,
        _ => Variant::Other,
    }
}

/// Whether pieces off the board are all in hands, Black's first, each in this order.
fn follows(tail: &[(usize, OffBoard)], order: &[BaseKind]) -> bool {
    let rank = |piece: &OffBoard| {
        let place = PLACES.into_iter().position(|known| known == piece.place);
        (place, order.iter().position(|&known| known == piece.kind))
    };
    tail.iter().all(|(_, piece)| piece.place != Field::Box) && tail.is_sorted_by_key(|(_, piece)| rank(piece))
}

//! The specification, bit by bit (`spec/sspf-family.md` §2.2 and §2.3).

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{BaseKind, Color, Piece, Setup, Square, color, kind, square};

use crate::explanation::{Owner, Owners};
use crate::owner::PieceBits;
use crate::word::{bit, number, set_bit, set_number};
use crate::{Field, PackError, UnpackError, UnpackFault, Word};

/// The bits of the fields (§2.1).
pub const SIDE_TO_MOVE: usize = 0;
pub const OCCUPIED: Range<usize> = 1..80;
pub const KINGS: [Range<usize>; 2] = [80..87, 87..94];
pub const IS_PROMOTED: Range<usize> = 94..128;
pub const PT_BIT: [Range<usize>; 5] = [128..166, 166..186, 186..206, 206..214, 214..218];
pub const COLOR: Range<usize> = 218..256;

/// The codes of the kinds, bit 0 first (§2.1), in the order P L N S G B R.
const CODES: [&str; 7] = ["0", "100", "101", "110", "1110", "11110", "11111"];

/// §2.2, for a position with both kings and no removed piece.
pub fn pack(setup: &Setup) -> Result<Word, PackError> {
    if let Some(color) = [Color::Black, Color::White].into_iter().find(|&color| setup.king(color).is_none()) {
        return Err(PackError::KingMissing(color));
    }
    if let Some(kind) = BaseKind::IN_HAND.into_iter().find(|&kind| setup.removed(kind) > 0) {
        return Err(PackError::PieceRemoved(kind));
    }
    let mut word = [0; 32];
    if setup.side_to_move() == Color::White {
        set_bit(&mut word, SIDE_TO_MOVE);
    }
    let kings = [Color::Black, Color::White].map(|color| setup.king(color));
    for (field, square) in KINGS.into_iter().zip(kings.into_iter().flatten()) {
        set_number(&mut word, field.start, field.len(), square.array_index() as u128);
    }

    let mut promoted = IS_PROMOTED;
    let mut pt_bits = PT_BIT;
    let mut colors = COLOR;
    let free = square::all().filter(|&square| !kings.contains(&Some(square)));
    for (index, square) in OCCUPIED.zip(free) {
        let Some((piece_kind, color)) = setup.piece_at(square).map(Piece::to_parts) else { continue };
        let base = BaseKind::of(piece_kind);
        set_bit(&mut word, index);
        push_bit(&mut word, &mut colors, color == Color::White);
        if base != BaseKind::Gold {
            push_bit(&mut word, &mut promoted, kind::is_promoted(piece_kind));
        }
        for (field, code_bit) in pt_bits.iter_mut().zip(CODES[base as usize].chars()) {
            push_bit(&mut word, field, code_bit == '1');
        }
    }
    for kind in BaseKind::IN_HAND {
        for color in [Color::Black, Color::White] {
            (0..setup.hand(color).count(kind))
                .for_each(|_| push_bit(&mut word, &mut colors, color == Color::White));
        }
    }
    Ok(word)
}

/// The owner of every bit. For a refused word, only the owners of the side, of the kings and, if their squares can be read, of
/// `occupied`.
pub fn owners(word: &Word) -> Owners {
    let mut owners = Owners::NONE;
    owners.set(SIDE_TO_MOVE..SIDE_TO_MOVE + 1, Owner::Side);
    let kings = KINGS.map(|field| square::from_index(number(word, field.start, field.len()) as usize));
    for ((field, king), color) in KINGS.into_iter().zip(kings).zip([Color::Black, Color::White]) {
        owners.set(field, Owner::King(color));
        if let Some(square) = king {
            owners.add_place(Owner::King(color), square);
        }
    }
    let free: Vec<Square> = square::all().filter(|&square| !kings.contains(&Some(square))).collect();
    if free.len() == OCCUPIED.len() {
        for (index, &square) in OCCUPIED.zip(&free) {
            owners.set(index..index + 1, Owner::Square(square));
        }
    }
    // The piece of a plane's next bit depends on all bits before it, so the owners are known only for a good word.
    if let Ok(setup) = unpack(word) {
        let planes = PieceBits {
            codes: PT_BIT.into(),
            is_promoted: IS_PROMOTED,
            color: COLOR,
            kinds: BaseKind::IN_HAND.into_iter().map(|kind| (kind, CODES[kind as usize].len())).collect(),
        };
        planes.assign(&mut owners, &setup, &free);
    }
    owners
}

/// Writes the next bit of a field.
fn push_bit(word: &mut Word, field: &mut Range<usize>, one: bool) {
    if let (Some(index), true) = (field.next(), one) {
        set_bit(word, index);
    }
}

/// §2.3 with the checks of the base decoder, with the same numbers.
pub fn unpack(word: &Word) -> Result<Setup, UnpackError> {
    use UnpackFault as Fault;

    // 1, 2
    let kings = KINGS.map(|field| number(word, field.start, field.len()) as usize);
    for (code, field) in kings.into_iter().zip(KINGS) {
        match code {
            0..=80 => {}
            81..=125 => return fail(Fault::KingCode, Field::Kings, field.start),
            _ => return fail(Fault::BaseKingMissing, Field::Kings, field.start),
        }
    }
    if kings[0] == kings[1] {
        return fail(Fault::KingsCollide, Field::Kings, KINGS[1].start);
    }

    // 3
    let n = at_most(38, Fault::PieceTotal, Field::Occupied, OCCUPIED, |index| bit(word, index))?;

    // 4
    let [pt0, pt1, pt2, pt3, pt4] = PT_BIT;
    let pieces = pt0.start..pt0.start + n;
    let q = at_most(20, Fault::NonpawnTotal, Field::PtBit0, pieces.clone(), |index| bit(word, index))?;
    at_most(18, Fault::PawnCount, Field::PtBit0, pieces.clone(), |index| !bit(word, index))?;

    // 5, 6: bit 1 of the i-th piece that is not a pawn is at pt1.start + i, bit 2 at pt2.start + i
    zero(word, Fault::Pt1Tail, Field::PtBit1, pt1.start + q..pt1.end)?;
    zero(word, Fault::Pt2Tail, Field::PtBit2, pt2.start + q..pt2.end)?;
    let nonpawns = pt1.start..pt1.start + q;
    let bits_1_2 = |index: usize| (bit(word, index), bit(word, index - pt1.start + pt2.start));
    let pt1_at_most = |limit, fault, bits| {
        at_most(limit, fault, Field::PtBit1, nonpawns.clone(), |index| bits_1_2(index) == bits)
    };
    pt1_at_most(4, Fault::LanceCount, (false, false))?;
    pt1_at_most(4, Fault::KnightCount, (false, true))?;
    pt1_at_most(4, Fault::SilverCount, (true, false))?;
    let x = pt1_at_most(8, Fault::GbrTotal, (true, true))?;

    // 7
    zero(word, Fault::Pt3Tail, Field::PtBit3, pt3.start + x..pt3.end)?;
    let gbr = pt3.start..pt3.start + x;
    let golds = at_most(4, Fault::GoldCount, Field::PtBit3, gbr.clone(), |index| !bit(word, index))?;
    let y = at_most(4, Fault::BrTotal, Field::PtBit3, gbr, |index| bit(word, index))?;

    // 8
    zero(word, Fault::Pt4Tail, Field::PtBit4, pt4.start + y..pt4.end)?;
    let bishops_rooks = pt4.start..pt4.start + y;
    at_most(2, Fault::BishopCount, Field::PtBit4, bishops_rooks.clone(), |index| !bit(word, index))?;
    at_most(2, Fault::RookCount, Field::PtBit4, bishops_rooks, |index| bit(word, index))?;

    // 9, and the base decoder's check before 10. (10 cannot fail if no piece is removed.)
    zero(word, Fault::PromotedTail, Field::IsPromoted, IS_PROMOTED.start + n - golds..IS_PROMOTED.end)?;
    zero(word, Fault::BasePieceRemoved, Field::PtBit0, pieces.end..pt0.end)?;

    let mut setup = Setup::EMPTY;
    setup.set_side_to_move(color::from_bit(bit(word, SIDE_TO_MOVE)));
    let mut promoted = IS_PROMOTED;
    let mut pt_bits = PT_BIT;
    let mut colors = COLOR;
    let mut next = |field: &mut Range<usize>| field.next().is_some_and(|index| bit(word, index));
    let free = square::all().filter(|square| !kings.contains(&square.array_index()));
    for (_, square) in OCCUPIED.zip(free).filter(|&(index, _)| bit(word, index)) {
        let base = read_kind(&mut pt_bits, &mut next);
        let is_promoted = base != BaseKind::Gold && next(&mut promoted);
        let piece_kind = match base.promoted() {
            Some(kind) if is_promoted => kind,
            _ => base.unpromoted(),
        };
        place(&mut setup, square.array_index(), Piece::new(piece_kind, color::from_bit(next(&mut colors))));
    }
    for (code, color) in kings.into_iter().zip([Color::Black, Color::White]) {
        place(&mut setup, code, Piece::new(BaseKind::King.unpromoted(), color));
    }

    // 11
    for kind in BaseKind::IN_HAND {
        let off_board = colors.start..colors.start + usize::from(setup.removed(kind));
        let mut whites_begun = false;
        for index in off_board.clone() {
            let white = next(&mut colors);
            if whites_begun && !white {
                return fail(Fault::TailOrder, Field::Color, index);
            }
            whites_begun = white;
        }
        let white = off_board.clone().filter(|&index| bit(word, index)).count() as u8;
        set_hand_count(&mut setup, Color::Black, kind, off_board.len() as u8 - white);
        set_hand_count(&mut setup, Color::White, kind, white);
    }
    Ok(setup)
}

/// The kind whose code the next bits of the fields are.
fn read_kind(pt_bits: &mut [Range<usize>; 5], next: &mut impl FnMut(&mut Range<usize>) -> bool) -> BaseKind {
    let mut code = String::new();
    for field in pt_bits {
        code.push(if next(field) { '1' } else { '0' });
        if let Some(index) = CODES.iter().position(|&known| known == code) {
            return BaseKind::IN_HAND[index];
        }
    }
    unreachable!("the codes are complete")
}

/// Puts a piece on a square.
fn place(setup: &mut Setup, index: usize, piece: Piece) {
    let square = square::from_index(index).expect("all squares have been checked");
    setup.place(square, piece).expect("all counts have been checked");
}

/// Sets a hand's count.
fn set_hand_count(setup: &mut Setup, color: Color, kind: BaseKind, count: u8) {
    setup.set_hand_count(color, kind, count).expect("the tail has a piece for each one off the board");
}

fn fail<T>(fault: UnpackFault, field: Field, bit: usize) -> Result<T, UnpackError> {
    Err(UnpackError { fault, field, bit: bit as u16 })
}

/// The number of bits that are `counted`; if more than `limit`, the fault at the first excess bit.
fn at_most(
    limit: usize,
    fault: UnpackFault,
    field: Field,
    bits: Range<usize>,
    counted: impl Fn(usize) -> bool,
) -> Result<usize, UnpackError> {
    let found = bits.filter(|&index| counted(index));
    match found.clone().nth(limit) {
        Some(index) => fail(fault, field, index),
        None => Ok(found.count()),
    }
}

/// The fault at the first bit that is set.
fn zero(word: &Word, fault: UnpackFault, field: Field, mut bits: Range<usize>) -> Result<(), UnpackError> {
    bits.find(|&index| bit(word, index)).map_or(Ok(()), |index| fail(fault, field, index))
}

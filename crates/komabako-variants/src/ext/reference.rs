//! The specification, step by step (`spec/ext.md`, §2.1 to §2.3).

use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{BaseKind, Color, Setup, Square, color, square};
use komabako_codec::explanation::{Owner, Owners};
use komabako_codec::{Field, UnpackError, UnpackFault, Word};

use crate::builder::{Builder, piece};
use crate::planes::{Planes, Stage, TailOrder};
use crate::word::{bit, fault, number, set_bit, set_number};

/// The fields' bits (§2.1).
pub const SIDE_TO_MOVE: usize = 0;
pub const OCCUPIED: Range<usize> = 1..80;
pub const KINGS: [Range<usize>; 2] = [80..87, 87..94];

pub const PLANES: Planes = Planes {
    stages: &[
        Stage {
            planes: &[(Field::PtBit0, 128..166, None)],
            limits: &[("1", 20, UnpackFault::NonpawnTotal), ("0", 18, UnpackFault::PawnCount)],
        },
        Stage {
            planes: &[
                (Field::PtBit1, 166..186, Some(UnpackFault::Pt1Tail)),
                (Field::PtBit2, 186..206, Some(UnpackFault::Pt2Tail)),
            ],
            limits: &[
                ("100", 4, UnpackFault::LanceCount),
                ("101", 4, UnpackFault::KnightCount),
                ("110", 4, UnpackFault::SilverCount),
                ("111", 8, UnpackFault::GbrTotal),
            ],
        },
        Stage {
            planes: &[(Field::PtBit3, 206..214, Some(UnpackFault::Pt3Tail))],
            limits: &[("1110", 4, UnpackFault::GoldCount), ("1111", 4, UnpackFault::BrTotal)],
        },
        Stage {
            planes: &[(Field::PtBit4, 214..218, Some(UnpackFault::Pt4Tail))],
            limits: &[("11110", 2, UnpackFault::BishopCount), ("11111", 2, UnpackFault::RookCount)],
        },
    ],
    is_promoted: 94..128,
    color: 218..256,
    kinds: &[
        (BaseKind::Pawn, "0"),
        (BaseKind::Lance, "100"),
        (BaseKind::Knight, "101"),
        (BaseKind::Silver, "110"),
        (BaseKind::Gold, "1110"),
        (BaseKind::Bishop, "11110"),
        (BaseKind::Rook, "11111"),
    ],
};

/// §2.2, with the same step numbers.
pub fn pack(setup: &Setup) -> Word {
    let kings = [Color::Black, Color::White].map(|color| setup.king(color));
    let mut word = [0; 32];
    set_number(&mut word, SIDE_TO_MOVE..SIDE_TO_MOVE + 1, setup.side_to_move().array_index());

    // 1, 2
    let free = square::all().filter(|square| !kings.contains(&Some(*square)));
    let free: Vec<(Square, bool)> = free.map(|square| (square, setup.occupied().contains(square))).collect();
    // 3
    OCCUPIED
        .zip(&free)
        .filter(|(_, (_, occupied))| *occupied)
        .for_each(|(index, _)| set_bit(&mut word, index));
    // 4
    let mut extra = free.iter().skip(OCCUPIED.len()).map(|&(_, occupied)| occupied);
    for (field, king) in KINGS.into_iter().zip(kings) {
        let code = match king {
            Some(square) => square.array_index(),
            None => 126 + usize::from(extra.next() == Some(true)),
        };
        set_number(&mut word, field, code);
    }
    // 5 to 8
    let squares: Vec<Square> =
        free.into_iter().filter(|&(_, occupied)| occupied).map(|(square, _)| square).collect();
    PLANES.write(&mut word, setup, &squares);
    word
}

/// The owner of every bit. One bit of a missing king's code belongs to a last square for which `occupied` has no room.
/// For a refused word, only the owners that can be determined.
pub fn owners(word: &Word) -> Owners {
    let mut owners = Owners::NONE;
    owners.set(SIDE_TO_MOVE..SIDE_TO_MOVE + 1, Owner::Side);
    let codes = KINGS.map(|range| number(word, range));
    let places = codes.map(square::from_index);
    let free: Vec<Square> = square::all().filter(|square| !places.contains(&Some(*square))).collect();
    let mut topped_up = free.iter().skip(OCCUPIED.len());
    for (((field, code), place), color) in
        KINGS.into_iter().zip(codes).zip(places).zip([Color::Black, Color::White])
    {
        owners.set(field.clone(), Owner::King(color));
        match place {
            Some(square) => owners.add_place(Owner::King(color), square),
            None if code >= 126 => {
                if let Some(&square) = topped_up.next() {
                    owners.set(field.start..field.start + 1, Owner::Square(square));
                }
            }
            None => {}
        }
    }
    for (index, &square) in OCCUPIED.zip(&free) {
        owners.set(index..index + 1, Owner::Square(square));
    }
    if let Ok(setup) = unpack(word, TailOrder::Canonical) {
        PLANES.piece_bits().assign(&mut owners, &setup, &free);
    }
    owners
}

/// §2.3, with the same check numbers.
pub fn unpack(word: &Word, order: TailOrder) -> Result<Setup, UnpackError> {
    // 1
    let codes = KINGS.map(|field| number(word, field));
    for (code, field) in codes.into_iter().zip(KINGS) {
        if (81..126).contains(&code) {
            return Err(fault(UnpackFault::KingCode, Field::Kings, field.start));
        }
    }
    // 2
    let kings = codes.map(square::from_index);
    if kings[0].is_some() && kings[0] == kings[1] {
        return Err(fault(UnpackFault::KingsCollide, Field::Kings, KINGS[1].start));
    }

    // 3: the free squares that are occupied, and the bit of the word that encodes it
    let in_field = OCCUPIED.map(|index| (bit(word, index), Field::Occupied, index));
    let missing = codes.into_iter().zip(KINGS).filter(|(code, _)| *code >= 126);
    let topped_up = missing.map(|(code, field)| (code == 127, Field::Kings, field.start));
    let free = square::all().filter(|square| !kings.contains(&Some(*square)));
    let occupied: Vec<_> =
        free.zip(in_field.chain(topped_up)).filter(|(_, (occupied, ..))| *occupied).collect();
    if let Some(&(_, (_, field, index))) = occupied.get(38) {
        return Err(fault(UnpackFault::PieceTotal, field, index));
    }

    // 4 to 11
    let (pieces, hands) = PLANES.read(word, occupied.len(), order)?;

    let mut builder = Builder::new(color::from_bit(bit(word, SIDE_TO_MOVE)), hands);
    for (king, color) in kings.into_iter().zip([Color::Black, Color::White]) {
        if let Some(square) = king {
            builder.place(square, piece(BaseKind::King, false, color));
        }
    }
    for ((square, _), piece) in occupied.into_iter().zip(pieces) {
        builder.place(square, piece);
    }
    Ok(builder.finish())
}

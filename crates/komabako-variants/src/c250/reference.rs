//! The specification, step by step (`spec/c250.md`, §3.1 to §3.4).

use alloc::vec::Vec;
use core::ops::Range;

use komabako_board::{BaseKind, Bitboard, Color, Setup, Square, color, square};
use komabako_codec::explanation::{Owner, Owners};
use komabako_codec::{Field, UnpackError, UnpackFault, Word};

use super::Payload;
use crate::builder::{Builder, piece};
use crate::planes::{Planes, Stage, TailOrder};
use crate::word::{bit, fault, number, ones, set_bit, set_number};

/// The fields' bits (§3.1).
pub const OCCUPIED: Range<usize> = 0..75;
pub const KINGS: Range<usize> = 75..88;
pub const MAJOR_COLOR: Range<usize> = 88..92;
pub const MAJOR_PROMOTED: Range<usize> = 92..96;
pub const BISHOPS: Range<usize> = 226..238;
pub const ROOKS: Range<usize> = 238..250;
pub const PAYLOAD: Range<usize> = 250..256;

pub const PLANES: Planes = Planes {
    stages: &[
        Stage {
            planes: &[(Field::PtBit0, 128..162, None)],
            limits: &[("1", 16, UnpackFault::NonpawnTotal), ("0", 18, UnpackFault::PawnCount)],
        },
        Stage {
            planes: &[
                (Field::PtBit1, 96..112, Some(UnpackFault::Pt1Tail)),
                (Field::PtBit2, 112..128, Some(UnpackFault::Pt2Tail)),
            ],
            limits: &[
                ("100", 4, UnpackFault::LanceCount),
                ("101", 4, UnpackFault::KnightCount),
                ("110", 4, UnpackFault::SilverCount),
                ("111", 4, UnpackFault::GoldCount),
            ],
        },
    ],
    is_promoted: 162..192,
    color: 192..226,
    kinds: &[
        (BaseKind::Pawn, "0"),
        (BaseKind::Lance, "100"),
        (BaseKind::Knight, "101"),
        (BaseKind::Silver, "110"),
        (BaseKind::Gold, "111"),
    ],
};

/// The majors in order: bK, wK, B0, B1, R0, R1; and the field with the index of each.
const MAJORS: [(BaseKind, Field, Range<usize>); 6] = [
    (BaseKind::King, Field::Kings, KINGS),
    (BaseKind::King, Field::Kings, KINGS),
    (BaseKind::Bishop, Field::Bishops, BISHOPS),
    (BaseKind::Bishop, Field::Bishops, BISHOPS),
    (BaseKind::Rook, Field::Rooks, ROOKS),
    (BaseKind::Rook, Field::Rooks, ROOKS),
];

/// The place of a major.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Board(Square),
    /// In a hand; for a king, missing.
    Hand,
    Removed,
}

impl Place {
    /// The index 0..=84, given the topped-up bit of a major off the board.
    fn index(self, topped_up: bool) -> usize {
        match self {
            Place::Board(square) => square.array_index(),
            Place::Hand => 82 - usize::from(topped_up),
            Place::Removed => 84 - usize::from(topped_up),
        }
    }

    /// The place with this index.
    fn of_index(index: usize) -> Place {
        match square::from_index(index) {
            Some(square) => Place::Board(square),
            None if index <= 82 => Place::Hand,
            None => Place::Removed,
        }
    }

    fn is_on_board(self) -> bool {
        matches!(self, Place::Board(_))
    }
}

/// The two bishops or rooks of a setup, in order: place, colour, promotion.
fn pair(setup: &Setup, kind: BaseKind) -> impl Iterator<Item = (Place, Color, bool)> + '_ {
    let on_board = setup.kind(kind).into_iter().map(|square| {
        let color = color::from_bit(setup.color(Color::White).contains(square));
        (Place::Board(square), color, setup.promoted().contains(square))
    });
    let in_hands = [Color::Black, Color::White]
        .into_iter()
        .flat_map(move |color| (0..setup.hand(color).count(kind)).map(move |_| (Place::Hand, color, false)));
    let removed = (0..setup.removed(kind)).map(|_| (Place::Removed, Color::Black, false));
    on_board.chain(in_hands).chain(removed)
}

/// The code of a pair of indices (§3.3, step 6).
fn pair_code(a: usize, b: usize) -> usize {
    match (a, b) {
        (82, 81) => 3655,
        (84, 83) => 3656,
        _ => b * (b + 1) / 2 + a,
    }
}

/// The pair of indices with a code; `None` from 3657 up.
pub fn pair_indices(code: usize) -> Option<(usize, usize)> {
    let ascending = (0..=84).flat_map(|b| (0..=b).map(move |a| (a, b)));
    ascending.chain([(82, 81), (84, 83)]).nth(code)
}

/// §3.3, with the same step numbers.
pub fn encode(setup: &Setup, payload: Payload) -> Word {
    let king = |color| setup.king(color).map_or(Place::Hand, Place::Board);
    let pieces: Vec<_> = pair(setup, BaseKind::Bishop).chain(pair(setup, BaseKind::Rook)).collect();
    let mut places = alloc::vec![king(Color::Black), king(Color::White)];
    places.extend(pieces.iter().map(|(place, ..)| *place));

    // 1, 2
    let free = square::all().filter(|square| !places.contains(&Place::Board(*square)));
    let free: Vec<(Square, bool)> = free.map(|square| (square, setup.occupied().contains(square))).collect();
    // 3
    let mut word = [0; 32];
    let white_to_move = setup.side_to_move() == Color::White;
    for (index, &(_, occupied)) in OCCUPIED.zip(&free) {
        if occupied != white_to_move {
            set_bit(&mut word, index);
        }
    }
    // 4
    let mut topped_up = free.iter().skip(OCCUPIED.len()).map(|&(_, occupied)| occupied);
    let index = |place: Place| place.index(!place.is_on_board() && topped_up.next() == Some(true));
    let indices: Vec<usize> = places.into_iter().map(index).collect();
    // 5, 6
    set_number(&mut word, KINGS, indices[0] + 83 * indices[1]);
    set_number(&mut word, BISHOPS, pair_code(indices[2], indices[3]));
    set_number(&mut word, ROOKS, pair_code(indices[4], indices[5]));
    // 7
    for (&(_, color, promoted), (color_bit, promoted_bit)) in
        pieces.iter().zip(MAJOR_COLOR.zip(MAJOR_PROMOTED))
    {
        set_number(&mut word, color_bit..color_bit + 1, color.array_index());
        set_number(&mut word, promoted_bit..promoted_bit + 1, promoted.into());
    }
    // 8, 9
    let squares: Vec<Square> =
        free.into_iter().filter(|&(_, occupied)| occupied).map(|(square, _)| square).collect();
    PLANES.write(&mut word, setup, &squares);
    set_number(&mut word, PAYLOAD, payload.get().into());
    word
}

/// The owner of every bit. The kings share a number, and so do the bishops and the rooks; the side to move has no bit of its own,
/// but inverts `occupied`. For a refused word, only the owners that can be determined.
pub fn owners(word: &Word) -> Owners {
    let mut owners = Owners::NONE;
    owners.set(PAYLOAD, Owner::Payload);
    for (kind, field) in [(BaseKind::King, KINGS), (BaseKind::Bishop, BISHOPS), (BaseKind::Rook, ROOKS)] {
        owners.set(field, Owner::Pair(kind));
    }
    let Ok(setup) = decode(word) else { return owners };
    let majors = [BaseKind::King, BaseKind::Bishop, BaseKind::Rook];
    for (kind, square) in
        majors.into_iter().flat_map(|kind| setup.kind(kind).into_iter().map(move |it| (kind, it)))
    {
        owners.add_place(Owner::Pair(kind), square);
    }
    let on_board = majors.into_iter().fold(Bitboard::EMPTY, |squares, kind| squares | setup.kind(kind));
    let free: Vec<Square> = square::all().filter(|&square| !on_board.contains(square)).collect();
    for (index, &square) in OCCUPIED.zip(&free) {
        owners.set(index..index + 1, Owner::Square(square));
    }
    // A square for which `occupied` has no room has its bit in the number of a piece off the board.
    let missing = [Color::Black, Color::White].into_iter().filter(|&color| setup.king(color).is_none());
    let off_board = |kind| pair(&setup, kind).filter(|(place, ..)| !place.is_on_board()).map(move |_| kind);
    let holders = missing.map(|_| BaseKind::King);
    let holders = holders.chain(off_board(BaseKind::Bishop)).chain(off_board(BaseKind::Rook));
    for (kind, &square) in holders.zip(&free[OCCUPIED.len()..]) {
        owners.add_place(Owner::Pair(kind), square);
    }
    for (offset, kind) in [(0, BaseKind::Bishop), (2, BaseKind::Rook)] {
        for (i, (place, color, _)) in pair(&setup, kind).enumerate() {
            let (owner, promoted) = match place {
                Place::Board(square) => (Owner::Square(square), Owner::Square(square)),
                Place::Hand => (Owner::Hand(color, kind), Owner::Padding),
                Place::Removed => (Owner::Box(kind), Owner::Padding),
            };
            let at = offset + i;
            owners.set(MAJOR_COLOR.start + at..MAJOR_COLOR.start + at + 1, owner);
            owners.set(MAJOR_PROMOTED.start + at..MAJOR_PROMOTED.start + at + 1, promoted);
        }
    }
    PLANES.piece_bits().assign(&mut owners, &setup, &free);
    owners
}

/// §3.4, with the same check numbers. The payload is ignored.
pub fn decode(word: &Word) -> Result<Setup, UnpackError> {
    // 1
    let white_to_move = match ones(word, OCCUPIED) {
        0..=34 => false,
        35..=40 => return Err(fault(UnpackFault::SidePopcount, Field::Occupied, OCCUPIED.start)),
        _ => true,
    };

    // 2
    let kings = number(word, KINGS);
    if kings >= 83 * 83 {
        return Err(fault(UnpackFault::KingCode, Field::Kings, KINGS.start));
    }
    let mut indices = alloc::vec![kings % 83, kings / 83];
    if indices[0] == indices[1] && indices[0] <= 80 {
        return Err(fault(UnpackFault::KingsCollide, Field::Kings, KINGS.start));
    }

    // 3
    for (field, range, bad_code) in
        [(Field::Bishops, BISHOPS, UnpackFault::BishopCode), (Field::Rooks, ROOKS, UnpackFault::RookCode)]
    {
        match pair_indices(number(word, range.clone())) {
            Some((a, b)) if a != b || a > 80 => indices.extend([a, b]),
            _ => return Err(fault(bad_code, field, range.start)),
        }
    }

    // 4
    let places: Vec<Place> = indices.iter().map(|&index| Place::of_index(index)).collect();
    for (i, place) in places.iter().enumerate() {
        if place.is_on_board() && places[..i].contains(place) {
            let (_, field, range) = &MAJORS[i];
            return Err(fault(UnpackFault::MajorsCollide, *field, range.start));
        }
    }

    // 5
    let is_white: Vec<bool> = MAJOR_COLOR.map(|index| bit(word, index)).collect();
    for (place, (color_bit, promoted_bit)) in places[2..].iter().zip(MAJOR_COLOR.zip(MAJOR_PROMOTED)) {
        if bit(word, promoted_bit) && !place.is_on_board() {
            return Err(fault(UnpackFault::MajorPromoted, Field::MajorPromoted, promoted_bit));
        }
        if bit(word, color_bit) && *place == Place::Removed {
            return Err(fault(UnpackFault::RemovedColor, Field::MajorColor, color_bit));
        }
    }
    for j in [0, 2] {
        if places[2 + j..4 + j] == [Place::Hand; 2] && is_white[j..j + 2] == [true, false] {
            return Err(fault(UnpackFault::TailOrder, Field::MajorColor, MAJOR_COLOR.start + j + 1));
        }
    }

    // 6: the free squares, whether each is occupied, and the bit of the word that encodes it
    let in_field = OCCUPIED.map(|index| (bit(word, index) != white_to_move, Field::Occupied, index));
    let topped_up = indices.iter().zip(MAJORS).filter(|&(&index, _)| index > 80);
    let topped_up = topped_up.map(|(index, (_, field, range))| (index % 2 == 1, field, range.start));
    let free = square::all().filter(|square| !places.contains(&Place::Board(*square)));
    let occupied: Vec<_> =
        free.zip(in_field.chain(topped_up)).filter(|(_, (occupied, ..))| *occupied).collect();
    if let Some(&(_, (_, field, index))) = occupied.get(34) {
        return Err(fault(UnpackFault::PieceTotal, field, index));
    }

    // 7 to 11
    let (pieces, hands) = PLANES.read(word, occupied.len(), TailOrder::Canonical)?;

    let mut builder = Builder::new(color::from_bit(white_to_move), hands);
    for ((square, _), piece) in occupied.into_iter().zip(pieces) {
        builder.place(square, piece);
    }
    for (i, (place, (kind, ..))) in places.into_iter().zip(MAJORS).enumerate() {
        let (owner, promoted) = match i {
            0 | 1 => (color::from_bit(i == 1), false),
            _ => (color::from_bit(is_white[i - 2]), bit(word, MAJOR_PROMOTED.start + i - 2)),
        };
        match place {
            Place::Board(square) => builder.place(square, piece(kind, promoted, owner)),
            Place::Hand if kind != BaseKind::King => builder.give(kind, owner),
            _ => {}
        }
    }
    Ok(builder.finish())
}

//! The numbers of faults in arrays of one byte for each record, in Python and in C.

/// The names of the faults that have a number: their place, from 1 up. Numbers never change, so new faults are appended.
pub const NUMBERED: &[&str] = &[
    "KING_CODE",
    "BASE_KING_MISSING",
    "KINGS_COLLIDE",
    "PIECE_TOTAL",
    "NONPAWN_TOTAL",
    "PAWN_COUNT",
    "PT1_TAIL",
    "PT2_TAIL",
    "LANCE_COUNT",
    "KNIGHT_COUNT",
    "SILVER_COUNT",
    "GBR_TOTAL",
    "PT3_TAIL",
    "GOLD_COUNT",
    "BISHOP_COUNT",
    "ROOK_COUNT",
    "BR_TOTAL",
    "PT4_TAIL",
    "PROMOTED_TAIL",
    "SIDE_POPCOUNT",
    "TAIL_ORDER",
    "TAIL_CODE",
    "LENGTH",
    "BASE_PIECE_REMOVED",
    "REMOVED_COLOR",
    "PHANTOM_PAWNS",
    "PAYLOAD",
    "BISHOP_CODE",
    "ROOK_CODE",
    "MAJORS_COLLIDE",
    "MAJOR_PROMOTED",
    "RANGE",
    "KING_MISSING",
    "PIECE_REMOVED",
    "NOT_REPRESENTABLE",
    "ARRAY_PIECE",
    "ARRAY_HAND",
    "ARRAY_SIDE",
    "RESULT",
    "PLY",
    "SFEN",
    "MOVE_TO",
    "MOVE_FROM",
    "MOVE_DROP_PROMOTES",
    "MOVE_SAME_SQUARE",
    "MOVE_HIGH_BIT",
    "MOVE_NO_SPECIAL",
    "MOVE_TEXT",
    "MOVE_MALFORMED",
    "MOVE_NOT_IN_HAND",
    "MOVE_OCCUPIED",
    "MOVE_NO_PIECE",
    "MOVE_OPPONENTS_PIECE",
    "MOVE_OWN_PIECE",
    "MOVE_UNREACHABLE",
    "MOVE_PROMOTION",
    "MOVE_DEAD_END",
    "MOVE_NIFU",
    "MOVE_KING_IN_CHECK",
    "MOVE_PAWN_DROP_MATE",
    "MOVE_PASS",
    "MOVE_DECLARATION",
    "POSITION_KING_MISSING",
    "POSITION_NIFU",
    "POSITION_DEAD_END",
    "POSITION_OPPONENT_IN_CHECK",
    "POSITION",
];

/// The number of the faults that have none of their own.
const OTHER: u8 = 255;

/// The number of the fault with a name.
///
/// ```
/// use komabako_record::fault;
/// assert_eq!(fault::number("KING_CODE"), 1);
/// assert_eq!(fault::name_of_number(1), Some("KING_CODE"));
/// assert_eq!((fault::number("CELL"), fault::name_of_number(255)), (255, Some("OTHER")));
/// ```
pub fn number(name: &str) -> u8 {
    let place = NUMBERED.iter().position(|&numbered| numbered == name);
    place.map_or(OTHER, |place| place as u8 + 1)
}

/// The name of the fault with a number.
pub fn name_of_number(number: u8) -> Option<&'static str> {
    if number == OTHER {
        return Some("OTHER");
    }
    NUMBERED.get(usize::from(number).checked_sub(1)?).copied()
}

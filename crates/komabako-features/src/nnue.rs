//! Active inputs of NNUE networks, as indices (`spec/features.md` §2).

mod batch;

use core::ops::Deref;

use komabako_board::{BaseKind, Color, PieceKind, Setup};

pub use batch::{First, write_half_ka_hm, write_half_kp};

/// The number of inputs of `HalfKP`: 81 squares of the king times 1,548 places of other pieces.
pub const HALF_KP_INPUTS: usize = 81 * HALF_KP as usize;
/// The number of inputs of `HalfKA_hm`: 45 squares of the king, on files 1 to 5, times 1,629 places of pieces.
pub const HALF_KA_HM_INPUTS: usize = 45 * HALF_KA_HM as usize;

const HALF_KP: i32 = 1548;
const HALF_KA_HM: i32 = 1629;

/// The first number of each kind for pieces in hand: own, then the enemy's.
const fn in_hand(kind: BaseKind) -> [i32; 2] {
    match kind {
        BaseKind::Pawn => [1, 20],
        BaseKind::Lance => [39, 44],
        BaseKind::Knight => [49, 54],
        BaseKind::Silver => [59, 64],
        BaseKind::Gold => [69, 74],
        BaseKind::Bishop => [79, 82],
        BaseKind::Rook => [85, 88],
        // A king is never in hand.
        BaseKind::King => [0, 0],
    }
}

/// The first number of each kind for own pieces on the board; the enemy's are 81 higher.
const fn on_board(kind: PieceKind) -> i32 {
    // Promoted pieces that move like a gold have the gold's numbers.
    match kind {
        PieceKind::Pawn => 90,
        PieceKind::Lance => 252,
        PieceKind::Knight => 414,
        PieceKind::Silver => 576,
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => 738,
        PieceKind::Bishop => 900,
        PieceKind::ProBishop => 1062,
        PieceKind::Rook => 1224,
        PieceKind::ProRook => 1386,
        PieceKind::King => 1548,
    }
}

/// Up to 40 indices of active inputs: pieces in hand first (Black's, then White's, P L N S G B R), then pieces on the
/// board in the order of squares.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    indices: [i32; 40],
    count: usize,
}

impl Active {
    const EMPTY: Active = Active { indices: [0; 40], count: 0 };

    fn push(&mut self, index: i32) {
        self.indices[self.count] = index;
        self.count += 1;
    }

    /// The indices, padded with −1. `N` is 38 for `HalfKP` and 40 for `HalfKA_hm`.
    pub fn padded<const N: usize>(&self) -> [i32; N] {
        core::array::from_fn(|place| self.get(place).copied().unwrap_or(-1))
    }
}

impl Deref for Active {
    type Target = [i32];

    fn deref(&self) -> &[i32] {
        &self.indices[..self.count]
    }
}

/// The perspective's king is not on the board: these inputs are relative to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingMissing;

impl core::fmt::Display for KingMissing {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the king of this side is not on the board, and the inputs are relative to it; leave the position out")
    }
}

impl core::error::Error for KingMissing {}

/// `HalfKP` for a colour: one index for each piece except kings, combining the square of the colour's king with the place
/// of the piece. For many positions [`write_half_kp`] is faster.
///
/// # Errors
/// [`KingMissing`] if the colour has no king.
pub fn half_kp(setup: &Setup, perspective: Color) -> Result<Active, KingMissing> {
    let king = king(setup, perspective)?;
    let mut active = Active::EMPTY;
    for_each_piece(setup, perspective, |kind, piece| {
        if kind != Some(PieceKind::King) {
            active.push(HALF_KP * king as i32 + piece.number());
        }
    });
    Ok(active)
}

/// `HalfKA_hm` with merged kings: every piece including kings, with the board mirrored so that the colour's king is on
/// files 1 to 5.
///
/// # Errors
/// [`KingMissing`] if the colour has no king.
pub fn half_ka_hm(setup: &Setup, perspective: Color) -> Result<Active, KingMissing> {
    let king = king(setup, perspective)?;
    let mirrors = king >= 45;
    let king = if mirrors { mirrored(king) } else { king };
    let mut active = Active::EMPTY;
    for_each_piece(setup, perspective, |_, piece| {
        let piece = match piece {
            Place::Board { base, square } if mirrors => Place::Board { base, square: mirrored(square) },
            piece => piece,
        };
        // The kings are merged: the enemy's king has the numbers of the own king, whose square the bucket already
        // determines.
        let number = piece.number();
        let number = if number >= 1629 { number - 81 } else { number };
        active.push(HALF_KA_HM * king as i32 + number);
    });
    Ok(active)
}

/// The square of the colour's king as seen by that colour.
fn king(setup: &Setup, perspective: Color) -> Result<usize, KingMissing> {
    let king = setup.king(perspective).ok_or(KingMissing)?;
    Ok(square_seen_by(king.array_index(), perspective))
}

const fn square_seen_by(square: usize, perspective: Color) -> usize {
    match perspective {
        Color::Black => square,
        Color::White => 80 - square,
    }
}

const fn mirrored(square: usize) -> usize {
    9 * (8 - square / 9) + square % 9
}

/// The place of a piece, with the first number of such pieces.
enum Place {
    Hand { base: i32, nth: i32 },
    Board { base: i32, square: usize },
}

impl Place {
    const fn number(&self) -> i32 {
        match *self {
            Place::Hand { base, nth } => base + nth,
            Place::Board { base, square } => base + square as i32,
        }
    }
}

fn for_each_piece(setup: &Setup, perspective: Color, mut visit: impl FnMut(Option<PieceKind>, Place)) {
    for color in [Color::Black, Color::White] {
        let enemy = usize::from(color != perspective);
        for kind in BaseKind::IN_HAND {
            for nth in 0..setup.hand(color).count(kind) {
                visit(None, Place::Hand { base: in_hand(kind)[enemy], nth: nth.into() });
            }
        }
    }
    for (square, piece) in setup.pieces() {
        let (kind, color) = piece.to_parts();
        let enemy = i32::from(color != perspective);
        let base = on_board(kind) + 81 * enemy;
        visit(Some(kind), Place::Board { base, square: square_seen_by(square.array_index(), perspective) });
    }
}

//! The numbers of pieces, YaneuraOu's `BonaPiece` (`spec/features.md` §2).

use komabako_board::{BaseKind, Color, PieceKind, Setup};

/// The number of pieces in a set, without the kings.
pub const PIECES: u32 = 38;
/// The first number of the own king. Other pieces have smaller numbers.
pub const OWN_KING: i32 = 1548;
/// The first number of the enemy's king.
pub const ENEMY_KING: i32 = OWN_KING + 81;

/// The first number of each kind for pieces in hand: own, then the enemy's.
pub const fn in_hand(kind: BaseKind) -> [i32; 2] {
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
pub const fn on_board(kind: PieceKind) -> i32 {
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
        PieceKind::King => OWN_KING,
    }
}

pub const fn square_seen_by(square: usize, perspective: Color) -> usize {
    match perspective {
        Color::Black => square,
        Color::White => 80 - square,
    }
}

/// The square with left and right exchanged.
pub const fn mirrored(square: usize) -> usize {
    9 * (8 - square / 9) + square % 9
}

/// The place of a piece, with the first number of such pieces.
#[derive(Clone, Copy)]
pub enum Place {
    Hand {
        base: i32,
        nth: i32,
    },
    /// `square` as seen by the perspective.
    Board {
        base: i32,
        square: usize,
    },
}

impl Place {
    pub const fn number(self) -> i32 {
        match self {
            Place::Hand { base, nth } => base + nth,
            Place::Board { base, square } => base + square as i32,
        }
    }

    /// The place with left and right exchanged. Hands have no sides.
    pub const fn mirrored(self) -> Place {
        match self {
            Place::Hand { .. } => self,
            Place::Board { base, square } => Place::Board { base, square: mirrored(square) },
        }
    }
}

/// Visits pieces in hand (Black's, then White's, P L N S G B R), then pieces on the board in the order of squares. A piece in
/// hand has no kind here.
pub fn for_each_piece(setup: &Setup, perspective: Color, mut visit: impl FnMut(Option<PieceKind>, Place)) {
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

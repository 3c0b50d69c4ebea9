//! [`Mailbox`]: an engine's own board, read and written through [`Source`] and [`Sink`].

use std::sync::LazyLock;

use komabako::board::{BaseKind, Color, Hand, Piece, Setup, Square, square};
use komabako::codec::{self, ByteBoard, PieceTable, Sink, Source};

/// A board with a byte for each square.
#[derive(Debug)]
pub struct Mailbox {
    /// The number of the piece on each square, or 0.
    pub squares: [u8; 81],
    /// Black's hand and White's.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
}

impl Mailbox {
    /// A board without pieces.
    pub const EMPTY: Self = Self { squares: [0; 81], hands: [Hand::EMPTY; 2], side: Color::Black };

    /// The board of a setup.
    pub fn of_setup(setup: &Setup) -> Self {
        let parts = setup.parts();
        let mut squares = [0; 81];
        for square in square::all() {
            squares[square.array_index()] = setup.piece_at(square).map_or(0, Piece::as_u8);
        }
        Self { squares, hands: parts.hands, side: parts.side }
    }
}

impl Source for Mailbox {
    fn side_to_move(&self) -> Color {
        self.side
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        PIECES[usize::from(self.squares[square.array_index()]) % PIECES.len()]
    }

    fn hand_count(&self, color: Color, kind: BaseKind) -> u8 {
        self.hands[color.array_index()].count(kind)
    }
}

impl Sink for Mailbox {
    fn clear(&mut self) {
        *self = Self::EMPTY;
    }

    fn set_side_to_move(&mut self, side: Color) {
        self.side = side;
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.squares[square.array_index()] = piece.as_u8();
    }

    fn set_hand(&mut self, color: Color, kind: BaseKind, count: u8) {
        let hand = &mut self.hands[color.array_index()];
        *hand = hand.with(kind, count).expect("a count of a set");
    }
}

/// The same board, converted as a whole.
#[derive(Debug)]
pub struct Whole(pub Mailbox);

/// The numbers of pieces, which are the codes of a [`Mailbox`].
static TABLE: LazyLock<PieceTable> = LazyLock::new(|| PieceTable::new(|piece| piece.map_or(0, Piece::as_u8)));

impl Source for Whole {
    fn side_to_move(&self) -> Color {
        self.0.side_to_move()
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.piece_at(square)
    }

    fn hand_count(&self, color: Color, kind: BaseKind) -> u8 {
        self.0.hand_count(color, kind)
    }

    fn mailbox(&self) -> Option<codec::Mailbox<'_>> {
        let &Mailbox { ref squares, hands, side } = &self.0;
        Some(codec::Mailbox { squares, table: &TABLE, hands, side })
    }
}

impl Sink for Whole {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn set_side_to_move(&mut self, side: Color) {
        self.0.set_side_to_move(side);
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.0.put(square, piece);
    }

    fn set_hand(&mut self, color: Color, kind: BaseKind, count: u8) {
        self.0.set_hand(color, kind, count);
    }

    fn fill(&mut self, board: &ByteBoard) {
        TABLE.write(board, &mut self.0.squares);
        self.0.hands = [Color::Black, Color::White].map(|color| board.hand(color));
        self.0.side = board.side_to_move();
    }
}

/// The pieces by their numbers in a [`Mailbox`].
static PIECES: [Option<Piece>; 32] = {
    let mut pieces = [None; 32];
    let mut index = 0;
    while index < BaseKind::ALL.len() {
        let kinds = [Some(BaseKind::ALL[index].unpromoted()), BaseKind::ALL[index].promoted()];
        let mut promoted = 0;
        while promoted < kinds.len() {
            if let Some(kind) = kinds[promoted] {
                pieces[kind as usize] = Some(Piece::new(kind, Color::Black));
                pieces[kind as usize + 16] = Some(Piece::new(kind, Color::White));
            }
            promoted += 1;
        }
        index += 1;
    }
    pieces
};

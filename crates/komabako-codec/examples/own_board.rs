//! An engine with its own board packs and unpacks positions without [`Setup`](komabako_codec::Setup).
//!
//! `cargo run -p komabako-codec --example own_board`
//!
//! A board with a byte per square, or with sets of squares, needs no trait and no call per square. Any other board implements
//! [`Source`] and [`Sink`]; here the same board uses both ways, to show that the words are the same.

use komabako_codec::{
    BaseKind, ByteBoardCodec, Color, Hand, Hcp, Mailbox, PackedSfen, Piece, PieceBoards, PieceTable,
    PositionCodec, Sink, Source, Square,
};

/// A toy engine's board: one byte for each square, a table of hands, the side to move.
///
/// Its codes: `b"PLNSGBRK"` for Black's pieces, lower case for White's, the high bit for promoted pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
struct EngineBoard {
    squares: [u8; 81],
    hands: [[u8; 7]; 2],
    white_to_move: bool,
}

const PROMOTED: u8 = 0x80;

/// The engine's code for the content of a square.
fn code(piece: Option<Piece>) -> u8 {
    let Some((kind, color)) = piece.map(Piece::to_parts) else { return 0 };
    let base = BaseKind::of(kind);
    let mut code = base.letter() as u8;
    if color == Color::White {
        code.make_ascii_lowercase();
    }
    if base.unpromoted() == kind { code } else { code | PROMOTED }
}

impl EngineBoard {
    fn empty() -> Self {
        Self { squares: [0; 81], hands: [[0; 7]; 2], white_to_move: false }
    }

    /// The start position.
    fn start() -> Self {
        let mut board = Self::empty();
        for file in 0..9 {
            let back = b"LNSGKGSNL"[file];
            board.squares[9 * file] = back.to_ascii_lowercase();
            board.squares[9 * file + 2] = b'p';
            board.squares[9 * file + 6] = b'P';
            board.squares[9 * file + 8] = back;
        }
        for (square, code) in [(10, b'b'), (64, b'r'), (16, b'R'), (70, b'B')] {
            board.squares[square] = code;
        }
        board
    }
}

impl Source for EngineBoard {
    fn side_to_move(&self) -> Color {
        if self.white_to_move { Color::White } else { Color::Black }
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        let code = self.squares[square.array_index()];
        let letter = code & !PROMOTED;
        let base = BaseKind::from_letter(letter)?;
        let kind = if code == letter { base.unpromoted() } else { base.promoted()? };
        let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
        Some(Piece::new(kind, color))
    }

    fn hand_count(&self, color: Color, kind: BaseKind) -> u8 {
        self.hands[color.array_index()][kind as usize]
    }
}

impl Sink for EngineBoard {
    fn clear(&mut self) {
        *self = Self::empty();
    }

    fn set_side_to_move(&mut self, side: Color) {
        self.white_to_move = side == Color::White;
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.squares[square.array_index()] = code(Some(piece));
    }

    fn set_hand(&mut self, color: Color, kind: BaseKind, count: u8) {
        self.hands[color.array_index()][kind as usize] = count;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // After 7g7f 3c3d 8h2b+ Black has a bishop in hand and a promoted one on 2b.
    let mut board = EngineBoard::start();
    for (from, to) in [(60, 59), (20, 21), (70, 10)] {
        board.squares[to] = std::mem::take(&mut board.squares[from]);
    }
    board.squares[10] |= PROMOTED;
    board.hands[0][BaseKind::Bishop as usize] = 1;
    board.white_to_move = true;

    // From its bytes: the table is made once.
    let table = PieceTable::new(code);
    let hands = board.hands.map(|counts| Hand::from_counts(counts).expect("no more than a set has"));
    let mailbox = Mailbox { squares: &board.squares, table: &table, hands, side: board.side_to_move() };
    let psv = PackedSfen::new().pack_from(&mailbox)?;
    let mut squares = [0; 81];
    PackedSfen::new().unpack_mailbox(&psv, &table, &mut squares)?;
    assert_eq!(squares, board.squares);

    // From sets of squares.
    let boards: PieceBoards = PackedSfen::new().unpack_boards(&psv)?;
    assert_eq!(PackedSfen::new().pack_from(&boards)?, psv);

    // As any other board.
    assert_eq!(PackedSfen::new().pack_from(&board)?, psv);
    let hcp = Hcp::new().pack_from(&board)?;
    let mut copy = EngineBoard::empty();
    PackedSfen::new().unpack_into(&psv, &mut copy)?;
    assert_eq!(copy, board);

    // A refused word leaves the board unchanged.
    let error = PackedSfen::new().unpack_into(&hcp, &mut copy).expect_err("an HCP word is no PSV word");
    assert_eq!(copy, board);

    println!("psv {}", hex(&psv));
    println!("hcp {}", hex(&hcp));
    println!("the HCP word read as PSV: {error}");
    Ok(())
}

fn hex(word: &[u8]) -> String {
    word.iter().map(|byte| format!("{byte:02x}")).collect()
}

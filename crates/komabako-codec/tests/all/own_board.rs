//! Positions of other types than ours.

use komabako_board::{BaseKind, Bitboard, Color, Hand, Piece, PieceKind, Setup, SetupError, Square, square};
use komabako_codec::{
    Backend, ByteBoard, ByteBoardCodec, Hcp, Mailbox, Nshogi, PackError, PackedSfen, PieceBoards, PieceTable,
    Sink, Source, Sspf,
};
use komabako_testkit::setups;

/// A setup that the codec sees as a foreign type, with a piece added on 5e.
struct Foreign(Setup, Option<Piece>);

impl Source for Foreign {
    fn side_to_move(&self) -> Color {
        self.0.side_to_move()
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        match self.1 {
            Some(piece) if square == Square::SQ_5E => Some(piece),
            _ => self.0.piece_at(square),
        }
    }

    fn hand_count(&self, color: Color, kind: BaseKind) -> u8 {
        self.0.hand(color).count(kind)
    }
}

impl Sink for Foreign {
    fn clear(&mut self) {
        self.0 = Setup::EMPTY;
    }

    fn set_side_to_move(&mut self, side: Color) {
        self.0.set_side_to_move(side);
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.0.place(square, piece).expect("the square is empty and the piece of the set");
    }

    fn set_hand(&mut self, color: Color, kind: BaseKind, count: u8) {
        self.0.set_hand_count(color, kind, count).expect("the pieces are of the set");
    }
}

/// The same, with a byte for each square.
struct Bytes {
    squares: [u8; 81],
    table: PieceTable,
    hands: [Hand; 2],
    side: Color,
}

impl Bytes {
    fn of_setup(setup: &Setup) -> Self {
        let code = tables()[0].1;
        let squares = mailbox(setup, code);
        Self { squares, table: PieceTable::new(code), hands: setup.parts().hands, side: setup.side_to_move() }
    }
}

impl Source for Bytes {
    fn side_to_move(&self) -> Color {
        unreachable!("the bytes are read")
    }

    fn piece_at(&self, _: Square) -> Option<Piece> {
        unreachable!("the bytes are read")
    }

    fn hand_count(&self, _: Color, _: BaseKind) -> u8 {
        unreachable!("the bytes are read")
    }

    fn mailbox(&self) -> Option<Mailbox<'_>> {
        let &Self { ref squares, ref table, hands, side } = self;
        Some(Mailbox { squares, table, hands, side })
    }
}

impl Sink for Bytes {
    fn clear(&mut self) {
        unreachable!("the bytes are written");
    }

    fn set_side_to_move(&mut self, _: Color) {
        unreachable!("the bytes are written");
    }

    fn put(&mut self, _: Square, _: Piece) {
        unreachable!("the bytes are written");
    }

    fn set_hand(&mut self, _: Color, _: BaseKind, _: u8) {
        unreachable!("the bytes are written");
    }

    fn fill(&mut self, board: &ByteBoard) {
        self.table.write(board, &mut self.squares);
        self.hands = [Color::Black, Color::White].map(|color| board.hand(color));
        self.side = board.side_to_move();
    }
}

fn check<C: ByteBoardCodec>() {
    let codec = C::new();
    for setup in setups::random(1).take(500) {
        let packed = codec.pack(&setup);
        assert_eq!(codec.pack_from(&Foreign(setup, None)), packed);
        if let Ok(word) = packed {
            let mut sink = Foreign(Setup::START, None);
            codec.unpack_into(&word, &mut sink).unwrap();
            assert_eq!(sink.0, setup);
            let mut bytes = Bytes::of_setup(&Setup::START);
            codec.unpack_into(&word, &mut bytes).unwrap();
            let expected = Bytes::of_setup(&setup);
            assert_eq!(
                (bytes.squares, bytes.hands, bytes.side),
                (expected.squares, expected.hands, expected.side)
            );
        }
        assert_eq!(codec.pack_from(&Bytes::of_setup(&setup)), packed);
    }

    let mut untouched = Foreign(Setup::START, None);
    assert_eq!(codec.unpack_into(&[0xff; 32], &mut untouched), Err(codec.unpack(&[0xff; 32]).unwrap_err()));
    assert_eq!(untouched.0, Setup::START);

    let with = |kind| codec.pack_from(&Foreign(Setup::START, Some(Piece::new(kind, Color::Black))));
    let refused = |error| Err(PackError::NotRepresentable(error));
    assert_eq!(with(PieceKind::King), refused(SetupError::SecondKing(Color::Black)));
    assert_eq!(with(PieceKind::ProRook), refused(SetupError::TooMany(BaseKind::Rook)));
}

type CodeOf = fn(Option<Piece>) -> u8;

/// Codes of five bits, as in most engines, and codes that are letters, with the high bit for promoted pieces.
fn tables() -> [(&'static str, CodeOf); 2] {
    let letter = |piece: Option<Piece>| {
        let Some((kind, color)) = piece.map(Piece::to_parts) else { return 0x80 };
        let base = BaseKind::of(kind);
        let letter = base.letter() as u8 | if color == Color::White { 0x20 } else { 0 };
        letter | if base.unpromoted() == kind { 0 } else { 0x80 }
    };
    [("numbers", |piece| piece.map_or(0, Piece::as_u8)), ("letters", letter)]
}

/// A setup in the codes of an engine.
fn mailbox(setup: &Setup, code: fn(Option<Piece>) -> u8) -> [u8; 81] {
    let mut squares = [0; 81];
    for (code_at, square) in squares.iter_mut().zip(square::all()) {
        *code_at = code(setup.piece_at(square));
    }
    squares
}

fn check_boards<C: ByteBoardCodec>() {
    for codec in Backend::available().map(C::with_backend) {
        for setup in setups::random(3).take(300) {
            let packed = codec.pack(&setup);
            let boards = PieceBoards::of_setup(&setup);
            assert_eq!(codec.pack_from(setup.parts()), packed);
            assert_eq!(codec.pack_from(&boards), packed);
            let mut word = [0xff; 32];
            let written = codec.pack_from_to(&boards, &mut word);
            assert_eq!(written.map(|()| word), packed);
            for (name, code) in tables() {
                let table = PieceTable::new(code);
                let squares = mailbox(&setup, code);
                let hands = setup.parts().hands;
                let side = setup.side_to_move();
                let mailbox = Mailbox { squares: &squares, table: &table, hands, side };
                assert_eq!(codec.pack_from(&mailbox), packed, "{name}");
                if let Ok(word) = packed {
                    let mut unpacked = [0xff; 81];
                    let rest = codec.unpack_mailbox(&word, &table, &mut unpacked);
                    assert_eq!((unpacked, rest), (squares, Ok((hands, side))), "{name}");
                }
            }
            if let Ok(word) = packed {
                assert_eq!(codec.unpack_boards(&word), Ok(boards));
                let mut in_place = PieceBoards::of_setup(&Setup::START);
                assert_eq!((codec.unpack_boards_to(&word, &mut in_place), in_place), (Ok(()), boards));
            }
        }
    }
}

#[test]
fn bitboards_and_mailboxes_are_packed_like_setups() {
    check_boards::<Sspf>();
    check_boards::<PackedSfen>();
    check_boards::<Hcp>();
    check_boards::<Nshogi>();
}

#[test]
fn invalid_boards_are_refused() {
    check_refusals::<PackedSfen>();
    // It packs such boards without a setup in between.
    check_refusals::<Sspf>();
}

fn check_refusals<C: ByteBoardCodec>() {
    let start = Setup::START;
    for codec in Backend::available().map(C::with_backend) {
        let refused = |error| Err(PackError::NotRepresentable(error));

        // The fast check agrees with the slow one for every part that is changed on one square.
        for square in square::all() {
            for part in 0..11 {
                let mut parts = *start.parts();
                let set = match part {
                    0 | 1 => &mut parts.colors[part],
                    2..10 => &mut parts.kinds[part - 2],
                    _ => &mut parts.promoted,
                };
                *set ^= Bitboard::of(square);
                let slow = Setup::from_parts(parts).map_err(PackError::NotRepresentable);
                assert_eq!(
                    codec.pack_from(&parts),
                    slow.and_then(|setup| codec.pack(&setup)),
                    "{square:?}, {part}"
                );
            }
        }
        let mut parts = *start.parts();
        parts.hands[1] = Hand::from_counts([0, 0, 0, 1, 0, 0, 0]).expect("a silver");
        assert_eq!(codec.pack_from(&parts), refused(SetupError::TooMany(BaseKind::Silver)));

        // Sets by kind: each set with one square more or less, then each piece on each square.
        for square in square::all() {
            let changed = Bitboard::of(square);
            for set in 0..16 {
                let mut boards = PieceBoards::of_setup(&start);
                match set {
                    0 | 1 => boards.colors[set] ^= changed,
                    _ => boards.kinds[set - 2] ^= changed,
                }
                assert_eq!(codec.pack_from(&boards), refused(SetupError::Inconsistent(square)), "{set}");
            }
            if start.piece_at(square).is_some() {
                continue;
            }
            for piece in Piece::all() {
                let (kind, color) = piece.to_parts();
                let mut boards = PieceBoards::of_setup(&start);
                boards.kinds[kind.array_index()] |= changed;
                boards.colors[color.array_index()] |= changed;
                let mut setup = start;
                let slow = setup.place(square, piece).map_err(PackError::NotRepresentable);
                let slow = slow.and_then(|_| codec.pack(&setup));
                assert_eq!(codec.pack_from(&boards), slow, "{square:?}, {piece:?}");
            }
        }
        let mut boards = PieceBoards::of_setup(&start);
        boards.kinds[PieceKind::ProPawn.array_index()] = Bitboard::of(Square::SQ_7G);
        assert_eq!(codec.pack_from(&boards), refused(SetupError::Inconsistent(Square::SQ_7G)));

        for (name, code) in tables() {
            let table = PieceTable::new(code);
            let with = |square: Square, byte| {
                let mut squares = mailbox(&start, code);
                squares[square.array_index()] = byte;
                let hands = [Hand::EMPTY; 2];
                codec.pack_from(&Mailbox { squares: &squares, table: &table, hands, side: Color::Black })
            };
            // Each piece on each square, in place of what is there.
            for (square, piece) in square::all().flat_map(|square| Piece::all().map(|piece| (square, piece)))
            {
                let mut setup = start;
                setup.clear(square);
                let placed = setup.place(square, piece).map_err(PackError::NotRepresentable);
                let slow = placed.and_then(|()| codec.pack(&setup));
                assert_eq!(with(square, code(Some(piece))), slow, "{name}: {square:?}, {piece:?}");
            }
            let rook = code(Some(Piece::new(PieceKind::ProRook, Color::White)));
            let king = code(Some(Piece::new(PieceKind::King, Color::White)));
            for unknown in [15, 31, 32, 0x2f, 0xff] {
                let expected = refused(SetupError::Inconsistent(Square::SQ_9I));
                assert_eq!(with(Square::SQ_9I, unknown), expected, "{name}: {unknown}");
            }
            assert_eq!(with(Square::SQ_5E, rook), refused(SetupError::TooMany(BaseKind::Rook)), "{name}");
            assert_eq!(with(Square::SQ_5E, king), refused(SetupError::SecondKing(Color::White)), "{name}");
        }
    }
}

#[test]
#[should_panic(expected = "the code 1 stands for")]
fn piece_table_refuses_duplicate_codes() {
    PieceTable::new(|_| 1);
}

#[test]
fn sources_and_sinks_are_packed_like_setups() {
    check::<Sspf>();
    check::<PackedSfen>();
    check::<Hcp>();
    check::<Nshogi>();
}

//! Positions of other types than ours.

use komabako_board::{BaseKind, Color, Piece, PieceKind, Setup, SetupError, Square};
use komabako_codec::{ByteBoardCodec, Hcp, Nshogi, PackError, PackedSfen, Sink, Source, Sspf};
use komabako_testkit::setups;

/// A setup that is none of ours to the codec, with a piece added on 5e.
struct Foreign(Setup, Option<Piece>);

impl Source for Foreign {
    fn side_to_move(&self) -> Color {
        self.0.side_to_move()
    }

    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.1.filter(|_| square == Square::SQ_5E).or(self.0.piece_at(square))
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

fn check<C: ByteBoardCodec>() {
    let codec = C::new();
    for setup in setups::random(1).take(500) {
        let packed = codec.pack(&setup);
        assert_eq!(codec.pack_from(&Foreign(setup, None)), packed);
        if let Ok(word) = packed {
            let mut sink = Foreign(Setup::START, None);
            codec.unpack_into(&word, &mut sink).unwrap();
            assert_eq!(sink.0, setup);
        }
    }

    let mut untouched = Foreign(Setup::START, None);
    assert_eq!(codec.unpack_into(&[0xff; 32], &mut untouched), Err(codec.unpack(&[0xff; 32]).unwrap_err()));
    assert_eq!(untouched.0, Setup::START);

    let with = |kind| codec.pack_from(&Foreign(Setup::START, Some(Piece::new(kind, Color::Black))));
    let refused = |error| Err(PackError::NotRepresentable(error));
    assert_eq!(with(PieceKind::King), refused(SetupError::SecondKing(Color::Black)));
    assert_eq!(with(PieceKind::ProRook), refused(SetupError::TooMany(BaseKind::Rook)));
}

#[test]
fn sources_and_sinks_are_served_as_setups_are() {
    check::<Sspf>();
    check::<PackedSfen>();
    check::<Hcp>();
    check::<Nshogi>();
}

//! [`Builder`]: a setup built by a reference decoder, which has checked the word before.

use komabako_board::{BaseKind, Color, Hand, Piece, Setup, Square};

/// The reason why no call below fails.
const CHECKED: &str = "the decoder has checked everything";

pub struct Builder(Setup);

impl Builder {
    pub fn new(side: Color, hands: [Hand; 2]) -> Self {
        let mut builder = Self(Setup::EMPTY);
        builder.0.set_side_to_move(side);
        for (color, hand) in [Color::Black, Color::White].into_iter().zip(hands) {
            hand.counts()
                .for_each(|(kind, count)| builder.0.set_hand_count(color, kind, count).expect(CHECKED));
        }
        builder
    }

    pub fn place(&mut self, square: Square, piece: Piece) {
        self.0.place(square, piece).expect(CHECKED);
    }

    pub fn give(&mut self, kind: BaseKind, color: Color) {
        self.0.set_hand_count(color, kind, self.0.hand(color).count(kind) + 1).expect(CHECKED);
    }

    pub fn finish(self) -> Setup {
        self.0
    }
}

/// The piece of a kind; promoted only if the kind promotes.
pub fn piece(kind: BaseKind, promoted: bool, color: Color) -> Piece {
    let kind = match kind.promoted() {
        Some(kind) if promoted => kind,
        _ => kind.unpromoted(),
    };
    Piece::new(kind, color)
}

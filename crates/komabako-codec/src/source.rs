//! [`Form`], the forms of positions that are packed; [`Source`] and [`Sink`]: positions of types other than ours.

use komabako_bits::Backend;
use komabako_board::{BaseKind, Color, Piece, Setup, SetupError, Square};

use crate::kernels::Kernels;
use crate::{ByteBoard, Mailbox, Word, byte_board};

/// A form of positions that [`ByteBoardCodec::pack_from`](crate::ByteBoardCodec::pack_from) packs, by way of a setup.
///
/// An engine with a board of its own implements [`Source`], which is simpler, or this, which is faster.
pub trait Form {
    /// Packs the position in one step, if the format has a kernel for this form. Returns whether it did; if not, for instance because
    /// the position is at fault, the word is unspecified and [`write_setup`](Self::write_setup) is called.
    #[inline]
    fn pack(&self, kernels: &Kernels, backend: Backend, word: &mut Word) -> bool {
        _ = (kernels, backend, word);
        false
    }

    /// Writes the position over a setup.
    ///
    /// # Errors
    /// The position is not an arrangement of one shogi set; the setup is then unspecified.
    fn write_setup(&self, backend: Backend, setup: &mut Setup) -> Result<(), SetupError>;
}

/// A position of any type that [`ByteBoardCodec::pack_from`](crate::ByteBoardCodec::pack_from) can pack.
///
/// The codec calls the methods once for each square, each hand count and the side. `examples/own_board.rs` shows an engine's
/// board as a source and a sink.
pub trait Source {
    /// The side to move.
    fn side_to_move(&self) -> Color;

    /// The piece on a square.
    fn piece_at(&self, square: Square) -> Option<Piece>;

    /// The number of pieces of a kind in a colour's hand. Called for P L N S G B R, never for kings.
    fn hand_count(&self, color: Color, kind: BaseKind) -> u8;

    /// The position as a byte per square with the table of its codes, if the engine keeps it so: it is then packed from the bytes, and
    /// the other methods are not called. `None` by default.
    #[inline]
    fn mailbox(&self) -> Option<Mailbox<'_>> {
        None
    }
}

/// A position of any type that [`ByteBoardCodec::unpack_into`](crate::ByteBoardCodec::unpack_into) can fill.
///
/// [`clear`](Sink::clear) is called first, then the other methods in any order.
pub trait Sink {
    /// Empties the board and the hands.
    fn clear(&mut self);

    /// Gives the move to a side.
    fn set_side_to_move(&mut self, side: Color);

    /// Puts a piece on an empty square.
    fn put(&mut self, square: Square, piece: Piece);

    /// Sets the number of pieces of a kind in a colour's hand. Called at most once for each kind and colour, never with
    /// a count of 0.
    fn set_hand(&mut self, color: Color, kind: BaseKind, count: u8);

    /// Fills the position, whatever it held: the only method that the codec calls. By default it calls the others. An engine with a
    /// byte per square overrides it with [`PieceTable::write`](crate::PieceTable::write), which takes half of the time.
    #[inline]
    fn fill(&mut self, board: &ByteBoard) {
        self.clear();
        self.set_side_to_move(board.side_to_move());
        // Squares without a piece, which are half of them, are not in the set.
        for square in board.occupied() {
            self.put(square, byte_board::piece_or_pawn(board.cells[square.array_index()]));
        }
        for side in [Color::Black, Color::White] {
            // By `for_each` the seven kinds are unrolled, and each is a constant.
            board.hand(side).counts().for_each(|(kind, count)| self.set_hand(side, kind, count));
        }
    }
}

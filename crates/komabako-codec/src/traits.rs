//! [`PositionCodec`], [`ByteBoardCodec`] and [`Explain`]: the interfaces of every position format.

use alloc::vec::Vec;

use komabako_bits::Backend;
use komabako_board::{Color, Hand, Setup, square};

use crate::explanation::{FieldValue, Owners, Symbol};
use crate::{ByteBoard, Form, PackError, PieceBoards, PieceTable, Sink, SliceError, UnpackError, Word};

/// Seals the traits: only this project's codecs implement them, so that methods can be added.
pub(crate) mod sealed {
    pub trait Sealed {}
}

/// A format that holds one position in 256 bits.
///
/// Implementors are small `Copy` values that store the [`Backend`] they run on. The trait is sealed: only the codecs of this
/// crate and of `komabako-variants` implement it, and it may get more methods.
///
/// ```
/// use komabako_board::{Color, Piece, PieceKind, Setup, Square};
/// use komabako_codec::{PackError, PackedSfen, PositionCodec, Sspf};
///
/// let mut setup = Setup::EMPTY;
/// setup.place(Square::SQ_5I, Piece::new(PieceKind::King, Color::Black))?;
/// assert_eq!(PackedSfen::new().pack(&setup), Err(PackError::KingMissing(Color::White)));
///
/// setup.place(Square::SQ_5A, Piece::new(PieceKind::King, Color::White))?;
/// let word = PackedSfen::new().pack(&setup)?; // the other 38 pieces are in the box
/// assert_eq!(PackedSfen::new().unpack(&word)?, setup);
/// assert_eq!(Sspf::new().pack(&setup).unwrap_err().name(), "PIECE_REMOVED");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PositionCodec: Copy + Send + Sync + sealed::Sealed {
    /// The codec's name in the program, e.g. `"psv"`.
    const NAME: &'static str;

    /// The number of bytes of a word that the format uses; the others are zero.
    const SIZE: usize;

    /// The codec on the fastest backend of this CPU.
    #[inline(always)]
    fn new() -> Self {
        Self::with_backend(Backend::detect())
    }

    /// The codec on a chosen backend.
    fn with_backend(backend: Backend) -> Self;

    /// The backend that the codec runs on.
    fn backend(&self) -> Backend;

    /// Packs a setup.
    ///
    /// # Errors
    /// The format cannot hold the setup: a king is missing or, if the format has no box, a piece is removed.
    #[inline]
    fn pack(&self, setup: &Setup) -> Result<Word, PackError> {
        let mut word = [0; 32];
        self.pack_to(setup, &mut word)?;
        Ok(word)
    }

    /// Unpacks a word, strictly: every word that is not the packed form of some setup is refused.
    ///
    /// # Errors
    /// The first fault in the order of the format's specification, with its field and bit.
    #[inline]
    fn unpack(&self, word: &Word) -> Result<Setup, UnpackError> {
        let mut setup = Setup::EMPTY;
        self.unpack_to(word, &mut setup)?;
        Ok(setup)
    }

    /// [`pack`](Self::pack) into the caller's word, which saves a copy. For many setups, a slice is faster still.
    ///
    /// # Errors
    /// As [`pack`](Self::pack); the word's content is then unspecified.
    fn pack_to(&self, setup: &Setup, word: &mut Word) -> Result<(), PackError>;

    /// [`unpack`](Self::unpack) into the caller's setup, which saves a copy. For many words, a slice is faster still.
    ///
    /// # Errors
    /// As [`unpack`](Self::unpack); the setup is unchanged.
    fn unpack_to(&self, word: &Word, setup: &mut Setup) -> Result<(), UnpackError>;

    /// Packs a slice with one dispatch.
    ///
    /// # Errors
    /// The first setup that the format cannot hold, by its index; the words before it are written, others may be.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn pack_slice(&self, setups: &[Setup], words: &mut [Word]) -> Result<(), SliceError<PackError>>;

    /// Unpacks a slice with one dispatch.
    ///
    /// # Errors
    /// The first word that is refused, by its index; the setups before it are written.
    ///
    /// # Panics
    /// If the slices differ in length.
    fn unpack_slice(&self, words: &[Word], setups: &mut [Setup]) -> Result<(), SliceError<UnpackError>>;
}

/// A codec that packs and unpacks boards other than [`Setup`]s: [`ByteBoard`]s, and positions of the caller's own type.
pub trait ByteBoardCodec: PositionCodec {
    /// Packs a position from a byte board.
    ///
    /// # Errors
    /// As [`pack`](PositionCodec::pack).
    fn pack_bytes(&self, board: &ByteBoard) -> Result<Word, PackError>;

    /// Unpacks a word to a byte board.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack).
    fn unpack_bytes(&self, word: &Word) -> Result<ByteBoard, UnpackError>;

    /// Packs a slice of byte boards with one dispatch.
    ///
    /// # Errors
    /// As [`pack_slice`](PositionCodec::pack_slice).
    ///
    /// # Panics
    /// If the slices differ in length.
    fn pack_bytes_slice(&self, boards: &[ByteBoard], words: &mut [Word])
    -> Result<(), SliceError<PackError>>;

    /// Unpacks a slice to byte boards with one dispatch.
    ///
    /// # Errors
    /// As [`unpack_slice`](PositionCodec::unpack_slice).
    ///
    /// # Panics
    /// If the slices differ in length.
    fn unpack_bytes_slice(
        &self,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>>;

    /// Packs a position in another form: sets of squares ([`SetupParts`](crate::SetupParts), [`PieceBoards`]), a byte per square in
    /// the caller's codes ([`Mailbox`](crate::Mailbox)), or a board of any type ([`Source`](crate::Source)).
    ///
    /// # Errors
    /// As [`pack`](PositionCodec::pack), and [`PackError::NotRepresentable`] if it is not an arrangement of one shogi set.
    #[inline]
    fn pack_from(&self, position: &impl Form) -> Result<Word, PackError> {
        let mut word = [0; 32];
        self.pack_from_to(position, &mut word)?;
        Ok(word)
    }

    /// [`pack_from`](Self::pack_from) to the caller's word, which saves a copy: the call takes four fifths of the time.
    ///
    /// # Errors
    /// As [`pack_from`](Self::pack_from); the word is unspecified then.
    fn pack_from_to(&self, position: &impl Form, word: &mut Word) -> Result<(), PackError>;

    /// Unpacks a word to sets of squares by kind and by colour.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack).
    fn unpack_boards(&self, word: &Word) -> Result<PieceBoards, UnpackError> {
        let mut boards = PieceBoards::EMPTY;
        self.unpack_boards_to(word, &mut boards)?;
        Ok(boards)
    }

    /// [`unpack_boards`](Self::unpack_boards) to the caller's sets of squares, which saves two copies of their 272 bytes.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack); the boards are unchanged.
    fn unpack_boards_to(&self, word: &Word, boards: &mut PieceBoards) -> Result<(), UnpackError>;

    /// Unpacks a word to a byte per square in the caller's codes; returns the hands and the side to move.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack); the squares are unchanged.
    fn unpack_mailbox(
        &self,
        word: &Word,
        table: &PieceTable,
        squares: &mut [u8; square::COUNT],
    ) -> Result<([Hand; 2], Color), UnpackError>;

    /// Unpacks a word into a board of any type.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack); the sink is touched only after the whole word has been checked.
    fn unpack_into(&self, word: &Word, sink: &mut impl Sink) -> Result<(), UnpackError>;
}

/// A codec that explains a word to human readers.
pub trait Explain: PositionCodec {
    /// The word field by field, for human readers; for a refused word, as much as can be read.
    fn fields(&self, word: &Word) -> Vec<FieldValue>;

    /// The word code by code, for human readers: the squares and the pieces off the board in a format of variable-length
    /// codes, as far as they can be read. Empty for formats of fixed fields.
    fn symbols(&self, word: &Word) -> Vec<Symbol>;

    /// The owner of every bit of the word; for a refused word, as far as they can be read. `None` for formats in which the whole
    /// position is one number.
    fn owners(&self, word: &Word) -> Option<Owners>;
}

//! [`Codec`]: the one implementation of the codecs' traits, over the [`Kernels`](crate::kernels::Kernels) of a format.

use alloc::vec::Vec;
use core::marker::PhantomData;

use komabako_bits::Backend;
use komabako_board::{Color, Hand, Setup, square};

use crate::algorithm::WithPayload;
use crate::explanation::{FieldValue, Owners, Symbol};
use crate::kernels::{Format, Kernels};
use crate::own_board::{PieceBoards, PieceTable};
use crate::reference::Reference;
use crate::traits::sealed::Sealed;
use crate::{
    ByteBoard, ByteBoardCodec, Explain, Form, PackError, PositionCodec, Sink, SliceError, UnpackError, Word,
};

/// The codec of one format, on the [`Backend`] of your choice.
///
/// Its aliases are [`Sspf`](crate::Sspf), [`PackedSfen`](crate::PackedSfen), [`Hcp`](crate::Hcp) and
/// [`Nshogi`](crate::Nshogi), its methods the traits [`PositionCodec`], [`ByteBoardCodec`] and [`Explain`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Codec<A> {
    backend: Backend,
    algorithm: PhantomData<A>,
}

impl<A: Format> Default for Codec<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Format> Sealed for Codec<A> {}

impl<A: Format> PositionCodec for Codec<A> {
    const NAME: &'static str = A::NAME;
    const SIZE: usize = A::SIZE;

    #[inline(always)]
    fn with_backend(backend: Backend) -> Self {
        Self { backend, algorithm: PhantomData }
    }

    #[inline(always)]
    fn backend(&self) -> Backend {
        self.backend
    }

    #[inline]
    fn pack_to(&self, setup: &Setup, word: &mut Word) -> Result<(), PackError> {
        (A::KERNELS.pack)(self.backend, setup, word)
    }

    #[inline]
    fn unpack_to(&self, word: &Word, setup: &mut Setup) -> Result<(), UnpackError> {
        (A::KERNELS.unpack)(self.backend, word, setup)
    }

    #[inline]
    fn pack_slice(&self, setups: &[Setup], words: &mut [Word]) -> Result<(), SliceError<PackError>> {
        (A::KERNELS.pack_slice)(self.backend, setups, words)
    }

    #[inline]
    fn unpack_slice(&self, words: &[Word], setups: &mut [Setup]) -> Result<(), SliceError<UnpackError>> {
        (A::KERNELS.unpack_slice)(self.backend, words, setups)
    }
}

impl<A: Format> ByteBoardCodec for Codec<A> {
    #[inline]
    fn pack_bytes(&self, board: &ByteBoard) -> Result<Word, PackError> {
        let mut word = [0; 32];
        A::KERNELS.pack_bytes(self.backend, board, &mut word)?;
        Ok(word)
    }

    #[inline]
    fn unpack_bytes(&self, word: &Word) -> Result<ByteBoard, UnpackError> {
        let mut board = ByteBoard::EMPTY;
        A::KERNELS.unpack_bytes(self.backend, word, &mut board)?;
        Ok(board)
    }

    #[inline]
    fn pack_bytes_slice(
        &self,
        boards: &[ByteBoard],
        words: &mut [Word],
    ) -> Result<(), SliceError<PackError>> {
        A::KERNELS.pack_bytes_slice(self.backend, boards, words)
    }

    #[inline]
    fn unpack_bytes_slice(
        &self,
        words: &[Word],
        boards: &mut [ByteBoard],
    ) -> Result<(), SliceError<UnpackError>> {
        A::KERNELS.unpack_bytes_slice(self.backend, words, boards)
    }

    #[inline]
    fn pack_from_to(&self, position: &impl Form, word: &mut Word) -> Result<(), PackError> {
        if position.pack(A::KERNELS, self.backend, word) {
            return Ok(());
        }
        // Written in place: a copy of data just stored would wait for the stores.
        let mut setup = Setup::EMPTY;
        position.write_setup(self.backend, &mut setup).map_err(PackError::NotRepresentable)?;
        (A::KERNELS.pack)(self.backend, &setup, word)
    }

    #[inline]
    fn unpack_boards_to(&self, word: &Word, boards: &mut PieceBoards) -> Result<(), UnpackError> {
        let mut setup = Setup::EMPTY;
        (A::KERNELS.unpack)(self.backend, word, &mut setup)?;
        boards.copy_from(self.backend, &setup);
        Ok(())
    }

    #[inline]
    fn unpack_mailbox(
        &self,
        word: &Word,
        table: &PieceTable,
        squares: &mut [u8; square::COUNT],
    ) -> Result<([Hand; 2], Color), UnpackError> {
        let mut board = ByteBoard::EMPTY;
        A::KERNELS.unpack_bytes(self.backend, word, &mut board)?;
        table.write_on(self.backend, &board, squares);
        Ok((board.hands, board.side))
    }

    fn unpack_into(&self, word: &Word, sink: &mut impl Sink) -> Result<(), UnpackError> {
        let mut board = ByteBoard::EMPTY;
        A::KERNELS.unpack_bytes(self.backend, word, &mut board)?;
        sink.fill(&board);
        Ok(())
    }
}

impl<A: Format> Codec<A> {
    /// The format's functions, for code that chooses the format at run time, such as `komabako_variants::WordFormat`.
    pub const KERNELS: &'static Kernels = A::KERNELS;
}

impl<A: WithPayload> Codec<A> {
    /// Packs a setup and a payload.
    ///
    /// # Panics
    /// Never: the format holds every setup.
    #[inline]
    pub fn encode(&self, setup: &Setup, payload: A::Payload) -> Word {
        A::with_payload(&self.pack(setup).expect("the format holds every setup"), payload)
    }

    /// Unpacks a word: the setup, strictly checked, and the payload, for which every value is valid.
    ///
    /// # Errors
    /// As [`unpack`](PositionCodec::unpack), but never of the payload.
    #[inline]
    pub fn decode(&self, word: &Word) -> Result<(Setup, A::Payload), UnpackError> {
        Ok((self.unpack(&A::with_payload(word, A::NONE))?, A::payload(word)))
    }
}

impl<A: Format> Explain for Codec<A> {
    fn fields(&self, word: &Word) -> Vec<FieldValue> {
        A::fields(word)
    }

    fn symbols(&self, word: &Word) -> Vec<Symbol> {
        A::symbols(word)
    }

    fn owners(&self, word: &Word) -> Option<Owners> {
        A::owners(word)
    }
}

impl<A: Format> Reference for Codec<A> {
    fn reference_pack(setup: &Setup) -> Result<Word, PackError> {
        A::reference_pack(setup)
    }

    fn reference_unpack(word: &Word) -> Result<Setup, UnpackError> {
        A::reference_unpack(word)
    }
}

//! [`Hcpe`]: Apery's `HuffmanCodedPosAndEval`, and hcpe2, which differs only by flags in one byte.

use komabako_codec::Word;

use super::layout::layout;
use super::{Extras, Labels, MoveBits};
use crate::GameResult;
use crate::fault::RecordFault;
use crate::move16::MoveEncoding;

/// An hcpe or hcpe2 record as stored in a file: 38 bytes, little-endian (`spec/formats.md` §4.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hcpe {
    /// The position, by the HuffmanCodedPos codec.
    pub position: Word,
    /// The score from the side to move's view.
    pub score: i16,
    /// The best move, in Apery's encoding.
    pub best_move: u16,
    /// 0 draw, 1 Black won, 2 White won; in hcpe2 the lowest two bits, with [`Extras::end_flags`] above them.
    pub result: u8,
    /// Normally 0; kept unchanged.
    pub padding: u8,
}

/// The flag of hcpe2 and hcpe3, in the result's byte, of a game that ended by repetition.
pub const REPETITION: u8 = 0x04;
/// The flag of a declaration.
pub const DECLARATION: u8 = 0x08;
/// The flag of the move limit.
pub const MOVE_LIMIT: u8 = 0x10;
/// All flags.
pub const END_FLAGS: u8 = REPETITION | DECLARATION | MOVE_LIMIT;

layout!(Hcpe { position: Word, score: i16, best_move: u16, result: u8, padding: u8 });

impl Hcpe {
    /// The labels of the position, read as hcpe: no flags.
    ///
    /// # Errors
    /// [`RecordFault::Result`] if byte 36 is more than 2.
    #[inline]
    pub fn labels(&self) -> Result<Labels, RecordFault> {
        self.labels_with_flags(0)
    }

    /// The labels of the position, read as hcpe2: byte 36 may have flags.
    ///
    /// # Errors
    /// [`RecordFault::Result`] if byte 36 has the result 3 or an undefined flag.
    #[inline]
    pub fn labels2(&self) -> Result<Labels, RecordFault> {
        self.labels_with_flags(END_FLAGS)
    }

    #[inline]
    fn labels_with_flags(&self, flags: u8) -> Result<Labels, RecordFault> {
        let result = GameResult::from_absolute(self.result & !flags)
            .ok_or(RecordFault::Result(i16::from(self.result)))?;
        Ok(Labels {
            score: Some(self.score),
            best_move: Some(MoveBits { bits: self.best_move, encoding: MoveEncoding::Apery }),
            result: Some(result),
            ply: None,
            extras: Extras {
                hcpe_padding: self.padding,
                end_flags: self.result & flags,
                ..Extras::default()
            },
        })
    }

    /// The hcpe record of a packed position and its labels; unknown fields are written as 0.
    ///
    /// # Errors
    /// The move is not well-formed, or a special move that Apery's encoding lacks.
    #[inline]
    pub fn new(position: Word, labels: &Labels) -> Result<Hcpe, RecordFault> {
        Ok(Hcpe {
            position,
            score: labels.score.unwrap_or(0),
            best_move: labels.move_bits(MoveEncoding::Apery).map_err(RecordFault::Move)?,
            result: labels.result.map_or(0, GameResult::to_absolute),
            padding: labels.extras.hcpe_padding,
        })
    }

    /// The hcpe2 record of a packed position and its labels: as [`Hcpe::new`], with the flags.
    ///
    /// # Errors
    /// As [`Hcpe::new`].
    #[inline]
    pub fn new2(position: Word, labels: &Labels) -> Result<Hcpe, RecordFault> {
        let mut record = Hcpe::new(position, labels)?;
        record.result |= labels.extras.end_flags & END_FLAGS;
        Ok(record)
    }
}

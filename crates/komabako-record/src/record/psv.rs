//! [`Psv`]: YaneuraOu's `PackedSfenValue`.

use komabako_board::{Color, color};
use komabako_codec::Word;

use super::layout::layout;
use super::{Extras, Labels, MoveBits};
use crate::GameResult;
use crate::fault::RecordFault;
use crate::move16::MoveEncoding;

/// A PSV record as stored in a file: 40 bytes, little-endian (`spec/formats.md` §4.1).
///
/// ```
/// use komabako_record::record::Psv;
/// let bytes = [0; 80];
/// let (records, rest) = bytes.as_chunks::<{ Psv::SIZE }>();
/// assert_eq!(records.iter().map(Psv::from_bytes).filter(|record| record.score == 0).count(), 2);
/// assert!(rest.is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Psv {
    /// The position, by the PackedSfen codec.
    pub position: Word,
    /// The score from the side to move's view.
    pub score: i16,
    /// The best move, in YaneuraOu's encoding.
    pub best_move: u16,
    /// The ply as in SFEN, 1 at the start; 0 if unknown.
    pub ply: u16,
    /// 1 if the side to move won, 0 draw, −1 if it lost.
    pub result: i8,
    /// Normally 0; kept unchanged.
    pub padding: u8,
}

layout!(Psv { position: Word, score: i16, best_move: u16, ply: u16, result: i8, padding: u8 });

impl Psv {
    /// The side to move, which the codec stores in bit 0.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        color::from_bit(self.position[0] & 1 != 0)
    }

    /// The labels of the position.
    ///
    /// # Errors
    /// [`RecordFault::Result`] if byte 38 is not 1, 0 or −1.
    #[inline]
    pub fn labels(&self) -> Result<Labels, RecordFault> {
        let result = GameResult::from_relative(self.result, self.side_to_move())
            .ok_or(RecordFault::Result(i16::from(self.result)))?;
        Ok(Labels {
            score: Some(self.score),
            best_move: Some(MoveBits { bits: self.best_move, encoding: MoveEncoding::YaneuraOu }),
            result: Some(result),
            ply: Some(u32::from(self.ply)).filter(|&ply| ply != 0),
            extras: Extras { psv_padding: self.padding, ..Extras::default() },
        })
    }

    /// The record of a packed position and its labels; unknown fields are written as 0.
    ///
    /// # Errors
    /// The move is not well-formed, or the ply is more than 65535.
    #[inline]
    pub fn new(position: Word, labels: &Labels) -> Result<Psv, RecordFault> {
        let mut record = Psv {
            position,
            score: labels.score.unwrap_or(0),
            best_move: labels.move_bits(MoveEncoding::YaneuraOu).map_err(RecordFault::Move)?,
            ply: labels.ply16()?,
            result: 0,
            padding: labels.extras.psv_padding,
        };
        if let Some(result) = labels.result {
            record.result = result.to_relative(record.side_to_move());
        }
        Ok(record)
    }
}

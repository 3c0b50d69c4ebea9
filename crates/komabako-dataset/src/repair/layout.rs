//! [`RecordLayout`]: the places of the fields in a record that a repair rewrites.

use komabako_board::Color;

use crate::move16::{Move16, MoveEncoding, MoveFault};
use crate::record::END_FLAGS;
use crate::{FileFormat, GameResult};

/// The places of the fields in a record. The position's word is first.
#[derive(Clone, Copy)]
pub(super) struct RecordLayout {
    /// The size of a record.
    pub size: usize,
    pub score: Option<usize>,
    pub best_move: Option<MoveAt>,
    pub result: Option<ResultAt>,
}

/// The place of the move, and its encoding.
#[derive(Clone, Copy)]
pub(super) struct MoveAt {
    at: usize,
    pub encoding: MoveEncoding,
}

/// The place of the result, and its convention.
#[derive(Clone, Copy)]
pub(super) enum ResultAt {
    /// From the side to move's view: −1, 0 or 1.
    Relative(usize),
    /// The winner's code, in the low bits.
    Absolute(usize),
}

impl RecordLayout {
    /// The layout of a format that can be repaired.
    pub fn for_format(format: FileFormat) -> Option<RecordLayout> {
        let (score, move_at, result) = match format {
            FileFormat::Psv => (Some(32), 34, Some(ResultAt::Relative(38))),
            FileFormat::Hcpe | FileFormat::Hcpe2 => (Some(32), 34, Some(ResultAt::Absolute(36))),
            FileFormat::Ext36 => (Some(34), 32, None),
            FileFormat::PackedSfen | FileFormat::Sspfv1 | FileFormat::Sspfv1Ext => (None, 0, None),
            _ => return None,
        };
        // Formats without a move have no encoding: the offset in the table above is not used then.
        let best_move = format.move_encoding().map(|encoding| MoveAt { at: move_at, encoding });
        Some(RecordLayout { size: format.record_size()?, score, best_move, result })
    }
}

impl MoveAt {
    /// Writes a move, and returns whether that changed the record.
    ///
    /// # Errors
    /// The encoding cannot represent the move.
    pub fn write(self, record: &mut [u8], mv: Move16) -> Result<bool, MoveFault> {
        let bits = self.encoding.encode(mv)?.to_le_bytes();
        let field = &mut record[self.at..][..bits.len()];
        let changes = field != bits;
        field.copy_from_slice(&bits);
        Ok(changes)
    }
}

impl ResultAt {
    /// Writes a result.
    pub fn write(self, record: &mut [u8], result: GameResult, side: Color) {
        match self {
            ResultAt::Relative(at) => record[at] = result.to_relative(side).cast_unsigned(),
            // The byte also holds how the game ended: those bits are kept.
            ResultAt::Absolute(at) => record[at] = record[at] & END_FLAGS | result.to_absolute(),
        }
    }
}

//! [`Record`]: a position with its labels, in the neutral form through which formats are converted.

mod compact;
mod end_reason;
pub mod fault;
mod hcpe;
mod layout;
mod psv;
mod result;

pub use compact::{Compact32, Compact36, Ext36, RankAndResult};
pub use end_reason::EndReason;
pub use hcpe::{DECLARATION, END_FLAGS, Hcpe, MOVE_LIMIT, REPETITION};
pub use psv::Psv;
pub use result::GameResult;

use komabako_board::Setup;
use komabako_variants::Payload;

use fault::RecordFault;

use crate::move16::{Move16, MoveEncoding, MoveFault};

/// A position and its labels, independent of the format that they were read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position.
    pub setup: Setup,
    /// Its labels.
    pub labels: Labels,
}

/// The labels of a position. `None` if the format has no such field or the file marks it as unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Labels {
    /// The score from the side to move's view, in the unit of the engine that computed it.
    pub score: Option<i16>,
    /// The best move, or in formats of games the move played. Kept as stored, so that a copy preserves its bits.
    pub best_move: Option<MoveBits>,
    /// The result of the game.
    pub result: Option<GameResult>,
    /// The number of the next move, 1 at the start of a game. PSV's 0 reads as `None` and `None` is written as 0.
    pub ply: Option<u32>,
    /// Fields that only one family of formats has.
    pub extras: Extras,
}

/// The fields that only one family of formats has; 0 if the source has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extras {
    /// Byte 39 of a PSV record: normally 0, used as flags by some tools.
    pub psv_padding: u8,
    /// Byte 37 of an hcpe record: normally 0.
    pub hcpe_padding: u8,
    /// The end of the game according to hcpe2, hcpe3 and `.pack`: 0x04 repetition, 0x08 declaration, 0x10 move limit.
    pub end_flags: u8,
    /// Why the game ended, according to `.pack`.
    pub end_reason: Option<EndReason>,
    /// The opponent according to hcpe3: 0 self-play, 1 Black was another program, 2 White was.
    pub opponent: u8,
    /// Whether hcpe3 marks the position as not for training, by the absence of candidate moves.
    pub is_unfit: bool,
    /// The payload of a C250 word.
    pub payload: Payload,
}

/// A move as stored: 16 bits and their encoding. Not yet checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveBits {
    /// The bits.
    pub bits: u16,
    /// Their encoding.
    pub encoding: MoveEncoding,
}

impl MoveBits {
    /// The move that the bits represent.
    ///
    /// # Errors
    /// The bits are not well-formed in their encoding.
    #[inline]
    pub const fn decode(self) -> Result<Move16, MoveFault> {
        self.encoding.decode(self.bits)
    }

    /// The bits of the same move in an encoding; unchecked and unchanged if it is already their encoding.
    ///
    /// # Errors
    /// The bits are not well-formed, or a special move that `encoding` lacks.
    #[inline]
    pub fn encode(self, encoding: MoveEncoding) -> Result<u16, MoveFault> {
        if encoding == self.encoding { Ok(self.bits) } else { encoding.encode(self.decode()?) }
    }
}

impl From<Move16> for MoveBits {
    /// The move in YaneuraOu's encoding, which can represent every move.
    fn from(mv: Move16) -> MoveBits {
        MoveBits { bits: mv.bits(), encoding: MoveEncoding::YaneuraOu }
    }
}

impl Labels {
    /// The bits of the best move in an encoding; 0 if it is unknown.
    ///
    /// # Errors
    /// As [`MoveBits::encode`].
    #[inline]
    pub fn move_bits(&self, encoding: MoveEncoding) -> Result<u16, MoveFault> {
        self.best_move.map_or(Ok(0), |best_move| best_move.encode(encoding))
    }

    /// The ply in 16 bits; 0 if it is unknown.
    ///
    /// # Errors
    /// [`RecordFault::Ply`] if it is larger.
    #[inline]
    pub fn ply16(&self) -> Result<u16, RecordFault> {
        let ply = self.ply.unwrap_or(0);
        u16::try_from(ply).map_err(|_| RecordFault::Ply(ply))
    }
}

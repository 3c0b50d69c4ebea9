//! The compact records: a position of one of komabako-variants' formats with labels, in 36 or 32 bytes.
//!
//! All are little-endian. The result is absolute, in the two bits that a rank leaves free: 0 draw, 1 Black won, 2 White
//! won; 3 is refused.
//!
//! | record | bits | content |
//! |---|---|---|
//! | [`Compact36`] | 0–237 | rank |
//! | | 238–239 | result |
//! | | 240–255 | move, in YaneuraOu's encoding |
//! | | 256–271 | score |
//! | | 272–287 | ply |
//! | [`Compact32`] | 0–237 | rank |
//! | | 238–239 | result |
//! | | 240–255 | score |
//! | [`Ext36`] | 0–255 | word of SSPFv1's extension |
//! | | 256–271 | move, in YaneuraOu's encoding |
//! | | 272–287 | score |

use komabako_codec::Word;
use komabako_variants::r238::Rank;

use super::layout::layout;
use super::{Labels, MoveBits};
use crate::GameResult;
use crate::fault::RecordFault;
use crate::move16::MoveEncoding;

/// Any position with all labels of a PSV record except its padding, in 36 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact36 {
    /// The position, ranked by R238, and the result.
    pub position: RankAndResult,
    /// The best move, in YaneuraOu's encoding.
    pub best_move: u16,
    /// The score from the side to move's view.
    pub score: i16,
    /// The ply as in SFEN, 1 at the start; 0 if unknown.
    pub ply: u16,
}

/// Position, score and result in 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compact32 {
    /// The position, ranked by R238, and the result.
    pub position: RankAndResult,
    /// The score from the side to move's view.
    pub score: i16,
}

/// A position of SSPFv1's extension, with move and score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ext36 {
    /// The position, by the codec of SSPFv1's extension.
    pub position: Word,
    /// The best move, in YaneuraOu's encoding.
    pub best_move: u16,
    /// The score from the side to move's view.
    pub score: i16,
}

/// A rank with a result in its two free bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankAndResult([u8; 30]);

impl RankAndResult {
    /// Reads both from the bytes of a file. Any bytes are accepted; neither value is checked.
    #[inline]
    pub const fn from_bytes(bytes: [u8; 30]) -> RankAndResult {
        RankAndResult(bytes)
    }

    /// The bytes of both in a file.
    #[inline]
    pub const fn to_bytes(self) -> [u8; 30] {
        self.0
    }

    /// The rank and a result; an unknown result is written as a draw.
    #[inline]
    pub fn new(rank: Rank, result: Option<GameResult>) -> RankAndResult {
        let mut bytes = rank;
        bytes[29] |= result.map_or(0, GameResult::to_absolute) << 6;
        RankAndResult(bytes)
    }

    /// The rank.
    #[inline]
    pub const fn rank(&self) -> Rank {
        let mut rank = self.0;
        rank[29] &= 0x3f;
        rank
    }

    /// The result.
    ///
    /// # Errors
    /// [`RecordFault::Result`] if its bits are 3.
    #[inline]
    pub fn result(&self) -> Result<GameResult, RecordFault> {
        let code = self.0[29] >> 6;
        GameResult::from_absolute(code).ok_or(RecordFault::Result(i16::from(code)))
    }
}

layout!(Compact36 { position: RankAndResult, best_move: u16, score: i16, ply: u16 });

impl Compact36 {
    /// The labels of the position.
    ///
    /// # Errors
    /// The code of the result is invalid.
    #[inline]
    pub fn labels(&self) -> Result<Labels, RecordFault> {
        Ok(Labels {
            score: Some(self.score),
            best_move: Some(yaneuraou(self.best_move)),
            result: Some(self.position.result()?),
            ply: Some(u32::from(self.ply)).filter(|&ply| ply != 0),
            ..Labels::default()
        })
    }

    /// The record of a rank and its labels; unknown fields are written as 0.
    ///
    /// # Errors
    /// The move is not well-formed, or the ply is more than 65535.
    #[inline]
    pub fn new(rank: Rank, labels: &Labels) -> Result<Compact36, RecordFault> {
        Ok(Compact36 {
            position: RankAndResult::new(rank, labels.result),
            best_move: labels.move_bits(MoveEncoding::YaneuraOu).map_err(RecordFault::Move)?,
            score: labels.score.unwrap_or(0),
            ply: labels.ply16()?,
        })
    }
}

layout!(Compact32 { position: RankAndResult, score: i16 });

impl Compact32 {
    /// The labels of the position.
    ///
    /// # Errors
    /// The code of the result is invalid.
    #[inline]
    pub fn labels(&self) -> Result<Labels, RecordFault> {
        let result = Some(self.position.result()?);
        Ok(Labels { score: Some(self.score), result, ..Labels::default() })
    }

    /// The record of a rank and its labels; unknown fields are written as 0.
    #[inline]
    pub fn new(rank: Rank, labels: &Labels) -> Compact32 {
        Compact32 { position: RankAndResult::new(rank, labels.result), score: labels.score.unwrap_or(0) }
    }
}

layout!(Ext36 { position: Word, best_move: u16, score: i16 });

impl Ext36 {
    /// The labels of the position.
    #[inline]
    pub fn labels(&self) -> Labels {
        Labels { score: Some(self.score), best_move: Some(yaneuraou(self.best_move)), ..Labels::default() }
    }

    /// The record of a packed position and its labels; unknown fields are written as 0.
    ///
    /// # Errors
    /// The move is not well-formed.
    #[inline]
    pub fn new(position: Word, labels: &Labels) -> Result<Ext36, RecordFault> {
        Ok(Ext36 {
            position,
            best_move: labels.move_bits(MoveEncoding::YaneuraOu).map_err(RecordFault::Move)?,
            score: labels.score.unwrap_or(0),
        })
    }
}

fn yaneuraou(bits: u16) -> MoveBits {
    MoveBits { bits, encoding: MoveEncoding::YaneuraOu }
}

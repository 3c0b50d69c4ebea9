//! Streams of games: dlshogi's hcpe3 and GenSfen's `.pack` (`spec/formats.md` §5.1, §5.2).
//!
//! A game is a start position, its moves, each with a score, and a result. Its records are the positions before its
//! moves; the final position has neither move nor score and is not a record. A game is replayed from its start, and every move is
//! judged by the rules: it gives records up to the first illegal move ([`GameFault`]).
//!
//! Games that stay in their format keep their bytes, and where records are left out of one, what it says of the others:
//! each run of them is a game then. From other formats, records are written in game order: those that follow one another
//! by their moves, with one result, become one game. Where the source does not say why a game ended, its final position
//! does: the side that lost resigns, a side that may declares, and otherwise, or after a draw, the game is broken off.
//!
//! [`check`] judges whole games, their ends included.

mod excerpt;
mod fields;
mod hcpe3;
mod join;
mod pack;
mod replay;
mod stream;
mod writer;

pub use crate::fault::{GameCause, GameFault, GamePlace};
pub use crate::record::EndReason;
pub use stream::{EndFault, StreamFault, StreamFinding, check};

pub use excerpt::{Kept, excerpt};
pub use hcpe3::LONGEST as LONGEST_HCPE3;
pub use join::GameFragments;
pub use replay::records;
pub(crate) use replay::{Paused, Replay, fault_of};
pub use writer::GameWriter;

use crate::FileFormat;
use crate::fault::Damage;

/// Where the game at the start of some bytes ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// After this many bytes.
    At {
        /// The length of the game in bytes.
        length: usize,
        /// The number of its moves.
        moves: u32,
    },
    /// Past the last byte; also at the end of the bytes.
    Beyond,
    /// Nobody knows, because of this.
    Damaged(Damage),
}

/// Where the game at the start of some bytes ends, in a format of games.
pub fn end_of(format: FileFormat, bytes: &[u8]) -> GameEnd {
    match format {
        FileFormat::Hcpe3 => hcpe3::end(bytes),
        _ => pack::end(bytes),
    }
}

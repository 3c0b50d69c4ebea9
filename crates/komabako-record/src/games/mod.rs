//! Streams of games: dlshogi's hcpe3 and GenSfen's `.pack` (`spec/formats.md` §5.1, §5.2).
//!
//! A game consists of a start position, moves, each with a score, and a result. Its records are the positions before its
//! moves; the final position has neither move nor score and is not a record. A game is replayed from its start and every
//! move is checked for legality; it yields records up to the first illegal move ([`GameFault`]).
//!
//! Games that keep their format keep their bytes. If records of a game are left out, each run of the others becomes a
//! game and keeps its bytes likewise. Records from other formats must come in game order: consecutive records whose moves
//! lead from one to the next, with the same result, become one game. If the source does not say why a game ended, the
//! final position decides: a loser to move resigns, a winner to move declares if it may, and otherwise, or after a draw,
//! the game is broken off.
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
pub use hcpe3::{candidates, write_position};
pub use join::GameFragments;
pub use replay::{GameLabels, labels, records, start_and_moves};
pub(crate) use replay::{Paused, Replay, fault_of};
pub use writer::GameWriter;

use crate::FileFormat;
use crate::fault::Damage;

/// The end of the game at the start of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// After this many bytes.
    At {
        /// The length of the game in bytes.
        length: usize,
        /// The number of its moves.
        moves: u32,
    },
    /// Past the last byte, also if there are no bytes.
    Beyond,
    /// Unknown because of this damage.
    Damaged(Damage),
}

/// Finds the end of the game at the start of some bytes, in a format of games.
pub fn end_of(format: FileFormat, bytes: &[u8]) -> GameEnd {
    match format {
        FileFormat::Hcpe3 => hcpe3::end(bytes),
        _ => pack::end(bytes),
    }
}

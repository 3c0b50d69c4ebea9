//! [`excerpt`]: games that keep their format, split where records are left out.

use alloc::vec::Vec;

use super::replay::{entries, records};
use super::{hcpe3, pack};
use crate::FileFormat;
use crate::block::{Block, BlockGame};

/// A record of a block of games that is kept.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// Its index in the block. It must be a good record.
    pub row: usize,
    /// Its new score, if the score changes.
    pub score: Option<i16>,
}

/// The byte range of the score in a game's entry for a move, in both formats.
const SCORE: core::ops::Range<usize> = 2..4;

/// Appends the games of a block, reduced to the records in `kept`, which must ascend. Returns the number of games
/// written.
///
/// A game whose records are all kept is copied byte for byte, except for new scores. Otherwise each run of consecutive
/// records becomes a game, with the entries of its moves copied likewise. A game without a record is kept if
/// `keeps_empty` returns true for it.
pub fn excerpt(
    format: FileFormat,
    block: &Block,
    kept: &[Kept],
    keeps_empty: impl Fn(&BlockGame) -> bool,
    out: &mut Vec<u8>,
) -> u64 {
    let mut rest = kept;
    let mut games = 0;
    for game in block.games() {
        let end = game.first + game.moves;
        let (own, after) = rest.split_at(rest.partition_point(|kept| kept.row < end));
        rest = after;
        games += match own {
            [] if game.moves == 0 && keeps_empty(&game) => {
                out.extend_from_slice(game.bytes);
                1
            }
            [] => 0,
            _ => write_runs(format, &game, own, out),
        };
    }
    games
}

/// Appends each run of a game's kept records as a game, and returns their number.
fn write_runs(format: FileFormat, game: &BlockGame, kept: &[Kept], out: &mut Vec<u8>) -> u64 {
    let entries: Vec<&[u8]> = entries(format, game.bytes).collect();
    // Replayed only up to the start of each run.
    let mut records = records(format, game.bytes);
    let mut replayed = 0;
    let mut games = 0;
    for run in kept.chunk_by(|a, b| a.row + 1 == b.row) {
        let first = run[0].row - game.first;
        let start = (first > 0).then(|| {
            let record = records.nth(first - replayed).and_then(Result::ok);
            replayed = first + 1;
            record.expect("a record that is kept is good")
        });
        let is_cut = first + run.len() < game.moves;
        match format {
            FileFormat::Hcpe3 => hcpe3::begin(game.bytes, start.as_ref(), run.len(), is_cut, out),
            _ => pack::begin(game.bytes, start.as_ref(), out),
        }
        for (kept, entry) in run.iter().zip(&entries[first..]) {
            let at = out.len();
            out.extend_from_slice(entry);
            if let Some(score) = kept.score {
                out[at..][SCORE].copy_from_slice(&score.to_le_bytes());
            }
        }
        if format == FileFormat::Pack {
            pack::finish(game.bytes, is_cut, out);
        }
        games += 1;
    }
    games
}

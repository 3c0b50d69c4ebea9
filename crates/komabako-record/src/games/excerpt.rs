//! [`excerpt`]: games that stay in their format, cut where records are left out.

use alloc::vec::Vec;

use super::replay::{entries, records};
use super::{hcpe3, pack};
use crate::FileFormat;
use crate::block::{Block, BlockGame};

/// A record that is kept of a block of games.
#[derive(Clone, Copy)]
pub struct Kept {
    /// Its index in the block. It is a good record.
    pub row: usize,
    /// Its new score, if it has one.
    pub score: Option<i16>,
}

/// Where the score lies in what a game says of a move, in both formats.
const SCORE: core::ops::Range<usize> = 2..4;

/// Appends the games of a block with those of their records that are kept, ascending, and returns how many games that
/// makes.
///
/// A game of which all is kept stays as it is, byte for byte but for new scores. Of another, each run of records that
/// follow one another becomes a game, in which what was said of each move stays likewise. A game without a record stays
/// if `keeps_empty` says so of the index that its first record would have.
pub fn excerpt(
    format: FileFormat,
    block: &Block,
    kept: &[Kept],
    keeps_empty: impl Fn(usize) -> bool,
    out: &mut Vec<u8>,
) -> u64 {
    let mut rest = kept;
    let mut games = 0;
    for game in block.games() {
        let end = game.first + game.moves;
        let (own, after) = rest.split_at(rest.partition_point(|kept| kept.row < end));
        rest = after;
        games += match own {
            [] if game.moves == 0 && keeps_empty(game.first) => {
                out.extend_from_slice(game.bytes);
                1
            }
            [] => 0,
            _ => cut(format, &game, own, out),
        };
    }
    games
}

/// Appends the runs of a game's records, and returns their number.
fn cut(format: FileFormat, game: &BlockGame, kept: &[Kept], out: &mut Vec<u8>) -> u64 {
    let entries: Vec<&[u8]> = entries(format, game.bytes).collect();
    // Replayed as far as a run begins.
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

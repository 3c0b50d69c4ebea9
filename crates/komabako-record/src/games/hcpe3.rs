//! hcpe3: dlshogi's games with candidate moves (`spec/formats.md` §5.1).

use alloc::vec::Vec;

use komabako_codec::Word;

use super::GameEnd;
use super::fields::Fields;
use super::join::{Outcome, state_of};
use super::replay::{Start, StoredGame, StoredMove, entries, word};
use super::stream::judge_flags;
use super::writer::OpenGame;
use crate::fault::{Damage, RecordFault};
use crate::move16::{Move16, MoveEncoding};
use crate::record::{DECLARATION, END_FLAGS, Extras, Labels};
use crate::{FileFormat, GameResult, Record};

/// The maximum number of moves in a written game, because dlshogi's readers assert it. The field allows more, and longer
/// games are read.
pub(super) const MOVES: usize = 513;
/// The maximum number of legal moves in a position.
const CANDIDATES: u16 = 593;
const OPPONENTS: u8 = 2;
/// The size in bytes of a game with the maximum number of moves and candidates: 156 MB. A game of 513 moves has at most
/// 1.2 MB.
pub const LONGEST: usize = 36 + u16::MAX as usize * (6 + 4 * CANDIDATES as usize);

/// The end of the game at the start of `bytes`.
pub(super) fn end(bytes: &[u8]) -> GameEnd {
    let mut fields = Fields(bytes);
    let mut end = || {
        fields.read_bytes::<32>()?;
        let moves = fields.read_u16()?;
        let [_result, opponent] = *fields.read_bytes()?;
        if opponent > OPPONENTS {
            return Some(GameEnd::Damaged(Damage::Opponent(opponent)));
        }
        for _ in 0..moves {
            fields.read_bytes::<4>()?;
            let candidates = fields.read_u16()?;
            if candidates > CANDIDATES {
                return Some(GameEnd::Damaged(Damage::Candidates(candidates)));
            }
            fields.skip(4 * usize::from(candidates))?;
        }
        Some(GameEnd::At { length: bytes.len() - fields.0.len(), moves: moves.into() })
    };
    end().unwrap_or(GameEnd::Beyond)
}

/// Reads the header of a whole game. The ply is not stored; it is counted from 1.
pub(super) fn open(game: &[u8]) -> StoredGame<'_> {
    let mut fields = Fields(game);
    let mut header =
        || Some((*fields.read_bytes()?, fields.read_u16()?, fields.read_byte()?, fields.read_byte()?));
    let (start, _moves, end, opponent) = header().expect("a whole game has a header");
    StoredGame {
        start: Start::Stored(start),
        ply: Some(1),
        result: GameResult::from_absolute(end & !END_FLAGS).ok_or(end),
        extras: Extras { end_flags: end & END_FLAGS, opponent, ..Extras::default() },
        header: game.len() - fields.0.len(),
        moves: fields,
    }
}

/// Reads the next move of a whole game; `None` at its end.
pub(super) fn next(fields: &mut Fields) -> Option<StoredMove> {
    let bits = fields.read_u16()?;
    let score = fields.read_u16()?;
    let candidates = fields.read_u16()?;
    fields.skip(4 * usize::from(candidates))?;
    Some(StoredMove { bits, score: score.cast_signed(), is_unfit: candidates == 0 })
}

/// The candidates of each move of a whole hcpe3 game: two bytes of a move in Apery's encoding, and two of its visits.
pub fn candidates(game: &[u8]) -> impl Iterator<Item = &[[u8; 4]]> {
    let counts = |entry: &[u8]| usize::from(u16::from_le_bytes([entry[4], entry[5]]));
    entries(FileFormat::Hcpe3, game).map(move |entry| &entry[6..].as_chunks().0[..counts(entry)])
}

/// Appends a game of one position, from the word of HuffmanCodedPos, with the candidates of its move. As the game goes on in the
/// source, only the result is kept and not the flags of its end.
///
/// # Errors
/// If there is no move, or Apery's encoding cannot hold it; nothing is appended.
pub fn write_position(
    position: &Word,
    labels: &Labels,
    candidates: &[[u8; 4]],
    out: &mut Vec<u8>,
) -> Result<(), RecordFault> {
    let best_move = labels.best_move.ok_or(RecordFault::NotPlayed)?;
    let bits = best_move.encode(MoveEncoding::Apery).map_err(RecordFault::Move)?;
    let candidates = &candidates[..candidates.len().min(CANDIDATES.into())];
    out.extend_from_slice(position);
    out.extend_from_slice(&1_u16.to_le_bytes());
    out.extend_from_slice(&[labels.result.map_or(0, GameResult::to_absolute), labels.extras.opponent]);
    out.extend_from_slice(&bits.to_le_bytes());
    out.extend_from_slice(&labels.score.unwrap_or(0).to_le_bytes());
    out.extend_from_slice(&(candidates.len() as u16).to_le_bytes());
    out.extend_from_slice(candidates.as_flattened());
    Ok(())
}

/// Appends the header of a game of `moves` moves, from its start or from the position of a record. If `is_cut`, more
/// moves follow in the source, so only the result is kept and not the flags of its end.
pub(super) fn begin(game: &[u8], start: Option<&Record>, moves: usize, is_cut: bool, out: &mut Vec<u8>) {
    let (old_start, rest) = game.split_at(32);
    match start {
        Some(record) => out.extend_from_slice(&word(&record.setup)),
        None => out.extend_from_slice(old_start),
    }
    out.extend_from_slice(&(moves as u16).to_le_bytes());
    let [result, opponent] = [rest[2], rest[3]];
    out.extend_from_slice(&[if is_cut { result & !END_FLAGS } else { result }, opponent]);
}

/// Appends a game. Where the candidates are not known, the move played is the only one, with one visit, unless the
/// position is not for training.
pub(super) fn write(game: &OpenGame, out: &mut Vec<u8>) {
    let Outcome { result, extras: Extras { end_flags, opponent, .. } } = game.header.outcome;
    let result = result.unwrap_or(GameResult::Draw);
    let last = state_of(&game.next).expect("a legal move leads to a position of a game");
    // If the final position does not allow the declaration, it was made later, after moves that are missing.
    let end_flags = match judge_flags(end_flags, result, &last, &game.header.start) {
        Ok(()) => end_flags,
        Err(_) => end_flags & !DECLARATION,
    };
    out.extend_from_slice(&word(&game.header.start));
    out.extend_from_slice(&(game.moves.len() as u16).to_le_bytes());
    out.extend_from_slice(&[result.to_absolute() | end_flags & END_FLAGS, opponent]);
    let bits = |mv: Move16| MoveEncoding::Apery.encode(mv).expect("a move of a piece has bits").to_le_bytes();
    for played in &game.moves {
        out.extend_from_slice(&bits(played.mv));
        out.extend_from_slice(&played.score.to_le_bytes());
        let only = [(played.mv, 1)];
        let candidates = match &*played.candidates {
            [] if played.is_unfit => &[],
            [] => &only[..],
            known => &known[..known.len().min(CANDIDATES.into())],
        };
        out.extend_from_slice(&(candidates.len() as u16).to_le_bytes());
        for &(mv, visits) in candidates {
            out.extend_from_slice(&bits(mv));
            out.extend_from_slice(&visits.to_le_bytes());
        }
    }
}

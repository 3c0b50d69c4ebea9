//! `.pack`: GenSfen's games (`spec/formats.md` §5.2).

use alloc::vec::Vec;

use komabako_board::{Setup, color};

use super::fields::Fields;
use super::join::{Outcome, state_of};
use super::replay::{Start, StoredGame, StoredMove, word};
use super::stream::judge_reason;
use super::writer::{OpenGame, positions};
use super::{EndReason, GameEnd};
use crate::fault::Damage;
use crate::move16::MoveEncoding;
use crate::record::{DECLARATION, Extras, MOVE_LIMIT, REPETITION};
use crate::{GameResult, Record};

/// The maximum number of moves in a written game. The format has no limit; this one bounds the memory of readers.
pub(super) const MOVES: usize = 65_535;

const START_STORED: u8 = 0;
const START_EVEN: u8 = 1;

/// The size in bytes of a game's end: a code in place of a move, and the reason.
const TERMINATOR: usize = 3;

/// The result that a code in place of a move represents. Such a code is never a move, because its source and destination
/// are equal.
fn result_of(code: u16) -> Option<GameResult> {
    match code {
        0x0000 => Some(GameResult::Draw),
        0x0081 => Some(GameResult::BlackWin),
        0x0102 => Some(GameResult::WhiteWin),
        _ => None,
    }
}

/// The end of the game at the start of `bytes`.
pub(super) fn end(bytes: &[u8]) -> GameEnd {
    let mut fields = Fields(bytes);
    let mut end = || {
        match fields.read_byte()? {
            START_STORED => fields.skip(34)?,
            START_EVEN => {}
            byte => return Some(GameEnd::Damaged(Damage::GameStart(byte))),
        }
        let mut moves = 0;
        loop {
            let code = fields.read_u16()?;
            if result_of(code).is_some() {
                break;
            }
            if let Err(fault) = MoveEncoding::Apery.decode(code) {
                return Some(GameEnd::Damaged(Damage::GameMove(fault)));
            }
            fields.read_bytes::<2>()?;
            moves += 1;
        }
        let reason = fields.read_byte()?;
        Some(match EndReason::from_code(reason) {
            Some(_) => GameEnd::At { length: bytes.len() - fields.0.len(), moves },
            None => GameEnd::Damaged(Damage::EndReason(reason)),
        })
    };
    end().unwrap_or(GameEnd::Beyond)
}

/// Reads the start and the end of a whole game.
pub(super) fn open(game: &[u8]) -> StoredGame<'_> {
    const WHOLE: &str = "a whole game has a start and an end";
    let (body, &[low, high, reason]) = game.split_last_chunk::<TERMINATOR>().expect(WHOLE);
    let result = result_of(u16::from_le_bytes([low, high])).expect(WHOLE);
    let reason = EndReason::from_code(reason).expect(WHOLE);
    let mut fields = Fields(body);
    let mut start = || match fields.read_byte()? {
        START_EVEN => Some((Start::Even, 1)),
        _ => Some((Start::Stored(*fields.read_bytes()?), fields.read_u16()?)),
    };
    let (start, ply) = start().expect(WHOLE);
    StoredGame {
        start,
        ply: Some(u32::from(ply)).filter(|&ply| ply != 0),
        result: Ok(result),
        extras: Extras { end_flags: reason.flags(), end_reason: Some(reason), ..Extras::default() },
        header: body.len() - fields.0.len(),
        moves: fields,
    }
}

/// Reads the next move of a whole game; `None` at its end.
pub(super) fn next(fields: &mut Fields) -> Option<StoredMove> {
    let bits = fields.read_u16()?;
    let score = fields.read_u16()?;
    Some(StoredMove { bits, score: score.cast_signed(), is_unfit: false })
}

/// Appends the start of a game: the stored one, or the position of a record.
pub(super) fn begin(game: &[u8], start: Option<&Record>, out: &mut Vec<u8>) {
    match start {
        // A ply that does not fit in the field is written as 0, unknown.
        Some(Record { setup, labels }) => write_start(setup, labels.ply16().unwrap_or(0), out),
        None => out.extend_from_slice(&game[..if game[0] == START_EVEN { 1 } else { 35 }]),
    }
}

/// Appends the end of a game. If `is_cut`, the source has more moves, so the game is marked as broken off.
pub(super) fn finish(game: &[u8], is_cut: bool, out: &mut Vec<u8>) {
    out.extend_from_slice(&game[game.len() - TERMINATOR..]);
    if is_cut && let Some(reason) = out.last_mut() {
        *reason = EndReason::Interruption.code();
    }
}

fn write_start(start: &Setup, ply: u16, out: &mut Vec<u8>) {
    out.push(START_STORED);
    out.extend_from_slice(&word(start));
    out.extend_from_slice(&ply.to_le_bytes());
}

/// Appends a game.
pub(super) fn write(game: &OpenGame, out: &mut Vec<u8>) {
    let header = &game.header;
    if header.start == Setup::START && header.ply.is_none_or(|ply| ply == 1) {
        out.push(START_EVEN);
    } else {
        let ply = u16::try_from(header.ply.unwrap_or(0)).expect("it fitted when the record was joined");
        write_start(&header.start, ply, out);
    }
    for played in &game.moves {
        let bits = MoveEncoding::Apery.encode(played.mv).expect("a move of a piece has bits");
        out.extend_from_slice(&bits.to_le_bytes());
        out.extend_from_slice(&played.score.to_le_bytes());
    }
    let result = header.outcome.result.unwrap_or(GameResult::Draw);
    let code = u16::from(result.to_absolute());
    out.extend_from_slice(&(code | code << 7).to_le_bytes());
    out.push(reason_of(game, result).code());
}

/// Why a game ended: according to its records, or else to its final position. [`EndReason::Interruption`] if that does
/// not fit the final position, for example because records are missing at the end.
fn reason_of(game: &OpenGame, result: GameResult) -> EndReason {
    let Outcome { extras, .. } = game.header.outcome;
    let state = state_of(&game.next).expect("a legal move leads to a position of a game");
    let has_lost = result == GameResult::win_of(color::opponent(state.side_to_move()));
    let reason = extras.end_reason.unwrap_or(match (extras.end_flags, result) {
        (REPETITION, GameResult::Draw) => EndReason::Repetition,
        (MOVE_LIMIT, GameResult::Draw) => EndReason::MoveLimit,
        (DECLARATION, GameResult::Draw) => EndReason::DeclaredDraw24,
        (_, GameResult::Draw) => EndReason::Interruption,
        (REPETITION, _) if has_lost => EndReason::PerpetualCheck,
        (_, _) if has_lost => EndReason::Resignation,
        (_, _) => EndReason::Declaration27,
    });
    let repeats =
        || positions(&game.header.start, &game.moves).filter(|setup| *setup == game.next).count() > 1;
    match judge_reason(reason, result, &state, &game.header.start, repeats) {
        Ok(()) => reason,
        Err(_) => EndReason::Interruption,
    }
}

//! Streams of games: dlshogi's hcpe3 and GenSfen's `.pack` (`spec/formats.md` §5.1, §5.2).
//!
//! A game is parsed as a whole, and its moves must be well-formed. Its positions after the first need the rules of the
//! game, so only the first is read: with the first move, the score before it and the result.

use komabako_board::Setup;
use komabako_codec::{Format, Word};

use crate::GameResult;
use crate::error::RecordFault;
use crate::move16::{Move16, MoveEncoding};
use crate::record::{END_FLAGS, Extras, Labels, MoveBits};

/// Where the game at the start of some bytes ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameEnd {
    /// After so many bytes.
    At(usize),
    /// Past the last byte; also where there is no byte at all.
    Beyond,
    /// Nobody knows, because of this.
    Damaged(&'static str),
}

/// Reads little-endian fields one after the other.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(field)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| *byte)
    }

    fn word16(&mut self) -> Option<u16> {
        self.take().map(|bytes| u16::from_le_bytes(*bytes))
    }
}

fn stored(bits: u16) -> MoveBits {
    MoveBits { bits, encoding: MoveEncoding::Apery }
}

/// dlshogi's own limits.
const HCPE3_MOVES: u16 = 513;
const HCPE3_CANDIDATES: u16 = 593;
const HCPE3_OPPONENTS: u8 = 2;

/// Where an hcpe3 game ends.
pub(crate) fn hcpe3_end(bytes: &[u8]) -> GameEnd {
    let mut fields = Fields(bytes);
    let mut end = || {
        fields.take::<32>()?;
        let moves = fields.word16()?;
        let [_result, opponent] = *fields.take()?;
        if moves > HCPE3_MOVES {
            return Some(GameEnd::Damaged("an hcpe3 game of more than 513 moves"));
        }
        if opponent > HCPE3_OPPONENTS {
            return Some(GameEnd::Damaged("an hcpe3 game whose opponent is not 0, 1 or 2"));
        }
        for _ in 0..moves {
            fields.take::<4>()?;
            let candidates = fields.word16()?;
            if candidates > HCPE3_CANDIDATES {
                return Some(GameEnd::Damaged("an hcpe3 move with more than 593 candidates"));
            }
            fields.0 = fields.0.get(4 * usize::from(candidates)..)?;
        }
        Some(GameEnd::At(bytes.len() - fields.0.len()))
    };
    end().unwrap_or(GameEnd::Beyond)
}

/// The start of a whole hcpe3 game.
///
/// # Errors
/// The result has no meaning, or a move of the game is not well-formed.
pub(crate) fn hcpe3_start(game: &[u8]) -> Result<(Word, Labels), RecordFault> {
    let mut fields = Fields(game);
    let mut header = || Some((*fields.take()?, fields.word16()?, fields.byte()?, fields.byte()?));
    let (position, moves, end, _opponent) = header().expect("a whole game has a header");
    let result = GameResult::from_absolute(end & !END_FLAGS).ok_or(RecordFault::Result(i16::from(end)))?;
    let mut labels = Labels {
        result: Some(result),
        extras: Extras { end_flags: end & END_FLAGS, ..Extras::default() },
        ..Labels::default()
    };
    for number in 0..moves {
        let mut played = || Some((fields.word16()?, fields.word16()?, fields.word16()?));
        let (best_move, score, candidates) = played().expect("a whole game has its moves");
        fields.0 = &fields.0[4 * usize::from(candidates)..];
        stored(best_move).decode().map_err(RecordFault::Move)?;
        if number == 0 {
            labels.best_move = Some(stored(best_move));
            labels.score = Some(score.cast_signed());
        }
    }
    Ok((position, labels))
}

const PACK_START_STORED: u8 = 0;
const PACK_START_EVEN: u8 = 1;
const PACK_REASONS: u8 = 13;

/// The result that a code in place of a move says, if it is one: no move, because source and destination agree.
fn pack_result(code: u16) -> Option<GameResult> {
    match code {
        0x0000 => Some(GameResult::Draw),
        0x0081 => Some(GameResult::BlackWin),
        0x0102 => Some(GameResult::WhiteWin),
        _ => None,
    }
}

/// Where a GenSfen game ends.
pub(crate) fn pack_end(bytes: &[u8]) -> GameEnd {
    let mut fields = Fields(bytes);
    let mut end = || {
        match fields.byte()? {
            PACK_START_STORED => {
                fields.take::<34>()?;
            }
            PACK_START_EVEN => {}
            _ => return Some(GameEnd::Damaged("a GenSfen game starts with a byte other than 0 or 1")),
        }
        loop {
            let code = fields.word16()?;
            if pack_result(code).is_some() {
                break;
            }
            if Move16::from_bits(code, MoveEncoding::Apery).is_err() {
                return Some(GameEnd::Damaged("a GenSfen game with a move that is not well-formed"));
            }
            fields.take::<2>()?;
        }
        match fields.byte()? {
            0..=PACK_REASONS => Some(GameEnd::At(bytes.len() - fields.0.len())),
            _ => Some(GameEnd::Damaged("a GenSfen game that ends for an unknown reason")),
        }
    };
    end().unwrap_or(GameEnd::Beyond)
}

/// The start of a whole GenSfen game.
pub(crate) fn pack_start(game: &[u8]) -> (Word, Labels) {
    let mut fields = Fields(game);
    let mut start = || match fields.byte()? {
        PACK_START_EVEN => {
            let start = Format::Hcp.pack(&Setup::START).expect("the start position has all pieces");
            Some((start, 1, fields.word16()?))
        }
        _ => Some((*fields.take()?, fields.word16()?, fields.word16()?)),
    };
    let (position, ply, code) = start().expect("a whole game has a start");
    let mut labels = Labels { ply: Some(u32::from(ply)).filter(|&ply| ply != 0), ..Labels::default() };
    // The last three bytes are the result's code and the reason.
    let [.., low, high, _reason] = *game else { unreachable!("a whole game has an end") };
    labels.result = pack_result(u16::from_le_bytes([low, high]));
    if pack_result(code).is_none() {
        labels.best_move = Some(stored(code));
        labels.score = fields.word16().map(u16::cast_signed);
    }
    (position, labels)
}

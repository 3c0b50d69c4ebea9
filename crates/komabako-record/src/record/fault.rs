//! Faults of records, and of the streams that contain them.

mod numbers;

use core::fmt;

use komabako_board::PositionFault;
use komabako_board::sfen::SfenError;
use komabako_codec::{PackError, UnpackError};
use komabako_messages::{Lang, Message, messages, say_match};
use komabako_rules::{Illegality, OpponentInCheck};

use crate::move16::{Move16, MoveFault};

pub use numbers::{NUMBERED, name_of_number, number};

/// A fault of one record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecordFault {
    /// The position does not decode.
    Unpack(UnpackError),
    /// The target format cannot hold the position.
    Pack(PackError),
    /// The move is not well-formed, or the target has no code for it.
    Move(MoveFault),
    /// The code of the result is not one of the format's.
    Result(i16),
    /// The target format cannot hold a ply this large.
    Ply(u32),
    /// The line is not an SFEN.
    Sfen(SfenError),
    /// A line of a plain-text block is wrong, counted from 1 in the block.
    Plain(PlainFault, usize),
    /// A line of a table or of JSON is wrong at this column, counted from 1.
    Cell(CellFault, usize),
    /// The record's game cannot be replayed any further.
    Game(GameFault),
    /// The replay of the record's game stopped before it.
    Unreached,
    /// The target holds games, and the record has no move of a piece.
    NotPlayed,
    /// The target holds games, and the record's move cannot be played.
    Unplayable(GameCause),
    /// The engine that should have given it a score failed.
    Unanswered,
    /// The visits of its candidates are wanted, and all are 0.
    NoVisits,
}

/// A fault of a block of plain text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlainFault {
    /// The block has no `sfen` line.
    SfenMissing,
    /// The line starts with none of `sfen`, `move`, `score`, `ply`, `result`.
    Key,
    /// A key occurs twice.
    Repeated,
    /// The value is not a number in the field's range.
    Number,
}

/// A fault of a line of a table or of JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CellFault {
    /// The record has no position.
    SfenMissing,
    /// The line has only one cell: perhaps it uses another separator.
    TooFew,
    /// The line has more than five cells.
    TooMany,
    /// A quote is missing before or after the cell.
    Quote,
    /// The move is not well-formed.
    Move(MoveFault),
    /// The value is not a number in the field's range.
    Number,
    /// The member is not one of `sfen`, `move`, `score`, `ply`, `result`.
    Key,
    /// The member occurs twice.
    Repeated,
    /// The line is not an object of strings, integers and `null`.
    Json,
}

messages! {
    CellFault {
        SfenMissing => "the record has no `sfen`", "`sfen` がありません";
        TooFew => "one cell where two to five are expected; is the separator different?",
            "列が 1 つしかありません (2 列から 5 列)。区切り文字は合っていますか";
        TooMany => "a sixth cell; a record has sfen, move, score, ply, result",
            "6 列目があります (sfen、move、score、ply、result の 5 列まで)";
        Quote => "an unmatched quote", "引用符が閉じていません";
        Move(fault) => "{fault}", "{fault}";
        Number => "expected a number in the field's range", "範囲内の数が必要です";
        Key => "expected `sfen`, `move`, `score`, `ply` or `result`",
            "`sfen`、`move`、`score`、`ply`、`result` のいずれでもありません";
        Repeated => "the member occurs twice", "同じ項目が 2 回あります";
        Json => "expected one JSON object of strings, integers and null",
            "文字列・整数・null からなる 1 つの JSON オブジェクトが必要です";
    }
}

messages! {
    PlainFault {
        SfenMissing => "the block has no `sfen` line", "`sfen` の行がありません";
        Key => "expected `sfen`, `move`, `score`, `ply` or `result`",
            "`sfen`、`move`、`score`、`ply`、`result` のいずれでもありません";
        Repeated => "the key occurs twice", "同じ項目が 2 回あります";
        Number => "expected a number in the field's range", "範囲内の数が必要です";
    }
}

impl RecordFault {
    /// The fault's name for reports: the name in the specification where it has one, e.g. `KING_CODE`.
    pub const fn name(&self) -> &'static str {
        match self {
            RecordFault::Unpack(error) => error.name(),
            RecordFault::Pack(error) => error.name(),
            RecordFault::Move(fault) => fault.name(),
            RecordFault::Result(_) => "RESULT",
            RecordFault::Ply(_) => "PLY",
            RecordFault::Sfen(_) => "SFEN",
            RecordFault::Plain(..) => "PLAIN",
            RecordFault::Cell(CellFault::Move(fault), _) => fault.name(),
            RecordFault::Cell(..) => "CELL",
            RecordFault::Game(fault) => fault.cause.name(),
            RecordFault::Unreached => "UNREACHED",
            RecordFault::NotPlayed => "NOT_PLAYED",
            RecordFault::Unplayable(cause) => cause.name(),
            RecordFault::Unanswered => "UNANSWERED",
            RecordFault::NoVisits => "NO_VISITS",
        }
    }

    /// Whether the fault merely follows from a fault of an earlier record and need not be reported again.
    pub const fn is_consequence(&self) -> bool {
        matches!(self, RecordFault::Unreached)
    }
}

impl From<UnpackError> for RecordFault {
    fn from(error: UnpackError) -> Self {
        RecordFault::Unpack(error)
    }
}

impl From<PackError> for RecordFault {
    fn from(error: PackError) -> Self {
        RecordFault::Pack(error)
    }
}

messages! {
    RecordFault {
        Unpack(error) => "position: {error}", "{error}";
        Pack(error) => "position: {error}", "{error}";
        Move(fault) => "{fault}", "{fault}";
        Result(code) => "result: {code} is not a result in this format", "勝敗 {code} はこの形式にありません";
        Ply(ply) => "ply: {ply} does not fit in the 16 bits of the target", "手数 {ply} は出力形式の 16 ビットに収まりません";
        Sfen(error) => "SFEN: {error}", "{error}";
        Plain(fault, line) => "line {line} of the block: {fault}", "ブロックの {line} 行目: {fault}";
        Cell(fault, column) => "column {column}: {fault}", "{column} 桁目: {fault}";
        Game(fault) => "{fault}", "{fault}";
        Unreached => "the game stopped at an earlier move", "対局がこれより前の手で止まっています";
        NotPlayed => "the record has no move, but games consist of moves", "指し手がなく、棋譜になりません";
        Unplayable(cause) => "{cause}", "{cause}";
        Unanswered => "the engine failed at this position", "エンジンがこの局面で失敗しました";
        NoVisits => "all visits are 0", "訪問回数がすべて 0 です";
    }
}

impl core::error::Error for RecordFault {}

/// Why the start of the next record of a stream cannot be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Damage {
    /// The next line of text or game of `.pack` does not end within [`Damage::LONGEST`] bytes.
    TooLong,
    /// A line of a table names columns other than its own, or in another order: the lines after it would be misread.
    Columns,
    /// A game of `.pack` starts with this byte.
    GameStart(u8),
    /// A game of `.pack` has a move whose bits are not well-formed, or a special move that does not end a game.
    GameMove(MoveFault),
    /// A game of `.pack` ends with this unknown reason code.
    EndReason(u8),
    /// A game of hcpe3 has this unknown opponent code.
    Opponent(u8),
    /// A move of hcpe3 has this many candidates, more than any position has legal moves.
    Candidates(u16),
}

impl Damage {
    /// The maximum size in bytes of a record of text, or of a game of `.pack`: room for a million moves.
    pub const LONGEST: usize = 1 << 22;
}

messages! {
    Damage {
        TooLong with (most = Damage::LONGEST >> 20) => "no record ends within {most} MiB",
            "{most} MiB 以内にレコードの終わりがありません";
        Columns => "the columns are not named sfen, move, score, ply, result in this order",
            "列の名前が sfen、move、score、ply、result の順ではありません";
        GameStart(byte) => "a GenSfen game starts with {byte}, not with 0 or 1",
            "GenSfen の対局の先頭が 0 でも 1 でもなく {byte} です";
        GameMove(fault) => "a GenSfen game with a malformed move: {fault}",
            "GenSfen の対局に指し手でないものがあります: {fault}";
        EndReason(code) => "a GenSfen game that ends for an unknown reason, {code}",
            "GenSfen の対局の終局理由 {code} は不明です";
        Opponent(code) => "an hcpe3 game whose opponent is {code}, not 0, 1 or 2",
            "hcpe3 の対局の相手が 0、1、2 のいずれでもなく {code} です";
        Candidates(count) => "an hcpe3 move with {count} candidates, more than 593",
            "hcpe3 の手に候補手が {count} 個あります (593 個まで)";
    }
}

/// The place of a record in the games of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GamePlace {
    /// The number of the game in the stream, counted from 0.
    pub game: u64,
    /// The number of the move that is played in the position, counted from 1 at the start of the game.
    pub number: u32,
}

/// The place and the cause of a game's fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameFault {
    /// The game and the faulty move; move 1 if the game as a whole is at fault.
    pub place: GamePlace,
    /// The byte of the stream at which that move, or the game, starts.
    pub offset: u64,
    /// The cause.
    pub cause: GameCause,
}

/// Why a game cannot be replayed further, or a record cannot be a position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GameCause {
    /// The start position does not decode.
    Start(UnpackError),
    /// No game can be played from the start position, because of this fault, its first.
    Position(PositionFault),
    /// In the start position, the side that is not to move is in check.
    OpponentInCheck,
    /// The code of the result is not one of the format's.
    Result(u8),
    /// The bits of the move are not well-formed.
    Bits(MoveFault),
    /// The rules forbid the move.
    Illegal(Move16, Illegality),
}

impl GameCause {
    /// The cause's name for reports, e.g. `MOVE_NIFU`.
    pub const fn name(&self) -> &'static str {
        match self {
            GameCause::Start(error) => error.name(),
            GameCause::Position(PositionFault::Nifu(..)) => "POSITION_NIFU",
            GameCause::Position(PositionFault::DeadEnd(..)) => "POSITION_DEAD_END",
            GameCause::Position(_) => "POSITION",
            GameCause::OpponentInCheck => "POSITION_OPPONENT_IN_CHECK",
            GameCause::Result(_) => "RESULT",
            GameCause::Bits(fault) => fault.name(),
            GameCause::Illegal(_, reason) => reason.name(),
        }
    }

    /// Whether a move is at fault rather than the game as a whole.
    pub const fn is_of_move(&self) -> bool {
        matches!(self, GameCause::Bits(_) | GameCause::Illegal(..))
    }
}

impl Message for GameFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameFault { place: GamePlace { game, number }, offset, cause } = self;
        say_match!(f, lang, cause;
            GameCause::Bits(_) | GameCause::Illegal(..) => "game {game}, move {number} (byte {offset}): {cause}",
                "対局 {game} の {number} 手目 (バイト {offset}): {cause}", game, number, offset, cause;
            GameCause::Result(_) => "game {game}, {cause}", "対局 {game}: {cause}", game, cause;
            GameCause::Start(_) | GameCause::Position(_) | GameCause::OpponentInCheck => "game {game}, start {cause}",
                "対局 {game} の開始局面: {cause}", game, cause;
        )
    }
}

komabako_messages::english!(GameFault);

messages! {
    GameCause {
        Start(error) => "position: {error}", "{error}";
        Position(fault) => "position: {fault}", "{fault}";
        OpponentInCheck with (fault = OpponentInCheck) => "position: {fault}", "{fault}";
        Result(code) => "result: {code} is not a result in this format", "勝敗 {code} はこの形式にありません";
        Bits(fault) => "{fault}", "{fault}";
        Illegal(mv, reason) => "{mv} is illegal: {reason}", "{mv} は指せません。{reason}";
    }
}

impl core::error::Error for GameFault {}

impl core::error::Error for GameCause {}

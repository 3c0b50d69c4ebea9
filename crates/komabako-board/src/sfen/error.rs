//! The faults of SFEN texts and their places.

use core::fmt;

use komabako_messages::{Lang, Message, Phrase, WithAdvice, messages, phrase, say};

use crate::words::Found;
use crate::{BaseKind, Color, Rank};

/// The reason why a text is not an SFEN, and its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SfenError {
    /// The column of the fault, counted from 1; one past the last column at the end of the text. Everything before a
    /// fault is ASCII, so that bytes and characters are the same.
    pub column: usize,
    /// The fault at this column.
    pub fault: SfenFault,
    /// The character there, U+FFFD if it is not UTF-8, or `None` at the end of the text.
    pub found: Option<char>,
}

/// A fault of an SFEN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SfenFault {
    /// After `position` comes neither `sfen` nor `startpos`.
    Start,
    /// The text has no board.
    BoardMissing,
    /// A character on the board that is not a piece, a digit 1 to 9, `+` or `/`.
    Board,
    /// `+` before a character that is not a piece.
    Promoted,
    /// `+` before a gold or a king.
    DoesNotPromote(BaseKind),
    /// More than nine squares in a rank.
    RankTooLong(Rank),
    /// A rank that ends after this many squares.
    RankTooShort(Rank, u8),
    /// A board that ends after this many ranks.
    RanksMissing(u8),
    /// A tenth rank.
    TooManyRanks,
    /// The colour has a king already.
    SecondKing(Color),
    /// More pieces of a kind than a set has, the board and both hands together.
    TooMany(BaseKind),
    /// The side to move is neither `b` nor `w`.
    Side,
    /// A character in the hands that is neither part of a count nor one of R B G S N L P.
    Hand,
    /// A king in a hand.
    KingInHand,
    /// A promoted piece in a hand.
    PromotedInHand,
    /// A count that is 0 or starts with 0.
    Count,
    /// The ply is not a number.
    Ply,
    /// The ply is more than `u32::MAX`.
    PlyTooLarge,
    /// Moves after the position, which only [`parse_game`](crate::sfen::parse_game) reads.
    Moves,
    /// More text after the position.
    Trailing,
}

impl SfenError {
    /// The sentence without the column, for callers that show the column themselves.
    pub const fn what(&self) -> What<'_> {
        What(self)
    }

    /// The sentence with the [advice](SfenFault::advice).
    pub const fn with_advice(&self) -> WithAdvice<&SfenError, Phrase> {
        WithAdvice(self, self.fault.advice())
    }
}

impl Message for SfenError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            f,
            lang,
            "column {column}: {what}",
            "{column} 桁目: {what}",
            column = self.column,
            what = self.what()
        )
    }
}

/// [`SfenError::what`].
#[derive(Clone, Copy, Debug)]
pub struct What<'a>(&'a SfenError);

impl Message for What<'_> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SfenError { fault, found, .. } = self.0;
        match (lang, fault.is_about_found()) {
            (Lang::Ja, _) | (Lang::En, true) => Found { expected: fault, found: *found }.write(lang, f),
            (Lang::En, false) => fault.write(lang, f),
        }
    }
}

komabako_messages::english!(SfenError, What<'_>);

impl core::error::Error for SfenError {}

impl SfenFault {
    /// What to do about it, if the fault itself suggests it.
    pub const fn advice(self) -> Option<Phrase> {
        match self {
            SfenFault::PromotedInHand => Some(phrase!("leave the `+` out", "`+` を取り除いてください")),
            SfenFault::Count => {
                Some(phrase!("leave pieces out that are not there", "ない駒は書かないでください"))
            }
            SfenFault::Moves => Some(phrase!(
                "cut the line here, or read it as a game",
                "ここで行を切るか、棋譜として読み込んでください",
            )),
            _ => None,
        }
    }

    /// The name of the fault that does not change between releases: `RANK_TOO_LONG`.
    pub const fn name(self) -> &'static str {
        match self {
            SfenFault::Start => "START",
            SfenFault::BoardMissing => "BOARD_MISSING",
            SfenFault::Board => "BOARD",
            SfenFault::Promoted => "PROMOTED",
            SfenFault::DoesNotPromote(_) => "DOES_NOT_PROMOTE",
            SfenFault::RankTooLong(_) => "RANK_TOO_LONG",
            SfenFault::RankTooShort(..) => "RANK_TOO_SHORT",
            SfenFault::RanksMissing(_) => "RANKS_MISSING",
            SfenFault::TooManyRanks => "TOO_MANY_RANKS",
            SfenFault::SecondKing(_) => "SECOND_KING",
            SfenFault::TooMany(_) => "TOO_MANY",
            SfenFault::Side => "SIDE",
            SfenFault::Hand => "HAND",
            SfenFault::KingInHand => "KING_IN_HAND",
            SfenFault::PromotedInHand => "PROMOTED_IN_HAND",
            SfenFault::Count => "COUNT",
            SfenFault::Ply => "PLY",
            SfenFault::PlyTooLarge => "PLY_TOO_LARGE",
            SfenFault::Moves => "MOVES",
            SfenFault::Trailing => "TRAILING",
        }
    }

    /// Whether the message names the expected text, so that it is completed with the character found.
    const fn is_about_found(self) -> bool {
        matches!(
            self,
            SfenFault::Start
                | SfenFault::Board
                | SfenFault::Promoted
                | SfenFault::Side
                | SfenFault::Hand
                | SfenFault::Ply
                | SfenFault::Trailing
        )
    }
}

messages! {
    SfenFault {
        Start => "expected `sfen` or `startpos` after `position`", "`position` の後には `sfen` か `startpos` が必要です";
        BoardMissing => "the text ends where a board should start", "盤面がありません";
        Board => "expected a piece, a digit 1 to 9, `+` or `/`", "駒、1 から 9 の数字、`+`、`/` のいずれかが必要です";
        Promoted => "expected one of P L N S B R after `+`", "`+` の後には P L N S B R のいずれかが必要です";
        DoesNotPromote(kind) => "a piece of kind {kind} does not promote", "{kind}は成れません";
        RankTooLong(rank) => "rank {rank} has more than nine squares", "{rank} 段目が 9 マスを超えています";
        RankTooShort(rank, squares) => "rank {rank} ends after {squares} of nine squares",
            "{rank} 段目が {squares} マスで終わっています (9 マス必要)";
        RanksMissing(ranks) => "the board ends after {ranks} of nine ranks", "盤面が {ranks} 段で終わっています (9 段必要)";
        TooManyRanks => "a tenth rank; a board has nine", "10 段目があります (盤面は 9 段)";
        SecondKing(color) => "a second king of {color}", "{color}の玉が 2 枚あります";
        TooMany(kind) with (most = kind.inventory()) => "more than {most} pieces of kind {kind}, board and hands together",
            "{kind}が盤と持ち駒を合わせて {most} 枚を超えています";
        Side => "expected the side to move, a lone `b` or `w`", "手番 `b` か `w` が必要です";
        Hand => "expected a count or one of R B G S N L P in the hands",
            "持ち駒には枚数か R B G S N L P のいずれかが必要です";
        KingInHand => "a king cannot be in a hand", "玉は持ち駒になりません";
        PromotedInHand => "pieces in a hand are not promoted",
            "持ち駒に成駒はありません";
        Count => "a count in a hand starts with 1 to 9",
            "持ち駒の枚数は 1 から 9 で始まります";
        Ply => "expected the ply, a number", "手数の数字が必要です";
        PlyTooLarge => "the ply does not fit in 32 bits", "手数が大きすぎます";
        Moves => "moves after the position",
            "局面の後に指し手があります";
        Trailing => "expected the end of the text", "局面の後に余分な文字があります";
    }
}

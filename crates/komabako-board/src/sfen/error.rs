//! The faults of SFEN texts and their places.

use core::fmt;

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

impl fmt::Display for SfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.fault)?;
        match (self.fault.is_about_found(), self.found) {
            (false, _) => Ok(()),
            (true, Some(found)) => write!(f, ", found `{}`", found.escape_debug()),
            (true, None) => f.write_str(", found the end of the text"),
        }
    }
}

impl core::error::Error for SfenError {}

impl SfenFault {
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

impl fmt::Display for SfenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SfenFault::Start => "expected `sfen` or `startpos` after `position`",
            SfenFault::BoardMissing => "the text ends where a board should start",
            SfenFault::Board => "expected a piece, a digit 1 to 9, `+` or `/`",
            SfenFault::Promoted => "expected one of P L N S B R after `+`",
            SfenFault::TooManyRanks => "a tenth rank; a board has nine",
            SfenFault::Side => "expected the side to move, a lone `b` or `w`",
            SfenFault::Hand => "expected a count or one of R B G S N L P in the hands",
            SfenFault::KingInHand => "a king cannot be in a hand",
            SfenFault::PromotedInHand => "pieces in a hand are not promoted; leave the `+` out",
            SfenFault::Count => "a count in a hand starts with 1 to 9; leave pieces out that are not there",
            SfenFault::Ply => "expected the ply, a number",
            SfenFault::PlyTooLarge => "the ply does not fit in 32 bits",
            SfenFault::Moves => "moves after the position; cut the line here, or read it as a game",
            SfenFault::Trailing => "expected the end of the text",
            SfenFault::DoesNotPromote(kind) => {
                return write!(f, "a piece of kind {} does not promote", kind.letter());
            }
            SfenFault::RankTooLong(rank) => {
                return write!(f, "rank {} has more than nine squares", rank.to_usi());
            }
            SfenFault::RankTooShort(rank, squares) => {
                return write!(f, "rank {} ends after {squares} of nine squares", rank.to_usi());
            }
            SfenFault::RanksMissing(ranks) => return write!(f, "the board ends after {ranks} of nine ranks"),
            SfenFault::SecondKing(color) => return write!(f, "a second king of {color:?}"),
            SfenFault::TooMany(kind) => {
                return write!(
                    f,
                    "more than {} pieces of kind {}, board and hands together",
                    kind.inventory(),
                    kind.letter()
                );
            }
        })
    }
}

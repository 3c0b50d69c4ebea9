//! [`KifuError`]: where and why a game record cannot be read; [`Notice`]: a deviation that was tolerated.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use komabako_rules::Move16;

use crate::lines::Line;
use crate::record::UnplayableSetup;

/// Why a game record cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The bytes are not UTF-8, CP932 or EUC-JP; the word names another encoding if it is known.
    Encoding,
    /// The text violates the format's syntax.
    Syntax,
    /// The handicap requires a board, which is missing.
    Handicap,
    /// No handicap has this name, and no board is drawn.
    UnknownHandicap,
    /// A row of the board does not have nine cells, or a row is missing.
    BoardRow,
    /// A hand contains an unknown piece, or more pieces than the set has left.
    Hand,
    /// No game can be played from the position, for this reason.
    Setup(UnplayableSetup),
    /// A line is out of order: a position after the first move, a move after the end.
    Order,
    /// The move belongs to the side that is not to move; or the side to move is missing.
    Side,
    /// A pass, which is not a move of shogi.
    Pass,
    /// The number of the move is not the next one.
    MoveNumber,
    /// No line has the move that the variation is to replace.
    Variation,
    /// No legal move matches.
    IllegalMove,
    /// Both of these moves match.
    Ambiguous(Move16, Move16),
    /// The text is not JSON.
    Json,
    /// A member of the JSON has a type or value that JKF does not allow.
    Field,
    /// The record is larger than [`MAX_NODES`](crate::MAX_NODES) or [`MAX_BYTES`](crate::MAX_BYTES).
    Limit,
}

impl Fault {
    /// The name of the fault, which is stable between releases: `ILLEGAL_MOVE`.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Encoding => "ENCODING",
            Fault::Syntax => "SYNTAX",
            Fault::Handicap => "HANDICAP",
            Fault::UnknownHandicap => "UNKNOWN_HANDICAP",
            Fault::BoardRow => "BOARD_ROW",
            Fault::Hand => "HAND",
            Fault::Setup(_) => "SETUP",
            Fault::Order => "ORDER",
            Fault::Side => "SIDE",
            Fault::Pass => "PASS",
            Fault::MoveNumber => "MOVE_NUMBER",
            Fault::Variation => "VARIATION",
            Fault::IllegalMove => "ILLEGAL_MOVE",
            Fault::Ambiguous(..) => "AMBIGUOUS",
            Fault::Json => "JSON",
            Fault::Field => "FIELD",
            Fault::Limit => "LIMIT",
        }
    }
}

/// Where and why a game record cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KifuError {
    /// The number of the game in its text, from 1, if the text holds several games. Readers of one game leave it to [`Games`](crate::Games).
    pub game: Option<u32>,
    /// The line, from 1. Lines end in LF, CRLF or CR.
    pub line: u32,
    /// The column of the wrong word, from 1: in characters, or in half-width columns for rows of a board (as its grid is
    /// drawn).
    pub column: u32,
    /// The byte of that word in the text as UTF-8, from 0; for [`Fault::Encoding`] the byte of the file.
    pub byte: usize,
    /// The fault.
    pub fault: Fault,
    /// The wrong word.
    pub text: String,
}

/// The maximum length in characters of the quotation of a wrong word.
const QUOTED: usize = 40;

impl KifuError {
    /// An error at a byte of a line.
    #[cold]
    pub(crate) fn at(line: Line<'_>, byte: usize, fault: Fault) -> Self {
        let byte = line.text.floor_char_boundary(byte);
        let (before, rest) = line.text.split_at(byte);
        let column = match fault {
            Fault::BoardRow => before.chars().map(half_width_columns).sum::<u32>(),
            _ => before.chars().count() as u32,
        };
        let rest = rest.trim_start_matches([' ', '　']);
        let word = rest.split([' ', '\t']).next().unwrap_or_default();
        Self {
            game: None,
            line: line.number,
            column: column + 1,
            byte: line.start + byte,
            fault,
            text: word.chars().take(QUOTED).collect(),
        }
    }

    /// An error at a byte of the whole text.
    #[cold]
    pub(crate) fn in_text(text: &str, byte: usize, fault: Fault) -> Self {
        let byte = text.floor_char_boundary(byte);
        let line = crate::lines::line_at(text, byte);
        Self::at(line, byte - line.start, fault)
    }
}

/// The number of half-width columns of a character on a Japanese terminal.
fn half_width_columns(c: char) -> u32 {
    if c.is_ascii() || matches!(c, '\u{ff61}'..='\u{ff9f}') { 1 } else { 2 }
}

impl fmt::Display for KifuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, line, column, byte, fault, text } = self;
        if let Some(game) = game {
            write!(f, "game {game}, ")?;
        }
        write!(f, "line {line}, column {column}: ")?;
        match fault {
            Fault::Encoding if !text.is_empty() => {
                write!(f, "the file is in {text}, which is not read; save it as UTF-8")
            }
            Fault::Encoding => {
                write!(f, "byte {byte} of the file is not UTF-8, CP932 or EUC-JP; save the file as UTF-8")
            }
            Fault::Syntax => write!(f, "`{text}` is not understood; correct it or remove the line"),
            Fault::Handicap => write!(f, "`{text}` needs a board diagram; add one or name another handicap"),
            Fault::UnknownHandicap => {
                let names = crate::handicap::similar_names(text);
                write!(f, "`{text}` is not the name of a handicap; write one like ")?;
                write!(f, "{}, or add a board diagram", names.join(", "))
            }
            Fault::BoardRow => f.write_str("the board needs nine rows of nine cells; correct the row"),
            Fault::Hand => {
                write!(
                    f,
                    "the hand cannot hold `{text}`: it is no piece, or the set has none left; correct the hand"
                )
            }
            Fault::Setup(why) => write!(f, "{why}; correct the position"),
            Fault::Order => {
                write!(
                    f,
                    "`{text}` is out of order here: positions come before the moves, nothing after the end"
                )
            }
            Fault::Side if text.is_empty() => {
                f.write_str("the side to move is missing; add a line `+` or `-` after the position")
            }
            Fault::Side => {
                write!(
                    f,
                    "`{text}` is a move of the side that is not to move; correct the side or add the move before"
                )
            }
            Fault::Pass => write!(
                f,
                "`{text}` is not a move of shogi: no side may pass; end the game before it, and keep what follows as another game"
            ),
            Fault::MoveNumber => {
                write!(f, "`{text}` is not the number of the next move; correct the numbers")
            }
            Fault::Variation => {
                write!(
                    f,
                    "`{text}`: no line above has that move to replace; correct the number of the variation"
                )
            }
            Fault::IllegalMove => write!(f, "`{text}` is not a legal move here; correct the move"),
            Fault::Ambiguous(a, b) => {
                write!(f, "`{text}` may be {a} or {b}; add 右, 左, 上, 寄, 引 or the source, like `(77)`")
            }
            Fault::Json => f.write_str("the text is not JSON from here on; correct it"),
            Fault::Field => write!(f, "`{text}` is not valid JKF here; correct the member"),
            Fault::Limit => f.write_str("the record is too large; split it into several files"),
        }
    }
}

impl core::error::Error for KifuError {}

/// A deviation in a file that was tolerated: some text was ignored or read differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The line, from 1; 0 for the whole file.
    pub line: u32,
    /// The kind of the deviation.
    pub kind: NoticeKind,
    /// The text concerned.
    pub text: String,
}

/// The kind of a [`Notice`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoticeKind {
    /// A line does not belong to the format and was left out.
    IgnoredLine,
    /// Text after a move or ending was not understood: it is kept as a comment.
    IgnoredText,
    /// The total time contradicts the times of the moves; it is recomputed when written.
    TotalTime,
    /// The end sentence contradicts the ending's line, which takes precedence, or the side to move; or the word or sentence
    /// of an ending is not understood, and names no result.
    EndSentence,
    /// The number of moves in the end sentence is wrong.
    MoveCount,
    /// A comment names the end of the game, and no line does.
    EndComment,
    /// An entry of the header holds a move, and no move was read, or it comes after a move.
    HeaderMove,
    /// The board differs from the named handicap; the board takes precedence.
    HandicapAndBoard,
    /// No position was given: an even game was assumed.
    NoPosition,
    /// A second bookmark of one move replaced the first.
    Bookmark,
    /// An illegal move before the end is kept as a comment.
    IllegalMove,
    /// Text after a whole move or an ending is kept as a comment.
    KeptText,
    /// The result that the server states contradicts the ending's line; the server, as the referee, takes precedence.
    ServerResult,
    /// The names in the result that the server states are not those of the players: its reason, or else the order of the names,
    /// tells who won.
    ServerNames,
    /// No side to move was given: it was taken from the first move, or assumed.
    NoSide,
    /// The file's extension belongs to another format.
    Extension,
    /// The file is in an old encoding, which was recognised by its bytes.
    Encoding,
}

impl NoticeKind {
    /// The name of the kind, which is stable between releases: `TOTAL_TIME`.
    pub const fn name(self) -> &'static str {
        match self {
            NoticeKind::IgnoredLine => "IGNORED_LINE",
            NoticeKind::IgnoredText => "IGNORED_TEXT",
            NoticeKind::TotalTime => "TOTAL_TIME",
            NoticeKind::EndSentence => "END_SENTENCE",
            NoticeKind::MoveCount => "MOVE_COUNT",
            NoticeKind::EndComment => "END_COMMENT",
            NoticeKind::HeaderMove => "HEADER_MOVE",
            NoticeKind::HandicapAndBoard => "HANDICAP_AND_BOARD",
            NoticeKind::NoPosition => "NO_POSITION",
            NoticeKind::Bookmark => "BOOKMARK",
            NoticeKind::IllegalMove => "ILLEGAL_MOVE",
            NoticeKind::KeptText => "KEPT_TEXT",
            NoticeKind::ServerResult => "SERVER_RESULT",
            NoticeKind::ServerNames => "SERVER_NAMES",
            NoticeKind::NoSide => "NO_SIDE",
            NoticeKind::Extension => "EXTENSION",
            NoticeKind::Encoding => "ENCODING",
        }
    }
}

impl Notice {
    pub(crate) fn new(line: u32, kind: NoticeKind, text: &str) -> Self {
        Self { line, kind, text: text.to_owned() }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, kind, text } = self;
        if *line > 0 {
            write!(f, "line {line}: ")?;
        }
        match kind {
            NoticeKind::IgnoredLine => write!(f, "line left out: `{text}`"),
            NoticeKind::IgnoredText => write!(f, "text after a move or ending kept as a comment: `{text}`"),
            NoticeKind::TotalTime => write!(f, "the total time `{text}` is not the sum of the times"),
            NoticeKind::EndSentence => {
                write!(f, "`{text}` contradicts the moves or the ending above, or names no result")
            }
            NoticeKind::MoveCount => write!(f, "`{text}` does not match the number of moves"),
            NoticeKind::EndComment => write!(f, "the comment `{text}` was read as the end of the game"),
            NoticeKind::HeaderMove => {
                write!(f, "`{text}` holds a move, but was read as an entry of the header")
            }
            NoticeKind::HandicapAndBoard => {
                write!(f, "the board differs from `{text}`: the board was read")
            }
            NoticeKind::NoPosition => f.write_str("no position given: read as an even game"),
            NoticeKind::Bookmark => write!(f, "an earlier bookmark was replaced by `{text}`"),
            NoticeKind::IllegalMove => write!(f, "the illegal move `{text}` is kept as a comment"),
            NoticeKind::KeptText => write!(f, "text after a move or an ending kept as a comment: `{text}`"),
            NoticeKind::ServerResult => {
                write!(f, "`{text}` of the server contradicts the ending: the server's result was read")
            }
            NoticeKind::ServerNames => {
                write!(
                    f,
                    "`{text}` does not tell the players apart: its reason decided who won, or Black was taken to be named first"
                )
            }
            NoticeKind::NoSide => write!(f, "no side to move given: read as `{text}`"),
            NoticeKind::Extension => write!(f, "the content is {text}, contrary to the file's name"),
            NoticeKind::Encoding => write!(f, "the text was read as {text}"),
        }
    }
}

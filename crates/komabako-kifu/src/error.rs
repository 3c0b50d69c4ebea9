//! [`KifuError`]: where and why a game record cannot be read; [`Notice`]: a deviation that was tolerated.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use komabako_messages::{Lang, Message, WithAdvice, say, say_match};
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
    /// There is no text.
    Empty,
    /// A mail quotes the text: every line begins with `>`.
    Quoted,
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
    /// A line contradicts one before it: another handicap, side or hand, a row of the board or a piece where one is.
    Contradiction,
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
            Fault::Empty => "EMPTY",
            Fault::Quoted => "QUOTED",
            Fault::Handicap => "HANDICAP",
            Fault::UnknownHandicap => "UNKNOWN_HANDICAP",
            Fault::BoardRow => "BOARD_ROW",
            Fault::Hand => "HAND",
            Fault::Setup(_) => "SETUP",
            Fault::Contradiction => "CONTRADICTION",
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
        // The byte may be that of a byte order mark before the line.
        Self::at(line, byte.saturating_sub(line.start), fault)
    }
}

/// The number of half-width columns of a character on a Japanese terminal.
fn half_width_columns(c: char) -> u32 {
    if c.is_ascii() || matches!(c, '\u{ff61}'..='\u{ff9f}') { 1 } else { 2 }
}

impl KifuError {
    /// What is wrong, without the place.
    pub const fn what(&self) -> What<'_> {
        What(self)
    }

    /// What to do about it, if the fault itself suggests it.
    pub fn advice(&self) -> Option<Advice<'_>> {
        (!matches!(self.fault, Fault::Order | Fault::Contradiction | Fault::Empty)).then_some(Advice(self))
    }

    /// The whole sentence and the advice.
    pub fn with_advice(&self) -> WithAdvice<&KifuError, Advice<'_>> {
        WithAdvice(self, self.advice())
    }
}

impl Message for KifuError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(game) = self.game {
            say!(f, lang, "game {game}, ", "{game} 局目 ", game)?;
        }
        let line = self.line;
        let column = self.column;
        say!(f, lang, "line {line}, column {column}: ", "{line} 行目 {column} 桁目: ", line, column)?;
        self.what().write(lang, f)
    }
}

/// [`KifuError::what`].
#[derive(Clone, Copy, Debug)]
pub struct What<'a>(&'a KifuError);

impl Message for What<'_> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KifuError { byte, fault, text, .. } = self.0;
        say_match!(f, lang, fault;
            Fault::Encoding if text.is_empty() => "byte {byte} of the file is not UTF-8, CP932 or EUC-JP",
                "{byte} バイト目は UTF-8 でも CP932 でも EUC-JP でもありません", byte;
            Fault::Encoding => "the file is in {text}, which is not read", "{text} は読めません", text;
            Fault::Syntax => "`{text}` is not understood", "`{text}` を解釈できません", text;
            Fault::Empty => "the file holds no game", "棋譜がありません";
            Fault::Quoted => "every line is quoted with `>`, as in a mail",
                "メールの引用のように、どの行も `>` で始まっています";
            Fault::Handicap => "`{text}` needs a board diagram", "手合割 `{text}` には盤面図が必要です", text;
            Fault::UnknownHandicap => "`{text}` is not the name of a handicap",
                "手合割 `{text}` は不明です", text;
            Fault::BoardRow => "the board needs nine rows of nine cells", "盤面図は 9 段 9 筋です";
            Fault::Hand => "the hand cannot hold `{text}`: it is no piece, or the set has none left",
                "持駒 `{text}` は駒の数を超えているか、駒ではありません", text;
            Fault::Setup(why) => { why.write(lang, f) };
            Fault::Contradiction => "`{text}` contradicts a line before it", "`{text}` は前の行と矛盾します", text;
            Fault::Order => "`{text}` is out of order here: positions come before the moves, nothing after the end",
                "`{text}` はここに置けません。局面は指し手の前、終局の後には何も置けません", text;
            Fault::Side if text.is_empty() => "the side to move is missing", "手番がありません";
            Fault::Side => "`{text}` is a move of the side that is not to move",
                "`{text}` は手番でない側の手です", text;
            Fault::Pass => "`{text}` is not a move of shogi: no side may pass",
                "`{text}` は将棋の指し手ではありません", text;
            Fault::MoveNumber => "`{text}` is not the number of the next move",
                "`{text}` は次の手数ではありません", text;
            Fault::Variation => "`{text}`: no line above has that move to replace",
                "`{text}` 手目のある手順が前にありません", text;
            Fault::IllegalMove => "`{text}` is not a legal move here", "`{text}` はここでは指せません", text;
            Fault::Ambiguous(a, b) => "`{text}` may be {a} or {b}",
                "`{text}` は {a} とも {b} とも読めます", text, a, b;
            Fault::Json => "the text is not JSON from here on", "ここから先が JSON ではありません";
            Fault::Field => "`{text}` is not valid JKF here", "`{text}` は JKF の値ではありません", text;
            Fault::Limit => "the record is too large", "棋譜が大きすぎます";
        )
    }
}

/// [`KifuError::advice`].
#[derive(Clone, Copy, Debug)]
pub struct Advice<'a>(&'a KifuError);

impl Message for Advice<'_> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KifuError { fault, text, .. } = self.0;
        say_match!(f, lang, fault;
            Fault::Encoding => "if it is text, save it as UTF-8", "テキストなら UTF-8 で保存し直してください";
            Fault::Syntax => "correct it or remove the line", "直すか、その行を除いてください";
            Fault::Quoted => "remove the `>` from the lines", "行頭の `>` を除いてください";
            Fault::Handicap => "add one or name another handicap", "盤面図を加えるか手合割を直してください";
            Fault::UnknownHandicap => {
                let comma = if lang == Lang::En { ", " } else { "、" };
                say!(
                    f, lang, "write one like {names}, or add a board diagram",
                    "{names} などの名前に直すか、盤面図を加えてください",
                    names = crate::handicap::similar_names(text).join(comma)
                )
            };
            Fault::BoardRow => "correct the row", "この段を直してください";
            Fault::Hand => "correct the hand", "直してください";
            Fault::Setup(_) => "correct the position", "局面を直してください";
            Fault::Side if text.is_empty() => "add a line `+` or `-` after the position",
                "局面の後に `+` か `-` の行を加えてください";
            Fault::Side => "correct the side or add the move before", "手番を直すか、前の手を補ってください";
            Fault::Pass => "end the game before it, and keep what follows as another game",
                "その前で終わりとし、続きは別の棋譜にしてください";
            Fault::MoveNumber => "correct the numbers", "手数を直してください";
            Fault::Variation => "correct the number of the variation", "変化の手数を直してください";
            Fault::IllegalMove => "correct the move", "指し手を直してください";
            Fault::Ambiguous(..) => "add {words} or the source, like `(77)`",
                "右・左・上・寄・引か、(77) のような移動元を加えてください", words = "右, 左, 上, 寄, 引";
            Fault::Json => "correct it", "直してください";
            Fault::Field => "correct the member", "直してください";
            Fault::Limit => "split it into several files", "分けてください";
            Fault::Order | Fault::Contradiction | Fault::Empty => { Ok(()) };
        )
    }
}

komabako_messages::english!(KifuError, What<'_>, Advice<'_>);

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
    /// The end sentence contradicts the ending's line, which takes precedence, or the side to move, or holds a move;
    /// or the word or sentence of an ending is not understood, and names no result.
    EndSentence,
    /// The number of moves in the end sentence is wrong.
    MoveCount,
    /// A comment names the end of the game, and no line does.
    EndComment,
    /// An entry of the header holds a move, and no move was read; or it comes after a move, and is no usual one.
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

impl Message for Notice {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            say!(f, lang, "line {line}: ", "{line} 行目: ", line = self.line)?;
        }
        self.what(lang, f)
    }
}

impl Notice {
    fn what(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        say_match!(f, lang, self.kind;
            NoticeKind::IgnoredLine => "line left out: `{text}`", "読み飛ばした行: `{text}`", text;
            NoticeKind::IgnoredText | NoticeKind::KeptText =>
                "text after a move or ending kept as a comment: `{text}`",
                "指し手や終局の後の `{text}` はコメントに残しました", text;
            NoticeKind::TotalTime => "the total time `{text}` is not the sum of the times",
                "累計時間 `{text}` が各手の合計と合いません", text;
            NoticeKind::EndSentence => "`{text}` contradicts the moves or the ending above, or names no result",
                "`{text}` が指し手や終局と合わないか、勝敗を示していません", text;
            NoticeKind::MoveCount => "`{text}` does not match the number of moves",
                "`{text}` の手数が合いません", text;
            NoticeKind::EndComment => "the comment `{text}` was read as the end of the game",
                "コメント `{text}` を終局としました", text;
            NoticeKind::HeaderMove => "`{text}` was read as an entry of the header",
                "`{text}` をヘッダーの項目として読みました", text;
            NoticeKind::HandicapAndBoard => "the board differs from `{text}`: the board was read",
                "盤面図が手合割 `{text}` と異なるため、盤面図を採りました", text;
            NoticeKind::NoPosition => "no position given: read as an even game",
                "開始局面がないため、平手としました";
            NoticeKind::Bookmark => "an earlier bookmark was replaced by `{text}`",
                "しおりを `{text}` に置き換えました", text;
            NoticeKind::IllegalMove => "the illegal move `{text}` is kept as a comment",
                "反則手 `{text}` はコメントに残しました", text;
            NoticeKind::ServerResult => "`{text}` of the server contradicts the ending: the server's result was read",
                "サーバーの結果 `{text}` が終局と異なるため、サーバーの結果を採りました", text;
            NoticeKind::ServerNames =>
                "`{text}` does not tell the players apart: its reason decided who won, or Black was taken to be named \
                 first",
                "`{text}` に両対局者の名前がないため、理由から勝者を決めるか、先に書かれた側を先手としました", text;
            NoticeKind::NoSide => "no side to move given: read as `{text}`",
                "手番がないため、`{text}` としました", text;
            NoticeKind::Extension => "the content is {text}, contrary to the file's name",
                "中身は {text} です (拡張子と異なります)", text;
            NoticeKind::Encoding => "the text was read as {text}", "{text} として読みました", text;
        )
    }
}

komabako_messages::english!(Notice);

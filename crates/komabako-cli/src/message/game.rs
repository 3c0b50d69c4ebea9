//! Texts of `perft`, `moves` and `play`.

use komabako::board::usi::{UsiError, UsiFault};
use komabako::board::{Color, File, Rank, Square};
use komabako::rules::MoveTextError;
use komabako::rules::{Illegality, Repetition};

use super::fault::{kind_ja, side_ja};
use super::lang::Lang;

texts! {
    game_help() {
        "give an SFEN or `startpos`, optionally followed by `moves` and USI moves",
        "SFEN または `startpos` を指定してください。続けて `moves` と USI の指し手を書けます"
    }
    opponent_in_check() {
        "the side not to move is in check",
        "手番でない側の玉に王手がかかっている"
    }
    not_a_move(number, why) { "move {number}: {why}", "{number} 手目: {why}" }
    move_help() {
        "write moves in USI (7g7f, 8h2b+, G*5e), CSA (+7776FU) or Japanese (▲7六歩)",
        "指し手は USI (7g7f、8h2b+、G*5e)、CSA (+7776FU)、日本語 (▲7六歩) のいずれかで書いてください"
    }
    not_move_text(at) { "byte {at}: not a move", "{at} バイト目: 指し手として読めません" }
    other_side() { "this is a move of the side not to move", "手番でない側の指し手です" }
    no_such_move() { "no legal move has this notation", "この表記に当たる合法手がありません" }
    ambiguous_move(a, b) { "ambiguous: {a} or {b}", "{a} と {b} のどちらか決まりません" }
    illegal_move(number, mv, why) {
        "move {number}, {mv}, is illegal: {why}",
        "{number} 手目の {mv} は反則です: {why}"
    }
    illegal_help() {
        "`komabako moves` lists the legal moves of a position",
        "局面の合法手は `komabako moves` で分かります"
    }
    unplayable_help() {
        "correct the position; `komabako inspect` shows it",
        "局面を直してください。盤面は `komabako inspect` で確かめられます"
    }
    nodes_label() { "nodes", "ノード数" }
    perft_time(seconds, speed) { "time {seconds} s, {speed} nodes/s", "時間 {seconds} 秒、毎秒 {speed} ノード" }
    perft_without_depth() { "the depth is missing", "数える深さが指定されていません" }
    perft_depth_help() {
        "give it with --depth, such as `komabako perft --depth 5 startpos moves 7g7f`",
        "`komabako perft --depth 5 startpos moves 7g7f` のように --depth で指定してください"
    }
    checkmate() { "checkmate", "詰み" }
    stalemate() { "no legal move: the side to move loses", "合法手なし (手番側の負け)" }
    in_check() { "in check", "王手がかかっている" }
    legal_moves(count) { "legal moves: {count}", "合法手 {count}" }
    occurrences(count) { "occurrence {count} of the position", "同一局面 {count} 回目" }
    may_declare(points) {
        "may declare a win ({points} points)",
        "入玉宣言で勝てる ({points} 点)"
    }
}

impl Lang {
    /// Why a text in CSA or Japanese is not a move.
    pub fn move_text_error(self, error: &MoveTextError) -> String {
        match *error {
            MoveTextError::Syntax(at) => self.not_move_text(at + 1),
            MoveTextError::Side => self.other_side(),
            MoveTextError::NoSuchMove => self.no_such_move(),
            MoveTextError::Ambiguous(a, b) => self.ambiguous_move(a, b),
            error => error.to_string(),
        }
    }

    /// The side to move.
    pub fn to_move(self, side: Color) -> String {
        match self {
            Lang::En => format!("{side:?} to move"),
            Lang::Ja => format!("{}番", side_ja(side)),
        }
    }

    /// The result of a fourth repetition.
    pub fn repetition(self, repetition: Repetition) -> String {
        match (self, repetition) {
            (Lang::En, Repetition::Draw) => "fourth repetition: drawn".to_owned(),
            (Lang::En, Repetition::PerpetualCheck(side)) => {
                format!("fourth repetition by perpetual check: {side:?} loses")
            }
            (Lang::Ja, Repetition::Draw) => "千日手".to_owned(),
            (Lang::Ja, Repetition::PerpetualCheck(side)) => {
                format!("連続王手の千日手 ({}の負け)", side_ja(side))
            }
        }
    }

    /// The parts of a line, joined.
    pub fn listed(self, parts: &[String]) -> String {
        parts.join(match self {
            Lang::En => "; ",
            Lang::Ja => "、",
        })
    }

    /// Why a text is not a move, without the column, which the caller prints.
    pub fn usi_error(self, error: &UsiError) -> String {
        let what = match (self, error.fault) {
            (Lang::Ja, UsiFault::Start) => "筋の数字 1 から 9 か、打つ駒 P L N S G B R が必要です".to_owned(),
            (Lang::Ja, UsiFault::Star) => "打つ駒の後には `*` が必要です".to_owned(),
            (Lang::Ja, UsiFault::File) => "筋の数字 1 から 9 が必要です".to_owned(),
            (Lang::Ja, UsiFault::Rank) => "段の英字 a から i が必要です".to_owned(),
            (Lang::Ja, UsiFault::SameSquare) => "移動先が移動元と同じマスです".to_owned(),
            (Lang::Ja, UsiFault::Trailing) => "指し手の後に余分な文字があります".to_owned(),
            (_, fault) => fault.to_string(),
        };
        match (self, error.found) {
            (Lang::En, Some(found)) => format!("{what}, found `{}`", found.escape_debug()),
            (Lang::En, None) => format!("{what}, found the end of the text"),
            (Lang::Ja, Some(found)) => format!("{what} (ここは `{}`)", found.escape_debug()),
            (Lang::Ja, None) => format!("{what} (ここで終わっています)"),
        }
    }

    /// Why the rules forbid a move.
    pub fn illegality(self, reason: Illegality) -> String {
        let name = |square: Square| format!("{}{}", File::of(square).number(), Rank::of(square).number());
        match (self, reason) {
            (Lang::Ja, Illegality::Malformed) => "指し手になっていません".to_owned(),
            (Lang::Ja, Illegality::NotInHand(kind)) => format!("持ち駒に{}がありません", kind_ja(kind)),
            (Lang::Ja, Illegality::Occupied(square)) => format!("{} にはすでに駒があります", name(square)),
            (Lang::Ja, Illegality::NoPiece(square)) => format!("{} に駒がありません", name(square)),
            (Lang::Ja, Illegality::OpponentsPiece(square)) => format!("{} の駒は相手の駒です", name(square)),
            (Lang::Ja, Illegality::OwnPiece(square)) => format!("{} には自分の駒があります", name(square)),
            (Lang::Ja, Illegality::Unreachable) => "その駒はそこへ動けないか、間に駒があります".to_owned(),
            (Lang::Ja, Illegality::Promotion) => "その手では成れません".to_owned(),
            (Lang::Ja, Illegality::DeadEnd) => "行き所のない駒になります".to_owned(),
            (Lang::Ja, Illegality::Nifu(file)) => format!("{} 筋で二歩になります", file.number()),
            (Lang::Ja, Illegality::KingInCheck) => "玉に王手がかかったままになります".to_owned(),
            (Lang::Ja, Illegality::PawnDropMate) => "打ち歩詰めです".to_owned(),
            _ => reason.to_string(),
        }
    }
}

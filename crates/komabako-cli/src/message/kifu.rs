//! Texts about game records.

use komabako::board::{File, Rank, SetupError};
use std::io;

use komabako::dataset::kifu::{ArchiveFault, BadGame, BadGameFault, PassedBy};
use komabako::kifu::{Fault, KifuError, Notice, NoticeKind, Times, Unmappable, UnplayableSetup};

use super::common::grouped;
use super::fault::{kind_ja, side_ja};
use super::lang::Lang;

texts! {
    kifu_files_label() { "files", "ファイル" }
    kifu_notices_label() { "notices", "注意" }
    kifu_bad_label() { "bad games", "不正な棋譜" }
    kifu_scores_label() { "scores", "評価値" }
    kifu_without_score_label() { "without score", "評価値なし" }
    kifu_unfinished_label() { "unfinished", "未終局" }
    kifu_clamped_label() { "clamped scores", "丸めた評価値" }
    kifu_moves_label() { "moves", "指し手" }
    kifu_no_game() { "no game found", "棋譜がありません" }
    kifu_no_output(path) {
        "{path}: not written, because no game could be read",
        "{path}: 読めた棋譜がないため、書き込みませんでした"
    }
    kifu_linked_folder(link) {
        "{link}: a link to a folder, which the search does not follow; name the folder to read it too",
        "{link}: フォルダーへのリンクのため、検索ではたどりません。読むには、そのフォルダーも指定してください"
    }
    kifu_other_members(archive, count, first) {
        "{archive}: {count} members are not read, because their names are not of game records, such as {first}",
        "{archive}: {first} など {count} 個のメンバーは、名前が棋譜のものでないため読みません"
    }
    kifu_no_position(moves) { "the game has fewer than {moves} moves", "{moves} 手まで進んでいません" }
    kifu_variations_label() { "variations", "変化" }
    kifu_endings_label() { "endings", "終局" }
    kifu_left_out(games) { "{games} left out", "{games}を除きました" }
    kifu_unscored_left_out(positions) {
        "{positions} left out; `--missing-score 0` keeps them, with score 0",
        "{positions}を除きました。`--missing-score 0` なら評価値 0 として残します"
    }
    kifu_unfinished_left_out(games) {
        "{games} left out; `--unfinished draw` keeps them, as draws",
        "{games}を除きました。`--unfinished draw` なら引き分けとして残します"
    }
    kifu_format_help() {
        "end the name in .kif, .kifu, .ki2, .csa, .jkf or .usi, or name a format with --to",
        "出力名を .kif、.kifu、.ki2、.csa、.jkf、.usi のいずれかにするか、--to で形式を指定してください"
    }
    kifu_several_games(path, format) {
        "{path}: {format} holds one game per file, but there are several",
        "{path}: {format} は 1 ファイルに 1 局ですが、棋譜が複数あります"
    }
    kifu_several_games_help() {
        "write one file per game with --split, or write CSA or USI, which hold several games",
        "--split で 1 局ずつ書くか、複数の棋譜を収める CSA か USI にしてください"
    }
    kifu_unmappable_at(line, column, character) {
        "line {line}, column {column} of the output: CP932 has no `{character}`",
        "出力の {line} 行 {column} 桁: CP932 に `{character}` はありません"
    }
    kifu_unmappable_help() {
        "write UTF-8 with --encoding utf-8 or a name in .kifu or .ki2u, or give a replacement character: --unmappable 〓",
        "--encoding utf-8 か .kifu・.ki2u で UTF-8 にするか、代わりの文字を指定してください: --unmappable 〓"
    }
    kifu_several_label() { "several games", "複数局" }
    kifu_place(line, column) { "line {line}, column {column}", "{line} 行 {column} 桁" }
    kifu_move_of_game(game, number) { "game {game}, move {number}", "{game} 局目 {number} 手目" }
    kifu_move_number(number) { "move {number}", "{number} 手目" }
    kifu_bad_game_help() {
        "correct the game, or leave it out with --on-error collect=FILE, which lists such games, or --on-error skip",
        "棋譜を直すか、--on-error collect=FILE (一覧を残す) か --on-error skip で除いてください"
    }
    kifu_games_only() {
        "game records and files of records cannot be converted together",
        "棋譜と局面データは一緒に変換できません"
    }
    kifu_games_only_help() {
        "convert them separately, then join the outputs with komabako cat",
        "別々に変換してから komabako cat でつないでください"
    }
}

impl Lang {
    /// An error of a game record, with its place.
    pub fn kifu_error(self, error: &KifuError) -> String {
        if self == Lang::En {
            return error.to_string();
        }
        let KifuError { game, line, column, byte, fault, text } = error;
        let what = match fault {
            Fault::Encoding if text.is_empty() => {
                format!(
                    "{byte} バイト目は UTF-8 でも CP932 でも EUC-JP でもありません。UTF-8 で保存し直してください"
                )
            }
            Fault::Encoding => format!("{text} は読めません。UTF-8 で保存し直してください"),
            Fault::Syntax => format!("`{text}` を解釈できません。直すか、その行を除いてください"),
            Fault::Handicap => {
                format!("手合割 `{text}` には盤面図が必要です。盤面図を加えるか手合割を直してください")
            }
            Fault::UnknownHandicap => {
                let names = komabako::kifu::handicap::similar_names(text).join("、");
                format!("手合割 `{text}` は不明です。{names} などの名前に直すか、盤面図を加えてください")
            }
            Fault::BoardRow => "盤面図は 9 段 9 筋です。この段を直してください".to_owned(),
            Fault::Hand => format!("持駒 `{text}` は駒の数を超えているか、駒ではありません。直してください"),
            Fault::Setup(why) => {
                format!("この局面からは指せません: {}。局面を直してください", self.unplayable_ja(why))
            }
            Fault::Order => {
                format!("`{text}` はここに置けません。局面は指し手の前、終局の後には何も置けません")
            }
            Fault::Side if text.is_empty() => {
                "手番がありません。局面の後に `+` か `-` の行を加えてください".to_owned()
            }
            Fault::Side => format!("`{text}` は手番でない側の手です。手番を直すか、前の手を補ってください"),
            Fault::Pass => {
                format!(
                    "`{text}` は将棋の指し手ではありません。その前で終わりとし、続きは別の棋譜にしてください"
                )
            }
            Fault::MoveNumber => format!("`{text}` は次の手数ではありません。手数を直してください"),
            Fault::Variation => {
                format!("`{text}` 手目のある手順が前にありません。変化の手数を直してください")
            }
            Fault::IllegalMove => format!("`{text}` はここでは指せません。指し手を直してください"),
            Fault::Ambiguous(a, b) => {
                format!(
                    "`{text}` は {a} とも {b} とも読めます。右・左・上・寄・引か、(77) のような移動元を加えてください"
                )
            }
            Fault::Json => "ここから先が JSON ではありません。直してください".to_owned(),
            Fault::Field => format!("`{text}` は JKF の値ではありません。直してください"),
            Fault::Limit => "棋譜が大きすぎます。分けてください".to_owned(),
            _ => return error.to_string(),
        };
        let game = game.map(|game| format!("{game} 局目 ")).unwrap_or_default();
        format!("{game}{}: {what}", self.kifu_place(line, column))
    }

    /// Why no game can be played from a position.
    fn unplayable_ja(self, why: &UnplayableSetup) -> String {
        match why {
            UnplayableSetup::Set(SetupError::SecondKing(color)) => {
                format!("{}の玉が 2 枚あります", side_ja(*color))
            }
            UnplayableSetup::Set(SetupError::TooMany(kind)) => {
                format!("{}は {} 枚しかありません", kind_ja(*kind), kind.inventory())
            }
            UnplayableSetup::Absent(square) => {
                format!("{}{} にその駒はありません", File::of(*square).number(), Rank::of(*square).number())
            }
            UnplayableSetup::Position(fault) => self.position_fault(fault),
            UnplayableSetup::InCheck(color) => format!("手番でない{}に王手が掛かっている", side_ja(*color)),
            _ => why.to_string(),
        }
    }

    /// A notice of what a search passed by.
    pub fn kifu_passed_by(self, name: &str, what: &PassedBy) -> String {
        match what {
            PassedBy::Members { count, first } => self.kifu_other_members(name, grouped(*count), first),
            _ => self.kifu_linked_folder(name),
        }
    }

    /// A notice: text that was skipped or read differently.
    pub fn kifu_notice(self, notice: &Notice) -> String {
        if self == Lang::En {
            return notice.to_string();
        }
        let Notice { line, kind, text } = notice;
        let what = match kind {
            NoticeKind::IgnoredLine => format!("読み飛ばした行: `{text}`"),
            NoticeKind::IgnoredText => format!("指し手や終局の後の `{text}` はコメントに残しました"),
            NoticeKind::TotalTime => format!("累計時間 `{text}` が各手の合計と合いません"),
            NoticeKind::EndSentence => format!("`{text}` が指し手や終局と合わないか、勝敗を示していません"),
            NoticeKind::MoveCount => format!("`{text}` の手数が合いません"),
            NoticeKind::EndComment => format!("コメント `{text}` を終局としました"),
            NoticeKind::HeaderMove => {
                format!("指し手を含む `{text}` をヘッダの項目として読みました")
            }
            NoticeKind::HandicapAndBoard => {
                format!("盤面図が手合割 `{text}` と異なるため、盤面図を採りました")
            }
            NoticeKind::NoPosition => "開始局面がないため、平手としました".to_owned(),
            NoticeKind::Bookmark => format!("しおりを `{text}` に置き換えました"),
            NoticeKind::IllegalMove => format!("反則手 `{text}` はコメントに残しました"),
            NoticeKind::KeptText => format!("指し手や終局の後の文字をコメントに残しました: `{text}`"),
            NoticeKind::ServerResult => {
                format!("サーバーの結果 `{text}` が終局と異なるため、サーバーの結果を採りました")
            }
            NoticeKind::ServerNames => {
                format!(
                    "`{text}` に両対局者の名前がないため、理由から勝者を決めるか、先に書かれた側を先手としました"
                )
            }
            NoticeKind::NoSide => format!("手番がないため、`{text}` としました"),
            NoticeKind::Extension => format!("中身は {text} です (拡張子と異なります)"),
            NoticeKind::Encoding => format!("{text} として読みました"),
            _ => return notice.to_string(),
        };
        if *line > 0 { format!("{line} 行: {what}") } else { what }
    }

    /// The precision of times in a format.
    pub fn kifu_times(self, times: Times) -> String {
        let (en, ja) = match times {
            Times::None => ("no", "不可"),
            Times::Seconds => ("seconds", "秒"),
            Times::Millis => ("milliseconds", "ミリ秒"),
        };
        if self == Lang::En { en.to_owned() } else { ja.to_owned() }
    }

    /// A character that CP932 lacks.
    pub fn kifu_unmappable(self, error: &Unmappable) -> String {
        self.kifu_unmappable_at(error.line, error.column, error.character)
    }

    /// A game that was left out, and the reason.
    pub fn bad_game(self, game: &BadGame) -> String {
        let input = &game.input;
        match &game.fault {
            BadGameFault::Kifu(error) => format!("{input}: {}", self.kifu_error(error)),
            BadGameFault::Record { game, number, fault } => {
                let place = match game {
                    Some(game) => self.kifu_move_of_game(game, number),
                    None => self.kifu_move_number(number),
                };
                format!("{input}: {place}: {}", self.record_fault(fault))
            }
            BadGameFault::File(kind, error) => {
                format!("{input}: {}", self.io(&io::Error::new(*kind, error.clone())))
            }
            BadGameFault::Foreign(what) => format!("{input}: {}", self.foreign(*what)),
            BadGameFault::Archive(fault) => format!("{input}: {}", self.archive_fault(fault)),
            other => format!("{input}: {other:?}"),
        }
    }

    /// Why an archive or its member cannot be read, and what to do.
    fn archive_fault(self, fault: &ArchiveFault) -> String {
        let ja = match fault {
            ArchiveFault::Damaged(why) => {
                format!("書庫のここが壊れています ({why})。入手し直すか、zip -FF で修復してください")
            }
            ArchiveFault::Encrypted => "暗号化されています。先にパスワードで展開してください".to_owned(),
            ArchiveFault::Packed => "読めない形に圧縮されています。先に展開してください".to_owned(),
            ArchiveFault::NoGames(members) => format!(
                "メンバー {members} 個のどれにも、NAME.csa のような棋譜の名前がありません。先に展開し、ファイルを指定してください"
            ),
            ArchiveFault::Method => {
                "deflate 以外の方法で圧縮されているため読めません。先に書庫を展開してください".to_owned()
            }
            ArchiveFault::Overlap => {
                "展開爆弾のようにメンバーがデータを共有しているため、読みませんでした。信頼できるなら先に展開してください".to_owned()
            }
            ArchiveFault::Unpacked { limit } => format!(
                "展開爆弾のように、展開すると {} バイトを超えるため、読みませんでした。信頼できるなら先に展開してください",
                grouped(*limit)
            ),
            ArchiveFault::Directory { limit } => format!(
                "書庫の目録が {} バイトを超えるため、読みませんでした。先に展開するか、書庫を分けてください",
                grouped(*limit)
            ),
            _ => return fault.to_string(),
        };
        if self == Lang::En { fault.to_string() } else { ja }
    }

    /// The ending of a game, from CSA's name or KIF's word for it; `-` without an ending.
    pub fn ending(self, name: &str) -> String {
        let (en, ja) = match name.trim_start_matches(['%', '+']) {
            "-" => ("none", "なし"),
            "TORYO" | "投了" => ("resignation", "投了"),
            "CHUDAN" | "中断" => ("suspended", "中断"),
            "封じ手" => ("sealed move", "封じ手"),
            "SENNICHITE" | "千日手" => ("repetition", "千日手"),
            "JISHOGI" | "持将棋" => ("impasse", "持将棋"),
            "HIKIWAKE" | "引き分け" => ("draw", "引き分け"),
            "MAX_MOVES" => ("move limit", "手数制限"),
            "KACHI" | "入玉勝ち" => ("declaration", "入玉勝ち"),
            "TSUMI" | "詰み" => ("mate", "詰み"),
            "FUZUMI" | "不詰" => ("no mate", "不詰"),
            "TIME_UP" | "切れ負け" => ("time up", "切れ負け"),
            "ILLEGAL_MOVE" | "反則負け" => ("illegal move", "反則負け"),
            "ILLEGAL_ACTION" | "-ILLEGAL_ACTION" | "反則勝ち" => ("illegal action", "反則"),
            "不戦勝" => ("won by default", "不戦勝"),
            "不戦敗" => ("lost by default", "不戦敗"),
            other => (other, other),
        };
        if self == Lang::En { en.to_owned() } else { ja.to_owned() }
    }

    /// The name of a loss in a format.
    pub fn kifu_loss(self, name: &str) -> String {
        let (en, ja) = match name {
            "variation_nodes" => ("moves of variations", "変化の手"),
            "bookmarks" => ("bookmarks", "しおり"),
            "times" => ("times", "消費時間"),
            "comments" => ("comment lines", "コメント行"),
            "header" => ("header entries", "ヘッダの項目"),
            "endings" => ("endings", "終局の種類"),
            "first_plies" => ("numbers of first moves", "開始手数"),
            "characters" => ("replaced characters", "置き換えた文字"),
            other => (other, other),
        };
        if self == Lang::En { en.to_owned() } else { ja.to_owned() }
    }
}

//! Texts about game records.

use komabako::dataset::kifu::{BadGame, BadGameFault, PassedBy};
use komabako::kifu::Times;

use super::common::grouped;
use super::lang::Lang;

texts! {
    kifu_files_label => "files", "ファイル";
    kifu_notices_label => "notices", "注意";
    kifu_bad_label => "bad games", "不正な棋譜";
    kifu_without_score_label => "without score", "評価値なし";
    kifu_unfinished_label => "unfinished", "未終局";
    kifu_unfinished_variations_label => "unfinished variations", "未終局の変化";
    kifu_without_moves_label => "without moves", "指し手なし";
    kifu_clamped_label => "clamped scores", "範囲を制限した評価値";
    kifu_moves_label => "moves", "指し手";
    kifu_no_game => "no game found", "棋譜がありません";
    kifu_no_output(path) => "{path}: not written, because no game could be read",
        "{path}: 読めた棋譜がないため、書き込みませんでした";
    kifu_none_written(path) => "{path}: not written, because no game could be written in it",
        "{path}: 書き込める棋譜がないため、書き込みませんでした";
    kifu_linked_folder(link) =>
        "{link}: a link to a folder, which the search does not follow; name the folder to read it too",
        "{link}: フォルダーへのリンクのため、検索ではたどりません。読むには、そのフォルダーも指定してください";
    kifu_other_json(file) => "{file}: not read, because it is JSON without `moves`, which games have",
        "{file}: 棋譜にある `moves` がない JSON のため読みません";
    kifu_other_members(archive, count, first) =>
        "{archive}: {count} members are not read, because their names are not of game records, such as {first}",
        "{archive}: {first} など {count} 個のメンバーは、名前が棋譜のものでないため読みません";
    kifu_no_position(moves) => "the game has fewer than {moves} moves", "{moves} 手まで進んでいません";
    kifu_variations_label => "variations", "変化";
    kifu_endings_label => "endings", "終局";
    kifu_left_out(games) => "{games} left out", "{games}を除きました";
    kifu_unscored_left_out(positions) => "{positions} left out; `--missing-score 0` keeps them, with score 0",
        "{positions}を除きました。`--missing-score 0` なら評価値 0 として残します";
    kifu_unscored_kept(positions) => "{positions} kept with score 0, since games are whole; in hcpe3 they are marked as not for training",
        "{positions}を評価値 0 として残しました (1 局ごとの形式のため)。hcpe3 では学習に使わない印が付きます";
    kifu_unfinished_left_out(games) => "{games} left out; `--unfinished draw` keeps them, as draws",
        "{games}を除きました。`--unfinished draw` なら引き分けとして残します";
    kifu_format_help => "end the name in .kif, .kifu, .ki2, .csa, .jkf or .usi, or name a format with --to",
        "出力名を .kif、.kifu、.ki2、.csa、.jkf、.usi のいずれかにするか、--to で形式を指定してください";
    kifu_several_games(path, format) => "{path}: {format} holds one game per file, but there are several",
        "{path}: {format} は 1 ファイルに 1 局ですが、棋譜が複数あります";
    kifu_several_games_help =>
        "write one file per game with --split; CSA and USI hold several games in a file, but no variations, and USI only moves",
        "--split で 1 局ずつ書いてください。CSA と USI は複数の棋譜を収められますが変化は失われ、USI に残るのは指し手だけです";
    kifu_unmappable_help =>
        "write UTF-8 with --encoding utf-8 or a name in .kifu or .ki2u, or give a replacement character: --unmappable 〓",
        "--encoding utf-8 か .kifu・.ki2u で UTF-8 にするか、代わりの文字を指定してください: --unmappable 〓";
    kifu_old_parts(names) => "files of an earlier run with more games stay: {names}",
        "以前の、局数がより多い実行のファイルが残っています: {names}";
    kifu_several_label => "several games", "複数局";
}

reports! {
    kifu_split_to_stdout as "usage" => "--split writes one file per game, and standard output is one",
        "--split は 1 局ずつファイルに書きますが、標準出力は 1 つです",
        help "name the files: games.csa becomes games-000001.csa and so on", "games.csa のように指定すると games-000001.csa から順に書きます";
    kifu_variations_in_games(format) as "usage" => "{format} holds one line of moves per game, so it cannot hold --variations",
        "{format} は 1 局に 1 本の手順を収める形式で、--variations の変化は入りません",
        help "leave --variations out, or write records, e.g. with `--to psv` or `--to hcpe`",
        "--variations を外すか、`--to psv` や `--to hcpe` でレコードとして書いてください";
    kifu_games_only as "usage" => "game records and files of records cannot be converted together",
        "棋譜と局面データは一緒に変換できません",
        help "convert them separately, then join the outputs with komabako cat",
        "別々に変換してから komabako cat でつないでください";
}

impl Lang {
    /// The advice for a game that is left out, if the game need not be at fault.
    pub fn left_out_game_help(self, game: &BadGame) -> Option<String> {
        matches!(game.fault, BadGameFault::Unmappable { .. }).then(|| self.kifu_unmappable_help())
    }

    /// A notice of what a search passed by.
    pub fn kifu_passed_by(self, name: &str, what: &PassedBy) -> String {
        match what {
            PassedBy::Members { count, first } => self.kifu_other_members(name, grouped(*count), first),
            PassedBy::LinkedFolder => self.kifu_linked_folder(name),
            PassedBy::OtherJson => self.kifu_other_json(name),
        }
    }

    /// The precision of times in a format.
    pub fn kifu_times(self, times: Times) -> String {
        match_text!(self, times;
            Times::None => "no", "不可";
            Times::Seconds => "seconds", "秒";
            Times::Millis => "milliseconds", "ミリ秒";
        )
    }

    /// The ending of a game, from CSA's name or KIF's word for it; `-` without an ending.
    pub fn ending(self, name: &str) -> String {
        match_text!(self, name.trim_start_matches(['%', '+']);
            "-" => "none", "なし";
            "TORYO" | "投了" => "resignation", "投了";
            "CHUDAN" | "中断" => "suspended", "中断";
            "封じ手" => "sealed move", "封じ手";
            "SENNICHITE" | "千日手" => "repetition", "千日手";
            "JISHOGI" | "持将棋" => "impasse", "持将棋";
            "HIKIWAKE" | "引き分け" => "draw", "引き分け";
            "MAX_MOVES" => "move limit", "手数制限";
            "KACHI" | "入玉勝ち" => "declaration", "入玉勝ち";
            "TSUMI" | "詰み" => "mate", "詰み";
            "FUZUMI" | "不詰" => "no mate", "不詰";
            "TIME_UP" | "切れ負け" => "time up", "切れ負け";
            "ILLEGAL_MOVE" | "反則負け" => "illegal move", "反則負け";
            "ILLEGAL_ACTION" | "-ILLEGAL_ACTION" | "反則勝ち" => "illegal action", "反則";
            "不戦勝" => "won by default", "不戦勝";
            "不戦敗" => "lost by default", "不戦敗";
            other => { other.to_owned() };
        )
    }

    /// The name of a loss in a format.
    pub fn kifu_loss(self, name: &str) -> String {
        match_text!(self, name;
            "variation_nodes" => "moves of variations", "変化の手";
            "bookmarks" => "bookmarks", "しおり";
            "times" => "times", "消費時間";
            "comments" => "comment lines", "コメント行";
            "header" => "header entries", "ヘッダーの項目";
            "endings" => "endings", "終局の種類";
            "first_plies" => "numbers of first moves", "開始手数";
            "plain_comments" => "plain CSA comments (--keep-comments keeps them)",
                "CSA の ' だけのコメント (--keep-comments で残せます)";
            "characters" => "replaced characters", "置き換えた文字";
            other => { other.to_owned() };
        )
    }
}

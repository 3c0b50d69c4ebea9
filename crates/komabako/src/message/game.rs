//! Texts of `perft`, `moves` and `play`.

use komabako::rules::Repetition;

use super::lang::Lang;

texts! {
    game_help => "give an SFEN or `startpos`, optionally followed by `moves` and USI moves",
        "SFEN または `startpos` を指定してください。続けて `moves` と USI の指し手を書けます";
    not_a_move(number, word, why) => "move {number}, {word}: {why}", "{number} 手目の {word}: {why}";
    ambiguous_move_help => "say which piece moves, with 右, 左, 上, 寄, 引 or 直, as `komabako moves --japanese` writes it",
        "`komabako moves --japanese` の表記のように、右・左・上・寄・引・直でどの駒か示してください";
    legal_moves_help => "`komabako moves` lists the legal moves of a position", "局面の合法手は `komabako moves` で分かります";
    move_help => "write moves in USI (7g7f, 8h2b+, G*5e), CSA (+7776FU) or Japanese (▲7六歩)",
        "指し手は USI (7g7f、8h2b+、G*5e)、CSA (+7776FU)、日本語 (▲7六歩) のいずれかで書いてください";
    unplayable_help => "correct the position; `komabako inspect` shows it",
        "局面を直してください。盤面は `komabako inspect` で確かめられます";
    first_of_games(path) => "{path}: the first of several games, which `komabako kifu --list` lists",
        "{path}: 複数の対局のうち最初の 1 局です (`komabako kifu --list` で一覧できます)";
    nodes_label => "nodes", "ノード数";
    perft_time(seconds, speed) => "time {seconds} s, {speed} nodes/s", "時間 {seconds} 秒、毎秒 {speed} ノード";
    to_move(side) => "{side} to move", "{side}番";
    checkmate => "checkmate", "詰み";
    stalemate => "no legal move: the side to move loses", "合法手なし (手番側の負け)";
    in_check => "in check", "王手がかかっている";
    legal_moves(count) => "legal moves: {count}", "合法手 {count}";
    occurrences(count) => "occurrence {count} of the position", "同一局面 {count} 回目";
    may_declare(points) => "may declare a win ({points} points)", "入玉宣言で勝てる ({points} 点)";
}

reports! {
    perft_without_depth as "usage" => "the depth is missing",
        "数える深さが指定されていません",
        help "give it with --depth, such as `komabako perft --depth 5 startpos moves 7g7f`",
        "`komabako perft --depth 5 startpos moves 7g7f` のように --depth で指定してください";
    perft_table_too_large(megabytes) as "usage" => "--hash {megabytes}: there is not so much memory",
        "--hash {megabytes}: それだけのメモリがありません",
        help "give a smaller table; every size gives the same counts", "表を小さくしてください。どの大きさでも数は同じです";
    illegal_move(number, mv, why) as "illegal_move" => "move {number}, {mv}, is illegal: {why}",
        "{number} 手目の {mv} は反則です: {why}",
        help "`komabako moves` lists the legal moves of a position",
        "局面の合法手は `komabako moves` で分かります";
    sfen_beside_file(path) as "usage" => "{path} and `--sfen` name two positions",
        "{path} と `--sfen` は同時に指定できません",
        help "give one of the two", "どちらか一方を指定してください";
    diagram_without_output as "usage" => "the picture's file is missing",
        "画像のファイルが指定されていません",
        help "name it last, such as `komabako diagram startpos start.svg`, or - for standard output; browsers turn SVG into PNG or print it",
        "`komabako diagram startpos start.svg` のように最後に指定してください。- なら標準出力です。SVG はブラウザーで PNG にも印刷にもできます";
    no_such_ply(ply, plies) as "usage" => "the game has {plies} moves, not {ply}",
        "この棋譜は {plies} 手で、{ply} 手目はありません",
        help "give --ply 0 to --ply {plies}", "--ply 0 から --ply {plies} までを指定してください";
}

impl Lang {
    /// The result of a fourth repetition.
    pub fn repetition(self, repetition: Repetition) -> String {
        match_text!(self, repetition;
            Repetition::Draw => "fourth repetition: drawn", "千日手";
            Repetition::PerpetualCheck(side) => "fourth repetition by perpetual check: {side} loses",
                "連続王手の千日手 ({side}の負け)", side = self.say(&side);
        )
    }

    /// The parts of a line, joined.
    pub fn listed(self, parts: &[String]) -> String {
        parts.join(match self {
            Lang::En => "; ",
            Lang::Ja => "、",
        })
    }
}

//! Texts of `stats`: names of figures, titles of charts.

use komabako::board::BaseKind;
use komabako::dataset::Partition;
use komabako::dataset::stats::MissingParts;

use super::lang::Lang;

texts! {
    black => "Black", "先手";
    white => "White", "後手";
    draw => "draw", "引き分け";
    black_wins => "Black won", "先手勝ち";
    white_wins => "White won", "後手勝ち";
    mover_wins => "side to move won", "手番側の勝ち";
    wins_row => "won by", "勝者";
    side_to_move_label => "to move", "手番";
    black_to_move => "Black to move", "先手番";
    white_to_move => "White to move", "後手番";
    unplayable => "unplayable positions", "対局できない局面";
    distinct => "distinct positions", "異なる局面";
    between(low, high) => "{low} to {high}, 95\u{a0}%", "{low} ～ {high}、95\u{a0}%";
    missing => "missing", "欠落";
    without(field) => "no {field}", "{field}なし";
    spread(min, max, mean, deviation) => "{min} to {max}, mean {mean}, deviation {deviation}",
        "{min} ～ {max}、平均 {mean}、標準偏差 {deviation}";
    mates(mating, mated) => "mates: {mating} mating, {mated} mated (not above)", "詰み: 詰ます側 {mating}、詰まされる側 {mated} (上に含まず)";
    fitted(scale, error) => "1 / (1 + exp(-score / a)), a = {scale} ± {error}",
        "1 / (1 + exp(-評価値 / a))、a = {scale} ± {error}";
    rescaling(command) => "to bring a to the usual 600: {command}",
        "a を通例の 600 に合わせるには: {command}";
    first_to_last(first, last) => "{first} to {last}", "{first} ～ {last}";
    different(count) => "{count} different", "計 {count} 種類";
    different_label => "different", "種類";
    others_label => "not told apart", "区別せず";
    games_by(field) => "Games by {field}", "{field}ごとの対局数";
    game_numbers_title => "Numeric fields of games", "対局の数値の項目";
    game_texts_title => "Text fields of games", "対局の文字列の項目";
    game_texts_heading => "Most frequent", "多いもの";
    no_fit => "no fit: too few scores or results", "当てはめ不能: 評価値か勝敗が足りません";
    flat_fit => "no fit: scores and results are unrelated", "当てはめ不能: 評価値と勝敗に関係が見られません";
    inverted => "higher scores lose: scores or results seem to be from the other side's view",
        "評価値が高いほど負けています。評価値か勝敗の視点が逆の可能性があります";
    observed => "observed", "実測";
    fit => "fit", "当てはめ";
    pieces_heading => "Pieces", "駒";
    mean_of_positions => "mean pieces in a position", "1 局面あたりの平均枚数";
    board => "board", "盤上";
    promoted => "promoted", "成駒";
    hand => "hand", "持ち駒";
    piece_box => "box", "駒箱";
    black_in(place) => "Black {place}", "先手 {place}";
    white_in(place) => "White {place}", "後手 {place}";
    kings_heading => "King squares", "玉の位置";
    heat_legend => "denser means more often", "密なほど多い";
    moves_heading => "Moves", "指し手";
    drops => "drops", "打つ手";
    captures => "captures", "駒を取る手";
    promotions => "promotions", "成る手";
    special_moves => "resignations, declarations, passes", "投了・宣言・パス";
    ill_formed => "ill-formed moves", "不正な指し手";
    unmatched => "moves of missing pieces", "存在しない駒の指し手";
    results_heading => "Results", "勝敗";
    plies_heading => "Plies", "手数";
    scores_heading => "Scores", "評価値";
    win_rate_heading => "Win rate by score", "評価値と勝率";
    quality_heading => "Missing and odd", "欠落と異常";
    page_title(names) => "Statistics of {names}", "{names} の統計";
    page_heading => "Statistics of shogi training data", "将棋の教師データの統計";
    made_by(version) => "Made by komabako {version}: komabako stats --html", "komabako {version} で作成: komabako stats --html";
    positions_counted => "good records", "正常なレコード";
    positions => "positions", "局面";
    estimated(error) => "estimate, ± {error} %", "推定、± {error} %";
    quality_title => "Records in which something is missing or odd", "欠落や異常のあるレコード";
    summary => "Summary", "要約";
    fit_scale => "scale a of the win rate", "勝率の係数 a";
    share => "share", "割合";
    share_axis => "share of records (%)", "レコードの割合 (%)";
    results_title => "Results and side to move", "勝敗と手番";
    plies_title => "Records by ply", "手数ごとのレコード数";
    scores_title => "Records by score and outcome", "評価値と勝敗ごとのレコード数";
    score_axis => "score, side to move's view", "評価値 (手番側から)";
    mover_lost => "side to move lost", "手番側の負け";
    drawn_or_unknown => "draw or unknown", "引き分け・不明";
    won => "won", "勝ち";
    drawn => "drawn", "分け";
    lost_game => "lost", "負け";
    unknown => "unknown", "不明";
    mates_title => "Scores of mates (30000 and beyond), not in the chart", "詰みの評価値 (±30000 以上)。図には含まず";
    mating => "side to move mates", "手番側が詰ます";
    mated => "side to move is mated", "手番側が詰まされる";
    win_rate_title => "Win rate by score", "評価値ごとの勝率";
    win_rate_axis => "win rate (%)", "勝率 (%)";
    fit_named(scale) => "fit, a = {scale}", "当てはめ a = {scale}";
    usual_fit(scale) => "usual a = {scale}", "慣用の a = {scale}";
    formula => "win rate = 1 / (1 + exp(−score / a))", "勝率 = 1 / (1 + exp(−評価値 / a))";
    value => "value", "値";
    standard_error => "standard error", "標準誤差";
    fit_note =>
        "Maximum likelihood; a draw is half a win, mates are left out. The error assumes independent records; records of one \
         game are not, so the true error is larger. A larger dot means more records.",
        "最尤推定。引き分けは 0.5 勝とし、詰みの評価値は除く。標準誤差はレコードを独立とみなしたもので、同じ対局のレコードは\
         独立でないため実際の誤差はこれより大きい。点の大きさはレコード数を表す。";
    pieces_title => "Location of the pieces of each kind", "駒種ごとの所在";
    set_axis => "share of the pieces of the kind (%)", "その駒種に占める割合 (%)";
    king_title(color) => "{color}'s king (% of positions)", "{color}玉 (局面の %)";
    king_counts(color) => "Positions with {color}'s king on the square", "{color}玉がそのマスにある局面の数";
    king_missing(color) => "Positions without {color}'s king", "{color}玉のない局面";
    king_note => "Seen from Black's side, files from 9 to 1, ranks from a to i.",
        "先手側から見た盤面。筋は左から 9 ～ 1、段は上から一～九。";
    counts => "Numbers", "数値";
    moves_title => "Moves by moving piece", "動かす駒ごとの指し手";
    moves_axis => "share of moves (%)", "指し手の割合 (%)";
    move_kinds => "Kinds of moves", "指し手の種類";
    on_board => "moves on the board", "盤上の手";
    left_out_records => "bad records, left out", "除外した不正なレコード";
    at_least => "at least (95 %)", "下限 (95 %)";
    at_most => "at most (95 %)", "上限 (95 %)";
    estimate_title => "Distinct positions, estimated by HyperLogLog",
        "異なる局面の数 (HyperLogLog による推定)";
    merged_tails_label => "ends of inputs not read, in merged parts", "読まなかった入力の末尾 (結合した集計)";
    merged_tails(count) => "{count} ends of inputs, which the reports of the merged parts describe",
        "入力の末尾 {count} か所 (詳細は結合前の各報告を参照)";
    missing_parts_label => "not counted", "未集計";
    missing_parts_of(partitions, inputs) => "parts {partitions} of {inputs}", "{inputs} の分担 {partitions}";
    mean => "mean", "平均";
    deviation => "deviation", "標準偏差";
    median => "median", "中央値";
    least => "min", "最小";
    most => "max", "最大";
}

reports! {
    games_counted_whole as "partition"
        => "game records are counted in one run, without --partition and --save", "棋譜の集計では --partition と --save を使えません",
        help "leave them out: all game records together are counted in one run",
            "--partition と --save を外し、すべての棋譜を 1 回で集計してください";
    games_not_chosen_here as "games"
        => "--games and --unique-games choose game records; these inputs are records of positions",
            "--games と --unique-games は棋譜を選ぶものですが、入力は局面のレコードです",
        help "choose them into a file first: komabako convert IN OUT --games EXPR",
            "先に選んだものをファイルに書いてください: komabako convert IN OUT --games EXPR";
}

impl Lang {
    /// Parts that were not counted.
    pub fn missing_parts(self, missing: &MissingParts) -> String {
        let names: Vec<&str> = missing.inputs.iter().map(|input| &*input.name).collect();
        let partitions: Vec<String> = missing.partitions.iter().map(Partition::to_string).collect();
        self.missing_parts_of(partitions.join(" "), names.join(" "))
    }

    /// A text of games as people call it.
    pub fn game_text(self, field: &str, text: &str) -> String {
        match (field, text) {
            ("ending", ending) => self.ending(ending),
            ("winner", "black") => self.black(),
            ("winner", "white") => self.white(),
            ("winner", "draw") => self.draw(),
            (_, text) => text.to_owned(),
        }
    }

    /// The ranks of a board from the top, as diagrams name them.
    pub fn ranks(self) -> [char; 9] {
        match self {
            Lang::En => ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
            Lang::Ja => ['一', '二', '三', '四', '五', '六', '七', '八', '九'],
        }
    }

    /// The name of a kind of piece, by its letter.
    pub fn kind(self, letter: char) -> String {
        const NAMES: [&str; 8] = ["pawn", "lance", "knight", "silver", "gold", "bishop", "rook", "king"];
        let kind = u8::try_from(letter).ok().and_then(BaseKind::from_letter);
        match (self, kind) {
            (_, None) => letter.to_string(),
            (Lang::En, Some(kind)) => NAMES[kind as usize].to_owned(),
            (Lang::Ja, Some(kind)) => self.say(&kind),
        }
    }
}

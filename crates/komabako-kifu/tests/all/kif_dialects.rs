//! KIF and KI2 as people and other programs write them, beyond the files of `tests/data/dialects/kif`.

use komabako_board::Color;
use komabako_kifu::{Format, Game, Games, KifuError, Outcome, ReadOptions};

const HEADER: &str = "手合割：平手\n先手：A\n後手：B\n手数----指手---------消費時間--\n";
const MOVES: &str = "   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n";

fn read(text: &str) -> Vec<Result<Game, KifuError>> {
    let format = Format::detect(text).unwrap_or_else(|| panic!("{text}"));
    Games::new(text, format, ReadOptions::default()).collect()
}

/// Each game of a text: its moves, ending, result and notices, or the fault and its line.
fn summary(text: &str) -> String {
    let games = read(text).into_iter().map(|game| match game {
        Ok(Game { record, notices, .. }) => {
            let moves = record.main_line().filter(|&id| record.node(id).as_move().is_some()).count();
            let ending = record.ending().map_or("-", |ending| ending.kif());
            let result = match record.result() {
                Some(Outcome::Win(Color::Black)) => "black",
                Some(Outcome::Win(Color::White)) => "white",
                Some(Outcome::Draw) => "draw",
                None => "-",
            };
            let notices: String = notices.iter().map(|notice| format!(" {}", notice.kind.name())).collect();
            format!("{moves} {ending} {result}{notices}")
        }
        Err(error) => format!("{} {}", error.fault.name(), error.line),
    });
    games.collect::<Vec<_>>().join(" / ")
}

#[test]
fn sentences_and_words_of_the_end_name_the_result_or_a_notice() {
    for (end, expected) in [
        ("まで2手で先手の入玉宣言が不成立\n", "2 先手の入玉宣言が不成立 white"),
        ("まで2手で先手の入玉により引き分け\n", "2 持将棋 draw"),
        ("まで2手で先手の時間切れにより中断\n", "2 先手の時間切れにより中断 -"),
        ("まで2手で先手必勝\n", "2 先手必勝 - END_SENTENCE"),
        ("まで2手で時間切れ引き分け\n", "2 持将棋 draw"),
        ("まで2手で時間切れ勝ち\n", "2 時間切れ勝ち - END_SENTENCE"),
        ("まで2手で千日手成立\n", "2 千日手 draw"),
        ("まで2手で先手の反則勝ち（後手の二歩）\n", "2 反則勝ち black"),
        ("   3 時間切れ引き分け\n", "2 持将棋 draw"),
        ("   3 時間切れ勝ち\n", "2 時間切れ勝ち - END_SENTENCE"),
        ("   3 最大手数による引き分け\n", "2 持将棋 draw"),
        ("   3 ERROR\n", "2 ERROR - END_SENTENCE"),
        // No word at all.
        ("   3 +\n", "SYNTAX 7"),
        ("   3 ( 0:01/00:00:02)\n", "SYNTAX 7"),
    ] {
        assert_eq!(summary(&format!("{HEADER}{MOVES}{end}")), expected, "{end}");
    }
}

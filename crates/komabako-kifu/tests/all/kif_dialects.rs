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

/// A board with Black's pawn on 3c, both kings and a blank line after each line of the first kind.
fn diagram(between: &str, before_frame: &str) -> String {
    let mut text =
        format!("後手の持駒：なし\n{between}  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in "一二三四五六七八九".chars() {
        let cells = match rank {
            '一' => " ・ ・ ・ ・v玉 ・ ・ ・ ・",
            '八' => " ・ ・ ・ ・ ・ ・ 歩 ・ ・",
            '九' => " ・ ・ ・ ・ 玉 ・ ・ ・ ・",
            _ => " ・ ・ ・ ・ ・ ・ ・ ・ ・",
        };
        text += &format!("{between}|{cells}|{rank}\n");
    }
    text + before_frame + "+---------------------------+\n" + between + "先手の持駒：金\n"
}

#[test]
fn blank_lines_and_names_do_not_part_a_diagram_from_its_moves() {
    let moves = "手数----指手---------消費時間--\n   1 ３七歩(38)\n   2 投了\n";
    let names = "先手：A\n後手：B\n";
    for text in [
        format!("{}{moves}", diagram("", "\n")),
        format!("{}\n{moves}", diagram("\n", "\n")),
        format!("{}{moves}", diagram("", "")).replace('\n', "\r\r\n"),
        format!("{names}\n{}\n{names}{moves}", diagram("", "")),
    ] {
        assert_eq!(summary(&text), "1 投了 black", "{text}");
        assert!(read(&text)[0].as_ref().unwrap().record.initial().to_string().ends_with("b G"), "{text}");
    }
    // Two diagrams with the same names.
    let two = format!("{names}{}\n", diagram("", "")).repeat(2);
    assert_eq!(summary(&two), "0 - - / 0 - -");
}

#[test]
fn header_lines_after_the_end_or_among_the_moves_begin_no_game() {
    for (rest, expected) in [
        ("   3 投了\n場所：x\n", "2 投了 white"),
        ("   3 投了\n\n備考：y\n棋戦：x\n", "2 投了 white"),
        ("\n場所：x\n   3 投了\n", "2 投了 white"),
        ("\n場所：x\n備考：y\n   3 投了\n", "2 投了 white"),
        ("   3 投了\n場所：x\n\n変化：2手\n   2 ８四歩(83)\n", "2 投了 white"),
        ("   3 投了\n棋戦：x\n備考：y\n   1 ２六歩(27)\n", "2 投了 white / 1 - -"),
    ] {
        assert_eq!(summary(&format!("{HEADER}{MOVES}{rest}")), expected, "{rest}");
    }
    assert_eq!(summary("▲７六歩 △３四歩\n\n備考：x\n▲２六歩\n"), "3 - -");
    assert_eq!(summary("▲７六歩 △３四歩\n\n先手：x\n▲２六歩\n"), "2 - - / 1 - -");
}

#[test]
fn a_variation_after_a_fault_is_no_game() {
    let rest = "   3 投了\n\n変化：2手\n   2 ８四歩(83)\n   3 ８三歩(83)\n\n変化：1手\n   1 ５六歩(57)\n   2 ３四歩(33)\n";
    assert_eq!(summary(&format!("{HEADER}{MOVES}{rest}")), "ILLEGAL_MOVE 11");
    // The fault is that of the variation's line itself.
    let rest = "   3 投了\n\n変化：9手\n   1 ５六歩(57)\n   2 ３四歩(33)\n";
    assert_eq!(summary(&format!("{HEADER}{MOVES}{rest}")), "VARIATION 9");
}

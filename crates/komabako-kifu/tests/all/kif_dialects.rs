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
        ("まで2手で後手の勝ち　1 ７六歩(77)\n", "2 後手の勝ち1７六歩(77) white END_SENTENCE"),
        ("   3 投了\nまで2手で後手の勝ち▲７六歩\n", "2 投了 white END_SENTENCE"),
        ("まで2手で後手に勝ち目なし\n", "2 後手に勝ち目なし - END_SENTENCE"),
        ("まで2手で時間切れ引き分け\n", "2 持将棋 draw"),
        ("まで2手で時間切れ勝ち\n", "2 時間切れ勝ち - END_SENTENCE"),
        ("まで2手にて後手の勝ち\n", "2 投了 white"),
        ("まで2手をもって後手の勝ちとなりました。\n", "2 投了 white"),
        ("まで2手にて先手の勝ち\n", "2 先手の勝ち black END_SENTENCE"),
        ("   3 入玉宣言\nまで2手で先手の勝ち\n", "2 入玉勝ち black"),
        ("   3 入玉宣言\nまで2手で後手の勝ち\n", "2 入玉勝ち black END_SENTENCE"),
        ("まで2手で千日手成立\n", "2 千日手 draw"),
        ("まで2手で先手の反則勝ち（後手の二歩）\n", "2 反則勝ち black"),
        ("   3 時間切れ引き分け\n", "2 持将棋 draw"),
        ("   3  Time-up   ( 0:0/)\n", "2 切れ負け white"),
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

#[test]
fn words_of_the_end_may_have_marks_and_brackets() {
    for end in [
        "   3 ▲投了\n",
        "   3 投了。\n",
        "   3 [投了]\n",
        "   3 【投了】   ( 0:01/00:00:02)\n",
        "3投了\n",
        "投了\n",
        "▲投了\n",
    ] {
        assert_eq!(summary(&format!("{HEADER}{MOVES}{end}")), "2 投了 white", "{end}");
    }
    // What is behind a bar is kept.
    assert_eq!(summary(&format!("{HEADER}{MOVES}3|投了|0:01\n")), "2 投了 white IGNORED_TEXT");
    for end in ["▲投了", "▲投了。", "投了", "まで2手で後手の勝ち", "\nまで2手で後手の勝ち"]
    {
        assert_eq!(summary(&format!("▲７六歩 △３四歩 {end}\n")), "2 投了 white", "{end}");
    }
    for blank in ["\t", "\u{a0}", "\u{2003}", "\u{c}", "\t　 "] {
        for before in ["", "\n"] {
            let text =
                format!("▲７六歩 △３四歩{before}{blank}まで{blank}2{blank}手で{blank}後手の勝ち{blank}\n");
            assert_eq!(summary(&text), "2 投了 white", "{text:?}");
        }
    }
}

/// A mark before the word of an ending names a side, as 先手 and 後手 do.
#[test]
fn the_mark_before_the_word_of_an_ending_decides() {
    // Black is to move.
    for (end, expected) in [
        ("▲時間切れ", "2 切れ負け white"),
        ("△時間切れ", "2 後手切れ負け black END_SENTENCE"),
        ("☖ 投了", "2 後手投了 black END_SENTENCE"),
        ("【△投了】", "2 後手投了 black END_SENTENCE"),
        ("△入玉宣言", "2 後手入玉勝ち white END_SENTENCE"),
        ("△反則負け", "2 反則勝ち black END_SENTENCE"),
        ("△反則勝ち", "2 反則負け white END_SENTENCE"),
        ("△不戦敗", "2 不戦勝 black END_SENTENCE"),
        ("△千日手", "2 千日手 draw"),
        ("△中断", "2 中断 -"),
        ("△詰み", "2 後手詰み - END_SENTENCE"),
    ] {
        assert_eq!(summary(&format!("{HEADER}{MOVES}   3 {end}\n")), expected, "{end}");
        assert_eq!(summary(&format!("{HEADER}{MOVES}{end}\n")), expected, "{end}");
        assert_eq!(summary(&format!("▲７六歩 △３四歩 {end}\n")), expected, "{end}");
    }
    // After an illegal move of Black's a word without a side is said of White; a side that is named decides.
    for (end, expected) in [
        ("   4 反則勝ち\n", "2 反則負け white ILLEGAL_MOVE"),
        ("   4 △反則勝ち\n", "2 反則負け white END_SENTENCE ILLEGAL_MOVE"),
        ("まで3手で反則勝ち\n", "2 反則負け white ILLEGAL_MOVE"),
        ("まで3手で後手の反則勝ち\n", "2 反則負け white ILLEGAL_MOVE"),
        ("まで3手で先手の反則勝ち\n", "2 反則勝ち black ILLEGAL_MOVE END_SENTENCE"),
    ] {
        assert_eq!(summary(&format!("{HEADER}{MOVES}   3 ５五角打\n{end}")), expected, "{end}");
    }
}

#[test]
fn times_that_cannot_be_kept_are_comments() {
    let first = "手合割：平手\n   1 ７六歩(77)   ";
    for (times, expected) in [
        ("( 99999:59/999:00:00)", "IGNORED_TEXT"),
        ("( 0:01/00:00:01) (0:02/)", "IGNORED_TEXT"),
        ("(  /00:00:05)", "TOTAL_TIME"),
        ("(  /00:00:00)", ""),
    ] {
        let text = format!("{first}{times}\n   2 ３四歩(33)   ( 0:02/00:00:02)\n");
        assert_eq!(summary(&text), format!("2 - - {expected}").trim_end(), "{times}");
    }
    // The time of an illegal move is that of the ending, which has a time of its own.
    let text =
        format!("{first}( 0:01/)\n   2 ３四歩(34)   ( 0:05/00:00:05)\n   3 反則負け   ( 0:06/00:00:06)\n");
    let record = read(&text).remove(0).unwrap().record;
    let end = record.node(record.main_line().last().unwrap());
    assert_eq!(end.time().unwrap().seconds(), 5);
    assert_eq!(end.comments().collect::<Vec<_>>(), ["反則手：３四歩(34)", "( 0:06/00:00:06)"]);
}

#[test]
fn moves_that_are_not_understood_are_faults() {
    for (text, expected) in [
        // As entries of the header, after a move.
        ("   1 ７六歩(77)\nNo.2：３四歩(33)\nNo.3：２六歩(27)\nNo.4：投了\n", "SYNTAX 6"),
        ("   1 ７六歩(77)\n二：３四歩(33)\n", "SYNTAX 6"),
        ("   1 ７六歩(77)\n後手2：３四歩(33)\n", "SYNTAX 6"),
        ("   1 ７六歩(77)\nMove 2: 34FU\n", "SYNTAX 6"),
        ("   1 ７六歩(77)\nNo.2：投了\n", "1 - - HEADER_MOVE"),
        ("   1 ７六歩(77)\n備考：次は３四歩\n", "1 - - HEADER_MOVE"),
        ("   1 ７六歩(77)\n備考：x\n", "1 - -"),
        ("   1 ７六歩(77)   ( 0:16\n/00:00:16)\n", "1 - - IGNORED_TEXT HEADER_MOVE"),
        ("   1 ７六歩(77)\n化：ではない行\n", "1 - - HEADER_MOVE"),
        // In other notations.
        ("1 +7776FU\n2 -3334FU\n", "SYNTAX 5"),
        ("1 7776fu\n2 3334fu\n", "SYNTAX 5"),
        ("1 歩７六\n2 歩３四\n", "SYNTAX 5"),
        ("1. 7g7f 3c3d\n", "SYNTAX 5"),
        ("1. 7G7F 3C3D\n", "SYNTAX 5"),
        ("Move 1: 76FU\n", "SYNTAX 5"),
        ("   1 ７六歩(77)\n   2 ＰＡＳＳ\n", "PASS 6"),
        ("   1 ７六歩(77)\n   2 パス手\n", "PASS 6"),
    ] {
        assert_eq!(summary(&format!("{HEADER}{text}")), expected, "{text}");
    }
    for (text, expected) in [
        ("▲７六歩 △パス ▲２六歩\n", "PASS 1"),
        ("▲７六歩\n△パス\n▲２六歩\n", "PASS 2"),
        ("▲７六歩 ＰＡＳＳ\n", "PASS 1"),
        // Text after a move.
        ("▲７六歩（好手） △３四歩\n", "2 - - IGNORED_TEXT"),
        ("▲７六歩！ △３四歩？\n", "2 - - IGNORED_TEXT IGNORED_TEXT"),
        ("▲７六歩（△８四歩なら） △３四歩\n", "SYNTAX 1"),
        ("▲７六歩 よい手 △３四歩 まで2手で後手の勝ち\n", "2 投了 white IGNORED_TEXT"),
    ] {
        assert_eq!(summary(text), expected, "{text}");
    }
    // The blank after the mark of the side.
    assert_eq!(summary(&format!("{HEADER}{MOVES}3 ☗ ２六歩(27)\n")), "3 - -");
    assert_eq!(summary(&format!("{HEADER}{MOVES}3 ☖ ２六歩(27)\n")), "SIDE 7");
    assert_eq!(summary("手合割：平手\n☗ ７六歩 ☖ ３四歩 ☗　２二角成\n▽ 同　銀\nまで4手で中断\n"), "4 中断 -");
    assert_eq!(summary("☗ ７六歩 ☗ ３四歩\n"), "SIDE 1");
}

#[test]
fn a_comment_names_the_reason_for_what_the_sentence_says() {
    for (end, expected) in [
        (
            "   3 ５五角打\n*反則手にて終局\nまで3手で後手の勝ち\n",
            "2 反則負け white ILLEGAL_MOVE END_COMMENT",
        ),
        ("   3 ５五角打\nまで3手で後手の勝ち\n", "2 反則負け white ILLEGAL_MOVE"),
        ("   3 ５五角打\nまで3手で先手の勝ち\n", "ILLEGAL_MOVE 7"),
        ("*時間切れにて終局\nまで2手で後手の勝ち\n", "2 切れ負け white END_COMMENT"),
        // The sentence decides.
        ("*時間切れにて終局\nまで2手で先手の勝ち\n", "2 先手の勝ち black END_SENTENCE"),
    ] {
        assert_eq!(summary(&format!("{HEADER}{MOVES}{end}")), expected, "{end}");
    }
    let text = "▲７六歩 △３四歩\n▲５五角打\n*反則手にて終局\nまで3手で後手の勝ち\n";
    assert_eq!(summary(text), "2 反則負け white ILLEGAL_MOVE END_COMMENT");
    let text = "▲７六歩 △３四歩\n*時間切れにて終局\nまで2手で後手の勝ち\n";
    assert_eq!(summary(text), "2 切れ負け white END_COMMENT");
    let record = read(text).remove(0).unwrap().record;
    assert_eq!(read(&Format::Ki2.write(&record).0).remove(0).unwrap().record, record);
}

#[test]
fn positions_in_other_spellings() {
    let board = diagram("", "");
    for (text, sfen) in [
        (format!("{board}後手の手番\n"), "w G"),
        (format!("{board}△手番\n"), "w G"),
        (format!("{board}後手の番\n"), "w G"),
        (format!("{board}先手の手番\n"), "b G"),
        (board.replace("先手の持駒：金", "先手：持駒：金"), "b G"),
        (board.replace("金\n", "金1枚\n"), "b G"),
        (board.replace("金\n", "金２枚・銀\n"), "b 2GS"),
        (board.replace("金\n", "金将・銀将 桂馬二歩兵\n"), "b GS2NP"),
        (board.replace('|', "│"), "b G"),
        (board.replace('|', "┃"), "b G"),
        (board.lines().map(|line| format!("> {line}\n")).collect(), "b G"),
    ] {
        let game = read(&text).remove(0).unwrap_or_else(|error| panic!("{text}{error}"));
        let initial = game.record.initial().to_string();
        assert_eq!(initial, format!("4k4/9/9/9/9/9/9/6P2/4K4 {sfen}"), "{text}");
    }
    assert_eq!(summary(&board.replace("金\n", "金龍\n")), "HAND 14");
    // A row in no known layout.
    let board = board.replace("金\n", "なし\n");
    for bar in ["!", "‖", "l", "", "1:|"] {
        assert_eq!(summary(&board.replace('|', bar)), "BOARD_ROW 4", "{bar}");
    }
}

#[test]
fn a_variation_continues_the_line_before_it_where_the_main_line_has_an_ending() {
    let text = format!(
        "{HEADER}   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 中断\n\n変化：2手\n   2 ８四歩(83)\n   \
         3 ２六歩(27)\n\n変化：4手\n   4 ８五歩(84)\n"
    );
    let record = read(&text).remove(0).unwrap().record;
    let mut walk = record.walk();
    let plies: Vec<_> = std::iter::from_fn(|| walk.next()).map(|id| record.node(id).ply()).collect();
    assert_eq!(plies, [1, 2, 3, 4, 2, 3, 4]);
}

/// What may be a part of a move is not left out of it: another move would be read.
#[test]
fn what_may_belong_to_a_move_is_no_tail() {
    for tail in [
        "２二角成らず(88)",
        "２二角成り(88)",
        "２二角(88)成",
        "２二角(88)（成）",
        "２二角(88)・成",
        "２二角(88) 成",
        "２二角 (88)不成",
    ] {
        assert!(summary(&format!("{HEADER}{MOVES}   3 {tail}\n")).starts_with("SYNTAX 7"), "{tail}");
    }
    for tail in ["▲２二角 成 △同　銀", "▲２二角成らず", "▲２二角（成）", "▲２二角(88) 成"]
    {
        assert!(summary(&format!("▲７六歩 △３四歩\n{tail}\n")).starts_with("SYNTAX 2"), "{tail}");
    }
    for tail in
        ["２二角成(88) 好手", "２二角成(88)!?", "２二角成(88) 成功", "２二角成(88) 打ち歩詰めではない"]
    {
        assert_eq!(summary(&format!("{HEADER}{MOVES}   3 {tail}\n")), "3 - - IGNORED_TEXT", "{tail}");
    }
}

/// The move before a diagram says who is to move, if nothing else does, and what 同 means.
#[test]
fn the_move_before_a_diagram_names_side_and_square() {
    let board = diagram("", "").replace("金\n", "なし\n");
    for (before, side) in [
        ("手数＝1  ▲３三歩成  まで\n", Color::White),
        ("手数＝1  △３三歩成  まで\n", Color::Black),
        ("手数＝1  ▲３三歩成  まで\n先手番\n", Color::Black),
        ("手数＝1  まで\n", Color::Black),
    ] {
        let record = read(&format!("{board}{before}")).remove(0).unwrap().record;
        assert_eq!(record.initial().side_to_move(), side, "{before}");
        assert_eq!(record.first_ply(), 2);
    }
    let board = diagram("", "").replace("金\n", "なし\n");
    for square in ["４二", "42", "４２"] {
        let text = format!("{board}手数＝11  ▲{square}歩  まで\n△同　玉\n");
        let game = read(&text).remove(0).unwrap_or_else(|error| panic!("{text}{error}"));
        assert_eq!(game.record.main_line().count(), 1);
    }
}

/// A sentence may hold a move; but if the end says that moves are missing, its line is at fault.
#[test]
fn a_line_that_is_left_out_is_a_fault_if_moves_are_missing() {
    let line = "→▲２六歩 △８四歩\n";
    let text = |count: u32| format!("▲７六歩 △３四歩\n{line}まで{count}手で後手の勝ち\n");
    assert_eq!(summary(&text(2)), "2 投了 white IGNORED_LINE");
    assert_eq!(summary(&text(4)), "SYNTAX 2");
    assert_eq!(summary(&text(4).replace(line, "良い将棋\n")), "2 投了 white IGNORED_LINE MOVE_COUNT");
}

//! The ends of CSA games and the times, where they are not as CSA has them.

use komabako_board::Color;
use komabako_kifu::{Format, Game, Games, Outcome, ReadOptions};

fn read(lines: &str) -> Game {
    let text = format!("V2.2\nPI\n+\n+7776FU\n-3334FU\n{lines}");
    let game = Games::new(&text, Format::Csa, ReadOptions::default()).next().unwrap();
    game.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The ending, the result, the notices, and the comments and the time of the last node.
fn summary(lines: &str) -> String {
    let Game { record, notices, .. } = read(lines);
    let ending = record.ending_name().unwrap_or("-".into());
    let result = match record.result() {
        Some(Outcome::Win(Color::Black)) => "black",
        Some(Outcome::Win(Color::White)) => "white",
        Some(Outcome::Draw) => "draw",
        None => "-",
    };
    let last = record.node(record.main_line().last().unwrap());
    let mut summary = format!("{ending} {result}");
    summary.extend(notices.iter().map(|notice| format!(" {}", notice.kind.name())));
    summary.extend(last.comments().map(|comment| format!(" `{comment}`")));
    summary.extend(last.time().map(|time| format!(" {time}")));
    summary
}

#[test]
fn words_of_no_known_ending_are_noticed() {
    for (lines, expected) in [
        ("%TORYO\n", "TORYO white"),
        ("%ERROR\n", "ERROR -"),
        ("%MATTA\n", "MATTA -"),
        ("%RESIGN\n", "RESIGN - END_SENTENCE"),
        ("%TIMEUP\n", "TIMEUP - END_SENTENCE"),
        ("%TORYOX\n", "TORYOX - END_SENTENCE"),
        ("%T5\n", "T5 - END_SENTENCE"),
        ("%UCHIFUZUME\n'summary:uchifuzume:a lose:b win\n", "ILLEGAL_MOVE white END_SENTENCE SERVER_NAMES"),
        // A known word with a time, a bracket, the end of a file of DOS.
        ("%TORYOT3\n", "TORYO white 3"),
        ("%toryoT3\n", "TORYO white 3"),
        ("%TORYO(0:01)\n", "TORYO white KEPT_TEXT `(0:01)`"),
        ("%TORYO/\n", "TORYO white"),
        ("%TORYO\u{1a}", "TORYO white"),
        ("%TORYO\n\u{1a}", "TORYO white"),
        ("%illegal_move\n", "ILLEGAL_MOVE white"),
    ] {
        let found = summary(lines);
        assert!(found.starts_with(expected), "{lines}: {found}");
        assert!(found == expected || lines.contains("summary"), "{lines}: {found}");
    }
}

/// 将棋ウォーズ' words name the winner and the reason.
#[test]
fn words_of_an_outcome_and_a_cause_are_endings() {
    for (word, expected) in [
        ("GOTE_WIN_TORYO", "TORYO white"),
        ("GOTE_WIN_TIMEOUT", "TIME_UP white"),
        ("GOTE_WIN_CHECKMATE", "TSUMI white"),
        ("GOTE_WIN_DISCONNECT", "TORYO white"),
        ("SENTE_WIN_ENTERINGKING", "KACHI black"),
        ("GOTE_WIN_OUTE_SENNICHI", "ILLEGAL_MOVE white"),
        ("SENTE_WIN_TORYO", "-ILLEGAL_ACTION black"),
        ("DRAW_SENNICHI", "SENNICHITE draw"),
        ("DRAW_PLY_LIMIT", "MAX_MOVES draw"),
    ] {
        assert_eq!(summary(&format!("%{word}\n")), format!("{expected} `%{word}`"));
    }
}

/// The sign decides who broke the rules, even after an illegal move of the other side.
#[test]
fn the_sign_of_an_illegal_action_decides() {
    for (lines, expected) in [
        ("%+ILLEGAL_ACTION\n", "ILLEGAL_MOVE white ILLEGAL_MOVE `反則手：+0077FU`"),
        ("%ILLEGAL_MOVE\n", "ILLEGAL_MOVE white ILLEGAL_MOVE `反則手：+0077FU`"),
        ("%ILLEGAL_ACTION\n", "ILLEGAL_MOVE white ILLEGAL_MOVE `反則手：+0077FU`"),
        ("%-ILLEGAL_ACTION\n", "-ILLEGAL_ACTION black END_SENTENCE ILLEGAL_MOVE `反則手：+0077FU`"),
    ] {
        assert_eq!(summary(&format!("+0077FU\n{lines}")), expected, "{lines}");
    }
}

#[test]
fn times_that_cannot_be_kept_are_comments() {
    assert_eq!(summary("T3\nT4\n"), "- - KEPT_TEXT `T4` 3");
    assert_eq!(summary("T3,T4\nT5\n"), "- - KEPT_TEXT KEPT_TEXT `T4` `T5` 3");
    assert_eq!(summary("+2726FU,T3\nT4\n"), "- - KEPT_TEXT `T4` 3");
    assert_eq!(summary("T12345678901\n"), "- - KEPT_TEXT `T12345678901`");
    let expected = "ILLEGAL_MOVE white ILLEGAL_MOVE KEPT_TEXT `反則手：+0077FU` `T6` 5";
    assert_eq!(summary("+0077FU\nT5\n%ILLEGAL_MOVE\nT6\n"), expected);
    // Before the first move there is nothing that took time.
    let text = "V2.2\nPI\n+\nT7\n+7776FU\nT1\n";
    let game = Games::new(text, Format::Csa, ReadOptions::default()).next().unwrap().unwrap();
    let start = game.record.node(game.record.start());
    assert_eq!((start.comments().collect::<Vec<_>>(), game.notices.len()), (vec!["T7"], 1));
}

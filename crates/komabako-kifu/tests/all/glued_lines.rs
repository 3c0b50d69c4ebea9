//! Lines that hold more than one: moves behind a variation's number, the next file behind the end of a game.

use komabako_board::Color;
use komabako_kifu::{Format, Game, Games, KifuError, NoticeKind, Outcome, ReadOptions};

const KIF: &str = "   1 ７六歩(77)\n   2 ３四歩(33)\n";

fn read(text: &str) -> Vec<Result<Game, KifuError>> {
    let format = Format::detect(text).unwrap_or_else(|| panic!("{text}"));
    Games::new(text, format, ReadOptions::default()).collect()
}

fn only(text: &str) -> Game {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}{games:?}");
    games.remove(0).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn moves_behind_the_number_of_a_variation_are_read() {
    let kif = |first: &str| format!("手合割：平手\n{KIF}   3 投了\n\n変化：2手{first}   3 ２六歩(27)\n");
    let ki2 =
        |first: &str| format!("手合割：平手\n▲７六歩 △３四歩\nまで2手で中断\n\n変化：2手{first}▲２六歩\n");
    let plain = only(&kif("\n   2 ８四歩(83)\n")).record;
    for first in ["   2 ８四歩(83)\n", "目 2 ８四歩(83)\n", "　2：８四歩(83)\n", "2手目 ８四歩(83)\n"]
    {
        assert_eq!(only(&kif(first)).record, plain, "{first}");
    }
    let plain = only(&ki2("\n△８四歩\n")).record;
    for first in [" △８四歩\n", "△８四歩 ", "  ８四歩\n"] {
        assert_eq!(only(&ki2(first)).record, plain, "{first}");
    }
    // What holds a move is a fault if it cannot be read, all else a notice.
    let error = read(&kif("（８四歩なら）\n")).remove(0).unwrap_err();
    assert_eq!((error.fault.name(), error.line), ("SYNTAX", 6));
    let game = only(&ki2("（本譜）\n△８四歩\n"));
    assert_eq!(game.record, plain);
    assert_eq!(game.notices.iter().map(|notice| notice.kind).collect::<Vec<_>>(), [NoticeKind::IgnoredLine]);
}

/// Files without a last line end that were put together.
#[test]
fn a_file_that_is_glued_to_the_end_of_a_game_is_the_next_game() {
    let starts = ["手合割：香落ち", "# ---- Kifu for Windows\n手合割：香落ち", "先手：A\n手合割：香落ち"];
    for (moves, next) in
        [(KIF, "   1 ３四歩(33)\n   2 投了\n"), ("▲７六歩 △３四歩\n", "△３四歩\nまで1手で中断\n")]
    {
        for end in [
            "まで2手で後手の勝ち",
            "まで2手で後手の勝ち ",
            "まで2手で後手の勝ち\u{feff}",
            "まで2手で時間切れにより後手の勝ち",
            "投了",
            "   3 投了",
            "   3 投了   ( 0:01/00:00:01)",
        ] {
            if next.starts_with('△') && end.starts_with(' ') {
                continue;
            }
            for start in starts {
                let first = only(&format!("手合割：平手\n{moves}{end}\n"));
                let second = only(&format!("{start}\n{next}"));
                let games = read(&format!("手合割：平手\n{moves}{end}{start}\n{next}"));
                assert_eq!(games.len(), 2, "{end}{start}{games:?}");
                let records = games.into_iter().map(|game| game.unwrap().record);
                let result = first.record.result();
                assert_eq!(result, Some(Outcome::Win(Color::White)), "{end}");
                let mut expected = [first.record, second.record].to_vec();
                // The mark of the next file is at the end of the sentence only in the single file.
                if end.ends_with('\u{feff}') {
                    expected[0] = only(&format!("手合割：平手\n{moves}まで2手で後手の勝ち\n")).record;
                }
                assert_eq!(records.collect::<Vec<_>>(), expected, "{end}{start}");
            }
        }
    }
    // No next file.
    for (end, count) in [("まで2手で後手の勝ち（先手：A）", 1), ("備考： 千日手 先手：A", 1)]
    {
        assert_eq!(read(&format!("手合割：平手\n{KIF}{end}\n")).len(), count, "{end}");
    }
    // After a fault in the game.
    let games = read(&format!(
        "手合割：平手\n{KIF}   3 ５五金(54)\nまで3手で先手の勝ち手合割：香落ち\n   1 ３四歩(33)\n"
    ));
    assert!(games[0].is_err() && games[1].as_ref().is_ok_and(|game| game.record.handicap() == "香落ち"));
}

#[test]
fn a_file_of_csa_that_is_glued_to_a_line_is_the_next_game() {
    let first = "V2.2\nN+A\nPI\n+\n+7776FU";
    for end in ["\n%TORYO", "\n%toryo", "\nT5", "", ",T5", "\n%-ILLEGAL_ACTION"] {
        for second in [
            "V2.2\nN+B\nPI11KY\n-\n-3334FU\n",
            "N+B\nPI11KY\n-\n-3334FU\n",
            "'CSA encoding=UTF-8\nV3.0\nPI\n+\n",
        ] {
            let expected = [only(&format!("{first}{end}\n")), only(second)].map(|game| game.record);
            for between in ["", "/\n", "\u{1a}\n/\n"] {
                if end == ",T5" && between.is_empty() {
                    continue;
                }
                let text = format!("{first}{end}{between}{second}");
                let games = read(&text).into_iter().map(|game| game.unwrap().record);
                assert_eq!(games.collect::<Vec<_>>(), expected, "{text}");
            }
        }
    }
    // After a fault in the game.
    let games = read("V2.2\nPI\n+\n+7775FU\n%TORYON+B\nPI\n+\n");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].as_ref().unwrap().record.player(Color::Black), Some("B"));
    // What is no next file stays a fault, or a comment with a notice.
    assert_eq!(read(&format!("{first}X\n"))[0].as_ref().unwrap_err().fault.name(), "SYNTAX");
}

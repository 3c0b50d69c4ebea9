//! Positions whose lines contradict each other: none is merged with another, or left out, without a word.

use komabako_kifu::{Format, Games, KifuError, ReadOptions, Record};

fn read(text: &str) -> Result<Record, KifuError> {
    let format = Format::detect(text).unwrap_or_else(|| panic!("{text}"));
    let game = Games::new(text, format, ReadOptions::default()).next().unwrap();
    game.map(|game| game.record)
}

/// The initial position, or the fault with its line and column.
fn summary(text: &str) -> String {
    match read(text) {
        Ok(record) => record.initial().to_string(),
        Err(error) => format!("{} {} {}", error.fault.name(), error.line, error.column),
    }
}

const KINGS: &str = "P+59OU\nP-51OU\n";
const BLANK: &str = " *  *  *  *  *  *  *  *  * ";

#[test]
fn positions_of_csa() {
    let even = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let rows = |ranks: &str| ranks.chars().map(|rank| format!("P{rank}{BLANK}\n")).collect::<String>();
    for (text, expected) in [
        (format!("{KINGS}P+53FU\nP-53GI\n+\n"), "CONTRADICTION 4 3"),
        (format!("{KINGS}P+53FU54FU53FU\n+\n"), "CONTRADICTION 3 11"),
        ("PI\nP+76FU\n+\n".to_owned(), "SETUP 2 3"),
        ("PI77FU\nP+77FU\n+\n".to_owned(), &*format!("{even} b -")),
        ("PI\nP+77FU\n+\n".to_owned(), "CONTRADICTION 2 3"),
        (format!("PI\nP5{BLANK}\n+\n"), "CONTRADICTION 2 1"),
        ("PI\nPI82HI\n+\n".to_owned(), "CONTRADICTION 2 1"),
        ("PI82HI22KA\nPI\n+\n".to_owned(), "CONTRADICTION 2 1"),
        (format!("{KINGS}PI\n+\n"), "CONTRADICTION 3 1"),
        (format!("{}PI\n+\n", rows("12")), "CONTRADICTION 3 1"),
        (format!("{}P1{BLANK}\n{KINGS}+\n", rows("123456789")), "CONTRADICTION 10 1"),
        (format!("{}{KINGS}+\n", rows("12346789")), "BOARD_ROW 11 1"),
        (format!("{}{KINGS}+\n", rows("123456789")), "4k4/9/9/9/9/9/9/9/4K4 b -"),
        (format!("{}{KINGS}+\n", rows("987654321")), "4k4/9/9/9/9/9/9/9/4K4 b -"),
        // A hand may be given in several lines.
        (format!("{KINGS}P+00FU\nP+00FU\n+\n"), "4k4/9/9/9/9/9/9/9/4K4 b 2P"),
    ] {
        assert_eq!(summary(&text), expected, "{text}");
    }
}

#[test]
fn positions_of_kif() {
    let moves = "   1 ３四歩(33)\n";
    let rows = "| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n".to_owned()
        + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(7)
        + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n";
    for (text, expected) in [
        (format!("手合割：香落ち\n手合割：平手\n{moves}"), "CONTRADICTION 2 5"),
        (
            format!("手合割：香落ち\n先手：A\n手合割：香落ち\n{moves}"),
            "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -",
        ),
        (
            format!("手合割：\n手合割：香落ち\n手合割：\n{moves}"),
            "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -",
        ),
        (format!("先手の持駒：金\n{rows}先手の持駒：銀\n"), "CONTRADICTION 11 7"),
        (format!("先手の持駒：なし\n{rows}先手の持駒：銀\n"), "CONTRADICTION 11 7"),
        (format!("先手の持駒：金\n{rows}先手の持駒：金\n"), "4k4/9/9/9/9/9/9/9/4K4 b G"),
        (format!("先手の持駒：\n{rows}▲持駒　なし\n"), "4k4/9/9/9/9/9/9/9/4K4 b -"),
        (format!("{rows}先手番\n後手番\n"), "CONTRADICTION 11 1"),
        (format!("{rows}後手番\n手番：後手\n"), "4k4/9/9/9/9/9/9/9/4K4 w -"),
    ] {
        assert_eq!(summary(&text), expected, "{text}");
    }
}

#[test]
fn a_file_without_a_game_says_so() {
    for text in ["", " \n\n", "\u{feff}\n"] {
        let error = komabako_kifu::open(text.as_bytes(), None).unwrap_err();
        assert_eq!(error.with_advice().to_string(), "line 1, column 1: the file holds no game");
        assert_eq!(error.fault.name(), "EMPTY");
    }
    let error = komabako_kifu::open(b"\n\n\thello\n", None).unwrap_err();
    assert_eq!((error.fault.name(), error.line, error.text.as_str()), ("SYNTAX", 3, "hello"));
}

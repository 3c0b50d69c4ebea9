//! SFEN text: round trips, every accepted form, every fault with its column, and agreement with `shogi_usi_parser`.

use komabako_board::sfen::{self, Sfen};
use komabako_board::{BaseKind, Color, Move, Piece, Setup, Square};
use komabako_testkit::setups;
use proptest::prelude::*;
use shogi_usi_parser::FromUsi;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const EMPTY_BOARD: &str = "9/9/9/9/9/9/9/9/9";

#[test]
fn random_setups_round_trip_through_sfen() {
    for (ply, setup) in (0..).zip(setups::random(2).take(100_000)) {
        let sfen = Sfen { setup, ply: Some(ply) };
        assert_eq!(sfen::parse(sfen.to_text().as_bytes()), Ok(sfen));
    }
}

#[test]
fn start_position_has_the_standard_text() {
    let start = Sfen { setup: Setup::START, ply: Some(1) };
    assert_eq!(start.to_string(), START);
    assert_eq!(sfen::parse(START), Ok(start));
    assert_eq!(Setup::START.to_string(), START.trim_end_matches(" 1"));
    assert_eq!(Setup::from_parts(*Setup::START.parts()), Ok(Setup::START));
}

#[test]
fn odd_forms_are_read() {
    let canonical = |text: &str| sfen::parse(text).map(|sfen| sfen.to_string());
    let start_without_ply = START.trim_end_matches(" 1");
    for (text, expected) in [
        ("startpos", START),
        ("position startpos", START),
        ("  startpos\r\n", START),
        (&format!("sfen {START}"), START),
        (&format!("position sfen {START}"), START),
        (&format!("\tposition \t sfen  {START}\r\n"), START),
        (&START.replace(' ', "   "), START),
        (start_without_ply, start_without_ply),
        (&format!("{start_without_ply}\r"), start_without_ply),
        (start_without_ply.trim_end_matches(" -"), start_without_ply),
        (&START.replace(" - ", " "), START),
        (&START.replace(" 1", " 0007"), &START.replace(" 1", " 7")),
        (&START.replace(" 1", " 0"), &START.replace(" 1", " 0")),
        (&START.replace(" 1", " 4294967295"), &START.replace(" 1", " 4294967295")),
        (&START.replace("/9/", "/3231/"), START),
        (&format!("{EMPTY_BOARD} w PPp2Pb1r1P 3"), &format!("{EMPTY_BOARD} w 5Prbp 3")),
        (&format!("{EMPTY_BOARD} w 18p4L4n4S4g2B2r"), &format!("{EMPTY_BOARD} w 2B4S4L2r4g4n18p")),
        (&format!("{EMPTY_BOARD} b 10P8p 1"), &format!("{EMPTY_BOARD} b 10P8p 1")),
        ("9/9/9/9/9/9/9/9/8+r b P", "9/9/9/9/9/9/9/9/8+r b P"),
    ] {
        assert_eq!(canonical(text).as_deref(), Ok(expected), "{text:?}");
    }
}

#[test]
fn faults_have_a_column_and_a_message() {
    let board = |row: &str| format!("9/9/9/9/9/9/9/9/{row} b - 1");
    let rest = |rest: &str| format!("{EMPTY_BOARD} {rest}");
    for (text, message) in [
        ("", "column 1: the text ends where a board should start"),
        ("  ", "column 3: the text ends where a board should start"),
        ("sfen", "column 5: the text ends where a board should start"),
        ("position", "column 9: expected `sfen` or `startpos` after `position`, found the end of the text"),
        ("position 9/9", "column 10: expected `sfen` or `startpos` after `position`, found `9`"),
        ("position startposx", "column 10: expected `sfen` or `startpos` after `position`, found `s`"),
        ("startpos 1", "column 10: expected the end of the text, found `1`"),
        ("hello", "column 1: expected a piece, a digit 1 to 9, `+` or `/`, found `h`"),
        ("9/玉8", "column 3: expected a piece, a digit 1 to 9, `+` or `/`, found `玉`"),
        ("9/0", "column 3: expected a piece, a digit 1 to 9, `+` or `/`, found `0`"),
        ("9", "column 2: the board ends after 1 of nine ranks"),
        ("9/9/9 b - 1", "column 6: the board ends after 3 of nine ranks"),
        ("9/9/9/", "column 7: rank d ends after 0 of nine squares"),
        ("9/8/9", "column 4: rank b ends after 8 of nine squares"),
        ("9//9", "column 3: rank b ends after 0 of nine squares"),
        ("91/9", "column 2: rank a has more than nine squares"),
        ("p9/9", "column 2: rank a has more than nine squares"),
        ("9/ppppppppp+p", "column 13: rank b has more than nine squares"),
        (&format!("{EMPTY_BOARD}/9 b - 1"), "column 18: a tenth rank; a board has nine"),
        (&board("+9"), "column 18: expected one of P L N S B R after `+`, found `9`"),
        (&board("8+"), "column 19: expected one of P L N S B R after `+`, found ` `"),
        (&board("+k8"), "column 18: a piece of kind K does not promote"),
        (&board("2+G6"), "column 19: a piece of kind G does not promote"),
        (&board("2K3K2"), "column 20: a second king of Black"),
        (&board("k7k"), "column 19: a second king of White"),
        (&board("bB+b6"), "column 19: more than 2 pieces of kind B, board and hands together"),
        (EMPTY_BOARD, "column 18: expected the side to move, a lone `b` or `w`, found the end of the text"),
        (&rest("- 1"), "column 19: expected the side to move, a lone `b` or `w`, found `-`"),
        (&rest("B - 1"), "column 19: expected the side to move, a lone `b` or `w`, found `B`"),
        (&rest("bw - 1"), "column 19: expected the side to move, a lone `b` or `w`, found `b`"),
        (&rest("b P2 1"), "column 23: expected a count or one of R B G S N L P in the hands, found ` `"),
        (&rest("b -P 1"), "column 21: expected a count or one of R B G S N L P in the hands, found `-`"),
        (&rest("b Px 1"), "column 22: expected a count or one of R B G S N L P in the hands, found `x`"),
        (&rest("b PK 1"), "column 22: a king cannot be in a hand"),
        (&rest("b 2+P 1"), "column 22: pieces in a hand are not promoted; leave the `+` out"),
        (
            &rest("b 0P 1"),
            "column 21: a count in a hand starts with 1 to 9; leave pieces out that are not there",
        ),
        (
            &rest("b G02P"),
            "column 22: a count in a hand starts with 1 to 9; leave pieces out that are not there",
        ),
        (&rest("b 19P"), "column 21: more than 18 pieces of kind P, board and hands together"),
        (&rest("b 10P9p"), "column 24: more than 18 pieces of kind P, board and hands together"),
        (&rest("b GG3g"), "column 23: more than 4 pieces of kind G, board and hands together"),
        (&rest("b 99999999999P"), "column 21: more than 18 pieces of kind P, board and hands together"),
        (&rest("b - x"), "column 23: expected the ply, a number, found `x`"),
        (&rest("b - 1x"), "column 24: expected the ply, a number, found `x`"),
        (&rest("b P +1"), "column 23: expected the ply, a number, found `+`"),
        (&rest("b - -1"), "column 23: expected the ply, a number, found `-`"),
        (&rest("b - 4294967296"), "column 23: the ply does not fit in 32 bits"),
        (&rest("b - 1 x"), "column 25: expected the end of the text, found `x`"),
        (
            &rest("b - 1 moves 7g7f"),
            "column 25: moves after the position; cut the line here, or read it as a game",
        ),
        (&rest("b moves"), "column 21: moves after the position; cut the line here, or read it as a game"),
    ] {
        let found = sfen::parse(text).err().map(|error| error.with_advice().to_string()).unwrap_or_default();
        assert_eq!(found, message, "{text:?}");
    }
    let not_utf8 = sfen::parse(b"9/\xff").unwrap_err();
    assert_eq!((not_utf8.column, not_utf8.found), (3, Some('\u{fffd}')));
}

#[test]
fn moves_follow_with_their_sides_and_columns() {
    let (sfen, moves) =
        sfen::parse_game("position sfen 4k4/9/9/9/9/9/9/9/4K4 w Pp moves P*5b  P*5h").unwrap();
    assert_eq!((sfen.setup.hand(Color::White).count(BaseKind::Pawn), sfen.ply), (1, None));
    let drops = [(Piece::W_P, Square::SQ_5B), (Piece::B_P, Square::SQ_5H)];
    assert!(moves.eq(drops.map(|(piece, to)| Ok(Move::Drop { piece, to }))));

    let (_, mut moves) = sfen::parse_game("startpos moves 7g7f 3c3").unwrap();
    assert!(moves.next().is_some_and(|mv| mv.is_ok()));
    assert_eq!(moves.next().and_then(Result::err).map(|error| error.column), Some(24));
    assert_eq!(moves.next(), None);

    for text in ["startpos", "startpos moves", "startpos moves \r\n"] {
        assert_eq!(sfen::parse_game(text).unwrap().1.count(), 0);
    }
    assert_eq!(sfen::parse_game("startpos move 7g7f").unwrap_err().column, 10);
}

#[test]
fn the_longest_text_fits() {
    let alternating = "1+P1+P1+P1+P1/+P1+P1+P1+P1+P/1+P1+P1+P1+P1/+P1+P1+P1+P1+P/1+l1+l1+l1+l1/\
                       +n1+n1+n1+n1+s/1+s1+s1+s1+b1/+b1+r1+r1g1g/1g1g1k1K1";
    let longest = format!("{alternating} b - 4294967295");
    assert_eq!(sfen::parse(&longest).map(|sfen| sfen.to_string()).as_deref(), Ok(&*longest));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn our_parser_and_shogi_usi_parser_agree(setup in setups::setup(), ply in 1..=u16::MAX) {
        let text = Sfen { setup, ply: Some(ply.into()) }.to_string();
        let theirs = shogi_core::PartialPosition::from_usi(&format!("sfen {text}")).unwrap();
        prop_assert_eq!(theirs.to_sfen_owned(), text);
        prop_assert_eq!(theirs.side_to_move(), setup.side_to_move());
        for square in Square::all() {
            prop_assert_eq!(theirs.piece_at(square), setup.piece_at(square));
        }
    }

    #[test]
    fn any_text_gives_a_value_or_a_column_inside_it(text in "(position )?(sfen )?[1-9+/PLNSGBRKplnsgbrk 0bw-]{0,80}") {
        match sfen::parse(&text) {
            Ok(sfen) => prop_assert_eq!(sfen::parse(sfen.to_text().as_str()), Ok(sfen)),
            Err(error) => prop_assert!((1..=text.len() + 1).contains(&error.column)),
        }
    }

    #[test]
    fn changed_bytes_in_an_sfen_never_panic(setup in setups::setup(), at: prop::sample::Index, byte: u8) {
        let mut text = setup.to_string().into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        if let Ok(sfen) = sfen::parse(&text) {
            prop_assert_eq!(Setup::from_parts(*sfen.setup.parts()), Ok(sfen.setup));
        }
    }
}

//! Move texts against rsshogi's, and read back.

mod common;

use common::{random_games, random_positions};
use komabako_board::usi::UsiFault;
use komabako_board::{Color, Move, Piece, Position, Square, sfen, usi};
use komabako_rules::{Move16, MoveList, MoveTextError, State};
use komabako_testkit::peers::Rsshogi;

fn state(text: &str) -> State {
    State::new(&Position::new(sfen::parse(text).unwrap().setup).unwrap()).unwrap()
}

#[test]
fn texts_equal_those_of_rsshogi() {
    let peer = Rsshogi::new();
    let mut compared = 0;
    for state in random_games(21).step_by(3).take(700).chain(random_positions(22).take(700)) {
        if [Color::Black, Color::White].into_iter().any(|side| state.king(side).is_none()) {
            continue;
        }
        let Some(texts) = peer.move_texts(&state.setup()) else { continue };
        for (bits, csa, ki2) in texts {
            let mv = Move16::from_bits(bits);
            assert_eq!(state.csa(mv).unwrap().to_string(), csa, "{mv} in {}", state.setup());
            let japanese = state.japanese(mv, None).unwrap();
            assert_eq!(format!("{japanese:#}"), ki2, "{mv} in {}", state.setup());
            compared += 1;
        }
    }
    assert!(compared > 50_000, "{compared}");
}

#[test]
fn texts_are_read_back() {
    let mut moves = MoveList::new();
    for state in random_games(23).step_by(5).take(100).chain(random_positions(24).take(100)) {
        state.legal_moves(&mut moves);
        for &mv in &moves {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(state.parse_csa(&state.csa(mv).unwrap().to_string()), Ok(mv));
            for previous in [None, mv.to()] {
                let japanese = state.japanese(mv, previous).unwrap();
                for text in [format!("{japanese}"), format!("{japanese:#}")] {
                    assert_eq!(state.parse_japanese(&text, previous), Ok(mv), "{text} in {}", state.setup());
                }
            }
        }
    }
}

#[test]
fn every_word_of_the_japanese_notation_is_written() {
    for (sfen, usi, expected) in [
        // Three golds before a square, and one beside it.
        ("4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "6h5g", "▲5七金左"),
        ("4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "5h5g", "▲5七金直"),
        ("4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "4h5g", "▲5七金右"),
        ("4k4/9/9/9/9/9/3G5/3GG4/4K4 b - 1", "6g5g", "▲5七金寄"),
        ("4k4/9/9/9/9/5S3/9/3SS4/4K4 b - 1", "4f5g", "▲5七銀引"),
        ("4k4/9/9/9/9/3S1S3/9/3S1S3/4K4 b - 1", "4f5g", "▲5七銀右引"),
        ("4k4/9/9/9/9/3S1S3/9/3S1S3/4K4 b - 1", "6h5g", "▲5七銀左上"),
        ("4k4/9/9/9/9/9/9/9/R3K3R b - 1", "9i9a", "▲9一飛不成"),
        ("4k4/9/9/9/9/9/9/9/R3K3R b - 1", "9i9a+", "▲9一飛成"),
        ("8k/9/4+R4/9/4+R4/9/9/9/4K4 b - 1", "5e5d", "▲5四龍上"),
        ("8k/9/4+R4/5+R3/9/9/9/9/4K4 b - 1", "5c5b", "▲5二龍"),
        ("8k/9/9/9/9/9/4+R4/5+R3/4K4 b - 1", "5g4g", "▲4七龍寄"),
        ("9/4k4/9/9/9/9/9/9/4K4 w rb 1", "R*5e", "△5五飛"),
        ("4k4/9/9/9/9/9/9/9/2G1K4 b G 1", "G*7h", "▲7八金打"),
        ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*7h", "▲7八金"),
    ] {
        let state = state(sfen);
        let mv = usi.parse().unwrap();
        assert_eq!(
            state.japanese(mv, None).map(|text| text.to_string()).as_deref(),
            Some(expected),
            "{sfen} {usi}"
        );
    }
    let state = state("4k4/9/9/9/9/9/4p4/4G4/4K4 b - 1");
    let same = state.japanese("5h5g".parse().unwrap(), Some(Square::SQ_5G));
    assert_eq!(same.unwrap().to_string(), "▲同金");
}

#[test]
fn faults_are_named() {
    let start: State = State::start();
    let ambiguous = MoveTextError::Ambiguous("4i5h".parse().unwrap(), "6i5h".parse().unwrap());
    for (text, expected) in [
        ("", MoveTextError::Syntax(0)),
        ("▲7x歩", MoveTextError::Syntax(4)),
        ("▲7六犬", MoveTextError::Syntax(7)),
        ("▲7六歩!", MoveTextError::Syntax(10)),
        ("△3四歩", MoveTextError::Side),
        ("▲7五歩", MoveTextError::NoSuchMove),
        ("▲同歩", MoveTextError::NoSuchMove),
        ("▲5八金", ambiguous),
    ] {
        assert_eq!(start.parse_japanese(text, None), Err(expected), "{text}");
    }
    for (text, expected) in [
        ("", MoveTextError::Syntax(0)),
        ("+77", MoveTextError::Syntax(1)),
        ("7077FU", MoveTextError::Syntax(0)),
        ("+7770FU", MoveTextError::Syntax(3)),
        ("+7776XX", MoveTextError::Syntax(5)),
        ("-7776FU", MoveTextError::Side),
        ("+7776TO", MoveTextError::NoSuchMove),
        ("+7776KI", MoveTextError::NoSuchMove),
        ("+5554FU", MoveTextError::NoSuchMove),
        ("+0055OU", MoveTextError::NoSuchMove),
        ("+0055TO", MoveTextError::NoSuchMove),
    ] {
        assert_eq!(start.parse_csa(text), Err(expected), "{text}");
    }
}

#[test]
fn usi_text_gives_a_well_formed_move_or_an_error() {
    for text in ["7g7g", "7g7g+", "5e5e"] {
        assert_eq!(text.parse::<Move16>().map_err(|error| error.fault), Err(UsiFault::SameSquare), "{text}");
    }
    for bits in 0..=u16::MAX {
        let mv = Move16::from_bits(bits);
        let parsed = mv.to_string().parse();
        assert_eq!(parsed.ok(), Some(mv).filter(|mv| mv.is_well_formed()), "{bits:#06x}");
    }
}

#[test]
fn shogi_cores_move_has_bits_only_if_they_are_well_formed() {
    let squares = || Square::all();
    let board = squares()
        .flat_map(|from| squares().map(move |to| (from, to)))
        .flat_map(|(from, to)| [false, true].map(|promote| Move::Normal { from, to, promote }));
    let drops = Piece::all().into_iter().flat_map(|piece| squares().map(move |to| Move::Drop { piece, to }));
    let mut without_bits = 0;
    for mv in board.chain(drops) {
        match Move16::from_move(mv) {
            Some(bits) => {
                assert!(bits.is_well_formed(), "{mv:?}");
                assert_eq!(usi::write(mv).as_str().parse(), Ok(bits), "{mv:?}");
            }
            None => without_bits += 1,
        }
    }
    // Moves to their own square, with and without promotion; drops of 2 kings and of 2 × 6 promoted pieces.
    assert_eq!(without_bits, 2 * 81 + 14 * 81);
}

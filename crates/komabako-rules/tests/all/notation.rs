//! Move texts against rsshogi's, and read back.

use crate::common::{random_games, random_positions};
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
fn notations_round_trip() {
    let mut moves = MoveList::new();
    for state in random_games(23).step_by(5).take(100).chain(random_positions(24).take(100)) {
        state.legal_moves(&mut moves);
        for &mv in &moves {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            let csa = state.csa(mv).unwrap().to_string();
            assert_eq!(state.parse_csa(&csa), Ok(mv));
            assert_eq!(state.move_of_csa(csa.as_bytes().try_into().unwrap()), Some(mv));
            for previous in [None, mv.to()] {
                let japanese = state.japanese(mv, previous).unwrap();
                for text in [format!("{japanese}"), format!("{japanese:#}")] {
                    assert_eq!(state.parse_japanese(&text, previous), Ok(mv), "{text} in {}", state.setup());
                }
                let ki2 = japanese.ki2().to_string();
                assert_eq!(state.parse_japanese(&ki2, previous), Ok(mv), "{ki2} in {}", state.setup());
                let kif = state.kif(mv, previous).unwrap().to_string();
                assert_eq!(state.parse_kif(&kif, previous), Ok(mv), "{kif} in {}", state.setup());
                assert_eq!(state.read_kif(&format!("{kif}   ( 0:01/"), previous), Ok((mv, kif.len())));
            }
        }
    }
}

/// Every text of a sign, four digits and the name of a kind, and such texts with a byte changed.
#[test]
fn the_fast_reader_of_csa_agrees_with_the_slow_one() {
    const NAMES: [&str; 14] =
        ["FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];
    let mut legal = 0;
    for (index, state) in random_games(27).step_by(40).take(6).chain(random_positions(28).take(6)).enumerate()
    {
        let mut check = |text: [u8; 7]| {
            let expected = core::str::from_utf8(&text).ok().and_then(|text| state.parse_csa(text).ok());
            assert_eq!(state.move_of_csa(&text), expected, "{} in {}", text.escape_ascii(), state.setup());
            legal += usize::from(expected.is_some());
        };
        for squares in 0..10_000 {
            let name = NAMES[(squares + index) % 14];
            for sign in ['+', '-'] {
                for name in [name, NAMES[squares % 14], "FU", "OU"] {
                    let text: [u8; 7] = format!("{sign}{squares:04}{name}").as_bytes().try_into().unwrap();
                    check(text);
                    for byte in [0, b'/', b':', b'0', b'F', 0x7f, 0x80, 0xff] {
                        let mut changed = text;
                        changed[squares % 7] = byte;
                        check(changed);
                    }
                }
            }
        }
    }
    assert!(legal > 100, "{legal}");
}

#[test]
fn every_word_of_the_japanese_notation_is_written() {
    for (sfen, usi, expected) in [
        // Three golds behind a square, then one beside it.
        ("4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "6h5g", "▲5七金左"),
        ("4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "5h5g", "▲5七金直"),
        ("4k4/9/9/9/9/9/9/3GGG3/4K4 b - 1", "4h5g", "▲5七金右"),
        // 直 alone, though another gold goes straight back.
        ("4k4/9/9/9/9/4G4/9/4GG3/3K5 b - 1", "5h5g", "▲5七金直"),
        ("4k4/9/9/9/9/4G4/9/4GG3/3K5 b - 1", "5f5g", "▲5七金引"),
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
fn japanese_texts_of_other_programs_are_read() {
    let start: State = State::start();
    for (text, usi) in [
        ("▼7六歩", "7g7f"),
        ("７６歩", "7g7f"),
        ("▲5八金(49)", "4i5h"),
        // The source overrides the words.
        ("▲5八金左(49)", "4i5h"),
    ] {
        assert_eq!(start.parse_japanese(text, None), Ok(usi.parse().unwrap()), "{text}");
    }
    assert_eq!(start.parse_japanese("▲7六歩(66)", None), Err(MoveTextError::NoSuchMove));
    assert_eq!(start.parse_japanese("▽3四歩", None), Err(MoveTextError::Side));
    assert_eq!(start.read_japanese("▲7六歩 △3四歩", None), Ok(("7g7f".parse().unwrap(), 10)));
    // The gold on the board is pinned: only the drop is legal, with 打 or without.
    let pinned = state("3rk4/9/9/9/9/9/9/3G5/3K5 b G 1");
    for text in ["▲5八金", "▲5八金打"] {
        assert_eq!(pinned.parse_japanese(text, None), Ok("G*5h".parse().unwrap()), "{text}");
    }
    // Not pinned: without 打 the text means the gold on the board.
    let free = state("4k4/9/9/9/9/9/9/3G5/3K5 b G 1");
    assert_eq!(free.parse_japanese("▲5八金", None), Ok("6h5h".parse().unwrap()));
}

#[test]
fn kif_texts_of_other_programs_are_read() {
    let start: State = State::start();
    for text in [
        "７六歩(77)",
        "7六歩(77)",
        "▲７六歩(77)",
        "７六歩　(77)",
        "７六歩不成(77)",
        "７六歩直不成(77)",
        "７六歩不成行(77)",
        "７六歩右上(77)",
        "７六歩引(77)",
    ] {
        assert_eq!(start.parse_kif(text, None), Ok("7g7f".parse().unwrap()), "{text}");
    }
    for (text, expected) in [
        ("", MoveTextError::Syntax(0)),
        ("７", MoveTextError::Syntax(0)),
        ("７六犬(77)", MoveTextError::Syntax(6)),
        ("７六歩", MoveTextError::Syntax(9)),
        ("７六歩(77)x", MoveTextError::Syntax(13)),
        ("７六歩(7", MoveTextError::Syntax(9)),
        ("７六歩不成直", MoveTextError::Syntax(18)),
        ("△３四歩(33)", MoveTextError::Side),
        ("７六歩(76)", MoveTextError::NoSuchMove),
        ("７六銀(77)", MoveTextError::NoSuchMove),
        ("７六歩打", MoveTextError::NoSuchMove),
        ("７六と打", MoveTextError::NoSuchMove),
        ("同　歩(77)", MoveTextError::NoSuchMove),
    ] {
        assert_eq!(start.parse_kif(text, None), Err(expected), "{text}");
    }
    let same = start.parse_kif("同　歩(77)", Some(Square::SQ_7F));
    assert_eq!(same, Ok("7g7f".parse().unwrap()));
}

#[test]
fn faults_of_move_texts_are_reported() {
    let start: State = State::start();
    let ambiguous = MoveTextError::Ambiguous("4i5h".parse().unwrap(), "6i5h".parse().unwrap());
    for (text, expected) in [
        ("", MoveTextError::Syntax(0)),
        // The fault is at the start of the wrong word; for a square, at its file.
        ("▲7x歩", MoveTextError::Syntax(3)),
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
fn moves_of_shogi_core_convert_only_to_well_formed_bits() {
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

#[test]
fn csa_faults_point_to_the_start_of_a_character() {
    let start: State = State::start();
    for text in ["+7é76FU", "+7é76", "+77é6FU", "777éU", "77あFU", "+あ"] {
        let error = start.parse_csa(text).unwrap_err();
        assert!(matches!(error, MoveTextError::Syntax(at) if text.is_char_boundary(at)), "{text}: {error}");
    }
}

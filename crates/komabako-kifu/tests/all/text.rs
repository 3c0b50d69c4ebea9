//! The law of [`Text`]: the SFEN of every setup is that position, whatever its ranks and hands look like.

use komabako_board::sfen::{self, Sfen};
use komabako_kifu::{Format, Games, ReadOptions, Text};
use komabako_testkit::{cases::scaled, setups};

#[test]
fn sfen_of_every_setup_is_a_position() {
    for (ply, setup) in (0..).zip(setups::random(37)).take(scaled(30_000)) {
        let sfens = [None, Some(ply)].map(|ply| Sfen { setup, ply }.to_string());
        for sfen in sfens
            .iter()
            .flat_map(|sfen| ["", "sfen ", "position sfen "].map(|before| format!("{before}{sfen}")))
        {
            assert_eq!(Text::of(&sfen), Text::Position { sfen: &sfen, moves: "" });
            assert_eq!(sfen::parse(&sfen).unwrap().setup, setup);
            for moves in ["moves 7g7f 2b2g", "7g7f", "+7776FU", "▲７六歩"] {
                let text = format!("{sfen} {moves}");
                assert_eq!(Text::of(&text), Text::Position { sfen: &sfen, moves }, "{text}");
            }
            // The reader of USI text finds the same position.
            assert_eq!(Format::detect(&sfen), Some(Format::Usi));
            if let Some(Ok(game)) = Games::new(&sfen, Format::Usi, ReadOptions::default()).next() {
                assert_eq!(game.record.initial(), setup);
            }
        }
    }
}

#[test]
fn a_record_quoted_in_a_mail_is_told_from_other_text() {
    let name = |text: &str| komabako_kifu::read(text.as_bytes(), None).unwrap_err().fault.name();
    assert_eq!(name("> 手合割：平手\n>\n\n> 1 ７六歩(77)\n"), "QUOTED");
    assert_eq!(name(">V2.2\r\n>PI\r\n>+\r\n"), "QUOTED");
    assert_eq!(name("hello\n> 手合割：平手\n"), "SYNTAX");
    assert_eq!(name("hello\n"), "SYNTAX");
    assert_eq!(name("\n"), "EMPTY");
}

#[test]
fn too_many_pieces_of_an_sfen_are_no_fault_of_syntax() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b";
    for (sfen, column, what) in [
        (format!("sfen {start} G 1 moves 7g7f"), 66, "more than 4 pieces of kind G"),
        ("sfen 4k3k/9/9/9/9/9/9/9/9 b - 1".to_owned(), 9, "a second king of White"),
    ] {
        let error = komabako_kifu::read(sfen.as_bytes(), None).unwrap_err();
        assert_eq!((error.fault.name(), error.column), ("SETUP", column), "{error}");
        assert!(error.to_string().contains(what), "{error}");
    }
}

//! Any bytes as SFEN text.

use komabako_board::{Setup, color, diagram, sfen, usi};

use super::Target;

/// Any bytes as an SFEN: an accepted setup satisfies its invariants and is read back from its canonical text; an error has a
/// column in the text. Comparison: the diagram, which formats every square.
pub const SFEN_PARSE: Target = Target::new("sfen_parse", sfen_parse).with_comparison(draw);

/// Any bytes as an SFEN with moves: each move is read back from its text, or its error has a column in the text.
pub const SFEN_GAME: Target = Target::new("sfen_game", sfen_game);

fn sfen_parse(input: &[u8]) {
    match sfen::parse(input) {
        Ok(sfen) => {
            assert_eq!(Setup::from_parts(*sfen.setup.parts()), Ok(sfen.setup));
            let text = sfen.to_text();
            assert_eq!(sfen::parse(text.as_bytes()), Ok(sfen));
        }
        Err(error) => assert!((1..=input.len() + 1).contains(&error.column), "{error}"),
    }
}

fn draw(input: &[u8]) {
    if let Ok(sfen) = sfen::parse(input) {
        assert_eq!(sfen.to_text().as_str(), sfen.to_string());
        assert_eq!(diagram::kanji(&sfen.setup).to_string().lines().count(), 15);
    }
}

fn sfen_game(input: &[u8]) {
    let Ok((start, moves)) = sfen::parse_game(input) else { return };
    let mut side = start.setup.side_to_move();
    for mv in moves {
        match mv {
            Ok(mv) => assert_eq!(usi::parse(usi::write(mv).as_bytes(), side), Ok(mv)),
            Err(error) => assert!((1..=input.len() + 1).contains(&error.column), "{error}"),
        }
        side = color::opponent(side);
    }
}

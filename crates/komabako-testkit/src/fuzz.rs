//! What the fuzz targets of `fuzz/` run, as plain functions, so that `cargo test` replays the kept inputs.

use komabako_board::{Setup, color, diagram, sfen, usi};

/// A target: it panics on inputs that show a fault.
pub type Target = fn(&[u8]);

/// Every target, by the name of its program and of its directories in `fuzz/corpus` and `fuzz/regressions`.
pub const TARGETS: &[(&str, Target)] = &[("sfen_parse", sfen_parse)];

/// Any bytes as an SFEN with moves: what is read keeps a setup's promises and comes back from its canonical text; what
/// is refused has a column in the text.
///
/// # Panics
/// If not.
pub fn sfen_parse(input: &[u8]) {
    let columns = 1..=input.len() + 1;
    match sfen::parse(input) {
        Ok(sfen) => {
            assert_eq!(Setup::from_parts(*sfen.setup.parts()), Ok(sfen.setup));
            let text = sfen.to_text();
            assert_eq!(sfen::parse(text.as_bytes()), Ok(sfen));
            assert_eq!(text.as_str(), sfen.to_string());
            assert_eq!(diagram::kanji(&sfen.setup).to_string().lines().count(), 15);
        }
        Err(error) => assert!(columns.contains(&error.column), "{error}"),
    }
    let Ok((start, moves)) = sfen::parse_game(input) else { return };
    let mut side = start.setup.side_to_move();
    for mv in moves {
        match mv {
            Ok(mv) => assert_eq!(usi::parse(usi::write(mv).as_bytes(), side), Ok(mv)),
            Err(error) => assert!(columns.contains(&error.column), "{error}"),
        }
        side = color::opponent(side);
    }
}

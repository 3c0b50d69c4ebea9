//! Draws a position: `cargo run -p komabako-board --example diagram [SFEN]`.

use komabako_board::{Setup, diagram};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "startpos".to_owned());
    let setup: Setup = text.parse()?;
    print!("{}", diagram::kanji(&setup));
    Ok(())
}

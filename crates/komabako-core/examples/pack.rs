//! Prints a position's word in every format: `cargo run -p komabako-core --example pack -- SFEN`.

use komabako_core::board::sfen;
use komabako_core::variants::WordFormat;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let setup = sfen::parse(if text.is_empty() { "startpos" } else { &text })?.setup;
    for format in WordFormat::ALL {
        let word = format.pack(&setup)?;
        let digits: String = word[..format.size()].iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{:12}{digits}", format.name());
    }
    Ok(())
}

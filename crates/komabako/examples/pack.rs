//! Prints a position's word in every format: `cargo run -p komabako --example pack -- SFEN`.

use komabako::board::sfen;
use komabako::codec::Format;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let setup = sfen::parse(if text.is_empty() { "startpos" } else { &text })?.setup;
    for format in Format::ALL {
        let word = format.pack(&setup)?;
        let digits: String = word.iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{:8}{digits}", format.name());
    }
    Ok(())
}

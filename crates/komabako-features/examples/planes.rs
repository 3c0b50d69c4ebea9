//! Draws the non-empty planes of a position: `cargo run -p komabako-features --example planes -- [SFEN]`.

use komabako_board::sfen;
use komabako_features::dlshogi::Planes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text: Vec<String> = std::env::args().skip(1).collect();
    let text = if text.is_empty() { "startpos".to_owned() } else { text.join(" ") };
    let planes = Planes::new(&sfen::parse(&text)?.setup);
    for (number, &set) in planes.pieces_and_attacks().iter().enumerate().filter(|(_, set)| **set != 0) {
        println!("plane {number}");
        for rank in 0..9 {
            let row = (0..9).rev().map(|file| if set >> (9 * file + rank) & 1 == 1 { '*' } else { '.' });
            println!("  {}", row.collect::<String>());
        }
    }
    println!("hands and check {:057b}", planes.hands_and_check());
    Ok(())
}

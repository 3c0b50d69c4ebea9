//! Prints a game record in another format: `cargo run -p komabako-kifu --example translate FILE FORMAT`.

use std::env;
use std::fs;

use komabako_kifu::Format;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(path), Some(extension)) = (arguments.next(), arguments.next()) else {
        return Err("usage: translate FILE kif|ki2|csa|jkf|usi".into());
    };
    let format = Format::from_extension(&extension).ok_or("the formats are kif, ki2, csa, jkf and usi")?;
    for game in komabako_kifu::read(&fs::read(&path)?, None)? {
        let (text, losses) = format.write(&game.record);
        print!("{text}");
        for (what, count) in losses.counts().into_iter().filter(|&(_, count)| count > 0) {
            eprintln!("lost: {what} {count}");
        }
    }
    Ok(())
}

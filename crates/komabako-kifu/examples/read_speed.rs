//! Reads files of game records again and again and prints how fast: `read_speed SECONDS FILE…`, 0 seconds for one pass.

use std::env;
use std::fs;
use std::time::Instant;

use komabako_kifu::{Format, Games, ReadOptions, encoding};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let seconds: f64 = arguments.next().ok_or("seconds, then files")?.parse()?;
    let files = arguments.map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let start = Instant::now();
    let (mut passes, mut games, mut moves) = (0_u64, 0_u64, 0_u64);
    loop {
        for file in &files {
            let decoded = encoding::decode(file)?;
            let format = Format::detect(&decoded.text).ok_or("no game record")?;
            for game in Games::new(&decoded.text, format, ReadOptions::default()) {
                moves += game?.record.node_count() as u64 - 1;
                games += 1;
            }
        }
        passes += 1;
        if start.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    let elapsed = start.elapsed().as_secs_f64();
    let bytes = passes * files.iter().map(|file| file.len() as u64).sum::<u64>();
    println!(
        "{games} games, {moves} nodes, {bytes} bytes in {elapsed:.3} s: {:.1} MB/s, {:.0} ns a node",
        bytes as f64 / elapsed / 1e6,
        elapsed / moves as f64 * 1e9
    );
    Ok(())
}

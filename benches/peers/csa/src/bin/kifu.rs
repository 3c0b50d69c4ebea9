//! Reading of game records with the crate csa: `kifu REPETITIONS DIRECTORY`. The crate checks no moves and keeps no scores.
//!
//! Prints one line `csa,work,corpus,unit,rate` per row, as Komabako's `kifu` does.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repetitions, directory] = arguments.as_slice() else {
        return Err("usage: kifu REPETITIONS DIRECTORY".into());
    };
    let repetitions: usize = repetitions.parse()?;
    for corpus in ["csa", "floodgate"] {
        let mut texts = Vec::new();
        for entry in fs::read_dir(format!("{directory}/{corpus}"))? {
            texts.push(fs::read_to_string(entry?.path())?);
        }
        let bytes: usize = texts.iter().map(String::len).sum();
        let mut rates = Vec::new();
        for _ in 0..repetitions {
            let start = Instant::now();
            for text in &texts {
                let record = csa::parse_csa(text).map_err(|error| format!("{error:?}"))?;
                black_box(record.moves.len());
            }
            rates.push(bytes as f64 / start.elapsed().as_secs_f64() / 1e6);
        }
        rates.sort_by(f64::total_cmp);
        println!("csa,read,{corpus},MB/s,{:.1}", rates[rates.len() / 2]);
    }
    Ok(())
}

//! Reading of game records, and conversion to PSV records, on one thread: `kifu REPETITIONS DIRECTORY`. `kifu --threads DIRECTORY`
//! converts 100,000 games on one thread, on two, and in two single-threaded processes with half of the games each. These share
//! nothing, so their rate is the upper limit for two processors of the machine.
//!
//! The directory contains the corpora `csa`, `floodgate` and `kif`, one game per file; `kifu --corpus FROM DIRECTORY` makes them
//! from the test data of komabako-kifu. Prints one line `komabako,work,corpus,unit,rate` per row, the median over the
//! repetitions. `read` parses the text to a tree and checks that every move is legal; `psv` writes a record for each move.
//! Programs of `peers/` print the same lines.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use komabako::dataset::kifu::{Job, MissingScore, PositionOptions};
use komabako::dataset::{FileFormat, Output};
use komabako::kifu::{Format, Games, ReadOptions, encoding};

/// The name of a corpus, and whether a file of the test data with this name belongs to it.
type Corpus = (&'static str, fn(&str) -> bool);

const CORPORA: [Corpus; 3] = [
    ("csa", |name| name.len() == 7 && name.ends_with(".csa")),
    ("floodgate", |name| name.starts_with("floodgate_") && name.ends_with(".csa")),
    ("kif", |name| name.len() == 8 && name.ends_with(".kifu")),
];

/// The number of copies of each game in a corpus, so that a repetition takes some tenths of a second.
const COPIES: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--corpus", from, directory] => make_corpora(Path::new(from), Path::new(directory)),
        ["--threads", directory] => measure_threads(Path::new(directory)),
        ["--half", directory] => convert(&repeated(Path::new(directory), MANY / 2)?, 1).map(drop),
        [repetitions, directory] => measure(repetitions.parse()?, Path::new(directory)),
        _ => Err(
            "usage: kifu REPETITIONS DIRECTORY, kifu --threads DIRECTORY, or kifu --corpus FROM DIRECTORY"
                .into(),
        ),
    }
}

fn make_corpora(from: &Path, directory: &Path) -> Result<(), Box<dyn Error>> {
    for (corpus, belongs) in CORPORA {
        let place = directory.join(corpus);
        fs::create_dir_all(&place)?;
        for path in files(from)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            for copy in 0..COPIES {
                if belongs(&name) {
                    fs::copy(&path, place.join(format!("{copy:04}-{name}")))?;
                }
            }
        }
    }
    Ok(())
}

/// The files of a directory, by name.
fn files(directory: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = fs::read_dir(directory)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

fn measure(repetitions: usize, directory: &Path) -> Result<(), Box<dyn Error>> {
    for (corpus, _) in CORPORA {
        let files = files(&directory.join(corpus))?.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
        let megabytes = files.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
        let rate = median(repetitions, || {
            for file in &files {
                let decoded = encoding::decode(file)?;
                let format = Format::detect(&decoded.text).ok_or("no game record")?;
                for game in Games::new(&decoded.text, format, ReadOptions::default()) {
                    black_box(game?);
                }
            }
            Ok(megabytes)
        })?;
        println!("komabako,read,{corpus},MB/s,{rate:.1}");
    }
    let inputs = files(&directory.join("floodgate"))?;
    let rate = median(repetitions, || convert(&inputs, 1))?;
    println!("komabako,psv,floodgate,1000 games/s,{rate:.2}");
    Ok(())
}

/// The number of games for the comparison of threads.
const MANY: usize = 100_000;

fn measure_threads(directory: &Path) -> Result<(), Box<dyn Error>> {
    let inputs = repeated(directory, MANY)?;
    let print = |how: &str, rate: f64| println!("komabako,psv of {MANY} games,{how},1000 games/s,{rate:.2}");
    for threads in [1, 2] {
        let rate = median(1, || convert(&inputs, threads))?;
        print(&threads_label(threads), rate);
    }
    let rate = median(1, || {
        let start = || Command::new(std::env::current_exe()?).arg("--half").arg(directory).spawn();
        for mut program in [start()?, start()?] {
            if !program.wait()?.success() {
                return Err("one of two programs failed".into());
            }
        }
        Ok(MANY as f64 / 1e3)
    })?;
    print("2 programs", rate);
    Ok(())
}

/// `count` paths to floodgate's games, in which each game occurs many times.
fn repeated(directory: &Path, count: usize) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let files = files(&directory.join("floodgate"))?;
    Ok(files.iter().cycle().take(count).cloned().collect())
}

fn threads_label(threads: usize) -> String {
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
}

/// Converts files to PSV records, and returns the number of games in thousands.
fn convert(inputs: &[PathBuf], threads: usize) -> Result<f64, Box<dyn Error>> {
    let mut records = Vec::new();
    let output = Output::Stream("records".into(), Box::new(&mut records));
    let job = Job {
        to: Some(FileFormat::Psv),
        threads,
        positions: PositionOptions { missing: MissingScore::Value(0), ..PositionOptions::default() },
        ..Job::new(inputs.to_vec(), output)
    };
    let summary = job.run(&mut ())?;
    assert_eq!((summary.games, summary.bad), (inputs.len() as u64, 0));
    Ok(summary.games as f64 / 1e3)
}

/// The median rate of some work, which returns its amount.
fn median(
    repetitions: usize,
    mut work: impl FnMut() -> Result<f64, Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let mut rates = Vec::new();
    for _ in 0..repetitions.max(1) {
        let start = Instant::now();
        let amount = work()?;
        rates.push(amount / start.elapsed().as_secs_f64());
    }
    rates.sort_by(f64::total_cmp);
    Ok(rates[rates.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_label_has_a_singular() {
        assert_eq!([1, 2].map(threads_label), ["1 thread", "2 threads"]);
    }
}

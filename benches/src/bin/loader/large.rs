//! An epoch of a file that is larger than the memory of its loader: rates, memory, and pairs of positions of one game in a batch.

use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use komabako::dataset::archive::Archiving;
use komabako::dataset::{Compression, Input, Output as Target, convert};
use komabako::loader::{FeatureSet, Loader, Order, Plan, Record, Source};
use komabako::record::record::Psv;

use crate::{BATCH, cpu_seconds, features};

/// The positions of a game.
const GAME: u64 = 128;
/// The memory of the plan.
const MEMORY: u64 = 256 << 20;
const MIB: f64 = (1 << 20) as f64;

/// Loads an epoch of this many records from PSV and from a fast archive, with each number of threads, and removes the files.
pub fn run(records: u64, threads: &[usize], some: &[Record], folder: &Path) -> Result<(), Box<dyn Error>> {
    let psv = folder.join("large.psv");
    let archive = folder.join("large.kmb");
    let result = load_both(records, threads, some, &psv, &archive);
    for path in [&psv, &archive] {
        if path.exists() {
            fs::remove_file(path)?;
        }
    }
    result
}

fn load_both(
    records: u64,
    threads: &[usize],
    some: &[Record],
    psv: &Path,
    archive: &Path,
) -> Result<(), Box<dyn Error>> {
    make(records, some, psv)?;
    for &threads in threads {
        load("large psv", psv, records, threads)?;
    }
    let mut job = convert::Job::new(vec![Input::path(psv)], Target::path(archive.to_owned()));
    job.options.force = true;
    job.compression = Some(Compression::Archive(Archiving { verify: false, ..Archiving::FAST }));
    job.plan()?.run(&mut ())?;
    fs::remove_file(psv)?;
    for &threads in threads {
        load("large fast archive", archive, records, threads)?;
    }
    Ok(())
}

/// Writes games of [`GAME`] positions: the given records again and again, with other scores, and the number of the game in place of
/// the ply and the padding.
fn make(records: u64, some: &[Record], path: &Path) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for (number, record) in (0..records).zip(some.iter().cycle()) {
        let game = number / GAME;
        let record = Psv::from_bytes(record);
        let score = record.score.wrapping_add((game % 251) as i16);
        let ply = game as u16;
        let padding = (game >> 16) as u8;
        file.write_all(&Psv { score, ply, padding, ..record }.to_bytes())?;
    }
    Ok(file.flush()?)
}

/// The number of the game of a record.
fn game_of(record: &Record) -> u32 {
    let Psv { ply, padding, .. } = Psv::from_bytes(record);
    u32::from(padding) << 16 | u32::from(ply)
}

/// The pairs of positions of one game in a batch.
fn pairs_of(records: &[Record], games: &mut Vec<u32>) -> u64 {
    games.clear();
    for record in records {
        games.push(game_of(record));
    }
    games.sort_unstable();
    let pairs = |group: &[u32]| (group.len() * (group.len() - 1) / 2) as u64;
    games.chunk_by(|one, other| one == other).map(pairs).sum()
}

/// Loads an epoch and prints its rows.
fn load(work: &str, path: &Path, records: u64, threads: usize) -> Result<(), Box<dyn Error>> {
    let plan = Plan {
        sources: vec![Source::new(path)],
        batch: BATCH,
        memory: MEMORY,
        order: Order::Riffle,
        threads,
        output: features(FeatureSet::HalfKp),
        ..Plan::new()
    };
    let before = reset_peak()?;
    let mut loader: Loader = plan.start()?;
    let quality = loader.quality(GAME as f64);
    let wall = Instant::now();
    let start = cpu_seconds();
    let mut counting = 0.0;
    let mut games = Vec::new();
    let mut loaded = 0;
    let mut batches = 0;
    let mut pairs = 0;
    while let Some(batch) = loader.next()? {
        black_box(&batch.stm);
        loaded += batch.len() as u64;
        // Of some batches: counting takes as long as loading, and the threads go on meanwhile.
        if batch.len() == BATCH && batch.step % 64 == 0 {
            let before = Instant::now();
            pairs += pairs_of(&batch.records, &mut games);
            batches += 1;
            counting += before.elapsed().as_secs_f64();
        }
    }
    let wall = wall.elapsed().as_secs_f64() - counting;
    let cpu = cpu_seconds() - start - counting;
    assert_eq!(loaded, records, "an epoch has every record once");
    let peak = memory("VmHWM:")? - before;
    let row = |unit: &str, figure: f64| println!("komabako,{work},{threads},{unit},{figure:.2}");
    row("millions of records", records as f64 / 1e6);
    row("thousands of positions a second", records as f64 / wall / 1e3);
    row("thousands of positions a CPU second", records as f64 / cpu / 1e3);
    row("MiB of memory", peak as f64 / MIB);
    row("MiB planned", quality.memory as f64 / MIB);
    row("pairs per batch", pairs as f64 / f64::from(batches));
    let batch = BATCH as f64;
    row("pairs per batch by the law", batch * batch * (GAME - 1) as f64 / (2.0 * quality.window as f64));
    Ok(())
}

/// Forgets the largest memory of this process so far, and returns the present one.
fn reset_peak() -> Result<u64, Box<dyn Error>> {
    fs::write("/proc/self/clear_refs", "5")?;
    memory("VmRSS:")
}

/// A line of the status of this process, in bytes.
fn memory(name: &str) -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("a line of the status")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1024)
}

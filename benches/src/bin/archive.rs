//! Archives of training records on one thread, beside zstd: `archive REPETITIONS DIRECTORY`; on all processors: `archive --threads
//! DIRECTORY`. `archive --data DIRECTORY` makes the directory: `order.psv`, 50,056 records of games; the same shuffled, `shuffled.psv`;
//! archives of 10^8 records, in which these are repeated; and `many.psv` and `many.kmb`, of a million different records.
//!
//! Prints one line `program,work,set,unit,figure` per row, the median over the repetitions. The program `komabako` is the model,
//! `komabako fast` the columns. The rows of `access` and `job` are whole runs of the program `komabako`, its start included, which is
//! the row `start`; those of `scaling` say how many times as fast it is on all processors as kept to one by
//! `taskset`. The program of `peers/rsshogi` prints the same lines.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use komabako::archive::{
    Archive, BlockHeader, Codec, Encoding, Header, Index, IndexEntry, Source, encode_block, join_games,
    write_archive,
};
use komabako::record::record::Psv;

const RECORD: usize = Source::Psv.record_size();
/// The records in a block, by default.
const BLOCK: usize = 65_536;
/// The records of the archives from which single ones are read.
const MANY: u64 = 100_000_000;

/// The records that jobs read: 16 blocks.
const READ: usize = 16 * BLOCK;
/// Jobs that read a file and write another, with their options.
const JOBS: [(&str, &[&str]); 2] = [("shuffle", &["--seed", "1"]), ("dedup", &["--by", "record"])];

/// An archive of many records: its name, its codec, the records in a block.
const LARGE: [(&str, Codec, usize); 3] =
    [("small", Codec::Model, BLOCK), ("fast", Codec::Columns, BLOCK), ("fast-8192", Codec::Columns, 8192)];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--data", directory] => make_data(Path::new(directory)),
        ["--threads", directory] => measure_threads(Path::new(directory)),
        [repetitions, directory] => measure(repetitions.parse()?, Path::new(directory)),
        _ => Err("usage: archive REPETITIONS DIRECTORY, or archive --data DIRECTORY".into()),
    }
}

fn make_data(directory: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(directory)?;
    let games =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/komabako-archive/tests/data/selfplay.kmb");
    let records = Archive::new(&fs::read(games)?).records()?;
    fs::write(directory.join("shuffled.psv"), shuffled(&records))?;
    for (name, codec, block) in LARGE {
        write_large(&records, codec, block, &directory.join(name).with_extension("kmb"))?;
    }
    let many = many(&records)?;
    let fast = Encoding { verify: false, ..Encoding::new(Codec::Columns) };
    fs::write(directory.join("many.kmb"), write_archive(&Header::new(Source::Psv), &many, BLOCK, &fast)?)?;
    fs::write(directory.join("many.psv"), many)?;
    fs::write(directory.join("order.psv"), records)?;
    Ok(())
}

/// The records repeated, each time with other scores, so that none is a duplicate.
fn many(records: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut many = Vec::with_capacity(READ * RECORD);
    for number in 0..READ {
        let start = number * RECORD % records.len();
        let mut record = Psv::from_bytes(records[start..].first_chunk().ok_or("a whole record")?);
        record.score = record.score.wrapping_add((number * RECORD / records.len()) as i16);
        many.extend_from_slice(&record.to_bytes());
    }
    Ok(many)
}

/// The records in an order that looks random and is always the same.
fn shuffled(records: &[u8]) -> Vec<u8> {
    let mut order: Vec<&[u8]> = records.chunks_exact(RECORD).collect();
    let mut state = 1_u64;
    for last in (1..order.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, (state >> 33) as usize % (last + 1));
    }
    order.concat()
}

/// Writes an archive in which the records are repeated. Blocks are copied, which takes seconds instead of minutes.
fn write_large(records: &[u8], codec: Codec, block: usize, path: &Path) -> Result<(), Box<dyn Error>> {
    let encoding = Encoding { verify: false, ..Encoding::new(codec) };
    let mut blocks = Vec::new();
    for part in records.chunks(block * RECORD) {
        let bytes = encode_block(Source::Psv, part, 0, &encoding);
        let (header, payload) = bytes.split_first_chunk().ok_or("a block has a header")?;
        blocks.push((BlockHeader::parse(header)?, payload.to_vec()));
    }
    let mut file = BufWriter::new(File::create(path)?);
    let head = Header::new(Source::Psv).to_bytes()?;
    file.write_all(&head)?;
    let mut offset = head.len() as u64;
    let mut index = Index::default();
    while index.records() < MANY {
        for (header, payload) in &blocks {
            let header = BlockHeader { first: index.records(), ..*header };
            index.blocks.push(IndexEntry { offset, first: header.first, records: header.records });
            file.write_all(&header.to_bytes())?;
            file.write_all(payload)?;
            offset += (BlockHeader::SIZE + payload.len()) as u64;
        }
    }
    file.write_all(&index.to_end(offset)?)?;
    Ok(file.flush()?)
}

fn measure(repetitions: usize, directory: &Path) -> Result<(), Box<dyn Error>> {
    for set in ["order", "shuffled"] {
        let records = fs::read(directory.join(set).with_extension("psv"))?;
        for (program, codec) in [("komabako", Codec::Model), ("komabako fast", Codec::Columns)] {
            let encoding = Encoding { verify: false, ..Encoding::new(codec) };
            let header = Header::new(Source::Psv);
            let write = || Ok(write_archive(&header, &records, BLOCK, &encoding)?);
            let read = |archive: &[u8]| Ok(Archive::new(archive).records()?);
            print_rows(program, set, &records, repetitions, write, read)?;
        }
        for (program, level) in [("zstd-3", 3), ("zstd-19", 19)] {
            let write = || Ok(zstd::bulk::compress(&records, level)?);
            let read = |compressed: &[u8]| Ok(zstd::bulk::decompress(compressed, records.len())?);
            print_rows(program, set, &records, repetitions, write, read)?;
        }
        let seconds = median(repetitions, || Ok(join_games(Source::Psv, &records)))?;
        println!("komabako,join,{set},M records/s,{:.4}", millions(&records) / seconds);
    }
    measure_access(directory)?;
    measure_jobs(directory, "1")
}

/// The times of jobs that read plain records and an archive of them, and how much faster archives are written and read.
fn measure_threads(directory: &Path) -> Result<(), Box<dyn Error>> {
    measure_jobs(directory, "0")?;
    let path = |name: &str| directory.join(name);
    for name in ["small", "fast"] {
        let archive = path("written.kmb");
        let back = path("written.psv");
        let write = |processors: Processors| {
            let options = ["--force", "--no-verify", "--archive", name];
            run_on(processors, "convert", &options, &[&path("many.psv"), &archive])
        };
        let read = |processors| run_on(processors, "convert", &["--force"], &[&archive, &back]);
        let written = median(3, || write(Processors::One))? / median(3, || write(Processors::All))?;
        let was_read = median(3, || read(Processors::One))? / median(3, || read(Processors::All))?;
        println!("komabako,scaling,encode: {name},times one thread,{written:.2}");
        println!("komabako,scaling,decode: {name},times one thread,{was_read:.2}");
    }
    Ok(())
}

/// The times of jobs that read plain records and an archive of them.
fn measure_jobs(directory: &Path, threads: &str) -> Result<(), Box<dyn Error>> {
    let on = if threads == "1" { "one thread" } else { "all threads" };
    for (job, options) in JOBS {
        let options = [&["--force", "--threads", threads], options].concat();
        for name in ["many.psv", "many.kmb"] {
            let files = [&directory.join(name), &directory.join("written.psv")];
            let seconds = median(5, || run(job, &options, &files))?;
            println!("komabako,job,{job} {name}: {on},ms,{:.0}", seconds * 1e3);
        }
    }
    Ok(())
}

/// The processors that a run may use.
#[derive(Clone, Copy)]
enum Processors {
    One,
    All,
}

/// Runs the program `komabako` beside this one.
fn run(command: &str, options: &[&str], files: &[&PathBuf]) -> Result<(), Box<dyn Error>> {
    run_on(Processors::All, command, options, files)
}

fn run_on(
    processors: Processors,
    command: &str,
    options: &[&str],
    files: &[&PathBuf],
) -> Result<(), Box<dyn Error>> {
    let path = std::env::current_exe()?.with_file_name("komabako");
    let mut program = match processors {
        Processors::All => Command::new(path),
        Processors::One => {
            let mut program = Command::new("taskset");
            program.args(["-c", "0"]).arg(path);
            program
        }
    };
    program.arg(command).arg("--quiet").args(options).args(files);
    program.stdout(Stdio::null()).stderr(Stdio::null());
    if program.status()?.success() { Ok(()) } else { Err(format!("{program:?} failed").into()) }
}

fn millions(records: &[u8]) -> f64 {
    (records.len() / RECORD) as f64 / 1e6
}

/// The rates of writing and reading records, and their size.
fn print_rows(
    program: &str,
    set: &str,
    records: &[u8],
    repetitions: usize,
    write: impl Fn() -> Result<Vec<u8>, Box<dyn Error>>,
    read: impl Fn(&[u8]) -> Result<Vec<u8>, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let written = write()?;
    if read(&written)? != records {
        return Err(format!("{program} does not give the records back").into());
    }
    let encoding = median(repetitions, &write)?;
    let decoding = median(repetitions, || read(&written))?;
    println!("{program},encode,{set},M records/s,{:.4}", millions(records) / encoding);
    println!("{program},decode,{set},M records/s,{:.4}", millions(records) / decoding);
    println!("{program},size,{set},bytes a record,{:.3}", written.len() as f64 / millions(records) / 1e6);
    Ok(())
}

/// The times of reading one record and of drawing a thousand, by the program `komabako` beside this one.
fn measure_access(directory: &Path) -> Result<(), Box<dyn Error>> {
    let start = median(9, || run("--version", &[], &[]))?;
    println!("komabako,access,start,ms,{:.2}", start * 1e3);
    for (name, ..) in LARGE {
        let path = directory.join(name).with_extension("kmb");
        let mut number = 0;
        let one = median(9, || {
            number = (number + 61_803_399) % MANY;
            let range = format!("{number}..{}", number + 1);
            run("slice", &["--threads", "1", "--range", &range], &[&path])
        })?;
        println!("komabako,access,one of 10^8: {name},ms,{:.2}", one * 1e3);
    }
    let path = directory.join("fast-8192.kmb");
    let options = ["--threads", "1", "--count", "1000"];
    let sample = median(1, || run("sample", &options, &[&path, &PathBuf::from("-")]))?;
    println!("komabako,access,1000 drawn of 10^8: fast-8192,ms,{:.2}", sample * 1e3);
    Ok(())
}

/// The median time of some repetitions, in seconds.
fn median<T>(
    repetitions: usize,
    mut work: impl FnMut() -> Result<T, Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let mut seconds = Vec::new();
    for _ in 0..repetitions.max(1) {
        let start = Instant::now();
        black_box(work()?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[seconds.len() / 2])
}

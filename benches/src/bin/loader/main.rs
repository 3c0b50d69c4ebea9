//! The loader beside the kernels that it feeds: `loader [REPETITIONS] [FILE.psv]`; or `loader --large RECORDS [THREADS…]`, an epoch of a
//! file that is larger than memory, with 2 threads or with each number given.
//!
//! Prints one line `program,work,threads,unit,figure` per row: thousands of positions per second of CPU time, of all threads, the median
//! over the repetitions. Only ratios mean anything. The records are those of the file, or the positions of `corpus/corpus.sfen`, again and
//! again up to four million. `kernels` starts with words in memory and ends with rows, batch after batch.

#![forbid(unsafe_code)]

mod large;

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use komabako::board::Setup;
use komabako::codec::{PackedSfen, PositionCodec, Word};
use komabako::dataset::archive::Archiving;
use komabako::dataset::{Compression, Input, Output as File, convert};
use komabako::features::nnue::{FeatureSet, First, RowOptions, Rows, write_rows};
use komabako::features::{Backend, dlshogi};
use komabako::loader::{Layout, Order, Output, Plan, Planes, Select, Source, Targets};
use komabako::record::record::Psv;
use komabako_benches::corpus;

/// The records of the file that is loaded.
const RECORDS: usize = 4_000_000;
const BATCH: usize = 16_384;
/// The positions that are unpacked at a time.
const BLOCK: usize = 256;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).peekable();
    let is_large = arguments.next_if(|argument| argument == "--large").is_some();
    let number = arguments.next().map_or(Ok(3), |text| text.parse::<usize>());
    let Ok(number) = number else {
        eprintln!("loader: REPETITIONS and RECORDS are numbers");
        return ExitCode::from(2);
    };
    if is_large {
        let threads: Result<Vec<usize>, _> = arguments.map(|text| text.parse()).collect();
        let Ok(mut threads) = threads else {
            eprintln!("loader: THREADS are numbers");
            return ExitCode::from(2);
        };
        if threads.is_empty() {
            threads.push(2);
        }
        return report(run_large(number as u64, &threads));
    }
    let file = arguments.next();
    report(run(number.max(1), file.as_deref().map(Path::new)))
}

fn report(result: Result<(), Box<dyn Error>>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("loader: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the files that are made.
fn folder() -> Result<PathBuf, Box<dyn Error>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/bench-loader");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn run_large(records: u64, threads: &[usize]) -> Result<(), Box<dyn Error>> {
    let some = records_of(None)?;
    large::run(records, threads, &some[..RECORDS / 40], &folder()?)
}

fn run(number: usize, file: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let folder = folder()?;
    let records = records_of(file)?;
    let psv = folder.join("loader.psv");
    std::fs::write(&psv, records.as_flattened())?;
    let archive = folder.join("loader.kmb");
    let mut job = convert::Job::new(vec![Input::path(&psv)], File::path(archive.clone()));
    job.options.force = true;
    job.compression = Some(Compression::Archive(Archiving::FAST));
    job.plan()?.run(&mut ())?;
    let bench = Bench { records, repetitions: number };
    bench.kernels();
    for threads in [1, 2] {
        bench.loads(&psv, &archive, threads)?;
    }
    Ok(())
}

/// The records to load.
fn records_of(file: Option<&Path>) -> Result<Vec<[u8; 40]>, Box<dyn Error>> {
    let some = match file {
        Some(file) => std::fs::read(file)?.as_chunks().0.to_vec(),
        None => {
            let codec = PackedSfen::new();
            let mut some = Vec::new();
            for (number, setup) in corpus::setups().iter().enumerate() {
                let score = (number * 37 % 4_001) as i16 - 2_000;
                let ply = (number % 200) as u16 + 1;
                let result = (number % 3) as i8 - 1;
                let position = codec.pack(setup)?;
                some.push(Psv { position, score, best_move: 0, ply, result, padding: 0 }.to_bytes());
            }
            some
        }
    };
    Ok(some.iter().cycle().take(RECORDS.max(some.len())).copied().collect())
}

/// Rows of a set, with buckets and targets.
fn features(set: FeatureSet) -> Output {
    Output {
        features: Some((set, Layout::Padded, First::SideToMove)),
        buckets: "k3k3".parse().ok(),
        targets: Some(Targets::logistic(600.0).lambda(0.7)),
        ..Output::none()
    }
}

/// The CPU time of this process so far, of all its threads, in seconds.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    // User and system time, in the hundredths of a second that Linux reports.
    (ticks(11) + ticks(12)) / 100.0
}

struct Bench {
    records: Vec<[u8; 40]>,
    repetitions: usize,
}

/// The sets whose loaders are measured.
const SETS: [FeatureSet; 4] =
    [FeatureSet::HalfKp, FeatureSet::HalfKaHm2, FeatureSet::HalfKpE9, FeatureSet::Ka2];

impl Bench {
    /// Prints a row: the rate of work on all records.
    fn row(&self, work: &str, threads: usize, mut run: impl FnMut() -> u64) {
        let mut rates = Vec::new();
        for _ in 0..self.repetitions {
            let start = cpu_seconds();
            let positions = run();
            rates.push(positions as f64 / (cpu_seconds() - start).max(0.01) / 1_000.0);
        }
        rates.sort_by(f64::total_cmp);
        let rate = rates[rates.len() / 2];
        println!("komabako,{work},{threads},thousands of positions a CPU second,{rate:.0}");
    }

    /// Words in memory to rows, on one thread.
    fn kernels(&self) {
        let backend = Backend::detect();
        for set in SETS {
            let mut stm = vec![0; BATCH * set.active()];
            let mut nstm = vec![0; BATCH * set.active()];
            self.row(&format!("kernels {set}"), 1, || {
                self.unpack(|start, setups| {
                    let rows = start * set.active()..(start + setups.len()) * set.active();
                    let rows = Rows::Separate([&mut stm[rows.clone()], &mut nstm[rows]]);
                    write_rows(
                        backend,
                        set,
                        RowOptions { first: First::SideToMove, ..RowOptions::default() },
                        setups,
                        rows,
                    );
                })
            });
        }
        let mut planes1 = vec![[0; dlshogi::FEATURES1_BYTES]; BATCH];
        let mut planes2 = vec![[0; dlshogi::FEATURES2_BYTES]; BATCH];
        self.row("kernels dlshogi bits", 1, || {
            self.unpack(|start, setups| {
                dlshogi::write_bits(backend, setups, &mut planes1[start..], &mut planes2[start..]);
            })
        });
    }

    /// Unpacks all words block by block and passes each with its place in its batch.
    fn unpack(&self, mut each: impl FnMut(usize, &[Setup])) -> u64 {
        let codec = PackedSfen::new();
        let mut setups = vec![Setup::EMPTY; BLOCK];
        let mut words: Vec<Word> = Vec::new();
        for batch in self.records.chunks(BATCH) {
            for (number, records) in batch.chunks(BLOCK).enumerate() {
                words.clear();
                for record in records {
                    words.extend(record.first_chunk::<32>());
                }
                let setups = &mut setups[..words.len()];
                codec.unpack_slice(&words, setups).expect("good words");
                each(number * BLOCK, setups);
            }
        }
        self.records.len() as u64
    }

    fn loads(&self, psv: &Path, archive: &Path, threads: usize) -> Result<(), Box<dyn Error>> {
        let plain = Plan { batch: BATCH, memory: 256 << 20, threads, prefetch: 2 * threads, ..Plan::new() };
        let of =
            |path: &Path, output: Output| Plan { sources: vec![Source::new(path)], output, ..plain.clone() };
        for set in SETS {
            self.load(&format!("psv {set}"), &of(psv, features(set)))?;
        }
        self.load("fast archive halfkp", &of(archive, features(FeatureSet::HalfKp)))?;
        let bits = Output { planes: Some(Planes::Bits), ..Output::none() };
        self.load("psv dlshogi bits", &of(psv, bits))?;
        self.load("psv records", &of(psv, Output::none()))?;
        self.load(
            "psv records in the order of the file",
            &Plan { order: Order::File, ..of(psv, Output::none()) },
        )?;
        let where_ = Some("not in_check and abs(score) < 3000".parse()?);
        let select = Select { where_, keep: Vec::new() };
        self.load("psv halfkp where", &Plan { select, ..of(psv, features(FeatureSet::HalfKp)) })?;
        Ok(())
    }

    /// Loads an epoch. The rate is that of the records read.
    fn load(&self, work: &str, plan: &Plan) -> Result<(), Box<dyn Error>> {
        let mut loader = plan.start()?;
        self.row(work, plan.threads, || {
            while let Some(batch) = loader.next().expect("good records") {
                black_box(&batch.stm);
            }
            self.records.len() as u64
        });
        Ok(())
    }
}

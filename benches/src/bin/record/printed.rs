//! Verbs whose programs measure themselves and print rows: ours and the peers' run in turn.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::programs::{MEASURED, Program, build, output, peers, pinned, root, run_in_turn};
use crate::record::{Layout, Record};

/// The number of runs, and the processor.
#[derive(Args)]
pub struct Runs {
    /// The number of runs of each program
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// One round and no record, to check that everything runs
    #[arg(long)]
    quick: bool,
    /// The processor to measure on; the last one by default
    #[arg(long)]
    cpu: Option<usize>,
}

impl Runs {
    /// Runs the programs in turn.
    fn run(&self, programs: &mut [Program], record: &mut Record) -> Result<()> {
        run_in_turn(programs, if self.quick { 1 } else { self.rounds.into() }, record)
    }

    /// Writes the record, unless only a check was asked for.
    fn write(&self, record: &Record, suffix: &str, profile: &str, note: &str) -> Result<()> {
        if self.quick { Ok(()) } else { record.write(suffix, profile, note) }
    }
}

/// The programs to measure, and the output.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    runs: Runs,
    /// Build and measure the peers in benches/peers
    #[arg(long)]
    peers: bool,
    /// Measure a program that prints the same lines as the programs of `benches/peers`
    #[arg(long, value_name = "PROGRAM")]
    peer: Vec<PathBuf>,
    /// Print how each row differs from an earlier record
    #[arg(long, value_name = "RECORD.csv")]
    compare: Option<PathBuf>,
}

/// A benchmark of rates. Our program is the plain build, which selects its instructions at run time; peers are built for this CPU.
pub struct Bench {
    /// The end of the record's name.
    suffix: &'static str,
    /// The name of the program, ours and the peers'.
    program: &'static str,
    /// Another program of ours that ours starts.
    starts: Option<&'static str>,
    /// The arguments of each program, before the path of its data.
    arguments: &'static [&'static str],
    header: &'static str,
    /// Makes the data for the programs, and returns its path.
    prepare: fn(&Path) -> Result<Option<PathBuf>>,
    /// Whether our program also measures on all processors, once a round, with `--threads`.
    on_all: bool,
}

/// Perft nodes.
pub const PERFT: Bench = Bench {
    suffix: "-perft",
    program: "perft",
    starts: None,
    arguments: &["1"],
    header: "program,counting,position,depth,millions of nodes per second",
    prepare: |_| Ok(None),
    on_all: false,
};

/// Arrays, planes, indices and masks that trainers compute from packed positions.
pub const FEATURES: Bench =
    Bench { suffix: "-features", program: "features", header: "program,work,positions,unit,figure", ..PERFT };

/// Archives of records: sizes, rates, access to single records.
pub const ARCHIVE: Bench = Bench {
    suffix: "-archive",
    program: "archive",
    starts: Some("komabako"),
    header: "program,work,set,unit,figure",
    prepare: |program| {
        let data = root().join("target/bench-archive");
        output(Command::new(program).arg("--data").arg(&data))?;
        Ok(Some(data))
    },
    on_all: true,
    ..PERFT
};

/// Game records, read and converted to records of positions.
pub const KIFU: Bench = Bench {
    suffix: "-kifu",
    program: "kifu",
    starts: None,
    arguments: &["1"],
    header: "program,work,corpus,unit,rate",
    prepare: |program| {
        let corpus = root().join("target/bench-kifu");
        let data = root().join("crates/komabako-kifu/tests/data");
        output(Command::new(program).arg("--corpus").arg(data).arg(&corpus))?;
        Ok(Some(corpus))
    },
    on_all: true,
};

/// Batches for training, beside the kernels that make their rows.
const LOADER: Bench =
    Bench { suffix: "-loader", program: "loader", header: "program,work,threads,unit,figure", ..PERFT };

/// The programs to measure, or an epoch that is larger than memory.
#[derive(Args)]
pub struct LoaderOptions {
    #[command(flatten)]
    options: Options,
    /// Load one epoch of this many records from PSV and from an archive instead: memory, rates, pairs of positions of one game. The
    /// files, 40 bytes a record, are removed
    #[arg(long, value_name = "RECORDS", num_args = 0..=1, default_missing_value = "100000000")]
    large: Option<u64>,
}

/// Measures the loader.
pub fn loader(options: &LoaderOptions) -> Result<()> {
    let Some(records) = options.large else { return run(&LOADER, &options.options) };
    let mut command = Command::new(build(&["loader"], "", None, &[])?.join("loader"));
    command.arg("--large").arg(records.to_string());
    let mut record = Record::new(LOADER.header);
    run_in_turn(&mut [Program::new(command)], 1, &mut record)?;
    print!("{}", record.to_csv());
    options.options.runs.write(&record, "-loader-large", MEASURED, "")
}

/// Mate problems solved.
pub const SOLVE: Bench = Bench {
    suffix: "-solve",
    program: "solve",
    starts: None,
    arguments: &["1"],
    header: "program,goal,set,unit,figure",
    prepare: |_| Ok(Some(root().join("crates/komabako-tsume/tests/data"))),
    on_all: true,
};

/// The famous long mate problems, with tables of 8 GiB and at most 150 seconds for each.
pub const SOLVE_LONG: Bench =
    Bench { suffix: "-solve-long", arguments: &["--long", "8192", "150"], on_all: false, ..SOLVE };

/// The nodes for exact lengths, with at most 300,000 for each hard problem.
pub const SOLVE_NODES: Bench =
    Bench { suffix: "-solve-nodes", arguments: &["--nodes", "300000"], on_all: false, ..SOLVE };

/// A table for each kind of work, with the speed-up of our program.
const RATES: Layout = Layout { group: &[1], row: &[0], column: &[2, 3], baseline: &["komabako"] };

/// Builds and measures the programs, prints the tables, and writes the record.
pub fn run(bench: &Bench, options: &Options) -> Result<()> {
    let Bench { suffix, program, starts, arguments, header, prepare, on_all } = bench;
    let Options { runs, peers: with_peers, peer, compare } = options;
    let earlier = compare.as_deref().map(|path| Record::read(header, path)).transpose()?;
    let ours: Vec<&str> = [*program].into_iter().chain(*starts).collect();
    let ours = build(&ours, "", None, &[])?.join(program);
    let data = prepare(&ours)?;
    let mut paths = vec![ours.clone()];
    paths.extend(peer.iter().cloned());
    if *with_peers {
        paths.extend(peers(program)?);
    }
    let mut programs = Vec::new();
    for path in paths {
        let mut command = pinned(runs.cpu, path);
        command.args(*arguments).args(&data);
        programs.push(Program::new(command));
    }
    if *on_all {
        let mut command = Command::new(&ours);
        command.arg("--threads").args(&data);
        programs.push(Program::new(command));
    }
    let mut record = Record::new(header);
    runs.run(&mut programs, &mut record)?;
    print!("{}", record.to_markdown(&RATES));
    if let Some(earlier) = earlier {
        print!("{}", record.compare(&earlier));
    }
    runs.write(&record, suffix, MEASURED, "")
}

/// The programs to measure, and the output.
#[derive(Args)]
pub struct MatrixOptions {
    #[command(flatten)]
    runs: Runs,
    /// Print the rows as JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Print how each row differs from an earlier record
    #[arg(long, value_name = "RECORD.csv")]
    compare: Option<PathBuf>,
    /// Measure only this build, or these; all by default
    #[arg(long, value_name = "BUILD", value_parser = PossibleValuesParser::new(BUILDS.map(|build| build.name)))]
    build: Vec<String>,
    /// Build and measure the peers in benches/peers
    #[arg(long)]
    peers: bool,
    /// Measure a program that prints `peer,format,operation,nanoseconds` lines for a corpus; the record names it NAME, or by
    /// default the name that it prints
    #[arg(long, value_name = "[NAME=]PROGRAM")]
    peer: Vec<String>,
}

/// A set of compiler flags.
#[derive(Clone, Copy)]
struct Build {
    /// Its name in tables.
    name: &'static str,
    flags: &'static str,
    /// The CPU features that its code uses without run-time detection.
    needs: &'static [&'static str],
}

/// The builds; the first, without flags, is what users get by default.
const BUILDS: [Build; 7] = [
    Build { name: "none", flags: "", needs: &[] },
    Build { name: "+sse4.2", flags: "-C target-feature=+sse4.2", needs: &["sse4_2"] },
    Build { name: "+avx2", flags: "-C target-feature=+avx2", needs: &["avx2"] },
    Build { name: "+bmi2", flags: "-C target-feature=+bmi2", needs: &["bmi2"] },
    Build {
        name: "x86-64-v3",
        flags: "-C target-cpu=x86-64-v3",
        needs: &["avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"],
    },
    Build {
        name: "x86-64-v4",
        flags: "-C target-cpu=x86-64-v4",
        needs: &["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
    },
    Build { name: "native", flags: "-C target-cpu=native", needs: &[] },
];

/// The corpora, below `benches/corpus`.
const CORPORA: [&str; 2] = ["corpus.sfen", "five.sfen"];

const MATRIX_HEADER: &str = "build,backend,corpus,program,format,operation,nanoseconds";

/// A table for each operation on each corpus, with the speed against the plain build.
const MATRIX: Layout =
    Layout { group: &[5, 2], row: &[0, 1, 3], column: &[4], baseline: &["none", "detected", "komabako"] };

/// Measures the codecs in each build, in the plain build also on each backend, and the peers.
pub fn matrix(options: &MatrixOptions) -> Result<()> {
    let earlier = options.compare.as_deref().map(|path| Record::read(MATRIX_HEADER, path)).transpose()?;
    let mut programs = Vec::new();
    let mut add = |build: &str, backend: &str, name: Option<&str>, path: &Path, arguments: &[&str]| {
        for corpus in CORPORA {
            let mut command = pinned(options.runs.cpu, path);
            command.args(arguments).arg(root().join("benches/corpus").join(corpus));
            let prefix = [build, backend, corpus].map(str::to_owned).to_vec();
            programs.push(Program { prefix, name: name.map(str::to_owned), command });
        }
    };
    let quick: &[&str] = if options.runs.quick { &["--quick"] } else { &[] };
    let features = cpu_features();
    for Build { name, flags, needs } in BUILDS {
        if !options.build.is_empty() && !options.build.iter().any(|asked| asked == name) {
            continue;
        }
        if let Some(missing) = needs.iter().find(|need| !features.iter().any(|feature| feature == *need)) {
            eprintln!("{name} is skipped: this CPU lacks {missing}");
            continue;
        }
        eprintln!("building {name}");
        // Each build has a target directory of its own.
        let directory = root().join("target/bench-matrix").join(name.trim_start_matches('+'));
        let path = build(&["measure"], flags, Some(&directory), &["--no-default-features"])?.join("measure");
        if flags.is_empty() {
            for backend in output(Command::new(&path).arg("--backends"))?.lines() {
                add(name, backend, None, &path, &[&["--backend", backend], quick].concat());
            }
        }
        add(name, "detected", None, &path, quick);
    }
    for peer in &options.peer {
        match peer.split_once('=') {
            Some((name, path)) => add("peer", "-", Some(name), Path::new(path), &[]),
            None => add("peer", "-", None, Path::new(peer), &[]),
        }
    }
    if options.peers {
        for path in peers("codec")? {
            add("peer", "-", None, &path, &[]);
        }
    }
    let mut record = Record::new(MATRIX_HEADER);
    options.runs.run(&mut programs, &mut record)?;
    if options.json {
        println!("{}", record.to_json());
    } else {
        print!("{}", record.to_markdown(&MATRIX));
    }
    if let Some(earlier) = earlier {
        print!("{}", record.compare(&earlier));
    }
    options.runs.write(&record, "", MEASURED, "")
}

/// The features of this CPU by Linux's names; none elsewhere, where only builds that need none are measured.
fn cpu_features() -> Vec<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = info.lines().find(|line| line.starts_with("flags")).and_then(|line| line.split_once(':'));
    flags.map(|(_, flags)| flags.split_whitespace().map(str::to_owned).collect()).unwrap_or_default()
}

/// The environment of the package, and the output.
#[derive(Args)]
pub struct PythonOptions {
    #[command(flatten)]
    runs: Runs,
    /// The Python in whose environment the wheel is installed, and the peers
    #[arg(long)]
    python: PathBuf,
    /// Also measure the rows of this Python file, see `functions.py`. It is not kept, so it may use packages under the GPL
    #[arg(long, value_name = "PEER.py")]
    peer: Option<PathBuf>,
}

/// Measures the functions of `bindings/python/benches/functions.py` on one processor, those of two threads on all, and the codec
/// alone.
pub fn python(options: &PythonOptions) -> Result<()> {
    // The records that all rows process.
    const RECORDS: &str = "data/sample.psv";
    const FUNCTIONS: &str = "bindings/python/benches/functions.py";
    let PythonOptions { runs, python, peer } = options;
    let mut codec = pinned(runs.cpu, build(&["unpack"], "", None, &[])?.join("unpack"));
    codec.args([RECORDS, "1"]);
    let mut functions = pinned(runs.cpu, python);
    functions.args([FUNCTIONS, RECORDS, "1"]).args(peer);
    let mut threads = Command::new(python);
    threads.args([FUNCTIONS, RECORDS, "1", "--threads"]);
    let mut programs = [codec, functions, threads].map(|mut command| {
        command.current_dir(root());
        Program::new(command)
    });
    let mut record = Record::new("program,work,unit,figure");
    runs.run(&mut programs, &mut record)?;
    print!("{}", record.to_csv());
    runs.write(&record, "-python", "measured, of the wheel dist", "")
}

/// The number of runs, and the compiler.
#[derive(Args)]
pub struct WasmOptions {
    #[command(flatten)]
    runs: Runs,
    /// A file for the shell that exports a toolchain with the target; by default rustup's has it
    #[arg(long)]
    environment: Option<PathBuf>,
}

/// The builds of the module: the name in records, the backend, the flags.
const MODULES: [(&str, &str, &str); 2] = [
    ("wasm32", "soft", ""),
    ("wasm32 +simd128", "simd128", "-C target-feature=+simd128 --cfg komabako_backend=\"simd128\""),
];

/// Measures both builds of the module under Node.
pub fn wasm(options: &WasmOptions) -> Result<()> {
    let version = output(Command::new("node").arg("--version")).context("Node is needed")?;
    let mut programs = Vec::new();
    for (name, backend, flags) in MODULES {
        eprintln!("building {name}");
        let mut node = pinned(options.runs.cpu, "node");
        node.arg(root().join("benches/wasm/measure.mjs")).arg(compile_module(options, backend, flags)?);
        let prefix = [name, backend, "corpus.sfen"].map(str::to_owned).to_vec();
        programs.push(Program { prefix, name: None, command: node });
    }
    let mut record = Record::new(MATRIX_HEADER);
    options.runs.run(&mut programs, &mut record)?;
    print!("{}", record.to_markdown(&Layout { baseline: &["wasm32", "soft", "komabako"], ..MATRIX }));
    let node = format!("Under Node {}.\n", version.trim());
    options.runs.write(&record, "-wasm", "release, in one codegen unit", &node)
}

/// Builds the module with these flags. Compiler warnings are errors.
fn compile_module(options: &WasmOptions, name: &str, flags: &str) -> Result<PathBuf> {
    const TARGET: &str = "wasm32-unknown-unknown";
    // A library for JavaScript only, in a workspace of its own, so that its exported names cannot clash with other crates.
    let root = root().canonicalize()?;
    let place = root.join("target/bench-wasm").join(name);
    std::fs::create_dir_all(&place)?;
    let mut manifest = format!(
        "[package]\nname = \"measure\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
        [lib]\ncrate-type = [\"cdylib\"]\npath = {:?}\n\n\
        [profile.release]\ncodegen-units = 1\n\n[workspace]\n\n[dependencies]\n",
        root.join("benches/wasm/measure.rs")
    );
    for name in ["komabako-bits", "komabako-board", "komabako-codec"] {
        let path = root.join("crates").join(name);
        manifest += &format!("{name} = {{ path = {path:?}, default-features = false }}\n");
    }
    std::fs::write(place.join("Cargo.toml"), manifest)?;
    std::fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock"))?;
    let mut cargo = Command::new("cargo");
    if let Some(file) = &options.environment {
        cargo = Command::new("bash");
        cargo.args(["-c", ". \"$0\" && exec cargo \"$@\""]).arg(file);
    }
    cargo.current_dir(&place).env_remove("CARGO_ENCODED_RUSTFLAGS");
    cargo.env("RUSTFLAGS", format!("-D warnings {flags}"));
    output(cargo.args(["build", "--quiet", "--release", "--target", TARGET, "--target-dir", "target"]))?;
    let module = place.join("target").join(TARGET).join("release/measure.wasm");
    if module.is_file() { Ok(module) } else { bail!("{} was not built", module.display()) }
}

//! The speed of the mate solver on proofs, refutations and exact lengths: `solve [REPETITIONS] DATA`, `solve --threads DATA` or
//! `solve --long MEBIBYTES SECONDS [THREADS] DATA`, or `solve --nodes LIMIT DATA`.
//!
//! Prints one line `komabako,goal,set,unit,figure` per row, the median over the repetitions: problems per hour and, from the same
//! runs, thousands of nodes per second and, on Linux, the peak memory of the process. The sets are the known answers of
//! `komabako-tsume` in DATA, and every verdict and length is asserted. `--threads` solves a set as a batch, on one thread and on
//! two, as `komabako solve --threads` does. `--long` runs the famous long problems instead, each once with a table of this size
//! and a limit of this time, on one thread or on several that work together. A problem that is not solved prints no row but a
//! line on standard error.
//!
//! `--threads` then runs problems that take seconds on one thread and on two that work together: the median of several runs,
//! since two threads find a different mate each time, and from the same runs the nodes and the CPU time of all threads. On busy
//! processors the CPU time is the relevant figure; two threads take at least half of it as wall time.
//!
//! `--nodes` counts: the nodes for exact lengths in both conventions, which no other load on the machine changes. Of the sets a row
//! has the total, of each hard problem the plies and nodes (with `LIMIT` nodes for each, and more for four of them) and, where the strict length is exact, the bytes of
//! its certificates.
//!
//! A batch contains the set several times, so that the end, where one thread has nothing left to do, is a small part of it. It is
//! also measured by the CPU time of its threads: the longest one is the time that it would take on idle processors. For
//! comparison, two processes that share nothing do the same at the same time: their loss is due to the machine.

#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use komabako::board::sfen;
use komabako::tsume::{Convention, Goal, Limits, Memory, Problem, Rules, Solver, Verdict};

/// The default table size of `komabako solve`.
const MEMORY: Memory = Memory::mebibytes(256);

/// Name, plies of its known solution, and position. All are in the public domain.
const LONG: [(&str, u16, &str); 5] = [
    ("zuko-8", 0, "4+bn1g1/5kpPl/2l1b1s2/3+l1N1GP/4G1+P1N/5L3/9/1+r7/R8 b GP3sn13p 1"),
    ("muso-1", 0, "3g1n1l1/2p1g1r2/5k2S/4p1N+R1/3+p5/7N1/B8/9/9 b 2GSNb2s3l15p 1"),
    ("zuko-98", 0, "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1"),
    ("zuko-100", 611, "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1"),
    (
        "microcosmos",
        1525,
        "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1",
    ),
];

/// As [`LONG`]: problems of `hard.tsv` and their exact lengths.
const HARD: [(&str, u16, &str); 3] = [
    ("muso-41", 47, "3Bn4/l2g1+R1+P1/s2k5/2Pp2Pb1/s2N3sN/N1+l1Pp3/9/9/6L2 b Pr3gsl11p 1"),
    ("zuko-67", 47, "9/2s6/+B8/B1g6/3g5/2ls5/2g+R5/R8/1kS6 b GPs4n3l17p 1"),
    ("muso-87", 57, "r5l2/2+P6/sS1p3pp/nP2p1P2/p2+s5/B2S5/3+B+p4/2L2+R3/+pk2P4 b GN3P3g2n2l4p 1"),
];

/// A problem and the plies of its mate, if any: the exact length in the goal's convention.
struct Known {
    problem: Problem,
    length: Option<u16>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["--long", mebibytes, seconds, _] => long(mebibytes, seconds, "1"),
        ["--long", mebibytes, seconds, threads, _] => long(mebibytes, seconds, threads),
        ["--nodes", limit, data] => count(limit, Path::new(data)),
        ["--one-of-two", data] => one_of_two(Path::new(data)),
        ["--threads", data] => batch(Path::new(data)).and_then(|()| compare_cooperation(Path::new(data))),
        [repetitions, data] => sets(repetitions, Path::new(data)),
        [data] => sets("5", Path::new(data)),
        _ => {
            let usage = "usage: solve [REPETITIONS] DATA, solve --threads DATA, solve --nodes LIMIT DATA, or solve \
                         --long MEBIBYTES SECONDS [THREADS] DATA";
            Err(usage.to_owned())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("solve: {message}");
            ExitCode::from(2)
        }
    }
}

fn sets(repetitions: &str, data: &Path) -> Result<(), String> {
    let repetitions: usize = repetitions.parse().map_err(|_| "REPETITIONS is a number".to_owned())?;
    let mates = read(&data.join("mate.tsv"), Some("mate_length"))?;
    let refuted = read(&data.join("no_mate.tsv"), None)?;
    let lengths = read(&data.join("lengths.tsv"), Some("tsume"))?;
    // The rows in older records; one of the others takes most of the time of the whole set.
    let short: Vec<&Known> = mates.iter().filter(|known| known.length <= Some(13)).collect();
    for (names, goal, set) in [
        ("any,mate", Goal::Any, mates.iter().collect::<Vec<_>>()),
        ("strict,mate", Goal::Shortest(Convention::Strict), short),
        ("strict,mate of any length", Goal::Shortest(Convention::Strict), mates.iter().collect()),
        ("any,no-mate", Goal::Any, refuted.iter().collect()),
        ("tsume,lengths", Goal::Shortest(Convention::Tsume), lengths.iter().collect()),
    ] {
        let mut nodes = 0;
        reset_peak();
        let mut runs: Vec<f64> = (0..repetitions.max(1))
            .map(|_| {
                let mut solver = Solver::new(MEMORY);
                let start = Instant::now();
                nodes = set.iter().map(|known| solve(&mut solver, known, goal)).sum::<u64>();
                start.elapsed().as_secs_f64()
            })
            .collect();
        runs.sort_by(f64::total_cmp);
        let count = set.len() as f64;
        let seconds = runs[runs.len() / 2];
        println!("komabako,{names},problems an hour,{:.1}", count * 3600.0 / seconds);
        println!("komabako,{names},problems,{count:.1}");
        println!("komabako,{names},thousands of nodes a second,{:.1}", nodes as f64 / seconds / 1000.0);
        println!("komabako,{names},nodes a problem,{:.1}", nodes as f64 / count);
        print_peak(names);
    }
    Ok(())
}

/// The number of copies of the set in a batch.
const TIMES: usize = 4;

/// Solves the problems of known length on one thread and on two, each with its own solver and its share of the memory.
fn batch(data: &Path) -> Result<(), String> {
    let problems = read(&data.join("lengths.tsv"), Some("tsume"))?;
    let count = TIMES * problems.len();
    let hourly = |seconds: f64| count as f64 * 3600.0 / seconds;
    let mut alone = None;
    for threads in [1, 2] {
        reset_peak();
        let next = AtomicUsize::new(0);
        let work = || {
            let before = thread_seconds();
            let mut solver = Solver::new(Memory::mebibytes(256 / threads));
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Some(thread_seconds()? - before?);
                }
                let known = &problems[number % problems.len()];
                solve(&mut solver, known, Goal::Shortest(Convention::Tsume));
            }
        };
        let start = Instant::now();
        let times: Vec<Option<f64>> = thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().expect("every answer is right")).collect()
        });
        let seconds = start.elapsed().as_secs_f64();
        let one = *alone.get_or_insert(seconds);
        let names = format!("tsume batch,lengths on {threads} threads");
        println!("komabako,{names},problems an hour,{:.1}", hourly(seconds));
        println!("komabako,{names},percent of one thread's rate,{:.1}", 100.0 * one / seconds);
        if let Some(times) = times.into_iter().collect::<Option<Vec<f64>>>() {
            let longest = times.into_iter().fold(0.0, f64::max);
            println!("komabako,{names},problems an hour of CPU,{:.1}", hourly(longest));
        }
        print_peak(&names);
    }
    // Each of two processes solves the whole batch, so ideally they do twice the work in the time of one.
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let processes = (0..2).map(|_| {
        let mut command = Command::new(&program);
        command
            .arg("--one-of-two")
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())
    });
    let mut longest: f64 = 0.0;
    for process in processes.collect::<Vec<_>>() {
        let output = process?.wait_with_output().map_err(|error| error.to_string())?;
        let seconds = String::from_utf8_lossy(&output.stdout).trim().parse::<f64>();
        longest = longest.max(seconds.map_err(|error| error.to_string())?);
    }
    let names = "tsume batch,lengths in 2 processes at once";
    println!("komabako,{names},problems an hour,{:.1}", 2.0 * hourly(longest));
    if let Some(one) = alone {
        println!("komabako,{names},percent of one thread's rate,{:.1}", 200.0 * one / longest);
    }
    Ok(())
}

/// Solves the batch on one thread and prints its time in seconds.
fn one_of_two(data: &Path) -> Result<(), String> {
    let problems = read(&data.join("lengths.tsv"), Some("tsume"))?;
    let start = Instant::now();
    let mut solver = Solver::new(Memory::mebibytes(128));
    for known in (0..TIMES).flat_map(|_| &problems) {
        solve(&mut solver, known, Goal::Shortest(Convention::Tsume));
    }
    println!("{:.4}", start.elapsed().as_secs_f64());
    Ok(())
}

/// Solves some problems that take seconds on one thread and on two that work together.
fn compare_cooperation(data: &Path) -> Result<(), String> {
    for (name, plies, text) in LONG {
        if ["muso-1", "zuko-98", "zuko-100"].contains(&name) {
            compare_threads(&format!("any together,{name}"), &problem(text)?, Goal::Any, plies)?;
        }
    }
    let mates = read(&data.join("mate.tsv"), Some("mate_length"))?;
    let longest = mates.iter().max_by_key(|known| known.length).ok_or("no mates")?;
    let plies = longest.length.unwrap_or(0);
    let names = format!("strict together,the mate in {plies}");
    compare_threads(&names, &longest.problem, Goal::Shortest(Convention::Strict), plies)?;
    for (name, plies, text) in HARD {
        let names = format!("tsume together,{name}");
        compare_threads(&names, &problem(text)?, Goal::Shortest(Convention::Tsume), plies)?;
    }
    Ok(())
}

/// Solves a problem, a mate of at least `plies` plies, on one thread and on two.
fn compare_threads(names: &str, problem: &Problem, goal: Goal, plies: u16) -> Result<(), String> {
    const RUNS: usize = 5;
    // In turn, so that other load on the machine affects both alike.
    let mut runs = [const { Vec::new() }; 2];
    for _ in 0..RUNS {
        for (runs, threads) in runs.iter_mut().zip(1..) {
            let mut solver = Solver::with_threads(Memory::mebibytes(2048), threads);
            let start = Instant::now();
            let before = process_seconds();
            let outcome = solver.solve(problem, goal, &Limits::default());
            let seconds = start.elapsed().as_secs_f64();
            let busy = process_seconds().zip(before).map_or(0.0, |(after, before)| after - before);
            let Verdict::Mate(mate) = outcome.verdict else { return Err(format!("{names}: no mate")) };
            let length = mate.length.plies();
            assert!(length == plies || goal == Goal::Any && length > plies, "{names}: {length} plies");
            runs.push([seconds, busy, outcome.nodes as f64]);
        }
    }
    let median = |runs: &[[f64; 3]], column: usize| {
        let mut figures: Vec<f64> = runs.iter().map(|run| run[column]).collect();
        figures.sort_by(f64::total_cmp);
        figures[RUNS / 2]
    };
    let alone = median(&runs[0], 0);
    for (runs, threads) in runs.iter().zip(1..) {
        let names = format!("{names} on {threads} threads");
        println!("komabako,{names},seconds,{:.3}", median(runs, 0));
        println!("komabako,{names},percent of one thread's speed,{:.1}", 100.0 * alone / median(runs, 0));
        println!("komabako,{names},seconds of CPU,{:.3}", median(runs, 1));
        println!("komabako,{names},nodes,{:.1}", median(runs, 2));
    }
    Ok(())
}

/// The CPU time of all threads of this process in seconds; `None` if the system does not report it.
fn process_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The 12th and 13th fields after the name in parentheses are the ticks, 100 per second, in user and system mode.
    let ticks: Vec<f64> =
        text.rsplit(')').next()?.split(' ').skip(12).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
    (ticks.len() == 2).then(|| ticks.iter().sum::<f64>() / 100.0)
}

/// The CPU time of this thread in seconds; `None` if the system does not report it.
fn thread_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

/// Resets the peak of the process's memory.
fn reset_peak() {
    // If this fails, peaks are since the start of the process.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Prints the peak memory since [`reset_peak`], if the system reports it.
fn print_peak(names: &str) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    if let Some(kibibytes) = peak.and_then(|number| number.parse::<f64>().ok()) {
        println!("komabako,{names},MiB at most,{:.1}", kibibytes / 1024.0);
    }
}

/// Solves a problem and asserts the known answer. Returns the number of nodes.
fn solve(solver: &mut Solver, known: &Known, goal: Goal) -> u64 {
    let outcome = solver.solve(&known.problem, goal, &Limits::default());
    match (outcome.verdict, known.length) {
        (Verdict::Mate(mate), Some(length)) => {
            let plies = mate.length.plies();
            assert!(plies == length || goal == Goal::Any && plies > length, "{}", known.problem.setup());
        }
        (Verdict::NoMate(_), None) => {}
        (verdict, _) => panic!("{verdict:?}: {}", known.problem.setup()),
    }
    outcome.nodes
}

/// The problems of a file with a header, with the lengths in one of its columns.
fn read(path: &Path, column: Option<&str>) -> Result<Vec<Known>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let place = column.and_then(|column| header.split('\t').position(|name| name == column));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let length = place.map(|place| cells[place].parse().expect("a length"));
            Ok(Known { problem: problem(cells[0])?, length })
        })
        .collect()
}

/// Problems that may take more nodes: strictly, and by tsume lengths.
const LONGER: [(&str, [u64; 2]); 4] = [
    ("39te-ply8", [0, 3_000_000]),
    ("39te-ply0", [0, 40_000_000]),
    ("horsesaw1", [2_000_000, 2_000_000]),
    ("horsesaw2", [2_000_000, 20_000_000]),
];

/// Counts the nodes for exact lengths, and the bytes of certificates.
fn count(limit: &str, data: &Path) -> Result<(), String> {
    let limit: u64 = limit.parse().map_err(|_| "LIMIT is a number".to_owned())?;
    let tsume = Goal::Shortest(Convention::Tsume);
    let strict = Goal::Shortest(Convention::Strict);
    for (names, goal, file, column) in
        [("tsume,lengths", tsume, "lengths.tsv", "tsume"), ("strict,mate", strict, "mate.tsv", "mate_length")]
    {
        let set = read(&data.join(file), Some(column))?;
        let mut solver = Solver::new(MEMORY);
        let nodes: u64 = set.iter().map(|known| solve(&mut solver, known, goal)).sum();
        println!("komabako,{names},nodes,{nodes}");
    }
    let path = data.join("hard.tsv");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut exact = [0; 2];
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let problem = problem(cells[0])?;
        let id = cells[1];
        let longer = LONGER.iter().find(|longer| longer.0 == id).map_or([0, 0], |longer| longer.1);
        for (place, name, goal) in [(0, "strict", strict), (1, "tsume", tsume)] {
            let limit = limit.max(longer[place]);
            let limits = Limits { nodes: Some(limit), report_nodes: Some(limit), ..Limits::default() };
            let mut solver = Solver::new(Memory::mebibytes(3072));
            let outcome = solver.solve(&problem, goal, &limits);
            let nodes = outcome.nodes.min(limit);
            println!("komabako,{name},{id},nodes,{nodes}");
            let Verdict::Mate(mate) = outcome.verdict else { continue };
            let plies = mate.length.plies();
            if !mate.length.is_exact() {
                println!("komabako,{name},{id},plies at most,{plies}");
                continue;
            }
            exact[place] += 1;
            println!("komabako,{name},{id},plies,{plies}");
            if name == "strict"
                && let Ok((_, certificates)) = solver.certify_length(&problem, Convention::Strict, &limits)
            {
                let bytes: usize =
                    certificates.iter().map(|certificate| certificate.0.as_bytes().len()).sum();
                println!("komabako,{name},{id},bytes of certificates,{bytes}");
            }
        }
    }
    println!("komabako,strict,hard,exact lengths,{}", exact[0]);
    println!("komabako,tsume,hard,exact lengths,{}", exact[1]);
    Ok(())
}

fn problem(text: &str) -> Result<Problem, String> {
    let setup = sfen::parse(text).map_err(|error| format!("{text}: {error}"))?.setup;
    Problem::new(&setup, Rules::default()).map_err(|error| format!("{text}: {error}"))
}

fn long(mebibytes: &str, seconds: &str, threads: &str) -> Result<(), String> {
    let mebibytes = mebibytes.parse().map_err(|_| "MEBIBYTES is a number".to_owned())?;
    let seconds = seconds.parse().map_err(|_| "SECONDS is a number".to_owned())?;
    let threads = threads.parse().map_err(|_| "THREADS is a number".to_owned())?;
    for (name, plies, text) in LONG {
        let problem = problem(text)?;
        reset_peak();
        let set = if threads == 1 { name.to_owned() } else { format!("{name} on {threads} threads") };
        let mut solver = Solver::with_threads(Memory::mebibytes(mebibytes), threads);
        let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
        let start = Instant::now();
        let outcome = solver.solve(&problem, Goal::Any, &limits);
        let seconds = start.elapsed().as_secs_f64();
        let nodes = outcome.nodes;
        let rate = nodes as f64 / seconds / 1000.0;
        match outcome.verdict {
            Verdict::Mate(mate) => {
                assert!(mate.length.plies() >= plies, "{name}: the solution is the shortest");
                eprintln!("{set}: {} plies, {nodes} nodes, {seconds:.1} s", mate.length.plies());
                println!("komabako,any,{set},problems an hour,{:.1}", 3600.0 / seconds);
                println!("komabako,any,{set},thousands of nodes a second,{rate:.1}");
                print_peak(&format!("any,{set}"));
            }
            Verdict::NoMate(_) => panic!("{name} is a mate"),
            Verdict::Unknown { reason, .. } => {
                eprintln!("{set}: not solved ({reason:?}), {nodes} nodes, {seconds:.1} s");
            }
        }
    }
    Ok(())
}

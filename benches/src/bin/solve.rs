//! Mates proven, refuted and measured exactly: `solve [REPETITIONS] DATA` or `solve --long MEBIBYTES SECONDS DATA`.
//!
//! Prints one line `komabako,goal,set,unit,figure` a row, the median over the repetitions: problems an hour and, from the same
//! runs, nodes a second in thousands. The sets are the known answers of `komabako-tsume` in DATA, and every verdict and
//! length is asserted. `--long` runs the famous long problems instead, each once with a table of this size and up to this
//! time; those that are not solved print no row but a line on standard error. One thread.

#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use komabako::board::sfen;
use komabako::tsume::{Convention, Goal, Limits, Memory, Problem, Rules, Solver, Verdict};

/// A table as `komabako solve` has it unless told otherwise.
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

/// A problem and the plies of its mate, if it has one: the exact length by the goal's convention.
struct Known {
    problem: Problem,
    length: Option<u16>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["--long", mebibytes, seconds, _] => long(mebibytes, seconds),
        [repetitions, data] => sets(repetitions, Path::new(data)),
        [data] => sets("5", Path::new(data)),
        _ => Err("usage: solve [REPETITIONS] DATA, or solve --long MEBIBYTES SECONDS DATA".to_owned()),
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
    // Positions of games, whose exact lengths beyond this take most of the time of the whole set.
    let short: Vec<&Known> = mates.iter().filter(|known| known.length <= Some(13)).collect();
    for (names, goal, set) in [
        ("any,mate", Goal::Any, mates.iter().collect::<Vec<_>>()),
        ("strict,mate", Goal::Shortest(Convention::Strict), short),
        ("any,no-mate", Goal::Any, refuted.iter().collect()),
        ("tsume,lengths", Goal::Shortest(Convention::Tsume), lengths.iter().collect()),
    ] {
        let mut nodes = 0;
        let mut runs: Vec<f64> = (0..repetitions.max(1))
            .map(|_| {
                let mut solver = Solver::new(MEMORY);
                let start = Instant::now();
                nodes = set.iter().map(|known| solve(&mut solver, known, goal)).sum::<u64>();
                start.elapsed().as_secs_f64()
            })
            .collect();
        runs.sort_by(f64::total_cmp);
        let (count, seconds) = (set.len() as f64, runs[runs.len() / 2]);
        println!("komabako,{names},problems an hour,{:.1}", count * 3600.0 / seconds);
        println!("komabako,{names},thousands of nodes a second,{:.1}", nodes as f64 / seconds / 1000.0);
        println!("komabako,{names},nodes a problem,{:.1}", nodes as f64 / count);
    }
    Ok(())
}

/// Solves a problem whose answer is known; the nodes that it took.
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

/// The problems of a file with a header, and the lengths in a column of it.
fn read(path: &Path, column: Option<&str>) -> Result<Vec<Known>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
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

fn problem(text: &str) -> Result<Problem, String> {
    let setup = sfen::parse(text).map_err(|error| format!("{text}: {error}"))?.setup;
    Problem::new(&setup, Rules::default()).map_err(|error| format!("{text}: {error}"))
}

fn long(mebibytes: &str, seconds: &str) -> Result<(), String> {
    let mebibytes = mebibytes.parse().map_err(|_| "MEBIBYTES is a number".to_owned())?;
    let seconds = seconds.parse().map_err(|_| "SECONDS is a number".to_owned())?;
    for (name, plies, text) in LONG {
        let problem = problem(text)?;
        let mut solver = Solver::new(Memory::mebibytes(mebibytes));
        let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
        let start = Instant::now();
        let outcome = solver.solve(&problem, Goal::Any, &limits);
        let seconds = start.elapsed().as_secs_f64();
        let nodes = outcome.nodes;
        let rate = nodes as f64 / seconds / 1000.0;
        match outcome.verdict {
            Verdict::Mate(mate) => {
                assert!(mate.length.plies() >= plies, "{name}: the solution is the shortest");
                eprintln!("{name}: {} plies, {nodes} nodes, {seconds:.1} s", mate.length.plies());
                println!("komabako,any,{name},problems an hour,{:.1}", 3600.0 / seconds);
                println!("komabako,any,{name},thousands of nodes a second,{rate:.1}");
            }
            Verdict::NoMate(_) => panic!("{name} is a mate"),
            Verdict::Unknown { reason, .. } => {
                eprintln!("{name}: not solved ({reason:?}), {nodes} nodes, {seconds:.1} s");
            }
        }
    }
    Ok(())
}

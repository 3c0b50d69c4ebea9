//! Solves the problems, one on each thread or fewer with several threads each, and writes the answers in the order of the input.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use komabako::board::Hand;
use komabako::dataset::DatasetError;
use komabako::tsume::{
    CheckReport, Convention, Goal, Limits, Mate, Memory, Outcome as Solved, Problem, Solver, Verdict,
};
use serde::Serialize;

use super::answers::Answers;
use super::arguments::{ConventionArg, LineArg, Solve};
use super::destination::Form;
use super::input::{Task, Tasks};
use super::record::{self, Answer};
use crate::context::Context;
use crate::interrupt;
use crate::json::Envelope;
use crate::message::{Lang, NodeLimits, Report};
use crate::outcome::{Failure, Outcome};

/// The interval at which progress is shown.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(2);

/// Solves the problems and writes the answers.
pub fn run(solve: &Solve, context: &Context, tasks: Tasks) -> Result<Outcome, Failure> {
    let (inputs, count) = (solve.input_files(), tasks.known_count());
    interrupt::catch();
    let threads = match solve.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    // With fewer problems than threads, several threads work on each problem.
    let workers = threads.clamp(1, count.unwrap_or(threads).max(1));
    let several = count != Some(1);
    // An output that cannot be written is refused before anything is solved.
    let mut outputs = Answers::open(solve, context, &inputs, count != Some(1))?;
    let tasks = Mutex::new((0..).zip(tasks));
    // Cancels the searches. It is separate from the flag of Ctrl-C, since a failed output has to end them too: otherwise the
    // program would search for up to `--time` before it reports the failure.
    let is_over = AtomicBool::new(false);
    let (sender, answers) = mpsc::channel();
    let result = std::thread::scope(|scope| {
        for worker in 0..workers {
            let own_threads = threads / workers + usize::from(worker < threads % workers);
            let (sender, tasks, is_over) = (sender.clone(), &tasks, &is_over);
            let run = move || {
                let memory = usize::try_from(solve.memory / workers as u64).unwrap_or(usize::MAX);
                let mut solver = Solver::with_threads(Memory::bytes(memory), own_threads);
                while !is_over.load(Ordering::Relaxed) {
                    // A thread that panicked with the lock ends the job when it is joined.
                    let Ok(next) = tasks.lock().map(|mut tasks| tasks.next()) else { return };
                    let Some((place, task)) = next else { return };
                    let answer = task
                        .and_then(|task| answer(solve, context.lang, &task, several, is_over, &mut solver));
                    if is_over.load(Ordering::Relaxed) || sender.send((place, answer)).is_err() {
                        return;
                    }
                }
            };
            match std::thread::Builder::new().spawn_scoped(scope, run) {
                Ok(_) => {}
                Err(error) if worker == 0 => {
                    return Err(Failure::dataset(&DatasetError::Thread(error), context.lang));
                }
                // The other threads solve all problems.
                Err(_) => break,
            }
        }
        drop(sender);
        let result = write(solve, context, count, answers_until(&answers, &is_over), &mut outputs);
        // The end of the writing, for any reason, ends the solving.
        is_over.store(true, Ordering::Relaxed);
        result
    });
    // The solved problems are kept, whatever ended the run.
    outputs.finish(result)
}

/// The answers as they arrive. Ctrl-C sets `is_over`, which cancels the searches; answers already sent still arrive.
fn answers_until(
    answers: &mpsc::Receiver<(usize, Solution)>,
    is_over: &AtomicBool,
) -> impl Iterator<Item = (usize, Solution)> {
    std::iter::from_fn(move || {
        loop {
            if interrupt::requested() {
                is_over.store(true, Ordering::Relaxed);
            }
            match answers.recv_timeout(interrupt::POLL_INTERVAL) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}

/// An answer, or why the position is not a problem: [`Failure::Bad`] if the other problems are still solved.
type Solution = Result<Answer, Failure>;

fn write(
    solve: &Solve,
    context: &Context,
    count: Option<usize>,
    answers: impl Iterator<Item = (usize, Solution)>,
    outputs: &mut Answers<'_>,
) -> Result<Outcome, Failure> {
    let lang = context.lang;
    let (mut waiting, mut written, mut good, mut bad) = (BTreeMap::new(), 0, 0, 0_u64);
    let begun = Instant::now();
    let mut shown = begun;
    let mut problems = Vec::new();
    for (place, answer) in answers {
        waiting.insert(place, answer);
        while let Some(answer) = waiting.remove(&written) {
            written += 1;
            let answer = match answer {
                Ok(answer) => answer,
                Err(failure @ Failure::Bad(_)) => {
                    context.print_failure(&failure);
                    bad += 1;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            good += usize::from(answer.is_good());
            if solve.json {
                problems.push(answer.form());
            } else {
                outputs.push(&answer)?;
            }
        }
        if count != Some(1) && shown.elapsed() >= PROGRESS_INTERVAL {
            shown = Instant::now();
            let good = if solve.check { lang.solve_sound(good) } else { lang.solve_solved(good) };
            let done = match count {
                Some(count) => lang.solve_progress(written, count, good),
                None => lang.solve_progress_so_far(written, good),
            };
            let _ = writeln!(context.stderr(), "{done}");
        }
    }
    if interrupt::requested() {
        let stopped = match count {
            Some(count) => lang.solve_interrupted(written, count),
            None => lang.solve_interrupted_so_far(written),
        };
        return Err(Failure::Interrupted(Report::plain(stopped).of_kind("interrupted")));
    }
    if solve.json {
        let seconds = Some(begun.elapsed().as_secs_f64());
        let members = CommandMembers { solved: good, problems };
        let report = Envelope { seconds, bad_total: bad, ..Envelope::with(members, context) };
        report.write(outputs.stdout()).map_err(|error| context.stdout_failed(&error))?;
    }
    Ok(Outcome::from_findings(good < written))
}

/// The members of `solve` only.
#[derive(Serialize)]
struct CommandMembers {
    solved: usize,
    problems: Vec<record::Form>,
}

/// Solves one problem.
fn answer(
    solve: &Solve,
    lang: Lang,
    task: &Task,
    several: bool,
    is_over: &AtomicBool,
    solver: &mut Solver,
) -> Solution {
    let refused = |why: String| {
        let what = if task.place.is_empty() { why } else { format!("{}: {why}", task.place) };
        match task.is_record {
            true => Failure::Bad(Report::plain(what).of_kind("problem")),
            // A position from the command line has no earlier problems.
            false if task.place.is_empty() => Failure::CouldNotRun(Report::plain(what).of_kind("problem")),
            false => Failure::CouldNotRun(Report::new(what, lang.solve_problem_help()).of_kind("problem")),
        }
    };
    let problem =
        Problem::new(&task.setup, solve.rules()).map_err(|error| refused(lang.no_problem(&error)))?;
    let limits = Limits {
        nodes: solve.nodes(),
        report_nodes: solve.report_nodes(),
        depth: solve.depth,
        time: solve.time(several),
        cancel: Some(is_over),
    };
    let begun = Instant::now();
    let mut first_checks = Vec::new();
    let mut report = None;
    let outcome = if solve.check {
        let author = Some(&task.moves[..]).filter(|moves| !moves.is_empty());
        let found = solver
            .check(&problem, author, &limits)
            .map_err(|error| refused(lang.author_line(error.ply, error.mv, error.attacks)))?;
        let outcome = checked(solver, &problem, &limits, &found);
        report = Some(found);
        outcome
    } else {
        if solve.all {
            first_checks = solver.first_checks(&problem, solve.convention(), &limits);
        }
        solver.solve(&problem, solve.goal(), &limits)
    };
    let (mut line, mut left) = match &outcome.verdict {
        Verdict::Mate(Mate { line, left, .. }) => (line.clone(), *left),
        _ => (Vec::new(), Hand::EMPTY),
    };
    let is_mate = matches!(outcome.verdict, Verdict::Mate(_));
    let mut author_length = None;
    if is_mate
        && (solve.line == LineArg::Author || solve.output.form == Form::Tsv && !solve.any)
        && let Ok(Some(author)) = solver.author_line(&problem, &limits)
    {
        author_length = u16::try_from(author.line.len()).ok();
        if solve.line == LineArg::Author {
            (line, left) = (author.line, author.left);
        }
    }
    let both = solve.convention == ConventionArg::Both || solve.output.form == Form::Tsv && !solve.any;
    let strict_length = if is_mate && both {
        match solver.solve(&problem, Goal::Shortest(Convention::Strict), &limits).verdict {
            Verdict::Mate(mate) if mate.length.is_exact() => Some(mate.length.plies()),
            _ => None,
        }
    } else {
        None
    };
    if let Some(report) = report.as_ref().filter(|report| !report.line.is_empty()) {
        line.clone_from(&report.line);
    }
    let (mut variations, mut variations_stopped) = (Vec::new(), None);
    if is_mate && solve.variations > 0 {
        match solver.variations(&problem, &line, solve.convention(), solve.variations.into(), &limits) {
            Ok(found) => variations = found,
            Err(reason) => variations_stopped = Some(reason),
        }
    }
    let convention = match (&outcome.verdict, solve.goal()) {
        (Verdict::Mate(mate), _) => mate.convention,
        _ => solve.convention(),
    };
    Ok(Answer {
        number: task.number,
        sfen: task.sfen.clone(),
        rest: task.rest.clone(),
        problem,
        convention,
        wants_shortest: matches!(solve.goal(), Goal::Shortest(_)),
        outcome,
        strict_length,
        line,
        left,
        author_length,
        variations,
        variations_stopped,
        first_checks,
        report,
        node_limits: NodeLimits { search: limits.nodes, report: limits.report_nodes },
        milliseconds: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// The verdict for a report. The problem is solved again, since the checker's table has dropped a part of it.
fn checked(solver: &mut Solver, problem: &Problem, limits: &Limits<'_>, report: &CheckReport) -> Solved {
    let mut outcome = solver.solve(problem, Goal::Shortest(Convention::Tsume), limits);
    outcome.nodes += report.nodes;
    outcome
}

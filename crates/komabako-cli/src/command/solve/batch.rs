//! Solves the problems, one on each thread, and writes the answers in the order of the input.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use komabako::board::Hand;
use komabako::tsume::{
    CheckReport, Convention, Goal, Limits, Mate, Memory, Outcome as Solved, Problem, Solver, Verdict,
};
use serde::Serialize;

use super::destination::{Answers, Form};
use super::input::Task;
use super::record::{self, Answer};
use super::{ConventionArg, LineArg, Solve};
use crate::context::Context;
use crate::interrupt;
use crate::json::Envelope;
use crate::message::{Lang, Report};
use crate::outcome::{Failure, Outcome};

/// How often a count of what is done is shown.
const SHOW_EVERY: Duration = Duration::from_secs(2);

/// Solves and writes.
pub fn run(solve: &Solve, context: &Context, tasks: &[Task]) -> Result<Outcome, Failure> {
    let inputs = solve.input_files();
    interrupt::catch();
    let threads = match solve.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let threads = threads.clamp(1, tasks.len().max(1));
    let next = AtomicUsize::new(0);
    let (sender, answers) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let memory = solve.memory / threads as u64;
                let mut solver = Solver::new(Memory::bytes(usize::try_from(memory).unwrap_or(usize::MAX)));
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(place) else { return };
                    let answer = answer(solve, context.lang, task, tasks.len(), &mut solver);
                    if interrupt::requested() || sender.send((place, answer)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let result = write(solve, context, &inputs, tasks.len(), &answers);
        // Whatever ended the writing ends the solving.
        next.store(tasks.len(), Ordering::Relaxed);
        result
    })
}

/// An answer, or why the position is not a problem.
type Solution = Result<Answer, Failure>;

fn write(
    solve: &Solve,
    context: &Context,
    inputs: &[PathBuf],
    count: usize,
    answers: &mpsc::Receiver<(usize, Solution)>,
) -> Result<Outcome, Failure> {
    let mut outputs = Answers::open(solve, context, inputs, count > 1)?;
    let result = write_all(solve, context, count, answers, &mut outputs);
    // Whatever ended the solving: what was solved is kept.
    outputs.finish(result.is_ok())?;
    result
}

fn write_all(
    solve: &Solve,
    context: &Context,
    count: usize,
    answers: &mpsc::Receiver<(usize, Solution)>,
    outputs: &mut Answers<'_>,
) -> Result<Outcome, Failure> {
    let (mut waiting, mut written, mut good) = (BTreeMap::new(), 0, 0);
    let begun = Instant::now();
    let mut shown = begun;
    let mut problems = Vec::new();
    for (place, answer) in answers {
        waiting.insert(place, answer);
        while let Some(answer) = waiting.remove(&written) {
            let answer = answer?;
            good += usize::from(answer.is_good());
            if solve.json {
                problems.push(answer.form());
            } else {
                outputs.push(&answer)?;
            }
            written += 1;
        }
        if count > 1 && shown.elapsed() >= SHOW_EVERY {
            shown = Instant::now();
            let _ = writeln!(context.stderr(), "{}", context.lang.solve_progress(written, count, good));
        }
    }
    if interrupt::requested() {
        return Err(Failure::Interrupted(
            Report::plain(context.lang.solve_interrupted(written, count)).of_kind("interrupted"),
        ));
    }
    if solve.json {
        let seconds = Some(begun.elapsed().as_secs_f64());
        let own = Own { solved: good, problems };
        let written = Envelope { seconds, ..Envelope::with(own, context) }.write(outputs.stdout());
        written.map_err(|error| context.stdout_failed(&error))?;
    }
    Ok(Outcome::found(good < count))
}

/// The members of `solve` alone.
#[derive(Serialize)]
struct Own {
    solved: usize,
    problems: Vec<record::Form>,
}

/// Solves one problem.
fn answer(solve: &Solve, lang: Lang, task: &Task, count: usize, solver: &mut Solver) -> Solution {
    let refused = |why: String| {
        let what = if task.place.is_empty() { why } else { format!("{}: {why}", task.place) };
        Failure::CouldNotRun(Report::new(what, lang.solve_problem_help()).of_kind("problem"))
    };
    let problem =
        Problem::new(&task.setup, solve.rules()).map_err(|error| refused(lang.no_problem(&error)))?;
    let limits = Limits {
        nodes: solve.nodes,
        depth: solve.depth,
        time: solve.time(count),
        cancel: Some(interrupt::flag()),
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
        sfen: task.sfen.clone(),
        rest: task.rest.clone(),
        problem,
        convention,
        outcome,
        strict_length,
        line,
        left,
        author_length,
        variations,
        variations_stopped,
        first_checks,
        report,
        milliseconds: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// The verdict that belongs to a report: solved again with what the checker's table has forgotten.
fn checked(solver: &mut Solver, problem: &Problem, limits: &Limits<'_>, report: &CheckReport) -> Solved {
    let mut outcome = solver.solve(problem, Goal::Shortest(Convention::Tsume), limits);
    outcome.nodes += report.nodes;
    outcome
}

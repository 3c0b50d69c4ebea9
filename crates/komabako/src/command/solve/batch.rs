//! Solves the problems, one on each thread or fewer with several threads each, and writes the answers in the order of the input.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use komabako::board::{Setup, color};
use komabako::dataset::{DatasetError, InOrder};
use komabako::messages::WithAdvice;
use komabako::tsume::{
    CheckReport, Convention, Goal, Limits, LineError, Memory, Problem, ProblemError, Reason, Root, Rules,
    Solver, Verdict,
};

use super::answers::Answers;
use super::arguments::{ConventionArg, LineArg, Solve};
use super::budget::Budget;
use super::certificate::Proofs;
use super::destination::Form;
use super::input::{Task, Tasks};
use super::part_file::Unfinished;
use super::record::{Answer, ShownLine};
use super::refused::{Refusals, Unsolved};
use crate::context::Context;
use crate::interrupt;
use crate::json::{self, Envelope, object};
use crate::message::{Lang, Report};
use crate::outcome::{Failure, Outcome};

/// The interval at which progress is shown.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(2);

/// Solves the problems and writes the answers.
pub fn run(
    solve: &Solve,
    context: &Context,
    mut tasks: Tasks,
    unfinished: Option<Unfinished>,
) -> Result<Outcome, Failure> {
    let inputs = solve.input_files();
    let total = tasks.input_count();
    let count = tasks.known_count();
    interrupt::catch();
    let threads = match solve.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    // With fewer problems than threads, several threads work on each problem.
    let workers = threads.clamp(1, count.unwrap_or(threads).max(1));
    // The limit of a problem does not depend on how many others an earlier run has solved.
    let time = solve.time(total != Some(1));
    // An output that cannot be written is refused before anything is solved.
    let refusals = Refusals::open(solve, context, &inputs)?;
    let several = count != Some(1);
    let mut outputs = Answers::open(solve, context, &inputs, total, several, tasks.columns(), unfinished)?;
    let places = Mutex::new((0..).zip(&mut tasks));
    // Cancels the searches. It is separate from the flag of Ctrl-C, since a failed output has to end them too: otherwise the
    // program would search for up to `--time` before it reports the failure.
    let is_over = AtomicBool::new(false);
    let (sender, answers) = mpsc::channel();
    let result = std::thread::scope(|scope| {
        for worker in 0..workers {
            let own_threads = threads / workers + usize::from(worker < threads % workers);
            let sender = sender.clone();
            let places = &places;
            let is_over = &is_over;
            let run = move || {
                let memory = usize::try_from(solve.memory / workers as u64).unwrap_or(usize::MAX);
                let mut solver = Solver::with_threads(Memory::bytes(memory), own_threads);
                while !is_over.load(Ordering::Relaxed) {
                    // A thread that panicked with the lock ends the job when it is joined.
                    let Ok(next) = places.lock().map(|mut places| places.next()) else { return };
                    let Some((place, task)) = next else { return };
                    let answer =
                        task.and_then(|task| answer(solve, context.lang, task, time, is_over, &mut solver));
                    if is_over.load(Ordering::Relaxed) || sender.send((place, answer)).is_err() {
                        return;
                    }
                }
            };
            match std::thread::Builder::new().spawn_scoped(scope, run) {
                Ok(_) => {}
                Err(error) if worker == 0 => {
                    return Err(Failure::from(DatasetError::Thread(error)));
                }
                // The other threads solve all problems.
                Err(_) => break,
            }
        }
        drop(sender);
        let result = write(solve, context, count, answers_until(&answers, &is_over), &mut outputs, refusals);
        // The end of the writing, for any reason, ends the solving.
        is_over.store(true, Ordering::Relaxed);
        result
    });
    let result = result.map(|outcome| if tasks.has_bad() { Outcome::from_findings(true) } else { outcome });
    // The solved problems are kept, whatever ended the run.
    outputs.finish(result)
}

/// The answers as they arrive. Ctrl-C sets `is_over`, which cancels the searches; answers already sent still arrive.
fn answers_until<'a>(
    answers: &mpsc::Receiver<(u64, Solution<'a>)>,
    is_over: &AtomicBool,
) -> impl Iterator<Item = (u64, Solution<'a>)> {
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

/// An answer, or why the problem has no answer.
type Solution<'a> = Result<Answer<'a>, Unsolved>;

fn write<'a>(
    solve: &'a Solve,
    context: &Context,
    count: Option<usize>,
    answers: impl Iterator<Item = (u64, Solution<'a>)>,
    outputs: &mut Answers<'_>,
    mut refusals: Refusals<'_>,
) -> Result<Outcome, Failure> {
    let lang = context.lang;
    let mut in_order = InOrder::default();
    let mut written = 0;
    let mut good = 0;
    let begun = Instant::now();
    let mut shown = begun;
    let mut problems = Vec::new();
    for (place, answer) in answers {
        in_order.add(place, answer);
        while let Some(answer) = in_order.next(|_| true) {
            written += 1;
            let answer = match answer {
                Ok(answer) => answer,
                Err(Unsolved::Refused(refused)) => {
                    refusals.add(*refused)?;
                    continue;
                }
                Err(Unsolved::Failed(failure)) => return Err(failure),
            };
            good += usize::from(answer.is_good());
            outputs.push_certificates(&answer)?;
            if solve.json {
                problems.push(answer.form());
            } else {
                outputs.push(&answer)?;
            }
        }
        if count != Some(1) && !context.report.quiet && shown.elapsed() >= PROGRESS_INTERVAL {
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
    refusals.complete()?;
    if solve.json {
        let seconds = Some(begun.elapsed().as_secs_f64());
        let members = object! { solved: good, problems: problems };
        let report = Envelope {
            seconds,
            bad_total: refusals.total(),
            bad: json::bad_counts(&refusals.counts),
            samples: json::samples(&refusals.samples, lang),
            ..Envelope::with(members, context)
        };
        report.write(outputs.stdout())?;
    }
    Ok(Outcome::from_findings(good < written))
}

/// Whether the main line of a report is shown instead of the solver's: a mate as short as the one that the solver found, or against a
/// defence that is not the longest.
fn shows_main_line(report: &CheckReport) -> bool {
    match &report.outcome.verdict {
        Verdict::Mate(mate) if mate.length.is_exact() => {
            report.line_complete && report.plies <= mate.length.plies()
        }
        Verdict::Mate(mate) => report.line_complete && report.plies == mate.length.plies(),
        // What the author wrote.
        _ => !report.line.is_empty(),
    }
}

/// What to do about a position that is not a problem.
fn advice(error: &ProblemError, setup: &Setup, rules: Rules, lang: Lang) -> Option<String> {
    let can_defend = |setup: &Setup| Problem::new(setup, Rules { root: Root::Defend, ..rules }).is_ok();
    match error {
        ProblemError::OpponentInCheck if rules.root == Root::Attack => {
            let mut turned = *setup;
            turned.set_side_to_move(color::opponent(setup.side_to_move()));
            can_defend(&turned).then(|| lang.solve_turn_and_defend())
        }
        ProblemError::WrongSideToMove(_) if can_defend(setup) => Some(lang.solve_defend()),
        _ => error.advice().map(|advice| lang.say(&advice)),
    }
}

fn answer<'a>(
    solve: &'a Solve,
    lang: Lang,
    task: Task,
    time: Option<Duration>,
    is_over: &AtomicBool,
    solver: &mut Solver,
) -> Solution<'a> {
    let refused = |why: String, advice: Option<String>| {
        let what = task.origin.place(lang, why);
        // A position from the command line has no earlier problems.
        let others = task.origin.line.map(|_| match task.number {
            1 => lang.solve_others_help(),
            _ => lang.solve_problem_help(),
        });
        let help = match advice {
            Some(advice) => Some(lang.say(&WithAdvice(advice, others))),
            None => others,
        };
        Unsolved::from(task.origin.refuse("problem", what, help))
    };
    let problem = Problem::new(&task.setup, solve.rules())
        .map_err(|error| refused(lang.say(&error), advice(&error, &task.setup, solve.rules(), lang)))?;
    let illegal = |error: LineError| refused(lang.say(&error), None);
    let mut budget = Budget::new(time, solve.nodes(), solve.depth, is_over);
    let mut proofs = Proofs::default();
    let mut report = None;
    let mut needless = None;
    let outcome;
    if solve.check {
        let mut author = task.moves.clone();
        if author.is_empty() && solve.line == LineArg::Author {
            let found = solver.author_line(&problem, &budget.limits());
            budget.spend(solver.nodes());
            author = found.ok().flatten().map(|author| author.line).unwrap_or_default();
        }
        let author = Some(&author[..]).filter(|moves| !moves.is_empty());
        // The report has its own nodes, so that it is the same whatever the output shows beside it.
        let nodes = solve.nodes();
        let report_nodes = solve.report_nodes();
        let limits = Limits { nodes, report_nodes, ..budget.limits() };
        let mut found = solver.check(&problem, author, &limits).map_err(illegal)?;
        if solve.certificate.is_some() {
            let limits = Limits { report_nodes: budget.limits().nodes, ..budget.limits() };
            proofs = Proofs::of_report(solver, &problem, &found, &limits);
        }
        let report_nodes = report_nodes.map(|nodes| nodes.saturating_sub(found.outcome.nodes));
        let limits = Limits { nodes, report_nodes, ..budget.limits() };
        found.add(solver.check_variations(&problem, &task.variations, &limits));
        outcome = found.outcome.clone();
        if solve.needless {
            let report_nodes = solve.report_nodes();
            needless = Some(solver.needless_pieces(&problem, &found, &Limits { report_nodes, ..limits }));
        }
        report = Some(found);
    } else {
        // The verdict first: a limit that the searches share should end one that matters less.
        let goal = solve.goal();
        outcome = solver.solve(&problem, goal, &budget.limits());
        budget.spend(outcome.nodes);
        if solve.certificate.is_some() {
            let limits = Limits { report_nodes: budget.limits().nodes, ..budget.limits() };
            proofs = Proofs::make(solver, &problem, goal, &outcome.verdict, &limits);
            budget.spend(solver.nodes() - outcome.nodes);
        }
    }
    let mut first_checks = Vec::new();
    if solve.all {
        first_checks = solver.first_checks(&problem, solve.convention(), &budget.limits());
        budget.spend(solver.nodes());
    }
    let mut shown = ShownLine::of_verdict(&outcome.verdict);
    let is_mate = matches!(outcome.verdict, Verdict::Mate(_));
    let mut author_length = None;
    if is_mate && (solve.line == LineArg::Author || solve.output.form == Form::Tsv && !solve.any) {
        let found = solver.author_line(&problem, &budget.limits());
        budget.spend(solver.nodes());
        if let Ok(Some(author)) = found {
            author_length = u16::try_from(author.line.len()).ok();
            if solve.line == LineArg::Author {
                shown = ShownLine {
                    plies: author_length,
                    line: author.line,
                    is_complete: true,
                    left: author.left,
                };
            }
        }
    }
    let both = solve.convention == ConventionArg::Both || solve.output.form == Form::Tsv && !solve.any;
    let mut strict_length = None;
    if is_mate && both {
        let strict = solver.solve(&problem, Goal::Shortest(Convention::Strict), &budget.limits());
        budget.spend(strict.nodes);
        strict_length = match strict.verdict {
            Verdict::Mate(mate) if mate.length.is_exact() => Some(mate.length.plies()),
            _ => None,
        };
    }
    if let Some(report) = &report
        && shows_main_line(report)
    {
        shown = ShownLine {
            plies: Some(report.plies),
            line: report.line.clone(),
            is_complete: report.line_complete,
            left: report.left,
        };
    }
    let mut variations = Vec::new();
    let mut variations_stopped = None;
    if is_mate && solve.variations > 0 {
        let convention = solve.convention();
        let depth = solve.variations.into();
        match solver.variations(&problem, &shown.line, convention, depth, &budget.limits()) {
            Ok(found) => {
                if let Some(report) = &mut report {
                    let limits = budget.limits();
                    report.add(solver.variation_duals(&problem, &shown.line, &found, &limits));
                }
                variations = found;
            }
            // To the user this is `--nodes` too.
            Err(Reason::ReportNodes) => variations_stopped = Some(Reason::Nodes),
            Err(reason) => variations_stopped = Some(reason),
        }
    }
    let convention = match (&outcome.verdict, solve.goal()) {
        (Verdict::Mate(mate), _) => mate.convention,
        _ => solve.convention(),
    };
    Ok(Answer {
        solve,
        task,
        problem,
        convention,
        outcome,
        strict_length,
        shown,
        author_length,
        variations,
        variations_stopped,
        first_checks,
        report,
        needless,
        proofs,
        milliseconds: u64::try_from(budget.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

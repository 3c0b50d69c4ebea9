//! Solves the problems, one on each thread or fewer with several threads each, and writes the answers in the order of the input.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use komabako::dataset::{DatasetError, InOrder};
use komabako::tsume::{Memory, Solver};

use super::answers::Answers;
use super::arguments::Solve;
use super::input::Tasks;
use super::part_file::Unfinished;
use super::refused::{Refusals, Unsolved};
use super::searches::{Solution, answer};
use crate::context::Context;
use crate::interrupt;
use crate::json::{self, Envelope, object};
use crate::message::Report;
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
            bad: json::value(&refusals.counts),
            samples: json::samples(&refusals.samples, lang),
            ..Envelope::with(members, context)
        };
        report.write(outputs.stdout())?;
    }
    Ok(Outcome::from_findings(good < written))
}

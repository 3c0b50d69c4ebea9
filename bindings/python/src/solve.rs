//! Mates of many positions.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use komabako::board::color::opponent;
use komabako::board::{PositionFault, Setup};
use komabako::record::legality::LegalityFault;
use komabako::tsume::{
    Convention, Goal, Limits, Memory, Outcome, Problem, ProblemError, Rules, Solver, Verdict,
};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{OnError, Source, Threads};
use crate::arrays::{Mask, Written};
use crate::fault::Fault;
use crate::rows::Table;

/// The memory of all solvers' tables, as of `komabako solve`.
const MEMORY: usize = 256 << 20;

/// The time between two checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The length, exactness, verdict and line of each position's mate.
#[pyfunction]
#[pyo3(signature = (positions, max_plies, nodes, convention, codec, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn solve<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    max_plies: Option<u16>,
    nodes: Option<u64>,
    convention: &str,
    codec: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let convention = match convention {
        "tsume" => Convention::Tsume,
        "strict" => Convention::Strict,
        _ => {
            let text = format!("convention is \"tsume\" or \"strict\", not {convention:?}");
            return Err(PyValueError::new_err(text));
        }
    };
    let goal = max_plies.map_or(Goal::Shortest(convention), |plies| Goal::Within(plies, convention));
    let source = Source::new(positions, codec)?;
    let rows = source.len();
    let mut mask = Mask::new(py, on_error, rows)?;
    let mut setups = vec![None; rows];
    let out = Table::new(&mut setups, 1);
    source.positions().for_each(py, threads, out, mask.cells(), |_, setup, out| {
        Problem::new(setup, Rules::default()).map_err(|error| fault(&error))?;
        out.cells[0] = Some(*setup);
        Ok(())
    })?;
    let length = PyArray1::<i16>::zeros(py, rows, false);
    let exact = PyArray1::<bool>::zeros(py, rows, false);
    let first = PyArray1::<u16>::zeros(py, rows, false);
    let mut verdicts = vec!["unknown"; rows];
    let mut lines = vec![Vec::<String>::new(); rows];
    {
        let mut lengths = Written::claim(&length)?;
        let mut exacts = Written::claim(&exact)?;
        let mut firsts = Written::claim(&first)?;
        let limits = Limits { nodes, ..Limits::default() };
        search(py, &setups, threads, goal, limits, |row, outcome| {
            verdicts[row] = outcome.verdict.name();
            if let Verdict::Mate(mate) = outcome.verdict {
                lengths.table(1).cells[row] = i16::try_from(mate.length.plies()).unwrap_or(i16::MAX);
                exacts.table(1).cells[row] = mate.length.is_exact();
                firsts.table(1).cells[row] = mate.line.first().map_or(0, |mv| mv.bits());
                lines[row] = mate.line.iter().map(ToString::to_string).collect();
            }
        })?;
    }
    mask.with(py, (length, exact, verdicts, first, lines))
}

/// Solves all problems on threads, one on each, and passes the results on as they come.
fn search(
    py: Python,
    setups: &[Option<Setup>],
    Threads(threads): Threads,
    goal: Goal,
    limits: Limits<'static>,
    mut each: impl FnMut(usize, Outcome),
) -> PyResult<()> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    let workers = threads.min(setups.len());
    let next = AtomicUsize::new(0);
    let is_over = AtomicBool::new(false);
    let (sender, mut outcomes) = mpsc::channel();
    thread::scope(|scope| {
        for worker in 0..workers {
            let sender = sender.clone();
            let next = &next;
            let is_over = &is_over;
            let work = move || {
                let mut solver = Solver::new(Memory::bytes(MEMORY / workers));
                let limits = Limits { cancel: Some(is_over), ..limits };
                while !is_over.load(Ordering::Relaxed) {
                    let row = next.fetch_add(1, Ordering::Relaxed);
                    let Some(setup) = setups.get(row) else { return };
                    let Some(setup) = setup else { continue };
                    let Ok(problem) = Problem::new(setup, Rules::default()) else { continue };
                    if sender.send((row, solver.solve(&problem, goal, &limits))).is_err() {
                        return;
                    }
                }
            };
            // If the system refuses a thread, the others do its work.
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work)
                && worker == 0
            {
                return Err(error.into());
            }
        }
        drop(sender);
        loop {
            // A receiver may move to another thread, but not be shared.
            let waiting = &mut outcomes;
            match py.detach(move || waiting.recv_timeout(SIGNAL_INTERVAL)) {
                Ok((row, outcome)) => each(row, outcome),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(stopped) = py.check_signals() {
                        is_over.store(true, Ordering::Relaxed);
                        return Err(stopped);
                    }
                }
            }
        }
    })
}

/// Why a position is no problem, as a fault of its record.
fn fault(error: &ProblemError) -> Fault {
    Fault::Legality(match error {
        ProblemError::Position(error) => LegalityFault::Position(error.faults()[0]),
        ProblemError::OpponentInCheck => LegalityFault::OpponentInCheck,
        &ProblemError::KingMissing(side) => LegalityFault::Position(PositionFault::KingMissing(side)),
        &ProblemError::WrongSideToMove(side) => {
            LegalityFault::Position(PositionFault::KingMissing(opponent(side)))
        }
        ProblemError::NotInCheck => unreachable!("the attacker is to move"),
    })
}

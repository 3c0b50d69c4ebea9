//! Numbered tasks on several threads: [`each`], and [`in_turn`] with the results in the order of the numbers.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::mpsc::{self, Sender, SyncSender};
use std::thread;

use crate::engine::threads::start;
use crate::{DatasetError, Progress, Step};

/// Sends progress from the workers to the caller's thread.
pub(crate) struct ProgressSender(Sender<Done>);

struct Done {
    records: u64,
    bytes: u64,
}

impl ProgressSender {
    /// Reports records and bytes.
    ///
    /// # Errors
    /// [`DatasetError::Cancelled`] if the work is to stop.
    pub fn send(&self, records: u64, bytes: u64) -> Result<(), DatasetError> {
        self.0.send(Done { records, bytes }).map_err(|_| DatasetError::Cancelled)
    }
}

/// Runs `work` for every number, on one thread per state, and returns the results in the order of the numbers. `step`
/// accumulates the progress of all threads.
///
/// # Errors
/// The first error of `work`, or [`DatasetError::Cancelled`].
pub(crate) fn each<S: Send, T: Send>(
    numbers: Range<usize>,
    states: &mut [S],
    step: &mut Step,
    progress: &mut dyn Progress,
    work: impl Fn(usize, &mut S, &ProgressSender) -> Result<T, DatasetError> + Sync,
) -> Result<Vec<T>, DatasetError> {
    let threads = states.len();
    let done = thread::scope(|scope| {
        // Progress is reported from the caller's thread alone, so that a `Progress` need be neither `Send` nor `Sync`.
        let (sender, receiver) = mpsc::channel();
        let mut workers = Vec::new();
        for (first, state) in states.iter_mut().enumerate() {
            let reports = ProgressSender(sender.clone());
            let own = numbers.clone().skip(first).step_by(threads);
            let work = &work;
            workers.push(start(scope, move || {
                own.map(|number| work(number, state, &reports)).collect::<Result<Vec<_>, DatasetError>>()
            })?);
        }
        // The loop below ends with the last worker's sender; this one would keep it waiting.
        drop(sender);
        let reported = receiver.iter().try_for_each(|Done { records, bytes }| {
            step.records += records;
            step.bytes += bytes;
            if progress.update(step).is_break() { Err(DatasetError::Cancelled) } else { Ok(()) }
        });
        // Dropping the receiver stops the other workers at their next report.
        drop(receiver);
        let join = |worker: thread::ScopedJoinHandle<'_, Result<Vec<T>, DatasetError>>| {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        let done = workers.into_iter().map(join).collect::<Result<Vec<_>, DatasetError>>();
        reported.and(done)
    })?;
    let mut done: Vec<_> = done.into_iter().map(Vec::into_iter).collect();
    // Numbers went to the threads in turn; the results are collected in the same order.
    Ok((0..numbers.len()).filter_map(|index| done[index % threads].next()).collect())
}

/// Runs `work` for every number on several threads, each of which passes its results, piece by piece, to its sender. On the caller's
/// thread `receive` gets the pieces in the order of the numbers. Of a thread whose turn has not come, few pieces wait:
/// [`WAITING`] and the one that it has made.
///
/// # Errors
/// The first error of `work` or `receive`.
pub(crate) fn in_turn<T: Send>(
    numbers: Range<usize>,
    threads: usize,
    work: impl Fn(usize, &PieceSender<T>) -> Result<(), DatasetError> + Sync,
    mut receive: impl FnMut(T) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    thread::scope(|scope| {
        let mut receivers = Vec::new();
        for first in 0..threads {
            let (sender, receiver) = mpsc::sync_channel(WAITING);
            let pieces = PieceSender(sender);
            let own = numbers.clone().skip(first).step_by(threads);
            let work = &work;
            start(scope, move || {
                for number in own {
                    // It fails if the caller has returned.
                    if pieces.0.send(work(number, &pieces).map(|()| None)).is_err() {
                        break;
                    }
                }
            })?;
            receivers.push(receiver);
        }
        for index in 0..numbers.len() {
            // A thread that panics sends no end; the scope passes the panic on.
            while let Some(piece) =
                receivers[index % threads].recv().map_err(|_| DatasetError::Cancelled)??
            {
                receive(piece)?;
            }
        }
        Ok(())
    })
}

/// The number of pieces that wait for the caller.
pub(crate) const WAITING: usize = 2;

/// Sends pieces to the caller of [`in_turn`].
pub(crate) struct PieceSender<T>(SyncSender<Result<Option<T>, DatasetError>>);

impl<T> PieceSender<T> {
    /// Sends a piece.
    ///
    /// # Errors
    /// [`DatasetError::Cancelled`] if the work is to stop.
    pub fn send(&self, piece: T) -> Result<(), DatasetError> {
        self.0.send(Ok(Some(piece))).map_err(|_| DatasetError::Cancelled)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn results_are_in_order() {
        for threads in 1..5 {
            let mut step = Step::default();
            let square = |number: usize, count: &mut u64, reports: &ProgressSender| {
                *count += 1;
                reports.send(1, number as u64)?;
                Ok(number * number)
            };
            let mut counts = vec![0; threads];
            let squares = each(3..10, &mut counts, &mut step, &mut (), square).unwrap();
            assert_eq!(squares, [9, 16, 25, 36, 49, 64, 81]);
            assert_eq!((step.records, step.bytes, counts.iter().sum()), (7, 42, 7));
        }
    }

    #[test]
    fn pieces_are_received_in_turn() {
        let count_up = |number: usize, pieces: &PieceSender<usize>| {
            if number == 5 {
                return Err(DatasetError::Part("five".into()));
            }
            (0..number).try_for_each(|piece| pieces.send(10 * number + piece))
        };
        for threads in 1..5 {
            let mut received = Vec::new();
            let mut add = |piece| {
                received.push(piece);
                Ok(())
            };
            in_turn(1..5, threads, count_up, &mut add).unwrap();
            let failed = in_turn(2..100, threads, count_up, &mut add);
            assert!(matches!(failed, Err(DatasetError::Part(_))));
            let rest = [20, 21, 30, 31, 32, 40, 41, 42, 43];
            assert_eq!(received, [&[10][..], &rest, &rest].concat());
            let stopped = in_turn(1..5, threads, count_up, |_| Err(DatasetError::Part("one".into())));
            assert!(matches!(stopped, Err(DatasetError::Part(_))));
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let panic = |number: usize, _: &PieceSender<()>| if number == 4 { panic!("four") } else { Ok(()) };
        let _ = in_turn(0..9, 2, panic, Ok);
    }

    struct CancelAtOnce;

    impl Progress for CancelAtOnce {
        fn update(&mut self, _: &Step) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    #[test]
    fn it_stops_on_cancellation_and_on_errors() {
        let reports = |_: usize, (): &mut (), reports: &ProgressSender| reports.send(1, 1);
        let stopped = each(0..2, &mut [(), ()], &mut Step::default(), &mut CancelAtOnce, reports);
        assert!(matches!(stopped, Err(DatasetError::Cancelled)));
        let fail = |number: usize, (): &mut (), _: &ProgressSender| match number {
            1 => Err(DatasetError::Part("one".into())),
            _ => Ok(()),
        };
        let failed = each(0..4, &mut [(), ()], &mut Step::default(), &mut (), fail);
        assert!(matches!(failed, Err(DatasetError::Part(_))));
    }
}

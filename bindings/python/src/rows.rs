//! [`Rows`]: arrays that can be divided among threads by rows, and [`in_parallel`], which does so.

use std::num::NonZero;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};

use pyo3::prelude::*;

use crate::arguments::Threads;
use crate::fault::BadRecord;

/// The number of rows processed between two checks for Ctrl-C.
const SIGNAL_INTERVAL: usize = 1 << 16;

/// At most this number of rows are processed directly, with the GIL held.
pub const MAX_SMALL: usize = 16;

/// The minimum and the maximum number of rows that a thread claims at a time, with several threads.
const SHARES: [usize; 2] = [512, 4096];

/// A value `count` times. `vec!` of zeros takes cleared memory of the allocator, which is slow for a record.
pub fn repeated<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(count);
    values.resize(count, value);
    values
}

/// Outputs with one row per record, or several such outputs together.
pub trait Rows: Send + Sized {
    /// Splits off the first rows.
    fn split_front(&mut self, rows: usize) -> Self;

    /// Fills all rows with zeros.
    fn clear(&mut self);
}

/// A contiguous array of rows of one width.
pub struct Table<'a, T> {
    /// The cells of all rows.
    pub cells: &'a mut [T],
    width: usize,
}

impl<'a, T> Table<'a, T> {
    pub fn new(cells: &'a mut [T], width: usize) -> Self {
        Table { cells, width }
    }
}

impl<T: Clone + Default + Send> Rows for Table<'_, T> {
    fn split_front(&mut self, rows: usize) -> Self {
        let (front, rest) = std::mem::take(&mut self.cells).split_at_mut(rows * self.width);
        self.cells = rest;
        Table { cells: front, width: self.width }
    }

    fn clear(&mut self) {
        self.cells.fill(T::default());
    }
}

impl<R: Rows> Rows for Option<R> {
    fn split_front(&mut self, rows: usize) -> Self {
        self.as_mut().map(|it| it.split_front(rows))
    }

    fn clear(&mut self) {
        if let Some(it) = self {
            it.clear();
        }
    }
}

macro_rules! rows_of_tuples {
    ($($name:ident $index:tt),*) => {
        impl<$($name: Rows),*> Rows for ($($name,)*) {
            fn split_front(&mut self, rows: usize) -> Self {
                ($(self.$index.split_front(rows),)*)
            }

            fn clear(&mut self) {
                $(self.$index.clear();)*
            }
        }
    };
}

rows_of_tuples!(A 0, B 1);
rows_of_tuples!(A 0, B 1, C 2, D 3);

/// The rows that no thread has claimed yet.
struct Remaining<O> {
    rows: Range<usize>,
    out: O,
}

impl<O: Rows> Remaining<O> {
    /// Hands out the next `share` rows, or all that remain if there are fewer, to the caller alone; `None` if no rows remain.
    fn claim(&mut self, share: usize) -> Option<(Range<usize>, O)> {
        let start = self.rows.start;
        let share = share.min(self.rows.len());
        self.rows.start += share;
        (share > 0).then(|| (start..start + share, self.out.split_front(share)))
    }
}

/// Distributes `rows` and the rows of `out` to threads (0: one per CPU) and waits for them, with the GIL released.
///
/// `work` gets a range of row numbers and these rows of `out`. Returns the lowest-numbered bad record that it reports, which
/// does not depend on the number of threads.
pub fn in_parallel<O: Rows>(
    py: Python,
    rows: usize,
    Threads(threads): Threads,
    out: O,
    work: impl Fn(Range<usize>, O) -> Result<(), BadRecord> + Sync,
) -> PyResult<Result<(), BadRecord>> {
    if rows <= MAX_SMALL {
        return Ok(work(0..rows, out));
    }
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    // Threads claim small shares one after the other: with a fixed half each, one would wait for another that got less CPU time.
    // The calling thread works too, because starting a thread costs 30 µs, as much as a hundred records.
    let share = if threads == 1 {
        SIGNAL_INTERVAL
    } else {
        (rows / (threads * 16)).clamp(SHARES[0], SHARES[1]).next_multiple_of(256)
    };
    let remaining = Mutex::new(Remaining { rows: 0..rows, out });
    // Claims and processes shares. Returns true once `enough` rows are done, false when no share is left. A bad record stops every
    // thread before its next share. Shares are claimed in order, so all earlier rows are processed, and the first bad one is found.
    let drain = |enough: usize| {
        let mut done = 0;
        while done < enough {
            let Some((range, out)) = locked(&remaining).claim(share) else { return Ok(false) };
            done += range.len();
            if let Err(bad) = work(range, out) {
                locked(&remaining).rows.start = rows;
                return Err(bad);
            }
        }
        Ok(true)
    };
    thread::scope(|scope| {
        let helpers = 1..threads.min(rows.div_ceil(share));
        // If the system refuses a thread, the others do its work.
        let start = |_| thread::Builder::new().spawn_scoped(scope, || drain(usize::MAX)).ok();
        let helpers: Vec<_> = helpers.map_while(start).collect();
        let mut found = Vec::new();
        let stopped = loop {
            match py.detach(|| drain(SIGNAL_INTERVAL)) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(bad) => {
                    found.push(bad);
                    break Ok(());
                }
            }
            if let Err(stopped) = py.check_signals() {
                locked(&remaining).rows.start = rows;
                break Err(stopped);
            }
        };
        let others = py.detach(|| helpers.into_iter().map(ScopedJoinHandle::join).collect::<Vec<_>>());
        for other in others {
            found.extend(other.unwrap_or_else(|panic| std::panic::resume_unwind(panic)).err());
        }
        stopped.map(|()| found.into_iter().min_by_key(|&(row, _)| row).map_or(Ok(()), Err))
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

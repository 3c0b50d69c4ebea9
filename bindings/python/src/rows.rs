//! [`Rows`]: arrays that threads share out by rows, and [`in_parallel`], which does so.

use std::num::NonZero;
use std::ops::Range;
use std::thread;

use pyo3::prelude::*;

use crate::fault::BadRecord;

/// How many rows are done between two looks at whether the user asked to stop.
const PATIENCE: usize = 1 << 16;

/// Outputs with a row for each record, or several such outputs together.
pub trait Rows: Send + Sized {
    /// Takes the first rows off.
    fn split_front(&mut self, rows: usize) -> Self;

    /// Fills all rows with zeros.
    fn clear(&mut self);
}

/// An array of rows of one width, contiguous.
pub struct Table<'a, T> {
    /// The numbers of all rows.
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

/// Shares `rows` out to threads (0: one a CPU) with the rows of `out`, and waits, without Python's lock.
///
/// `work` gets the numbers of its rows and these rows. Returns the first bad record that it reports, by number: the same
/// whatever the number of threads.
pub fn in_parallel<O: Rows>(
    py: Python,
    rows: usize,
    threads: usize,
    mut out: O,
    work: impl Fn(Range<usize>, O) -> Result<(), BadRecord> + Sync,
) -> PyResult<Result<(), BadRecord>> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    let mut start = 0;
    while start < rows {
        let end = rows.min(start.saturating_add(PATIENCE.saturating_mul(threads)));
        let share = (end - start).div_ceil(threads);
        let block = out.split_front(end - start);
        let result = py.detach(|| share_out(start..end, share, block, &work));
        if result.is_err() {
            return Ok(result);
        }
        py.check_signals()?;
        start = end;
    }
    Ok(Ok(()))
}

fn share_out<O: Rows>(
    rows: Range<usize>,
    share: usize,
    mut out: O,
    work: &(impl Fn(Range<usize>, O) -> Result<(), BadRecord> + Sync),
) -> Result<(), BadRecord> {
    if rows.len() <= share {
        // A thread costs 30 µs, as much as some hundred records.
        return work(rows, out);
    }
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for start in rows.clone().step_by(share) {
            let part = start..rows.end.min(start + share);
            let part_out = out.split_front(part.len());
            workers.push(scope.spawn(move || work(part, part_out)));
        }
        // In the order of the records, so that the first bad one is reported.
        let results = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results.fold(Ok(()), Result::and)
    })
}

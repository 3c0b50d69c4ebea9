//! [`Loader`]: makes batches on threads of its own.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crate::LoaderError;
use crate::error::Conflict;
use crate::output::{Batch, Progress};
use crate::plan::{Prepared, Quality};
use crate::window::{Pool, Sequencer};
use crate::work::{Core, Outcome, Shared, Worker};

#[cfg(test)]
mod tests;

/// Batches, epoch after epoch.
pub struct Loader {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    /// The buffers of the caller's thread, if it does the work.
    worker: Option<Box<Worker>>,
    /// The place after the batch that was returned last.
    place: Progress,
    has_begun: bool,
}

/// Records that had no place in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Those that lack a king.
    pub kingless: u64,
    /// Bad ones.
    pub bad: u64,
}

/// The number of batches in work or ready: one for each thread besides those that wait. With `prefetch` alone, that many threads would be
/// at work at most.
pub(crate) fn batches_ahead(threads: usize, prefetch: usize) -> u64 {
    if prefetch == 0 {
        return 0;
    }
    (prefetch + threads.saturating_sub(1)) as u64
}

impl Loader {
    pub(crate) fn start(prepared: Prepared, threads: usize, prefetch: usize) -> Result<Loader, LoaderError> {
        let place = prepared.start_of(0, &Progress::default());
        let core = Core {
            generation: 0,
            lanes: Vec::new(),
            sequencer: None,
            blocked: None,
            pool: Pool::default(),
            cut: VecDeque::new(),
            done: VecDeque::new(),
            returned: 0,
            ahead: batches_ahead(threads, prefetch),
            is_waiting: false,
            is_stopped: false,
            has_panicked: false,
        };
        let worker = (threads == 0).then(|| Box::new(Worker::new(&prepared)));
        let shared = Shared { prepared, home: Arc::default(), core: Mutex::new(core), news: Condvar::new() };
        let mut loader =
            Loader { shared: Arc::new(shared), threads: Vec::new(), worker, place, has_begun: false };
        loader.start_threads(threads)?;
        Ok(loader)
    }

    /// Starts threads; fewer if the system refuses more.
    fn start_threads(&mut self, threads: usize) -> Result<(), LoaderError> {
        for number in 0..threads {
            let shared = Arc::clone(&self.shared);
            match Builder::new().name("komabako-loader".to_owned()).spawn(move || shared.work()) {
                Ok(thread) => self.threads.push(thread),
                Err(error) if number == 0 => return Err(LoaderError::System(error)),
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn stop_threads(&mut self) {
        self.shared.lock().is_stopped = true;
        self.shared.news.notify_all();
        for thread in self.threads.drain(..) {
            // A panic was noted where it happened.
            let _ = thread.join();
        }
        self.shared.lock().is_stopped = false;
    }

    /// The next batch; `None` at the end of an epoch, after which the next one begins.
    ///
    /// # Errors
    /// [`LoaderError::Source`], [`LoaderError::BadRecord`] or [`Conflict::Lambda`]: the batches before it were right, and so is the
    /// [state](Self::state). The next call tries again from there.
    #[expect(clippy::should_implement_trait, reason = "an iterator has one end and no errors")]
    pub fn next(&mut self) -> Result<Option<Batch>, LoaderError> {
        loop {
            if let Some(made) = self.next_within(Duration::MAX) {
                return made;
            }
        }
    }

    /// [`next`](Self::next), for callers that look for signals meanwhile: `None` if there is no outcome within a time, after which the
    /// next call goes on waiting. Until then [`state`](Self::state) is that of the batch before.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub fn next_within(&mut self, time: Duration) -> Option<Result<Option<Batch>, LoaderError>> {
        if !self.has_begun {
            self.begin();
        }
        match self.wait(Instant::now().checked_add(time))? {
            Outcome::Batch(mut batch) => {
                // A copy would be allocated.
                std::mem::swap(&mut self.place, batch.after());
                Some(Ok(Some(batch)))
            }
            Outcome::End => {
                self.has_begun = false;
                self.place = self.shared.prepared.start_of_next(&self.place);
                Some(Ok(None))
            }
            Outcome::Failed(error) => {
                self.has_begun = false;
                Some(Err(error))
            }
        }
    }

    /// Begins to read from the place on.
    fn begin(&mut self) {
        let shared = &*self.shared;
        let prepared = &shared.prepared;
        let (lanes, streams) = prepared.streams_from(&self.place, self.threads.len());
        let mut core = shared.lock();
        core.generation += 1;
        core.lanes = lanes;
        core.cut.clear();
        core.done.clear();
        core.returned = 0;
        core.blocked = None;
        core.has_panicked = false;
        let epoch = self.place.epoch;
        let steps = if prepared.plan.drop_last { prepared.own_steps(epoch) } else { None };
        let mut sequencer = Sequencer::new(
            core.generation,
            streams,
            prepared.want(),
            prepared.weights.clone(),
            prepared.plan.drop_last,
            steps,
            (epoch, self.place.step),
            Arc::clone(&shared.home),
        );
        sequencer.counts = self.place.counts;
        core.sequencer = Some(Box::new(sequencer));
        self.has_begun = true;
    }

    /// Waits for the next outcome, at most until a time.
    fn wait(&mut self, until: Option<Instant>) -> Option<Outcome> {
        let shared = &*self.shared;
        let mut core = shared.lock();
        core.is_waiting = true;
        shared.news.notify_all();
        loop {
            if core.has_panicked {
                core.is_waiting = false;
                return Some(Outcome::Failed(LoaderError::Panicked));
            }
            if let Some(front @ Some(_)) = core.done.front_mut()
                && let Some(outcome) = front.take()
            {
                core.done.pop_front();
                core.returned += 1;
                core.is_waiting = false;
                drop(core);
                shared.news.notify_all();
                return Some(outcome);
            }
            core = match &mut self.worker {
                Some(worker) => match core.pick(worker) {
                    Some(task) => {
                        let generation = core.generation;
                        drop(core);
                        shared.run(task, generation, worker);
                        shared.lock()
                    }
                    // Nothing is left to do, and there is no other thread.
                    None => return Some(Outcome::Failed(LoaderError::Panicked)),
                },
                None => {
                    let left =
                        until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
                    shared.news.wait_timeout(core, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
            // `is_waiting` stays: the batch is made until the next call.
            if until.is_some_and(|until| Instant::now() >= until) {
                return None;
            }
        }
    }

    /// The epoch of the next batch, from 0.
    pub fn epoch(&self) -> u64 {
        self.place.epoch
    }

    /// The step of the next batch in its epoch, from 0.
    pub fn step(&self) -> u64 {
        self.place.step
    }

    /// Goes to the start of an epoch. Weighted sources go to where the epochs before it would have led, if all their records had been
    /// kept; those that are read from their start begin anew, unless the loader is there already.
    pub fn set_epoch(&mut self, epoch: u64) {
        self.place = self.shared.prepared.start_of(epoch, &self.place);
        self.has_begun = false;
    }

    /// The number of records of an epoch over all ranks; `None` if records are left out, or their number is not known.
    pub fn records(&self) -> Option<u64> {
        self.shared.prepared.epoch_places()
    }

    /// The number of batches of this rank in an epoch; `None` if records are left out, or their number is not known.
    pub fn len(&self) -> Option<u64> {
        self.shared.prepared.own_steps(self.place.epoch)
    }

    /// Whether there is not a single batch, as far as that is known.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The records that had no place in the batches so far.
    pub fn counts(&self) -> Counts {
        let [kingless, bad] = self.place.counts;
        Counts { kingless, bad }
    }

    /// What the order is worth, for games of a mean length: of a position's game, so that longer ones count more.
    pub fn quality(&self, game: f64) -> Quality {
        self.shared.prepared.quality(game)
    }

    /// The place after the last batch that was returned, as JSON. [`resume`](Self::resume) goes on from there.
    pub fn state(&self) -> String {
        self.shared.prepared.state(&self.place)
    }

    /// Goes on from the state of a loader with the same plan and files, on any number of ranks among which its streams can be divided:
    /// byte for byte as without the interruption. A rank that has the state of another one reads its own streams from the start of the
    /// epoch; [merged](crate::merge_states) states spare it that.
    ///
    /// # Errors
    /// [`LoaderError::BadState`], or [`LoaderError::StateMismatch`] with the first difference.
    pub fn resume(&mut self, state: &str) -> Result<(), LoaderError> {
        let threads = self.threads.len();
        self.stop_threads();
        let resumed = match Arc::get_mut(&mut self.shared) {
            Some(shared) => shared.prepared.resume(state),
            None => Err(LoaderError::Panicked),
        };
        let restarted = self.start_threads(threads);
        self.place = resumed?;
        self.has_begun = false;
        restarted
    }

    /// Leaves out the next kept records. Returns how many of the next batch are still to be left out. After an error none are left
    /// out.
    ///
    /// # Errors
    /// [`Conflict::Skip`] with more than one stream; if records are left out by the plan, those of [`next`](Self::next).
    pub fn skip(&mut self, records: u64) -> Result<usize, LoaderError> {
        let prepared = &self.shared.prepared;
        let batch = prepared.plan.batch as u64;
        if prepared.want() as u64 != batch {
            return Err(Conflict::Skip.into());
        }
        let is_plain = prepared.keeps_all() && !prepared.is_weighted() && !prepared.plan.drop_last;
        if is_plain && let Some(place) = prepared.place_after_all(&self.place, records) {
            self.place = place;
            self.has_begun = false;
            return Ok(0);
        }
        let start = self.place.clone();
        let mut left = records;
        let mut ends = 0;
        while left > 0 {
            let before = self.place.clone();
            match self.next() {
                Ok(Some(batch)) if batch.len() as u64 <= left => {
                    left -= batch.len() as u64;
                    ends = 0;
                }
                Ok(Some(_)) => {
                    self.place = before;
                    self.has_begun = false;
                    return Ok(left as usize);
                }
                Ok(None) => ends += 1,
                Err(error) => {
                    self.place = start;
                    self.has_begun = false;
                    return Err(error);
                }
            }
            // No record is kept.
            if ends > 1 {
                break;
            }
        }
        Ok(0)
    }
}

impl fmt::Debug for Loader {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Loader").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.stop_threads();
    }
}

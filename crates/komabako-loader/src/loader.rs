//! [`Loader`]: makes batches on threads of its own.
//!
//! All work is in tasks: to decode a block and cut it into slices, to shuffle a tick, to choose the records of a batch in order, and to
//! copy them and make its arrays. A worker picks one under a lock, does it without, and brings back what came of it. Only one worker at
//! a time has the [`Sequencer`], which alone decides what comes into which batch; so no result depends on which worker is faster.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use komabako_dataset::Name;

use crate::LoaderError;
use crate::error::Conflict;
use crate::output::{self, Batch, Home, Progress, Unfinished};
use crate::plan::{Prepared, Quality};
use crate::source::{Decoder, Sequence, word_fault};
use crate::window::{
    BadPlace, BlockTask, Chunk, Lane, LaneSource, Need, Picks, Pool, Sequencer, ShuffleTask, Supply,
    cut_block,
};

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

/// What the threads share.
struct Shared {
    prepared: Prepared,
    home: Arc<Home>,
    core: Mutex<Core>,
    news: Condvar,
}

/// What is to be done, and what is done.
struct Core {
    /// The number of the order that is being read: results of an older one are dropped.
    generation: u64,
    lanes: Vec<Lane>,
    /// `None` while a worker has it, and before the first batch.
    sequencer: Option<Box<Sequencer>>,
    /// The lane that it waits for.
    blocked: Option<usize>,
    pool: Pool,
    /// Batches that have no arrays yet, by number, and where their records are.
    cut: VecDeque<(u64, Batch, Picks)>,
    /// The batches from `returned` on; `None` while they are made.
    done: VecDeque<Option<Outcome>>,
    returned: u64,
    /// The most batches that may be made or wait to be returned; with 0 one is made when it is waited for.
    ahead: u64,
    is_waiting: bool,
    is_stopped: bool,
    has_panicked: bool,
}

enum Outcome {
    Batch(Batch),
    Failed(LoaderError),
    End,
}

enum Task {
    Decode(BlockTask, LaneSource),
    Shuffle(ShuffleTask),
    Sequence(Box<Sequencer>),
    Finish(u64, Batch, Picks),
}

/// The buffers of a thread.
struct Worker {
    decoder: Decoder,
    scratch: output::Scratch,
    chunks: Vec<Chunk>,
}

impl Worker {
    fn new(prepared: &Prepared) -> Worker {
        Worker {
            decoder: Decoder::new(prepared.backend),
            scratch: output::Scratch::default(),
            chunks: Vec::new(),
        }
    }
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

impl Core {
    /// What to do next: first what is nearest to a batch.
    fn pick(&mut self, worker: &mut Worker) -> Option<Task> {
        if let Some((number, batch, picks)) = self.cut.pop_front() {
            return Some(Task::Finish(number, batch, picks));
        }
        if self.wants_batch() && self.sequencer.is_some() {
            let has_news = match self.blocked {
                Some(lane) => self.lanes[lane].has_news(&mut self.pool),
                None => true,
            };
            if has_news {
                self.blocked = None;
                return self.sequencer.take().map(Task::Sequence);
            }
        }
        for lane in &mut self.lanes {
            if let Some(task) = lane.next_shuffle(&mut self.pool) {
                return Some(Task::Shuffle(task));
            }
        }
        // The lane that is waited for comes first, then those after it.
        let first = self.blocked.unwrap_or(0);
        for number in 0..self.lanes.len() {
            let number = (first + number) % self.lanes.len();
            let lane = &mut self.lanes[number];
            if let Some(task) = lane.next_block(&mut self.pool) {
                let count = (task.slices.end - task.slices.start) as usize;
                self.pool.supply(count, &mut worker.chunks);
                let source = lane.source.clone();
                return Some(Task::Decode(task, source));
            }
        }
        None
    }

    /// Whether one more batch may be made.
    fn wants_batch(&self) -> bool {
        (self.done.len() as u64) < self.ahead.max(u64::from(self.is_waiting))
    }

    /// Sets the outcome with a number.
    fn set_outcome(&mut self, number: u64, outcome: Outcome) {
        if let Some(place) = self.done.get_mut((number - self.returned) as usize) {
            *place = Some(outcome);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks until the loader is dropped.
    fn work(&self) {
        let mut worker = Worker::new(&self.prepared);
        let mut generation = 0;
        loop {
            let next = AssertUnwindSafe(|| self.work_once(&mut worker, &mut generation));
            match catch_unwind(next) {
                Ok(true) => {}
                Ok(false) => return,
                Err(_) => {
                    let mut core = self.lock();
                    core.has_panicked |= core.generation == generation;
                }
            }
            self.news.notify_all();
        }
    }

    /// Waits for a task and does it; `generation` is then that of its order. Returns `false` when the loader is dropped.
    fn work_once(&self, worker: &mut Worker, generation: &mut u64) -> bool {
        let mut core = self.lock();
        let task = loop {
            if core.is_stopped {
                return false;
            }
            *generation = core.generation;
            match core.pick(worker) {
                Some(task) => break task,
                None => core = self.news.wait(core).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(core);
        self.run(task, *generation, worker);
        true
    }

    /// Does a task of an order and brings back what came of it.
    fn run(&self, task: Task, generation: u64, worker: &mut Worker) {
        match task {
            Task::Decode(task, source) => self.decode(task, &source, generation, worker),
            Task::Shuffle(mut task) => {
                task.run();
                let mut core = self.lock();
                if core.generation == generation {
                    core.lanes[task.lane].receive_tick(task);
                } else {
                    core.pool.recycle(task.tick);
                }
            }
            Task::Sequence(sequencer) => self.sequence(sequencer),
            Task::Finish(number, mut batch, picks) => {
                picks.gather(self.prepared.treatment.has_visits, &mut batch);
                let outcome = match self.prepared.finisher.finish(&mut worker.scratch, &mut batch) {
                    Ok(()) => Outcome::Batch(batch),
                    Err(Unfinished::Word(index)) => Outcome::Failed(self.word_error(&mut batch, index)),
                    Err(Unfinished::Targets(conflict)) => Outcome::Failed(conflict.into()),
                    Err(Unfinished::Policy(fault)) => Outcome::Failed(LoaderError::Policy(fault)),
                };
                let mut core = self.lock();
                core.pool.recycle_picks(picks);
                if core.generation == generation {
                    core.set_outcome(number, outcome);
                }
            }
        }
    }

    /// Decodes a block and cuts it into slices.
    fn decode(&self, mut task: BlockTask, source: &LaneSource, generation: u64, worker: &mut Worker) {
        let Worker { decoder, chunks, .. } = worker;
        let prepared = &self.prepared;
        let result = match source {
            LaneSource::One(number) => {
                let source = &prepared.sources[*number];
                let judge = prepared.judge(task.pass.epoch(), source.number);
                if source.records().is_some() {
                    source.decode_block(task.block, decoder, judge)
                } else {
                    let sequence = match task.sequence.take() {
                        Some(sequence) => Ok(sequence),
                        None => Sequence::open(source).map(Box::new),
                    };
                    sequence.and_then(|mut sequence| {
                        sequence.decode_next(source, decoder, judge)?;
                        task.sequence = Some(sequence);
                        Ok(())
                    })
                }
            }
            LaneSource::All(uniform) => {
                let places = prepared.uniform_places(uniform, task.block);
                let judge_of = |source| prepared.judge(task.pass.epoch(), source);
                uniform.decode(&prepared.sources, places, decoder, judge_of)
            }
        };
        task.has_visits = prepared.treatment.has_visits;
        if result.is_ok() {
            let first = decoder.first;
            let record_of = |place: u64| match source {
                LaneSource::One(number) => (*number, first + place),
                LaneSource::All(uniform) => {
                    uniform.record(prepared.uniform_places(uniform, task.block).start + place)
                }
            };
            cut_block(&task, decoder, chunks, record_of);
        }
        let records = decoder.marks.len();
        let is_last = match source {
            LaneSource::One(number) => (records as u64) < prepared.sources[*number].block,
            LaneSource::All(_) => false,
        };
        let mut core = self.lock();
        let core = &mut *core;
        if core.generation == generation {
            match result {
                Ok(()) => core.lanes[task.lane].receive(task, chunks, records, is_last, &mut core.pool),
                Err(error) => core.lanes[task.lane].fail(&task, error.into()),
            }
        }
        for chunk in chunks.drain(..) {
            core.pool.recycle_chunk(chunk);
        }
    }

    /// Chooses records for batches as far as their ticks are there.
    fn sequence(&self, mut sequencer: Box<Sequencer>) {
        loop {
            let need = sequencer.advance();
            let mut core = self.lock();
            let core = &mut *core;
            if core.generation != sequencer.generation {
                return;
            }
            let outcome = match need {
                Need::Tick { lane, used } => {
                    if let Some(used) = used {
                        core.pool.recycle(used);
                    }
                    match core.lanes[lane].next_tick() {
                        Supply::Tick(tick) => {
                            sequencer.supply(lane, tick);
                            continue;
                        }
                        Supply::Over => {
                            sequencer.end_lane(lane);
                            continue;
                        }
                        Supply::Later => {
                            core.blocked = Some(lane);
                            core.sequencer = Some(sequencer);
                            return;
                        }
                        Supply::Failed(error) => Outcome::Failed(error),
                    }
                }
                Need::Batch(batch) => {
                    let number = core.returned + core.done.len() as u64;
                    core.done.push_back(None);
                    let picks = std::mem::replace(&mut sequencer.picks, core.pool.picks());
                    core.cut.push_back((number, batch, picks));
                    self.news.notify_all();
                    if core.wants_batch() {
                        continue;
                    }
                    core.sequencer = Some(sequencer);
                    return;
                }
                Need::End => match self.prepared.check_unchanged() {
                    Ok(()) => Outcome::End,
                    Err(error) => Outcome::Failed(error),
                },
                Need::Bad(BadPlace { source, record, fault }) => {
                    let error = self.prepared.sources[source].record_error(record, fault);
                    Outcome::Failed(LoaderError::BadRecord(Box::new(error)))
                }
            };
            // The sequencer is at its end.
            core.done.push_back(Some(outcome));
            return;
        }
    }

    /// The error of a record of a batch whose word cannot be read. Its number is that of its place in the order.
    fn word_error(&self, batch: &mut Batch, index: usize) -> LoaderError {
        let fault = word_fault(&batch.records[index]);
        let found = self.prepared.record_of(batch, index);
        let error = match found {
            Some((source, record)) => self.prepared.sources[source].record_error(record, fault),
            None => komabako_dataset::RecordError {
                input: Name::default(),
                format: None,
                record: batch.step * batch.len() as u64 + index as u64,
                offset: 0,
                line: None,
                fault,
            },
        };
        LoaderError::BadRecord(Box::new(error))
    }
}

//! [`Pool`]: several engines that answer questions, whose answers come back in order.
//!
//! ```text
//! caller:  ask(chunk): while the queue is full, wait for answers; queue the chunk
//! worker:  chunk = queue.recv(); for each question: engine.ask, once more on a new engine if that fails; results.send(number, answers)
//! ```
//!
//! Only a few chunks wait, so that a slow engine does not hold up memory, and answers are on disk soon after they are given.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;

use komabako_rules::State;

use super::answers::Answer;
use super::engine::{Engine, EngineCommand};
use super::error::{EngineFault, RescoreError};
use super::reply::Reply;
use crate::DatasetError;
use crate::engine::in_order::InOrder;
use crate::engine::threads::start_workers;
use crate::io::error::RecordError;

/// The positions that an engine takes at a time.
pub(super) const CHUNK: usize = 16;
/// After so many positions in a row at which an engine failed twice, the job ends: the rest would fail too.
const MOST_FAILURES: u32 = 5;

/// A record whose answer is wanted, or known without an engine.
pub(super) enum Question {
    Known(Answer),
    Position { sfen: String, state: Box<State<()>> },
}

/// Engines, each on a thread of its own.
pub(super) struct Pool<'s> {
    /// The number of the next chunk.
    next: u64,
    tasks: Option<SyncSender<Task>>,
    results: Receiver<(u64, Result<Vec<Answer>, RescoreError>)>,
    in_order: InOrder<Result<Vec<Answer>, RescoreError>>,
    shared: &'s Shared,
}

/// The number of a chunk, and the questions of a block that are in it, with their places.
type Task = (u64, Arc<Vec<Question>>, Range<usize>, Vec<RecordError<()>>);

/// What the workers share.
#[derive(Default)]
pub(super) struct Shared {
    /// The engines that were started anew.
    pub restarts: AtomicU32,
    /// Whether answers are no longer wanted.
    stopped: AtomicBool,
}

impl<'s> Pool<'s> {
    /// Starts the threads; each starts its engine with its first question.
    pub fn start(
        scope: &'s Scope<'s, '_>,
        command: &'s EngineCommand,
        engines: usize,
        shared: &'s Shared,
        stop_at_failure: bool,
    ) -> Result<Pool<'s>, DatasetError> {
        let (task_sender, tasks) = mpsc::sync_channel(engines);
        let (result_sender, results) = mpsc::channel();
        let tasks = Arc::new(Mutex::new(tasks));
        start_workers(scope, engines, || {
            let worker =
                Worker { command, engine: None, failures: 0, first_failure: None, shared, stop_at_failure };
            let tasks = Arc::clone(&tasks);
            let results = result_sender.clone();
            move || worker.run(&tasks, &results)
        })?;
        Ok(Pool { next: 0, tasks: Some(task_sender), results, in_order: InOrder::default(), shared })
    }

    /// Queues a chunk, and passes answers to `receive`, in the order of the questions, until there is room for it.
    pub fn ask(
        &mut self,
        questions: &Arc<Vec<Question>>,
        range: Range<usize>,
        places: Vec<RecordError<()>>,
        receive: &mut dyn FnMut(&[Answer]) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let mut task = (self.next, Arc::clone(questions), range, places);
        self.next += 1;
        while let Some(tasks) = &self.tasks {
            match tasks.try_send(task) {
                Ok(()) => break,
                Err(TrySendError::Full(back)) => {
                    task = back;
                    self.wait(receive)?;
                }
                // The workers have ended after an error, which is among the results.
                Err(TrySendError::Disconnected(_)) => return self.finish(receive),
            }
        }
        Ok(())
    }

    /// Waits for all answers.
    pub fn finish(
        &mut self,
        receive: &mut dyn FnMut(&[Answer]) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        self.tasks = None;
        while self.wait(receive)? {}
        Ok(())
    }

    /// Waits for one result. Returns `false` if all workers have ended.
    fn wait(
        &mut self,
        receive: &mut dyn FnMut(&[Answer]) -> Result<(), DatasetError>,
    ) -> Result<bool, DatasetError> {
        let Ok((number, result)) = self.results.recv() else { return Ok(false) };
        self.in_order.add(number, result);
        while let Some(result) = self.in_order.next(|_| true) {
            receive(&result?)?;
        }
        Ok(true)
    }
}

impl Drop for Pool<'_> {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
    }
}

/// A thread with an engine.
struct Worker<'a> {
    command: &'a EngineCommand,
    engine: Option<Engine>,
    /// The positions in a row at which the engine failed.
    failures: u32,
    /// The first of these.
    first_failure: Option<Box<RecordError<EngineFault>>>,
    shared: &'a Shared,
    /// Whether a position at which the engine failed ends the job.
    stop_at_failure: bool,
}

impl Worker<'_> {
    fn run(
        mut self,
        tasks: &Mutex<Receiver<Task>>,
        results: &Sender<(u64, Result<Vec<Answer>, RescoreError>)>,
    ) {
        loop {
            let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, questions, range, places)) = task else { return };
            let answers = self.answer_all(&questions[range], &places);
            let failed = answers.is_err();
            if results.send((number, answers)).is_err() || failed {
                return;
            }
        }
    }

    /// The answers to questions; fewer if they are no longer wanted.
    fn answer_all(
        &mut self,
        questions: &[Question],
        places: &[RecordError<()>],
    ) -> Result<Vec<Answer>, RescoreError> {
        let mut answers = Vec::with_capacity(questions.len());
        for (question, place) in questions.iter().zip(places) {
            if self.shared.stopped.load(Ordering::Relaxed) {
                break;
            }
            answers.push(self.answer(question, place)?);
        }
        Ok(answers)
    }

    fn answer(&mut self, question: &Question, place: &RecordError<()>) -> Result<Answer, RescoreError> {
        let (sfen, state) = match question {
            Question::Known(answer) => return Ok(*answer),
            Question::Position { sfen, state } => (sfen, state),
        };
        for attempt in 0..2 {
            let fault = match self.ask(sfen, state) {
                Ok(reply) => {
                    self.failures = 0;
                    return Ok(Answer::Reply(reply));
                }
                Err(fault) => fault,
            };
            if fault.is_final() {
                return Err(RescoreError::Engine(fault));
            }
            self.shared.restarts.fetch_add(1, Ordering::Relaxed);
            if attempt == 0 {
                continue;
            }
            let error = Box::new(place.clone().with_fault(fault));
            if self.stop_at_failure {
                return Err(RescoreError::Record(error));
            }
            self.failures += 1;
            if self.failures == 1 {
                self.first_failure = Some(error);
            }
            if self.failures == MOST_FAILURES
                && let Some(first) = self.first_failure.take()
            {
                return Err(RescoreError::Failures(self.failures, first));
            }
        }
        Ok(Answer::Failed)
    }

    /// Asks once. An engine that fails is ended: the next question starts another.
    fn ask(&mut self, sfen: &str, state: &State<()>) -> Result<Reply, EngineFault> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => Engine::start(self.command)?,
        };
        let reply = engine.ask(self.command, sfen)?;
        if reply.mv.is_some_and(|mv| !state.is_legal(mv)) {
            return Err(EngineFault::Nonsense(engine.last_lines()));
        }
        self.engine = Some(engine);
        Ok(reply)
    }
}

//! [`Asking`]: the first pass, which asks engines about every record.

use std::sync::Arc;
use std::thread;

use komabako_board::Setup;
use komabako_board::sfen::Sfen;
use komabako_codec::Backend;

use super::pool::{CHUNK, Pool, Question, Shared};
use super::{Answer, Answers, EngineCommand};
use crate::Batch;
use crate::block::Block;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::engine::progress::{Progress, Step};
use crate::io::error::{RecordError, RecordFault, Tail};
use crate::legality::state_of;
use crate::{DatasetError, FileFormat, Inputs};

/// How to ask about every record.
pub(super) struct Asking<'a> {
    pub engine: &'a EngineCommand,
    pub engines: usize,
    pub backend: Backend,
    /// Whether a bad record, or a position at which the engine fails, ends the job.
    pub stop_at_bad: bool,
}

impl Asking<'_> {
    /// Asks about the records that have no answer yet.
    pub fn run(
        &self,
        inputs: &Inputs,
        answers: &mut Answers,
        shared: &Shared,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let mut unread = match inputs.reopen() {
            Some(unread) => unread,
            None => return Ok(()),
        };
        unread.limit(answers.count()..u64::MAX);
        let total = inputs.size();
        let records = inputs.records();
        thread::scope(|scope| {
            let pool = Pool::start(scope, self.engine, self.engines, shared, self.stop_at_bad)?;
            let next = answers.count();
            let receiver = Receiver { answers, progress, total, records, bad: 0 };
            let mut asker = Asker { pool, receiver, next, stop_at_bad: self.stop_at_bad };
            // Making questions takes a thousandth of the time of answering them: one thread is enough.
            pipeline::run(unread, 1, &Questions { backend: self.backend }, &mut (), &mut asker)?;
            let Asker { mut pool, mut receiver, .. } = asker;
            pool.finish(&mut |answers| receiver.receive(answers))
        })
    }
}

/// Makes the questions of a block.
struct Questions {
    backend: Backend,
}

/// The questions of a block.
#[derive(Default)]
struct Asked {
    questions: Arc<Vec<Question>>,
    /// The first bad record.
    fault: Option<(usize, RecordFault)>,
}

impl Work for Questions {
    type Scratch = Batch;
    type Product = Asked;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, asked: &mut Asked) {
        let mut questions = Vec::with_capacity(block.len());
        let mut fault: Option<(usize, RecordFault)> = None;
        for range in Batch::ranges(0..block.len()) {
            batch.decode(from, block, range.clone());
            let records = batch.records();
            let mut next = range.start;
            for ((&row, setup), labels) in records.rows.iter().zip(records.setups).zip(records.labels) {
                questions.extend((next..row).map(|_| Question::Known(Answer::Bad)));
                questions.push(question(setup, labels.ply));
                next = row + 1;
            }
            questions.extend((next..range.end).map(|_| Question::Known(Answer::Bad)));
            let first = batch.faults().iter().min_by_key(|&&(index, _)| index);
            fault = fault.or(first.copied());
        }
        *asked = Asked { questions: Arc::new(questions), fault };
    }
}

fn question(setup: &Setup, ply: Option<u32>) -> Question {
    match state_of(setup) {
        Ok(state) => {
            // Engines count from 1.
            let sfen = Sfen { setup: *setup, ply: Some(ply.unwrap_or(1).max(1)) };
            Question::Position { sfen: sfen.to_text().as_str().to_owned(), state: Box::new(state) }
        }
        Err(_) => Question::Known(Answer::NotAsked),
    }
}

/// Passes questions to the engines, and answers to their file.
struct Asker<'a, 's> {
    pool: Pool<'s>,
    receiver: Receiver<'a>,
    /// The number of the next record to ask about.
    next: u64,
    stop_at_bad: bool,
}

/// Takes the answers.
struct Receiver<'a> {
    answers: &'a mut Answers,
    progress: &'a mut dyn Progress,
    /// The size of the inputs, and the number of their records, if known.
    total: Option<u64>,
    records: Option<u64>,
    bad: u64,
}

impl Receiver<'_> {
    fn receive(&mut self, answers: &[Answer]) -> Result<(), DatasetError> {
        self.answers.append(answers)?;
        for answer in answers {
            self.bad += u64::from(matches!(answer, Answer::Bad | Answer::Failed));
        }
        let records = self.answers.count();
        let done = match (self.total, self.records) {
            (Some(total), Some(all)) => {
                Some((records as u128 * u128::from(total) / u128::from(all.max(1))) as u64)
            }
            _ => None,
        };
        let total = done.and(self.total);
        let step = Step { bytes: done.unwrap_or(0), total, records, bad: self.bad, ..Step::default() };
        if self.progress.update(&step).is_break() { Err(DatasetError::Cancelled) } else { Ok(()) }
    }
}

impl Asker<'_, '_> {
    /// Passes on the questions from one on, whose records have these places.
    fn ask(
        &mut self,
        questions: &Arc<Vec<Question>>,
        first: usize,
        place: &dyn Fn(usize) -> RecordError<()>,
    ) -> Result<(), DatasetError> {
        for start in (first..questions.len()).step_by(CHUNK) {
            let end = questions.len().min(start + CHUNK);
            let places = (start..end).map(place).collect();
            self.pool.ask(questions, start..end, places, &mut |answers| self.receiver.receive(answers))?;
            self.next += (end - start) as u64;
        }
        Ok(())
    }
}

impl Sink<Asked> for Asker<'_, '_> {
    fn receive(&mut self, processed: &ProcessedBlock<Asked>) -> Result<(), DatasetError> {
        let Asked { questions, fault } = &processed.product;
        if let Some((index, fault)) = *fault
            && self.stop_at_bad
        {
            return Err(DatasetError::Record(Box::new(processed.error(index, fault))));
        }
        // Records that are lost by damage have numbers too, and so answers.
        let block_start = processed.block.ordinal();
        let lost = block_start.saturating_sub(self.next) as usize;
        let without_answer = (0..lost).map(|_| Question::Known(Answer::Bad));
        self.ask(&Arc::new(without_answer.collect()), 0, &|_| processed.error(0, ()))?;
        // The first block of a resumed run may begin before the first record without an answer.
        let first = (self.next.saturating_sub(block_start) as usize).min(questions.len());
        self.ask(questions, first, &|index| processed.error(index, ()))
    }

    fn truncated(&mut self, _: Tail) {
        // The second pass reports it.
    }

    fn bad(&self) -> u64 {
        self.receiver.bad
    }
}

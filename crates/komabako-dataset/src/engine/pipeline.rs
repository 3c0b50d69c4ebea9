//! The pipeline of the jobs on records (except `mix`): one thread reads blocks, several work on them, and the caller's
//! receives the products in order.
//!
//! ```text
//! reader:  for each input: block = spares.recv(); fill it; tasks.send(number, block)
//! worker:  (number, block) = tasks.recv(); fill its slot's product; events.send(number, block)
//! caller:  events.recv() until the next number is there; sink; spares.send(block)
//! ```
//!
//! * **Memory.** A fixed number of blocks is recycled, so a fast stage waits for a slow one. A block in flight takes 1 MiB
//!   (PSV to hcpe) to 4 MiB (games to JSON lines) with its product, measured as the growth from 1 to 16 threads; plans assume the
//!   maximum (`BLOCK_BYTES`). The number of blocks is the only limit; the channels are unbounded, since a full channel could
//!   block the stage that would empty it.
//! * **Order.** Workers finish in any order. Blocks and ends of inputs share one sequence of numbers, and the caller holds back
//!   events that arrive early ([`InOrder`]).
//! * **Shutdown.** There is no stop signal: each stage ends when one of its channels is closed. At the end of the inputs the
//!   reader drops the sender of tasks, then the workers drop their senders of events, and the caller's loop ends. When the
//!   caller returns early (a bad record, a full disk, a cancelled job), it drops the receiver of events and the sender of
//!   spares: the next send or receive of every other stage fails, and the scope can join them.
//! * **Panics.** A worker that panics would keep its block, and the caller would wait for that number forever. So the panic is
//!   caught, sent under that number, and resumed on the caller's thread.

use std::any::Any;
use std::io::Read;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::Name;
use crate::block::Block;
use crate::engine::in_order::InOrder;
use crate::engine::progress::{Progress, Step};
use crate::engine::threads::{start, start_workers};
use crate::io::archive::ArchiveError;
use crate::io::error::{RecordError, Tail, TailCause};
use crate::io::input::{Counter, Inputs, Source, Watch, Window};
use crate::move16::MoveEncoding;
use crate::{DatasetError, FileFormat, RecordReader};

/// The processing of a block, on several threads.
pub(crate) trait Work: Sync {
    /// The buffers that a thread reuses for each block.
    type Scratch;
    /// The processed block. Its buffers are recycled: it holds an older product when work begins.
    type Product: Default + Send;

    /// New buffers for a thread.
    fn scratch(&self) -> Self::Scratch;

    /// Makes the product of a block.
    fn work(&self, scratch: &mut Self::Scratch, from: FileFormat, block: &Block, product: &mut Self::Product);
}

/// The consumer of processed blocks, in the order of the inputs, on the caller's thread.
pub(crate) trait Sink<P> {
    /// Called for each block.
    fn receive(&mut self, processed: &ProcessedBlock<P>) -> Result<(), DatasetError>;

    /// Called for each truncated input.
    fn truncated(&mut self, tail: Tail);

    /// The number of bad records so far; none if the first ends the job.
    fn bad(&self) -> u64 {
        0
    }

    /// Whether nothing after the received blocks matters.
    fn is_done(&self) -> bool {
        false
    }
}

/// A block of records and its product.
#[derive(Clone, Default)]
pub(crate) struct ProcessedBlock<P> {
    /// The records.
    pub block: Block,
    /// The name of the input that the records come from.
    pub input: Name,
    /// Its format.
    pub format: Option<FileFormat>,
    /// The processed records.
    pub product: P,
}

impl<P> ProcessedBlock<P> {
    /// The error for a fault of one of the records.
    pub fn error<F>(&self, index: usize, fault: F) -> RecordError<F> {
        RecordError {
            input: self.input.clone(),
            format: self.format,
            record: self.block.first_record() + index as u64,
            offset: self.block.offset(index),
            line: self.block.line(index),
            fault,
        }
    }
}

/// The number of working threads: the given one, or one per CPU if that is 0.
pub(crate) fn threads(given: usize) -> usize {
    match given {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// The memory of the program without a job, with a margin for memory that the allocator cannot return.
const PROGRAM_BYTES: u64 = 32 << 20;
/// The maximum memory of a block in flight with its product.
const BLOCK_BYTES: u64 = 4 << 20;

/// The maximum memory of a job's pipeline with `threads` threads, in bytes, not counting the job's own.
pub(crate) fn memory(threads: usize) -> u64 {
    PROGRAM_BYTES + blocks(threads) as u64 * BLOCK_BYTES
}

/// The number of blocks in flight: two per thread, one in work and one waiting, one at the reader and one at the caller. The
/// reader waits when all are in use.
const fn blocks(threads: usize) -> usize {
    2 * threads + 2
}

/// Processes all blocks of the inputs. Returns the number of bytes read.
///
/// Products stay here, each in the slot of its block, so that channels and threads are compiled once, in [`run_stages`], rather
/// than for each job's type of product.
pub(crate) fn run<W: Work>(
    inputs: Inputs<'_>,
    threads: usize,
    work: &W,
    progress: &mut dyn Progress,
    sink: &mut dyn Sink<W::Product>,
) -> Result<u64, DatasetError> {
    let counter = inputs.counter().clone();
    let total = if inputs.window().is_everything() { inputs.size() } else { None };
    let products: Vec<Mutex<W::Product>> = (0..blocks(threads)).map(|_| Mutex::default()).collect();
    // Only the stage that has the block locks its product, so the lock is never contended.
    let product_of = |flight: &Flight| products[flight.slot].lock().unwrap_or_else(PoisonError::into_inner);
    let run_worker = |worker: Worker| {
        let mut scratch = work.scratch();
        worker.run(&mut |from, flight| work.work(&mut scratch, from, &flight.block, &mut product_of(flight)));
    };
    let files = inputs.files();
    let mut records = 0;
    let mut read = 0;
    let mut caller = |delivery: Delivery<'_>| {
        let flight = match delivery {
            Delivery::Tail(tail) => {
                sink.truncated(tail);
                return Ok(());
            }
            Delivery::Flight(flight) => flight,
        };
        let processed = ProcessedBlock {
            block: mem::take(&mut flight.block),
            input: flight.input.clone(),
            format: flight.format,
            product: mem::take(&mut *product_of(flight)),
        };
        read = processed.block.source() + 1;
        sink.receive(&processed)?;
        if sink.is_done() {
            return Err(DatasetError::Cancelled);
        }
        records += processed.block.len() as u64;
        *product_of(flight) = processed.product;
        flight.block = processed.block;
        let step = Step { bytes: counter.bytes(), total, records, bad: sink.bad(), ..Step::default() };
        if progress.update(&step).is_break() { Err(DatasetError::Cancelled) } else { Ok(()) }
    };
    match run_stages(inputs, threads, &run_worker, &mut caller) {
        // The reader checks a file at its end, which it has not reached.
        Err(DatasetError::Cancelled) if sink.is_done() => {
            let files = files.into_iter().take(read).flatten();
            files.into_iter().try_for_each(|(path, stamp)| Watch::open(&path, stamp).map(drop))?;
        }
        done => done?,
    }
    Ok(counter.bytes())
}

/// An item for the caller's thread, in the order of the inputs.
enum Delivery<'a> {
    Flight(&'a mut Flight),
    /// The rest of an input that is left out.
    Tail(Tail),
}

/// Starts the reader and `threads` workers, and passes their results to the caller until the inputs end.
fn run_stages(
    inputs: Inputs<'_>,
    threads: usize,
    run_worker: &(dyn Fn(Worker) + Sync),
    caller: &mut dyn FnMut(Delivery<'_>) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    thread::scope(|scope| {
        let (task_sender, tasks) = mpsc::channel();
        let (event_sender, events) = mpsc::channel();
        let (spare_sender, spares) = mpsc::channel();
        for slot in 0..blocks(threads) {
            // The receiver still exists.
            let _ = spare_sender.send(Box::new(Flight::new(slot)));
        }
        let tasks = Arc::new(Mutex::new(tasks));
        start_workers(scope, threads, || {
            let worker = Worker { tasks: Arc::clone(&tasks), events: event_sender.clone() };
            move || run_worker(worker)
        })?;
        // Only the workers keep the receiver of tasks, and only the stages before the caller the senders: when the caller
        // returns early, every stage finds its channel closed and ends.
        drop(tasks);
        let counter = inputs.counter().clone();
        let reader = Reader {
            tasks: task_sender,
            events: event_sender,
            spares,
            spare: None,
            number: 0,
            salvage: inputs.salvage(),
            window: inputs.window().clone(),
        };
        start(scope, move || reader.run(inputs.into_sources(), &counter))?;
        // It stays small: there are no more early events than blocks.
        let mut in_order = InOrder::default();
        for (number, event) in events {
            in_order.add(number, event);
            while let Some(event) = in_order.next(|_| true) {
                match event {
                    Event::Failed(error) => return Err(error),
                    Event::Panicked(panic) => resume_unwind(panic),
                    Event::Tail(tail) => caller(Delivery::Tail(tail))?,
                    Event::Processed(mut flight) => {
                        caller(Delivery::Flight(&mut flight))?;
                        // The reader may have finished.
                        let _ = spare_sender.send(flight);
                    }
                }
            }
        }
        Ok(())
    })
}

/// A block in flight between the stages.
struct Flight {
    block: Block,
    /// The name of the input that it comes from, and its format.
    input: Name,
    format: Option<FileFormat>,
    /// The index of its product.
    slot: usize,
}

impl Flight {
    /// A flight without records yet.
    fn new(slot: usize) -> Flight {
        Flight { block: Block::default(), input: Name::default(), format: None, slot }
    }
}

/// A block to process, with its number and format.
type Task = (u64, FileFormat, Box<Flight>);

/// A message to the caller's thread.
enum Event {
    Processed(Box<Flight>),
    /// The rest of an input that is left out.
    Tail(Tail),
    /// Reading the inputs failed.
    Failed(DatasetError),
    /// A worker panicked. Its block will not come, so the caller must be notified.
    Panicked(Box<dyn Any + Send>),
}

/// An event and its place in the order of the inputs, which the caller restores.
type Numbered = (u64, Event);

/// The first stage.
struct Reader {
    tasks: Sender<Task>,
    events: Sender<Numbered>,
    spares: Receiver<Box<Flight>>,
    /// A flight that was taken and not used.
    spare: Option<Box<Flight>>,
    number: u64,
    salvage: bool,
    window: Window,
}

/// The reader stops: it has passed the window, reading failed, or the caller has returned.
struct Stopped;

impl Reader {
    fn run(mut self, sources: Vec<Source>, counter: &Counter) {
        for (number, source) in sources.into_iter().enumerate() {
            let Some(from) = source.detection().format else { continue };
            if self.window.is_over(number) {
                return;
            }
            let before = self.window.passed();
            if let Some(records) = self.window.skipped(number, from.holds_games()) {
                self.window.pass_to(before + records);
                continue;
            }
            let input = source.name().clone();
            // The number of records is known without reading only in files of records of one size; in others the records
            // before the window are read and dropped.
            let known = source.records().unwrap_or(0);
            let skipped = self.window.ahead().min(known);
            self.window.pass_to(before + skipped);
            let moves = source.moves();
            let done = match source.reader(from, counter, skipped) {
                Ok(records) => self.read(records, before, from, &input, number, moves),
                Err(error) => self.fail(error),
            };
            if done.is_err() {
                return;
            }
            // Lost records at its end have numbers too.
            self.window.pass_to(before + known);
        }
    }

    fn read<R: Read>(
        &mut self,
        mut records: RecordReader<R>,
        before: u64,
        from: FileFormat,
        input: &Name,
        source: usize,
        moves: Option<MoveEncoding>,
    ) -> Result<(), Stopped> {
        loop {
            let mut flight = match self.spare.take() {
                Some(flight) => flight,
                None => self.spares.recv().map_err(|_| Stopped)?,
            };
            match records.next_block(&mut flight.block) {
                Ok(true) => {
                    self.window.pass_to(before + records.next_record());
                    if self.window.ahead() > 0 {
                        self.spare = Some(flight);
                        continue;
                    }
                    flight.block.set_ordinal(before + flight.block.first_record());
                    flight.input = input.clone();
                    flight.format = Some(from);
                    flight.block.set_source(source);
                    flight.block.set_moves(moves);
                    self.tasks.send((self.number, from, flight)).map_err(|_| Stopped)?;
                    self.number += 1;
                }
                Ok(false) => {
                    self.spare = Some(flight);
                    return Ok(());
                }
                Err(DatasetError::Tail(tail)) => {
                    self.window.pass_to(before + records.next_record());
                    self.spare = Some(flight);
                    let is_of_window = match tail.cause {
                        TailCause::Archive(ArchiveError { record, lost, .. }) => {
                            let first = before.saturating_add(record);
                            self.window.has_damage(source, &(first..first.saturating_add(lost)))
                        }
                        _ => self.window.has_end_of(source),
                    };
                    // Other damage is reported by another partition.
                    if is_of_window {
                        if !self.salvage {
                            return self.fail(DatasetError::Tail(tail));
                        }
                        self.send(Event::Tail(*tail))?;
                    }
                }
                Err(error) => return self.fail(error),
            }
            if self.window.is_over(source) {
                if let Err(error) = records.check_unchanged() {
                    return self.fail(error);
                }
                return Err(Stopped);
            }
        }
    }

    fn fail(&mut self, error: DatasetError) -> Result<(), Stopped> {
        self.send(Event::Failed(error))?;
        Err(Stopped)
    }

    fn send(&mut self, event: Event) -> Result<(), Stopped> {
        self.events.send((self.number, event)).map_err(|_| Stopped)?;
        self.number += 1;
        Ok(())
    }
}

/// The middle stage, on each worker thread.
struct Worker {
    tasks: Arc<Mutex<Receiver<Task>>>,
    events: Sender<Numbered>,
}

impl Worker {
    fn run(self, work: &mut dyn FnMut(FileFormat, &Flight)) {
        loop {
            let task = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, from, flight)) = task else { return };
            let done = catch_unwind(AssertUnwindSafe(|| work(from, &flight)));
            let event = done.map_or_else(Event::Panicked, |()| Event::Processed(flight));
            if self.events.send((number, event)).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;

    /// Panics at the first block.
    struct PanickingWork;

    impl Work for PanickingWork {
        type Scratch = ();
        type Product = ();

        fn scratch(&self) {}

        fn work(&self, (): &mut (), _: FileFormat, _: &Block, (): &mut ()) {
            panic!("a worker dies");
        }
    }

    struct DiscardSink;

    impl Sink<()> for DiscardSink {
        fn receive(&mut self, _: &ProcessedBlock<()>) -> Result<(), DatasetError> {
            Ok(())
        }

        fn truncated(&mut self, _: Tail) {}
    }

    /// A worker that panics keeps its block; the job must still end rather than hang.
    #[test]
    #[should_panic(expected = "a worker dies")]
    fn a_panic_reaches_the_caller() {
        let input = Input::Stream("input".into(), Box::new("startpos\n".as_bytes()));
        let inputs = Inputs::examine(vec![input], None, false).unwrap();
        let _ = run(inputs, 2, &PanickingWork, &mut (), &mut DiscardSink);
    }
}

//! The pipeline: one thread reads and cuts, some convert, the caller's writes in order.
//!
//! A fixed number of blocks goes round, from the reader through a converter to the writer and back, so that memory is
//! bounded however much faster one stage is than the next.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::collect::Collection;
use super::counter::Counter;
use super::output::Target;
use super::plan::Where;
use super::{OnError, Plan, Progress, Source, Step, Summary};
use komabako_codec::Backend;

use crate::batch::{BATCH, Batch};
use crate::block::{Block, RecordReader};
use crate::compression::Encoder;
use crate::detect::Content;
use crate::error::{RecordError, RecordFault, Tail};
use crate::{DatasetError, FileFormat};

/// A block on its way through the pipeline, with what is made of it. Its buffers are used again.
#[derive(Default)]
struct Parcel {
    block: Block,
    /// The name of the input.
    input: Arc<str>,
    /// The good records in the target format.
    bytes: Vec<u8>,
    written: usize,
    /// The bad records, ascending by index in the block.
    faults: Vec<(usize, RecordFault)>,
}

/// A parcel to convert.
struct Task {
    number: u64,
    from: FileFormat,
    parcel: Box<Parcel>,
}

/// What reaches the writer.
enum Event {
    Parcel(Box<Parcel>),
    /// The end of an input that is left out.
    Tail(Tail),
    /// The inputs cannot be read on.
    Failed(DatasetError),
    /// A converter panicked. Its parcel will not come, so the writer must hear of it.
    Panicked(Box<dyn Any + Send>),
}

/// An event and its place in the order of the inputs, by which the writer sorts.
type Numbered = (u64, Event);

impl Plan<'_> {
    /// Converts.
    ///
    /// # Errors
    /// The first of what goes wrong, in the order of the records; no output is left behind then, and inputs are as they
    /// were. To a stream or a device, what came before may have been written.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let losses = self.losses();
        let total = self.size();
        let Plan { sources, output, to, compression, on_error, salvage, threads, backend, force, counter } =
            self;
        let is_text = sources.iter().any(|source| source.detection.format.is_some_and(FileFormat::is_text));
        let target = Target::open(output, force)?;
        let name = target.name().to_owned();
        let failed = |error| DatasetError::Write(name.clone(), error);
        let mut writer = Writer {
            sink: compression.encoder(target, threads).map_err(failed)?,
            name: &name,
            collection: match &on_error {
                OnError::Collect(path) => Some(Collection::open(path, is_text, force)?),
                _ => None,
            },
            stop: on_error == OnError::Stop,
            summary: Summary { losses, ..Summary::default() },
        };
        thread::scope(|scope| {
            let (task_sender, tasks) = mpsc::channel::<Task>();
            let (event_sender, events) = mpsc::channel::<Numbered>();
            let (spare_sender, spares) = mpsc::channel();
            for _ in 0..2 * threads + 2 {
                // The receiver is still here.
                let _ = spare_sender.send(Box::default());
            }
            let tasks = Arc::new(Mutex::new(tasks));
            for _ in 0..threads {
                let (tasks, events) = (Arc::clone(&tasks), event_sender.clone());
                scope.spawn(move || convert(&tasks, to, backend, &events));
            }
            // Only the converters keep the tasks' receiver, only the stages before the writer its sender: when the
            // writer returns early, every stage finds its channel closed and ends.
            drop(tasks);
            let reader =
                Reader { tasks: task_sender, events: event_sender, spares, spare: None, number: 0, salvage };
            let reader_counter = counter.clone();
            scope.spawn(move || reader.run(sources, &reader_counter));
            let report = |summary: &Summary| {
                let step =
                    Step { bytes: counter.bytes(), total, records: summary.read, bad: summary.bad_total() };
                progress.update(&step)
            };
            writer.run(events, &spare_sender, report)
        })?;
        let Writer { sink, collection, mut summary, .. } = writer;
        // Everything is written before anything is put in its place.
        let reports = collection.map(Collection::finish).transpose()?;
        sink.finish().map_err(failed)?.complete()?;
        for report in reports.into_iter().flatten() {
            report.complete()?;
        }
        summary.bytes_read = counter.bytes();
        summary.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

/// The first stage.
struct Reader {
    tasks: Sender<Task>,
    events: Sender<Numbered>,
    spares: Receiver<Box<Parcel>>,
    /// One that was taken and not needed.
    spare: Option<Box<Parcel>>,
    number: u64,
    salvage: bool,
}

/// The writer has returned: there is no one to work for.
struct Abandoned;

impl Reader {
    fn run(mut self, sources: Vec<Source>, counter: &Counter) {
        for source in sources {
            let Some(from) = source.detection.format else { continue };
            let input: Arc<str> = source.name.as_str().into();
            let done = match open(source, counter) {
                Ok(content) => self.read(RecordReader::new(content, from, &*input), from, &input),
                Err(error) => self.fail(error),
            };
            if done.is_err() {
                return;
            }
        }
    }

    fn read<R: Read>(
        &mut self,
        mut records: RecordReader<R>,
        from: FileFormat,
        input: &Arc<str>,
    ) -> Result<(), Abandoned> {
        loop {
            let mut parcel = match self.spare.take() {
                Some(parcel) => parcel,
                None => self.spares.recv().map_err(|_| Abandoned)?,
            };
            match records.next_block(&mut parcel.block) {
                Ok(true) => {
                    parcel.input = Arc::clone(input);
                    let task = Task { number: self.number, from, parcel };
                    self.tasks.send(task).map_err(|_| Abandoned)?;
                    self.number += 1;
                }
                Ok(false) => {
                    self.spare = Some(parcel);
                    return Ok(());
                }
                Err(DatasetError::Tail(tail)) if self.salvage => {
                    self.spare = Some(parcel);
                    self.send(Event::Tail(*tail))?;
                }
                Err(error) => return self.fail(error),
            }
        }
    }

    fn fail(&mut self, error: DatasetError) -> Result<(), Abandoned> {
        self.send(Event::Failed(error))?;
        Err(Abandoned)
    }

    fn send(&mut self, event: Event) -> Result<(), Abandoned> {
        self.events.send((self.number, event)).map_err(|_| Abandoned)?;
        self.number += 1;
        Ok(())
    }
}

/// The content of a source, its bytes counted.
fn open<'a>(source: Source<'a>, counter: &Counter) -> Result<Content<'a>, DatasetError> {
    match source.content {
        Where::Stream(content) => Ok(content),
        Where::File(path) => {
            let file = File::open(&path).map_err(|error| DatasetError::Open(path, error))?;
            let input = source.name;
            let decoder = source.detection.compression.decoder(counter.counting(file));
            decoder.map_err(|error| DatasetError::Read { input, offset: 0, error })
        }
    }
}

/// The middle stage, on each converting thread.
fn convert(tasks: &Mutex<Receiver<Task>>, to: FileFormat, backend: Backend, events: &Sender<Numbered>) {
    let mut batch = Batch::new(backend);
    loop {
        let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Task { number, from, mut parcel }) = task else { return };
        let converted = catch_unwind(AssertUnwindSafe(|| parcel.convert(from, to, &mut batch)));
        let event = converted.map_or_else(Event::Panicked, |()| Event::Parcel(parcel));
        if events.send((number, event)).is_err() {
            return;
        }
    }
}

impl Parcel {
    fn convert(&mut self, from: FileFormat, to: FileFormat, batch: &mut Batch) {
        self.bytes.clear();
        self.faults.clear();
        self.written = 0;
        let count = self.block.len();
        for start in (0..count).step_by(BATCH) {
            batch.decode(from, &self.block, start..count.min(start + BATCH));
            self.written += batch.encode(to, &mut self.bytes);
            self.faults.extend_from_slice(batch.faults());
        }
        self.faults.sort_unstable_by_key(|&(index, _)| index);
    }
}

/// The last stage.
struct Writer<'a> {
    sink: Encoder<Target<'a>>,
    name: &'a str,
    collection: Option<Collection>,
    /// Whether a bad record ends the conversion.
    stop: bool,
    summary: Summary,
}

impl Writer<'_> {
    /// Takes the events in the order of their numbers.
    fn run(
        &mut self,
        events: Receiver<Numbered>,
        spares: &Sender<Box<Parcel>>,
        mut report: impl FnMut(&Summary) -> ControlFlow<()>,
    ) -> Result<(), DatasetError> {
        let mut early = BTreeMap::new();
        let mut next = 0;
        for (number, event) in events {
            early.insert(number, event);
            while let Some(event) = early.remove(&next) {
                next += 1;
                match event {
                    Event::Failed(error) => return Err(error),
                    Event::Panicked(panic) => resume_unwind(panic),
                    Event::Tail(tail) => self.summary.tails.push(tail),
                    Event::Parcel(parcel) => {
                        self.write(&parcel)?;
                        if report(&self.summary).is_break() {
                            return Err(DatasetError::Cancelled);
                        }
                        // The reader may be done and gone.
                        let _ = spares.send(parcel);
                    }
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, parcel: &Parcel) -> Result<(), DatasetError> {
        for &(index, fault) in &parcel.faults {
            self.note(parcel, index, fault)?;
        }
        self.sink
            .write_all(&parcel.bytes)
            .map_err(|error| DatasetError::Write(self.name.to_owned(), error))?;
        self.summary.read += parcel.block.len() as u64;
        self.summary.written += parcel.written as u64;
        self.summary.bytes_written += parcel.bytes.len() as u64;
        Ok(())
    }

    fn note(&mut self, parcel: &Parcel, index: usize, fault: RecordFault) -> Result<(), DatasetError> {
        let error = RecordError {
            input: parcel.input.to_string(),
            record: parcel.block.first_record() + index as u64,
            offset: parcel.block.offset(index),
            fault,
        };
        if self.stop {
            return Err(DatasetError::Record(Box::new(error)));
        }
        if let Some(collection) = &mut self.collection {
            collection.add(parcel.block.record(index), &error)?;
        }
        *self.summary.bad.entry(fault.name()).or_default() += 1;
        if self.summary.samples.len() < Summary::SAMPLES {
            self.summary.samples.push(error);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Input, Job, Output};
    use super::*;

    /// A converter that dies takes its parcel with it; the conversion must end all the same, and not hang.
    #[test]
    #[should_panic(expected = "pack cannot be written")]
    fn a_panic_reaches_the_caller() {
        let input = Input::Stream("input".into(), Box::new("startpos\n".as_bytes()));
        let mut job = Job::new(vec![input], Output::Stream("output".into(), Box::new(std::io::sink())));
        job.to = Some(FileFormat::Sfen);
        let mut plan = job.plan().unwrap();
        plan.to = FileFormat::Pack;
        let _ = plan.run(&mut ());
    }
}

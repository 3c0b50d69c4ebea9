//! Files of any format as streams of records of one format, and back: jobs of the program on background threads.
//!
//! A job writes to, or reads from, a channel of a few chunks whose other end belongs to Python. So decompressing and replaying
//! games run with the GIL released, memory does not depend on the file's size, and an output appears complete or not at all.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use komabako::dataset::convert::{self, OnBadRecord};
use komabako::dataset::kifu::{self, MissingScore, OnBadGame, PositionOptions, Unfinished, holds_games};
use komabako::dataset::{
    DatasetError, Field, FileFormat, Input, Inputs, JobOptions, Loss, LossKind, MoveReading, Output,
    Progress, Step, losses,
};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::Threads;
use crate::fault::{format_error, loss_error};
use crate::own::Own;

/// The time to wait for a job before Python checks for Ctrl-C.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The time that an abandoned job has for removing its output.
const ABANDON_INTERVAL: Duration = Duration::from_secs(5);

/// The capacity of the channel in chunks.
const CHUNKS: usize = 4;

/// The number of bytes requested from a Python stream at a time.
const STREAM_CHUNK: usize = 1 << 20;

/// The format of a name.
pub fn format_of(name: &str) -> PyResult<FileFormat> {
    name.parse::<FileFormat>().map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Locks the state, even if a thread panicked while holding the lock: the state is a channel, which stays valid.
fn locked<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file's format (`None` for game records and empty files), its compression, the reasons, and the number of records if known
/// without reading.
type Detected = (Option<&'static str>, &'static str, Vec<String>, Option<u64>);

/// Detects a file's format and compression. `stream` supplies the bytes if it is not a local file.
#[pyfunction]
#[pyo3(signature = (path, from_, stream=None))]
pub fn detect(
    py: Python,
    path: PathBuf,
    from_: Option<&str>,
    stream: Option<Py<PyAny>>,
) -> PyResult<Detected> {
    let from = from_.map(format_of).transpose()?;
    if from.is_none() && holds_games(&path) {
        return Ok((None, "none", vec!["the name or the content is that of game records".to_owned()], None));
    }
    let raised = Raised::default();
    let looked = py.detach(|| Inputs::examine(vec![input_of(&path, stream, &raised)], from, true));
    let inputs = looked.map_err(|error| raised.or(py, &path, &error))?;
    let detection = inputs.sources()[0].detection();
    let why = detection.why.iter().map(ToString::to_string).collect();
    let format = detection.format.map(FileFormat::name);
    Ok((format, detection.compression.name(), why, inputs.records()))
}

/// The labels that records of a format lack, but not those made of them: a sentence for each.
#[pyfunction]
pub fn made_up(from_: &str, to: &str) -> PyResult<Vec<String>> {
    let lost = losses(format_of(from_)?, format_of(to)?).into_iter();
    Ok(lost.filter(|loss| is_label(loss, LossKind::MadeUp)).map(|loss| loss.to_string()).collect())
}

/// Whether it is a score or a result, for which 0 is a value like others: an unknown move or ply is 0 in every format.
fn is_label(loss: &Loss, kind: LossKind) -> bool {
    loss.kind == kind && matches!(loss.field, Field::Score | Field::Result)
}

/// Reads a file as records of a format.
#[pyclass(frozen)]
pub struct Reader {
    path: PathBuf,
    state: Own<Receiving>,
    raised: Raised,
}

/// A message of a job that reads. The end is a message of its own because a closed channel may also mean that the job
/// panicked: then records would be missing.
enum Message {
    Bytes(Vec<u8>),
    End(LeftOut),
}

/// What was left out, or made up.
#[derive(Clone, Default, IntoPyObject)]
struct LeftOut {
    /// Positions of game records without a score.
    positions: u64,
    /// Game records without a result.
    games: u64,
    /// Truncated or damaged ends.
    ends: u64,
    /// Bad records or games.
    bad: u64,
    /// The labels that records lacked, a sentence for each, and the number of the records.
    made_up: Vec<(String, u64)>,
}

/// Python's end of a job that reads.
struct Receiving {
    chunks: Option<Receiver<Result<Message, DatasetError>>>,
    /// Known once everything has been read.
    left_out: LeftOut,
    chunk: Vec<u8>,
    used: usize,
    /// An error to report after the records before it have been returned.
    failed: Option<DatasetError>,
}

/// The result of one receive from the channel.
enum Received {
    Bytes(usize),
    Nothing,
    End,
    Failed(DatasetError),
    /// The job panicked.
    Died,
}

#[pymethods]
impl Reader {
    /// Starts the job that reads. Of game records, positions without a score get `missing_score`, and games without a result
    /// are draws if `takes_unfinished` is set; otherwise they are left out.
    #[new]
    #[pyo3(signature = (path, from_, to, skips_bad, is_checked, salvages, missing_score, takes_unfinished, threads, stream=None))]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn new(
        py: Python,
        path: PathBuf,
        from_: Option<&str>,
        to: &str,
        skips_bad: bool,
        is_checked: bool,
        salvages: bool,
        missing_score: Option<i16>,
        takes_unfinished: bool,
        threads: Threads,
        stream: Option<Py<PyAny>>,
    ) -> PyResult<Reader> {
        let from = from_.map(format_of).transpose()?;
        let to = format_of(to)?;
        let (sender, chunks) = mpsc::sync_channel(CHUNKS);
        let moves = if is_checked { MoveReading::Checked } else { MoveReading::AsIs };
        let options =
            JobOptions { from, moves, threads: threads.0, salvage: salvages, ..JobOptions::default() };
        let missing = missing_score.map_or(MissingScore::Skip, MissingScore::Value);
        let unfinished = if takes_unfinished { Unfinished::Draw } else { Unfinished::Skip };
        let positions = PositionOptions { missing, unfinished, ..PositionOptions::default() };
        let raised = Raised::default();
        let input = input_of(&path, stream, &raised);
        let name = path.clone();
        let job = move || {
            let output = Output::Stream("Python".to_owned(), Box::new(ToPython(sender.clone())));
            let end = read(&name, input, output, to, skips_bad, positions, options);
            // If the receiver is gone, the error is the broken channel itself and can be ignored.
            let _ = sender.send(end.map(Message::End));
        };
        thread::Builder::new()
            .spawn(job)
            .map_err(|error| format_error(py, &path, &DatasetError::Thread(error)))?;
        let left_out = LeftOut::default();
        let state = Receiving { chunks: Some(chunks), left_out, chunk: Vec::new(), used: 0, failed: None };
        Ok(Reader { path, state: Own::new(state), raised })
    }

    /// The counts of what was left out or made up, by the names of [`LeftOut`]'s fields. Complete once everything has been read.
    #[getter]
    fn left_out(&self, py: Python) -> LeftOut {
        py.detach(|| self.state.with(|state| state.left_out.clone()))
    }

    /// Fills an array and returns the number of bytes read. It is less than the size of the array only at the end, or before a
    /// bad record, which the next call reports.
    fn read_into(&self, py: Python, mut out: PyReadwriteArray1<u8>) -> PyResult<usize> {
        self.state.check()?;
        let out = out.as_slice_mut().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let mut filled = 0;
        while filled < out.len() {
            // The lock is released before the GIL is taken again, so a thread that waits for one never holds the other.
            match py.detach(|| self.state.with(|state| state.receive(&mut out[filled..]))) {
                Received::Bytes(bytes) => filled += bytes,
                Received::Nothing => py.check_signals()?,
                Received::End => break,
                Received::Failed(error) if filled > 0 => {
                    self.state.with(|state| state.failed = Some(error));
                    break;
                }
                Received::Failed(error) => return Err(self.raised.or(py, &self.path, &error)),
                Received::Died => return Err(died(&self.path)),
            }
        }
        Ok(filled)
    }

    /// Ends the job.
    fn close(&self, py: Python) {
        // The job of another process is not this one's to end.
        if self.state.check().is_ok() {
            py.detach(|| self.state.with(|state| state.chunks = None));
        }
    }
}

impl Receiving {
    /// Copies available bytes, or waits for at most `SIGNAL_INTERVAL`.
    fn receive(&mut self, out: &mut [u8]) -> Received {
        if let Some(error) = self.failed.take() {
            return Received::Failed(error);
        }
        if self.used == self.chunk.len() {
            let Some(chunks) = &self.chunks else { return Received::End };
            match chunks.recv_timeout(SIGNAL_INTERVAL) {
                Ok(Ok(Message::Bytes(chunk))) => (self.chunk, self.used) = (chunk, 0),
                Ok(Ok(Message::End(left_out))) => {
                    (self.chunks, self.left_out) = (None, left_out);
                    return Received::End;
                }
                Ok(Err(error)) => {
                    self.chunks = None;
                    return Received::Failed(error);
                }
                Err(RecvTimeoutError::Timeout) => return Received::Nothing,
                Err(RecvTimeoutError::Disconnected) => return Received::Died,
            }
        }
        let bytes = out.len().min(self.chunk.len() - self.used);
        out[..bytes].copy_from_slice(&self.chunk[self.used..][..bytes]);
        self.used += bytes;
        Received::Bytes(bytes)
    }
}

/// Runs the job that reads game records or records.
fn read(
    path: &Path,
    input: Input<'static>,
    output: Output<'static>,
    to: FileFormat,
    skips_bad: bool,
    positions: PositionOptions,
    options: JobOptions,
) -> Result<LeftOut, DatasetError> {
    if options.from.is_none() && holds_games(path) {
        let on_bad_game = if skips_bad { OnBadGame::Skip } else { OnBadGame::Stop };
        let job = kifu::Job {
            to: Some(to),
            on_bad_game,
            positions,
            threads: options.threads,
            ..kifu::Job::new(vec![path.to_owned()], output)
        };
        let summary = job.run(&mut ())?;
        return Ok(LeftOut {
            positions: summary.without_score,
            games: summary.unfinished,
            bad: summary.bad,
            ..LeftOut::default()
        });
    }
    let on_bad_record = if skips_bad { OnBadRecord::Skip } else { OnBadRecord::Stop };
    // `copy`: records already in the wanted format are passed on unchanged, as from a mapped file.
    let job = convert::Job {
        to: Some(to),
        copy: true,
        on_bad_record,
        options,
        ..convert::Job::new(vec![input], output)
    };
    let summary = job.plan()?.run(&mut ())?;
    let lost = summary.losses.iter().filter(|lost| is_label(&lost.loss, LossKind::Missing));
    Ok(LeftOut {
        ends: summary.counts.tails.len() as u64,
        bad: summary.counts.bad.values().sum(),
        made_up: lost.filter_map(|lost| Some((lost.loss.to_string(), lost.count?))).collect(),
        ..LeftOut::default()
    })
}

/// The exception that a stream of Python raised.
#[derive(Clone, Default)]
struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// The exception for an error of the job: caused by the one of the stream, if that raised, or that one itself if it is no
    /// `Exception`, such as Ctrl-C.
    fn or(&self, py: Python, path: &Path, error: &DatasetError) -> PyErr {
        let error = format_error(py, path, error);
        match locked(&self.0).take() {
            Some(raised) if !raised.is_instance_of::<PyException>(py) => return raised,
            raised => error.set_cause(py, raised),
        }
        error
    }
}

/// The exception for a job that panicked.
fn died(path: &Path) -> PyErr {
    PyRuntimeError::new_err(format!(
        "{}: the job panicked, and its message is on standard error; please report this",
        path.display()
    ))
}

/// A local file, or the bytes of a Python object whose `read(size)` returns the next ones, and none at the end.
fn input_of(path: &Path, stream: Option<Py<PyAny>>, raised: &Raised) -> Input<'static> {
    let Some(stream) = stream else { return Input::path(path) };
    let raised = raised.clone();
    let read = move |py: Python| {
        let bytes = stream.bind(py).call_method1("read", (STREAM_CHUNK,))?;
        let bytes = bytes.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
        Ok((!bytes.is_empty()).then(|| bytes.to_vec()))
    };
    let next = move || {
        Python::attach(|py| {
            read(py).map_err(|error: PyErr| {
                *locked(&raised.0) = Some(error.clone_ref(py));
                error.into()
            })
        })
    };
    Input::Stream(path.display().to_string(), Box::new(Chunked { next, chunk: Vec::new(), used: 0 }))
}

/// The job's end of a channel to Python.
struct ToPython(SyncSender<Result<Message, DatasetError>>);

impl Write for ToPython {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(Ok(Message::Bytes(bytes.to_vec()))).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes records of a format to a file.
#[pyclass(frozen)]
pub struct Writer {
    path: PathBuf,
    state: Own<Sending>,
}

/// Python's end of a job that writes.
struct Sending {
    chunks: Option<SyncSender<Vec<u8>>>,
    /// Says that the job has taken a chunk.
    taken: Receiver<()>,
    job: Option<JoinHandle<Result<(), DatasetError>>>,
    /// Closed by the job when it ends.
    end: Receiver<()>,
    is_abandoned: Arc<AtomicBool>,
}

/// What became of a chunk.
enum Sent {
    Taken,
    /// The job takes none for the moment.
    Returned(Vec<u8>),
    Closed,
}

/// Cancels a job whose output is abandoned.
struct Abandonment(Arc<AtomicBool>);

impl Progress for Abandonment {
    fn update(&mut self, _: &Step) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[pymethods]
impl Writer {
    /// Starts the job that writes. Fails if the conversion loses something without `allow_loss`, or the file exists without
    /// `force`.
    #[new]
    fn new(
        py: Python,
        path: PathBuf,
        from_: &str,
        to: Option<&str>,
        force: bool,
        allow_loss: bool,
        threads: Threads,
    ) -> PyResult<Writer> {
        let from = format_of(from_)?;
        let to = to.map(format_of).transpose()?;
        let written = to.or_else(|| komabako::dataset::format_of(&path));
        let lost = written.map_or_else(Vec::new, |to| losses(from, to));
        if !lost.is_empty() && !allow_loss {
            return Err(loss_error(py, lost.iter().map(ToString::to_string).collect()));
        }
        Output::path(&path).check(&[], force).map_err(|error| format_error(py, &path, &error))?;
        let (sender, chunks) = mpsc::sync_channel(CHUNKS);
        let output = path.clone();
        let (taking, taken) = mpsc::sync_channel(1);
        let is_abandoned = Arc::<AtomicBool>::default();
        let is_incomplete = Arc::clone(&is_abandoned);
        let mut progress = Abandonment(Arc::clone(&is_abandoned));
        let (ended, end) = mpsc::sync_channel(0);
        let job = move || {
            // Dropped when the job ends, even by a panic.
            let _ended = ended;
            let next = move || match chunks.recv() {
                Ok(chunk) => {
                    // If it is full, it says so already.
                    let _ = taking.try_send(());
                    Ok(Some(chunk))
                }
                Err(_) if is_incomplete.load(Ordering::Relaxed) => {
                    Err(io::Error::other("the file was abandoned"))
                }
                Err(_) => Ok(None),
            };
            let content = Chunked { next, chunk: Vec::new(), used: 0 };
            let input = Input::Stream("Python".to_owned(), Box::new(content));
            // Records from Python have a known format, so the check for a mistaken format is off.
            let moves = MoveReading::AsIs;
            let options =
                JobOptions { from: Some(from), moves, threads: threads.0, force, ..JobOptions::default() };
            let job = convert::Job {
                to,
                copy: true,
                options,
                ..convert::Job::new(vec![input], Output::path(output))
            };
            job.plan()?.run(&mut progress).map(drop)
        };
        let job = thread::Builder::new()
            .spawn(job)
            .map_err(|error| format_error(py, &path, &DatasetError::Thread(error)))?;
        let state = Sending { chunks: Some(sender), taken, job: Some(job), end, is_abandoned };
        Ok(Writer { path, state: Own::new(state) })
    }

    /// Writes the bytes of some records.
    fn write(&self, py: Python, records: PyReadonlyArray1<u8>) -> PyResult<()> {
        self.state.check()?;
        let bytes = records.as_slice().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let mut chunk = bytes.to_vec();
        loop {
            let sent = py.detach(|| self.state.with(|state| state.send(chunk)));
            match sent.map_err(|ended| self.error(py, &ended))? {
                Sent::Taken => return Ok(()),
                Sent::Returned(same) => chunk = same,
                Sent::Closed => return Err(PyRuntimeError::new_err("the file is closed")),
            }
            py.check_signals()?;
        }
    }

    /// Finishes the file, or with `keep` false or at Ctrl-C discards it.
    fn close(&self, py: Python, keep: bool) -> PyResult<()> {
        self.state.check()?;
        while keep && !py.detach(|| self.state.with(Sending::wait)) {
            if let Err(stopped) = py.check_signals() {
                py.detach(|| self.state.with(Sending::abandon));
                return Err(stopped);
            }
        }
        let end = |state: &mut Sending| {
            if keep {
                return state.finish();
            }
            state.abandon();
            Ok(())
        };
        let done = py.detach(|| self.state.with(end));
        done.map_err(|ended| self.error(py, &ended))
    }
}

impl Writer {
    fn error(&self, py: Python, ended: &Ended) -> PyErr {
        match ended {
            Ended::Failed(error) => format_error(py, &self.path, error),
            Ended::Died => died(&self.path),
        }
    }
}

/// The end of a job without its output.
enum Ended {
    Failed(DatasetError),
    /// The job panicked.
    Died,
}

impl Sending {
    /// Sends a chunk, or waits at most `SIGNAL_INTERVAL` until the job takes one.
    fn send(&mut self, chunk: Vec<u8>) -> Result<Sent, Ended> {
        let Some(chunks) = &self.chunks else { return Ok(Sent::Closed) };
        match chunks.try_send(chunk) {
            Ok(()) => Ok(Sent::Taken),
            Err(TrySendError::Full(chunk)) => {
                let _ = self.taken.recv_timeout(SIGNAL_INTERVAL);
                Ok(Sent::Returned(chunk))
            }
            // The job ends before its input does only if it failed.
            Err(TrySendError::Disconnected(_)) => self.finish().map(|()| Sent::Closed),
        }
    }

    /// Ends the input, and waits at most `SIGNAL_INTERVAL` for the end of the job. Returns whether it has ended.
    fn wait(&mut self) -> bool {
        self.chunks = None;
        self.end.recv_timeout(SIGNAL_INTERVAL) != Err(RecvTimeoutError::Timeout)
    }

    /// Ends the input, and waits for the job.
    fn finish(&mut self) -> Result<(), Ended> {
        self.chunks = None;
        match self.job.take().map(JoinHandle::join) {
            Some(Ok(result)) => result.map_err(Ended::Failed),
            Some(Err(_)) => Err(Ended::Died),
            None => Ok(()),
        }
    }

    /// Makes the job fail, which removes its output.
    fn abandon(&mut self) {
        // Otherwise the job would first process the chunks in the channel, or take their end for the file's.
        self.is_abandoned.store(true, Ordering::Relaxed);
        self.chunks = None;
        if let Some(job) = self.job.take() {
            // A job that waits itself, such as for who reads a pipe, is left alone.
            if self.end.recv_timeout(ABANDON_INTERVAL) != Err(RecvTimeoutError::Timeout) {
                // Its error is that it was abandoned.
                let _ = job.join();
            }
        }
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        // A writer dropped without `close` may be incomplete: its output must not appear.
        self.abandon();
    }
}

/// A reader of chunks from `next`, until it returns none.
struct Chunked<F> {
    next: F,
    chunk: Vec<u8>,
    used: usize,
}

impl<F: FnMut() -> io::Result<Option<Vec<u8>>>> Read for Chunked<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.used == self.chunk.len() {
            match (self.next)()? {
                Some(chunk) => (self.chunk, self.used) = (chunk, 0),
                None => return Ok(0),
            }
        }
        let bytes = buffer.len().min(self.chunk.len() - self.used);
        buffer[..bytes].copy_from_slice(&self.chunk[self.used..][..bytes]);
        self.used += bytes;
        Ok(bytes)
    }
}

/// The format given by an output's extension, after removing an extension for compression. Refuses a compression that cannot be
/// written.
#[pyfunction]
pub fn format_of_path(py: Python, path: PathBuf) -> PyResult<Option<&'static str>> {
    Output::path(&path).check_compression().map_err(|error| format_error(py, &path, &error))?;
    Ok(komabako::dataset::format_of(&path).map(FileFormat::name))
}

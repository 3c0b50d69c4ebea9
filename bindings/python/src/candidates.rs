//! The candidate moves of hcpe3, and the policies that they give.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use komabako::dataset::{Block, DatasetError, Input, Inputs, RecordReader};
use komabako::features::label::{self, LABELS};
use komabako::loader::probabilities;
use komabako::record::legality::{LegalityFault, judge, state_of};
use komabako::record::move16::MoveEncoding;
use komabako::record::{FileFormat, RecordFault, games};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{OnError, Source, Threads};
use crate::arrays::{Mask, load_numpy, output, separate};
use crate::fault::{Fault, format_error, hcpe3_error};
use crate::stream::format_of;

/// Reads an hcpe3 file as hcpe records with the candidates of each.
#[pyclass(frozen)]
pub struct CandidateReader {
    path: PathBuf,
    skips_bad: bool,
    salvages: bool,
    state: Mutex<Reading>,
}

struct Reading {
    reader: RecordReader<Box<dyn std::io::Read + Send>>,
    block: Block,
    is_over: bool,
    /// Whether a truncated or damaged end was left out.
    is_cut: bool,
    /// The number of bad games that were left out.
    bad: u64,
    /// What was read and not returned yet.
    read: Read,
}

/// Records of hcpe, and their candidates one after the other.
#[derive(Default)]
struct Read {
    records: Vec<u8>,
    /// The number of candidates of each record.
    counts: Vec<usize>,
    moves: Vec<u16>,
    visits: Vec<u16>,
}

/// The bytes of records, where the candidates of each begin, their moves and their visits.
type Arrays<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u16>>,
    Bound<'py, PyArray1<u16>>,
);

const RECORD: usize = 38;

#[pymethods]
impl CandidateReader {
    #[new]
    fn new(
        py: Python,
        path: PathBuf,
        from_: Option<&str>,
        skips_bad: bool,
        salvages: bool,
    ) -> PyResult<CandidateReader> {
        load_numpy(py);
        let from = from_.map(format_of).transpose()?;
        let opened = py.detach(|| {
            let inputs = Inputs::examine(vec![Input::path(&path)], from, true)?;
            let source = &inputs.sources()[0];
            let is_hcpe3 = source.detection().format == Some(FileFormat::Hcpe3);
            Ok(if is_hcpe3 { Some(source.read_again()?) } else { None })
        });
        let reader = opened.map_err(|error: DatasetError| format_error(py, &path, &error))?;
        let Some(reader) = reader else {
            let text = format!("{}: only hcpe3 has candidates", path.display());
            return Err(PyValueError::new_err(text));
        };
        let read = Read::default();
        let state = Reading { reader, block: Block::default(), is_over: false, is_cut: false, bad: 0, read };
        Ok(CandidateReader { path, skips_bad, salvages, state: Mutex::new(state) })
    }

    /// The next records, at most `size`; `None` at the end.
    fn next<'py>(&self, py: Python<'py>, size: usize) -> PyResult<Option<Arrays<'py>>> {
        let read = py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.read_until(size, self.skips_bad, self.salvages)?;
            Ok(state.read.split_front(size))
        });
        let Read { records, counts, moves, visits } =
            read.map_err(|error: Stopped| error.into_exception(py, &self.path))?;
        if counts.is_empty() {
            return Ok(None);
        }
        let mut offsets = vec![0i64];
        for count in counts {
            offsets.push(offsets.last().copied().unwrap_or(0) + count as i64);
        }
        Ok(Some((
            PyArray1::from_vec(py, records),
            PyArray1::from_vec(py, offsets),
            PyArray1::from_vec(py, moves),
            PyArray1::from_vec(py, visits),
        )))
    }

    /// The numbers of damaged ends and of bad games that were left out, once everything has been read.
    #[getter]
    fn left_out(&self) -> (u64, u64) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.is_cut.into(), state.bad)
    }
}

/// Why reading stopped.
enum Stopped {
    File(DatasetError),
    /// The number of the bad game, from 1, and its fault.
    Game(u64, String),
}

impl Stopped {
    fn into_exception(self, py: Python, path: &std::path::Path) -> PyErr {
        match self {
            Stopped::File(error) => format_error(py, path, &error),
            Stopped::Game(number, text) => hcpe3_error(py, path, number, &text),
        }
    }
}

impl Reading {
    fn read_until(&mut self, size: usize, skips_bad: bool, salvages: bool) -> Result<(), Stopped> {
        while self.read.counts.len() < size && !self.is_over {
            let has_block = match self.reader.next_block(&mut self.block) {
                Err(DatasetError::Tail(_)) if salvages => {
                    self.is_cut = true;
                    false
                }
                read => read.map_err(Stopped::File)?,
            };
            if !has_block {
                self.is_over = true;
                return Ok(());
            }
            for game in self.block.games() {
                let records = games::records(FileFormat::Hcpe3, game.bytes);
                for (record, candidates) in records.zip(games::candidates(game.bytes)) {
                    let added = match record {
                        Ok(record) => self.read.push(&record, candidates).map_err(|fault| fault.to_string()),
                        Err(cause) => Err(cause.to_string()),
                    };
                    match added {
                        Ok(()) => {}
                        Err(_) if skips_bad => {
                            self.bad += 1;
                            break;
                        }
                        Err(text) => return Err(Stopped::Game(game.number + 1, text)),
                    }
                }
            }
        }
        Ok(())
    }
}

impl Read {
    fn push(&mut self, record: &komabako::record::Record, candidates: &[[u8; 4]]) -> Result<(), RecordFault> {
        FileFormat::Hcpe.encode(record, &mut self.records)?;
        self.counts.push(candidates.len());
        for &[low, high, visits_low, visits_high] in candidates {
            self.moves.push(u16::from_le_bytes([low, high]));
            self.visits.push(u16::from_le_bytes([visits_low, visits_high]));
        }
        Ok(())
    }

    /// Removes the first records, at most `size`.
    fn split_front(&mut self, size: usize) -> Read {
        let size = size.min(self.counts.len());
        let candidates: usize = self.counts[..size].iter().sum();
        Read {
            records: self.records.drain(..size * RECORD).collect(),
            counts: self.counts.drain(..size).collect(),
            moves: self.moves.drain(..candidates).collect(),
            visits: self.visits.drain(..candidates).collect(),
        }
    }
}

/// The probabilities of the 2,187 classes from the visits of candidates in Apery's encoding.
#[pyfunction]
#[pyo3(signature = (records, offsets, moves, visits, temperature, out, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn policy<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
    offsets: PyReadonlyArray1<'py, i64>,
    moves: PyReadonlyArray1<'py, u16>,
    visits: PyReadonlyArray1<'py, u16>,
    temperature: f64,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    if !temperature.is_finite() || temperature < 0.0 {
        let text = format!("temperature is a number from 0, not {temperature}");
        return Err(PyValueError::new_err(text));
    }
    let source = Source::records(records, None, "policy")?;
    let offsets = offsets.as_array().to_vec();
    let moves = moves.as_array();
    let visits = visits.as_array();
    let is_ascending = offsets.is_sorted() && offsets.first().is_some_and(|&first| first >= 0);
    let end = offsets.last().map_or(0, |&end| end as usize);
    if offsets.len() != source.len() + 1 || !is_ascending || end > moves.len() || end > visits.len() {
        return Err(PyValueError::new_err("offsets do not divide the moves and visits among the records"));
    }
    let mut made = output::<f32, _>(py, out, [source.len(), LABELS], "out")?;
    separate(out, &[source.array()], [made.array()])?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let mut written = made.write()?;
    let table = written.table(LABELS);
    source.positions().for_each(py, threads, table, mask.cells(), |row, setup, out| {
        out.cells.fill(0.0);
        let range = offsets[row] as usize..offsets[row + 1] as usize;
        let state = state_of(setup).map_err(Fault::Legality)?;
        let counts: Vec<u16> = range.clone().map(|place| visits[place]).collect();
        let mut shares = Vec::with_capacity(counts.len());
        probabilities(&counts, temperature, &mut shares).map_err(|_| Fault::NoVisits)?;
        for (place, share) in range.zip(shares) {
            let mv = MoveEncoding::Apery.decode(moves[place]);
            let mv = mv.map_err(|fault| Fault::Legality(LegalityFault::Bits(fault)))?;
            judge(&state, mv).map_err(Fault::Legality)?;
            if let Some(class) = label::label(mv, setup.side_to_move()) {
                out.cells[usize::from(class)] += share;
            }
        }
        Ok(())
    })?;
    mask.with(py, made.into_array(py))
}

//! [`Positions`]: packed positions in an array, unpacked batch by batch.

use std::cell::Cell;
use std::ops::Range;

use komabako::bits::Backend;
use komabako::board::Setup;
use komabako::codec::packed_sfen::PhantomPawns;
use komabako::codec::{PackedSfen, PositionCodec, SliceError, UnpackError, Word};
use komabako::record::RecordFault;
use komabako::variants::WordFormat;
use komabako::variants::c250;
use numpy::ndarray::ArrayView2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::Threads;
use crate::fault::{BadRecord, Fault, decode_error, encode_error};
use crate::rows::{Rows, Table, in_parallel};

/// The number of positions unpacked at a time, so that their setups stay in the second-level cache.
const BATCH: usize = 256;

/// The buffers of a block.
#[derive(Default)]
struct Scratch {
    words: Vec<Word>,
    setups: Vec<Setup>,
}

thread_local! {
    /// Those of the call before: to allocate them takes as long as a tenth of decoding a record.
    static SCRATCH: Cell<Scratch> = const { Cell::new(Scratch { words: Vec::new(), setups: Vec::new() }) };
}

/// The names of codecs, and the sizes of their words in bytes.
pub fn codecs() -> impl Iterator<Item = (&'static str, usize)> {
    let strict = WordFormat::ALL.iter().map(|format| (format.name(), format.size()));
    strict.chain([("psv-lenient", WordFormat::PackedSfen.size())])
}

/// A codec by its name in Python.
#[derive(Clone, Copy)]
pub struct NamedCodec {
    pub codec: WordFormat,
    is_lenient: bool,
    /// Clears the labels that some records keep in the bytes of the position.
    strip_label: Option<fn(&mut Word)>,
}

impl NamedCodec {
    pub fn new(name: &str) -> PyResult<NamedCodec> {
        let format = match name {
            "psv-lenient" => "psv",
            // The longer names are the codecs of record dtypes.
            "c250-payload" => "c250",
            "r238-result" => "r238",
            name => name,
        };
        let codec = format.parse().map_err(|_| {
            let known: Vec<&str> = codecs().map(|(name, _)| name).collect();
            PyValueError::new_err(format!("codec {name:?} is not known; the codecs are {}", known.join(", ")))
        })?;
        let strip_label: Option<fn(&mut Word)> = match name {
            "c250-payload" => Some(|word| *word = c250::position_key(word)),
            // The result of a compact record is in the two free bits of the rank.
            "r238-result" => Some(|word| word[29] &= 0x3f),
            _ => None,
        };
        Ok(NamedCodec { codec, is_lenient: name == "psv-lenient", strip_label })
    }

    /// The codec of bare words.
    pub const fn of(codec: WordFormat) -> NamedCodec {
        NamedCodec { codec, is_lenient: false, strip_label: None }
    }

    /// The same codec for bare words.
    pub const fn of_words(self) -> NamedCodec {
        NamedCodec::of(self.codec)
    }

    /// The size of a packed position in bytes.
    pub fn size(self) -> usize {
        self.codec.size()
    }

    /// The format, if it is read strictly.
    pub fn strict_format(self) -> Option<WordFormat> {
        if self.is_lenient { None } else { Some(self.codec) }
    }

    /// Unpacks words and calls `bad` for each one that does not decode.
    fn unpack(self, words: &[Word], setups: &mut [Setup], mut bad: impl FnMut(usize, RecordFault)) {
        let backend = Backend::detect();
        if self.is_lenient {
            let codec = PackedSfen::with_backend(backend);
            for (index, word) in words.iter().enumerate() {
                match codec.unpack_lenient(word, PhantomPawns::Error) {
                    Ok(lenient) => setups[index] = lenient.setup,
                    Err(error) => bad(index, RecordFault::Unpack(error)),
                }
            }
            return;
        }
        let mut start = 0;
        while let Err(slice) = self.codec.unpack_slice(backend, &words[start..], &mut setups[start..]) {
            bad(start + slice.index, slice.error.into());
            start += slice.index + 1;
        }
    }
}

/// Packed positions in an array: the first bytes of each row.
pub struct Positions<'a> {
    rows: ArrayView2<'a, u8>,
    codec: NamedCodec,
    name: &'a str,
}

impl<'a> Positions<'a> {
    /// Positions in rows that are known to be wide enough.
    pub fn of_rows(rows: ArrayView2<'a, u8>, codec: NamedCodec, name: &'a str) -> Positions<'a> {
        Positions { rows, codec, name }
    }

    /// The base format, if it is read strictly and its words contain only the position.
    pub fn strict_format(&self) -> Option<WordFormat> {
        self.codec.strict_format()
    }

    pub fn len(&self) -> usize {
        self.rows.nrows()
    }

    /// Copies the bytes of a row. Bytes are checked and used in the same copy, since another thread may write to the array
    /// meanwhile.
    pub fn copy_row(&self, row: usize, bytes: &mut [u8]) {
        copy_row(&self.rows, row, bytes);
    }

    /// The 16 bits at a byte of a row.
    pub fn read_u16(&self, row: usize, place: usize) -> u16 {
        u16::from_le_bytes([self.rows[[row, place]], self.rows[[row, place + 1]]])
    }

    /// Copies the positions of consecutive rows and clears the labels in them.
    fn copy_words(&self, first: usize, words: &mut [Word]) {
        if self.codec.size() == size_of::<Word>()
            && let Some(bytes) = self.rows.as_slice()
        {
            // Copies of constant length: a call for each word would take as long as a tenth of the decoding.
            let rows = bytes.chunks_exact(self.rows.ncols()).skip(first);
            for (word, row) in words.iter_mut().zip(rows) {
                *word = *row.first_chunk().expect("a row holds a word");
            }
        } else {
            for (index, word) in words.iter_mut().enumerate() {
                let (bytes, rest) = word.split_at_mut(self.codec.size());
                self.copy_row(first + index, bytes);
                rest.fill(0);
            }
        }
        if let Some(strip_label) = self.codec.strip_label {
            words.iter_mut().for_each(strip_label);
        }
    }

    /// Unpacks one position.
    pub fn setup(&self, py: Python, row: usize) -> PyResult<Setup> {
        let mut words = [[0; 32]];
        let mut setups = [Setup::EMPTY];
        let mut fault = None;
        self.copy_words(row, &mut words);
        self.codec.unpack(&words, &mut setups, |_, found| fault = Some(Fault::Record(found)));
        match fault {
            Some(fault) => Err(self.error(py, (row, fault))),
            None => Ok(setups[0]),
        }
    }

    /// The exception for a bad record.
    pub fn error(&self, py: Python, bad: BadRecord) -> PyErr {
        match bad.1 {
            Fault::Record(RecordFault::Pack(_)) => encode_error(py, bad),
            _ => decode_error(py, bad, self.rows.ncols(), self.name),
        }
    }

    /// Unpacks all positions on `threads` threads and calls `kernel` to write each row of `out`, with the record's number, its
    /// position and its row.
    ///
    /// With `faults`, the fault's number of a bad record is written there and its outputs are zeros; without, the first bad record
    /// ends the call.
    pub fn for_each<O: Rows>(
        &self,
        py: Python,
        threads: Threads,
        out: O,
        faults: Option<&mut [u8]>,
        kernel: impl Fn(usize, &Setup, &mut O) -> Result<(), Fault> + Sync,
    ) -> PyResult<()> {
        self.in_blocks(py, threads, out, faults, |first, setups, mut out, bad| {
            let undecoded = std::mem::take(bad);
            let mut undecoded = undecoded.into_iter().peekable();
            for (index, setup) in setups.iter().enumerate() {
                let mut row = out.split_front(1);
                let result = match undecoded.next_if(|&(bad, _)| bad == index) {
                    Some((_, fault)) => Err(fault),
                    None => kernel(first + index, setup, &mut row),
                };
                if let Err(fault) = result {
                    row.clear();
                    bad.push((index, fault));
                }
            }
        })
    }

    /// Like [`for_each`](Self::for_each), but `kernel` gets the positions of a block and all their rows, which suits kernels that
    /// dispatch on the CPU's features once per call. It adds the bad records, by their number in the block, in ascending order.
    pub fn for_each_block<O: Rows>(
        &self,
        py: Python,
        threads: Threads,
        out: O,
        faults: Option<&mut [u8]>,
        kernel: impl Fn(&[Setup], &mut O, &mut Vec<BadRecord>) + Sync,
    ) -> PyResult<()> {
        self.in_blocks(py, threads, out, faults, |_, setups, mut out, bad| {
            kernel(setups, &mut out, bad);
            // A stable sort: for a record that does not decode, the kernel's fault of its placeholder comes second and is dropped.
            bad.sort_by_key(|&(index, _)| index);
            bad.dedup_by_key(|&mut (index, _)| index);
            let mut done = 0;
            for &(index, _) in &*bad {
                out.split_front(index - done);
                out.split_front(1).clear();
                done = index + 1;
            }
        })
    }

    /// Unpacks block by block. `kernel` gets the number of the first record, the positions, the rows, and the records that do not
    /// decode, for which the start position is substituted. It must leave all bad records in ascending order, with zeros in
    /// their rows.
    fn in_blocks<O: Rows>(
        &self,
        py: Python,
        threads: Threads,
        out: O,
        faults: Option<&mut [u8]>,
        kernel: impl Fn(usize, &[Setup], O, &mut Vec<BadRecord>) + Sync,
    ) -> PyResult<()> {
        self.in_words(py, threads, out, faults, |setups, first, words, out, bad| {
            if setups.len() < words.len() {
                setups.resize(words.len(), Setup::EMPTY);
            }
            let setups = &mut setups[..words.len()];
            self.codec.unpack(words, setups, |index, fault| bad.push((index, Fault::Record(fault))));
            for &(index, _) in &*bad {
                setups[index] = Setup::START;
            }
            kernel(first, setups, out, bad);
        })
    }

    /// Converts words to words, or only checks them (if `out` is `None`), with a function on slices that stops at the first bad
    /// word.
    pub fn recode(
        &self,
        py: Python,
        threads: Threads,
        out: Option<Table<u8>>,
        faults: Option<&mut [u8]>,
        recode: impl Fn(&[Word], &mut [Word]) -> Result<(), SliceError<UnpackError>> + Sync,
    ) -> PyResult<()> {
        self.in_words(py, threads, out, faults, |_, _, words, mut out, bad| {
            let recoded = out.as_mut().map_or(&mut [][..], |out| out.cells.as_chunks_mut().0);
            let mut start = 0;
            while let Err(slice) = recode(&words[start..], recoded.get_mut(start..).unwrap_or_default()) {
                let index = start + slice.index;
                bad.push((index, Fault::Record(RecordFault::Unpack(slice.error))));
                recoded.get_mut(index).into_iter().for_each(|word| word.fill(0));
                start = index + 1;
            }
        })
    }

    /// Copies words block by block. `kernel` gets a list that it may use for their positions, the number of the first record, the
    /// words and the rows. It must leave all bad records in ascending order, with zeros in their rows.
    fn in_words<O: Rows>(
        &self,
        py: Python,
        threads: Threads,
        out: O,
        faults: Option<&mut [u8]>,
        kernel: impl Fn(&mut Vec<Setup>, usize, &[Word], O, &mut Vec<BadRecord>) + Sync,
    ) -> PyResult<()> {
        let faults = faults.map(|faults| Table::new(faults, 1));
        let work = |range: Range<usize>, (mut out, mut faults): (O, Option<Table<u8>>)| {
            let Scratch { mut words, mut setups } = SCRATCH.take();
            words.resize(BATCH.min(range.len()), [0; 32]);
            let mut bad: Vec<BadRecord> = Vec::new();
            for start in range.clone().step_by(BATCH) {
                let count = BATCH.min(range.end - start);
                self.copy_words(start, &mut words[..count]);
                bad.clear();
                let numbers = faults.split_front(count);
                kernel(&mut setups, start, &words[..count], out.split_front(count), &mut bad);
                match (numbers, bad.first()) {
                    (Some(numbers), _) => {
                        bad.iter().for_each(|(index, fault)| numbers.cells[*index] = fault.number());
                    }
                    // In ascending order, so the error names the first bad record.
                    (None, Some(&(index, fault))) => return Err((start + index, fault)),
                    (None, None) => {}
                }
            }
            SCRATCH.set(Scratch { words, setups });
            Ok(())
        };
        in_parallel(py, self.len(), threads, (out, faults), work)?.map_err(|bad| self.error(py, bad))
    }
}

/// Copies the first bytes of a row.
pub fn copy_row(rows: &ArrayView2<u8>, row: usize, bytes: &mut [u8]) {
    let row = rows.row(row);
    match row.as_slice() {
        Some(row) => bytes.copy_from_slice(&row[..bytes.len()]),
        None => bytes.iter_mut().zip(row).for_each(|(to, &from)| *to = from),
    }
}

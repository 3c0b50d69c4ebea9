//! Conversion of packed positions to arrays, other words, text and keys, and back.

use std::ops::Range;

use komabako::bits::Backend;
use komabako::board::{Setup, sfen};
use komabako::codec::Word;
use komabako::features::board;
use komabako::record::RecordFault;
use komabako::variants::WordFormat;
use numpy::ndarray::IntoDimension;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::arguments::{NO_TEXT, OnError, Source, Target, Threads, packing_of_words, texts};
use crate::arrays::{Mask, Read, named_tuple, output, outputs, separate};
use crate::fault::{BadRecord, Fault, encode_error};
use crate::positions::{NamedCodec, Positions, copy_row};
use crate::records::convert;
use crate::rows::{Rows, Table, in_parallel, repeated};

/// The numbers of squares, of kinds in both hands, and of kings of a position.
const WIDTHS: [usize; 3] = [81, 14, 2];

/// The columns of boards, as `kind` makes them.
#[pyfunction]
#[pyo3(signature = (positions, codec, out, on_error, threads, kind, /))]
pub fn decode_board<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
    kind: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    let rows = source.len();
    let [board, hands, side, kings] = outputs(out, ["board", "hands", "side", "kings"])?;
    let mut board = output::<u8, _>(py, board.as_ref(), [rows, WIDTHS[0]], "out.board")?;
    let mut hands = output::<u8, _>(py, hands.as_ref(), [rows, 2, 7], "out.hands")?;
    let mut side = output::<u8, _>(py, side.as_ref(), [rows], "out.side")?;
    let mut kings = output::<u8, _>(py, kings.as_ref(), [rows, WIDTHS[2]], "out.kings")?;
    separate(out, &[source.array()], [board.array(), hands.array(), side.array(), kings.array()])?;
    let mut mask = Mask::new(py, on_error, rows)?;
    {
        let mut board = board.write()?;
        let mut hands = hands.write()?;
        let mut side = side.write()?;
        let mut kings = kings.write()?;
        let tables = (board.table(WIDTHS[0]), hands.table(WIDTHS[1]), side.table(1), kings.table(WIDTHS[2]));
        write_boards(py, &source.positions(), tables, mask.cells(), threads)?;
    }
    let columns = (board.into_array(py), hands.into_array(py), side.into_array(py), kings.into_array(py));
    mask.with(py, named_tuple(kind, columns)?)
}

/// Tables of boards, hands, sides and kings.
type Boards<'a> = (Table<'a, u8>, Table<'a, u8>, Table<'a, u8>, Table<'a, u8>);

fn write_boards(
    py: Python,
    positions: &Positions,
    out: Boards,
    faults: Option<&mut [u8]>,
    threads: Threads,
) -> PyResult<()> {
    let backend = Backend::detect();
    positions.for_each_block(py, threads, out, faults, |setups, (board, hands, side, kings), _| {
        let columns = board::Columns {
            board: board.cells.as_chunks_mut().0,
            hands: hands.cells.as_chunks_mut().0.as_chunks_mut().0,
            side: side.cells,
            kings: kings.cells.as_chunks_mut().0,
        };
        columns.write(backend, setups);
    })
}

/// Packs boards, columns of u1.
#[pyfunction]
#[pyo3(signature = (board, hands, side, codec, out, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each column")]
pub fn encode_board<'py>(
    py: Python<'py>,
    board: &Bound<'py, PyAny>,
    hands: &Bound<'py, PyAny>,
    side: &Bound<'py, PyAny>,
    codec: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let board = small(board, "board")?;
    let hands = small(hands, "hands")?;
    let side = small(side, "side")?;
    let rows = board.shape().first().copied().unwrap_or_default();
    check_shape(&board, &[rows, WIDTHS[0]], "board")?;
    check_shape(&hands, &[rows, 2, 7], "hands")?;
    check_shape(&side, &[rows], "side")?;
    let codec = packing_of_words(codec)?.get().codec();
    let mut words = output::<u8, _>(py, out, [rows, codec.size()], "out")?;
    separate(out, &[board.as_any(), hands.as_any(), side.as_any()], [words.array()])?;
    let board = Read::claim(board.cast::<PyArray2<u8>>()?)?;
    let hands = Read::claim(hands.cast::<PyArray3<u8>>()?)?;
    let side = Read::claim(side.cast::<PyArray1<u8>>()?)?;
    let board = board.view();
    let hands = hands.view();
    let side = side.view();
    let mut mask = Mask::new(py, on_error, rows)?;
    let mut written = words.write()?;
    encode(py, rows, written.table(codec.size()), mask.cells(), threads, |row| {
        let mut squares = [0; 81];
        copy_row(&board, row, &mut squares);
        let held = [0, 1].map(|color| std::array::from_fn(|kind| hands[[row, color, kind]]));
        let setup = board::setup(&squares, held, side[row]).map_err(Fault::Arrays)?;
        pack(codec, &setup)
    })?;
    mask.with(py, words.into_array(py))
}

/// Numbers as u1, without a copy if they are already.
fn small<'py>(given: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = given.py();
    if let Ok(array) = given.cast_exact::<PyUntypedArray>()
        && array.dtype().is_equiv_to(&numpy::dtype::<u8>(py))
    {
        return Ok(array.clone());
    }
    let module = py.import(intern!(py, "komabako.positions"))?;
    Ok(module.call_method1(intern!(py, "small"), (given, name))?.cast_into()?)
}

fn check_shape(array: &Bound<PyUntypedArray>, shape: &[usize], name: &str) -> PyResult<()> {
    if array.shape() == shape {
        return Ok(());
    }
    let widths: String = shape[1..].iter().map(|width| format!(",{width}")).collect();
    let text = format!("{name} must be u1[n{widths}], not of shape {:?}", array.shape());
    Err(PyValueError::new_err(text))
}

/// Writes the word that `word` returns for each record's number.
fn encode(
    py: Python,
    rows: usize,
    out: Table<u8>,
    faults: Option<&mut [u8]>,
    threads: Threads,
    word: impl Fn(usize) -> Result<Word, Fault> + Sync,
) -> PyResult<()> {
    let faults = faults.map(|faults| Table::new(faults, 1));
    let work = |range: Range<usize>, (mut out, mut faults): (Table<u8>, Option<Table<u8>>)| {
        for row in range {
            let mut to = out.split_front(1);
            let number = faults.split_front(1);
            match (word(row), number) {
                (Ok(word), _) => {
                    let size = to.cells.len();
                    to.cells.copy_from_slice(&word[..size]);
                }
                (Err(fault), None) => return Err((row, fault)),
                (Err(fault), Some(number)) => {
                    number.cells[0] = fault.number();
                    to.clear();
                }
            }
        }
        Ok::<(), BadRecord>(())
    };
    in_parallel(py, rows, threads, (out, faults), work)?.map_err(|bad| encode_error(py, bad))
}

fn pack(codec: NamedCodec, setup: &Setup) -> Result<Word, Fault> {
    codec.codec.pack(setup).map_err(|error| Fault::Record(error.into()))
}

/// Packs positions with another codec, or converts records to those of another dtype, as `komabako convert` does.
#[pyfunction]
#[pyo3(signature = (positions, codec, to, out, allow_loss, on_error, threads, /))]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn recode<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    to: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    allow_loss: bool,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let to = match Target::find(to)? {
        Target::Words(to) => to,
        Target::Records(to) => {
            let source = Source::records(positions, codec, "recode to a dtype")?;
            return convert(py, &source, &to, out, allow_loss, on_error, threads);
        }
    };
    let source = Source::new(positions, codec)?;
    let mut words = output::<u8, _>(py, out, [source.len(), to.size()], "out")?;
    separate(out, &[source.array()], [words.array()])?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let mut written = words.write()?;
    write_packed(py, &source.positions(), to, None, written.table(to.size()), mask.cells(), threads)?;
    mask.with(py, words.into_array(py))
}

/// Packs positions, after `turn` if it is given.
pub fn write_packed(
    py: Python,
    positions: &Positions,
    to: NamedCodec,
    turn: Option<fn(&Setup) -> Setup>,
    out: Table<u8>,
    faults: Option<&mut [u8]>,
    threads: Threads,
) -> PyResult<()> {
    let backend = Backend::detect();
    // PSV and HCP are converted directly, without unpacking positions.
    match (turn, positions.strict_format(), to.strict_format()) {
        (None, Some(WordFormat::PackedSfen), Some(WordFormat::Hcp)) => {
            let recode =
                |psv: &[Word], hcp: &mut [Word]| komabako::codec::recode::psv_to_hcp(backend, psv, hcp);
            return positions.recode(py, threads, Some(out), faults, recode);
        }
        (None, Some(WordFormat::Hcp), Some(WordFormat::PackedSfen)) => {
            let recode =
                |hcp: &[Word], psv: &mut [Word]| komabako::codec::recode::hcp_to_psv(backend, hcp, psv);
            return positions.recode(py, threads, Some(out), faults, recode);
        }
        _ => {}
    }
    positions.for_each_block(py, threads, out, faults, |setups, rows, bad| {
        let words = match turn {
            None => pack_block(to, setups, bad),
            Some(turn) => pack_block(to, &setups.iter().map(turn).collect::<Vec<_>>(), bad),
        };
        for (word, row) in words.iter().zip(rows.cells.chunks_exact_mut(to.size())) {
            row.copy_from_slice(&word[..row.len()]);
        }
    })
}

/// Packs the positions of a block, and adds those that the codec cannot represent to `bad`.
fn pack_block(codec: NamedCodec, setups: &[Setup], bad: &mut Vec<BadRecord>) -> Vec<Word> {
    let mut words = repeated([0; 32], setups.len());
    let mut start = 0;
    while let Err(slice) = codec.codec.pack_slice(Backend::detect(), &setups[start..], &mut words[start..]) {
        bad.push((start + slice.index, Fault::Record(slice.error.into())));
        start += slice.index + 1;
    }
    words
}

/// The XXH3 of each position's word in SSPFv1's extension, in `width` times 64 bits (the lower half first).
#[pyfunction]
#[pyo3(signature = (positions, codec, width, out, on_error, threads, /))]
pub fn hashes<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    width: usize,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    match width {
        1 => hashed(py, &source, [source.len()], 1, out, on_error, threads),
        _ => hashed(py, &source, [source.len(), width], width, out, on_error, threads),
    }
}

fn hashed<'py>(
    py: Python<'py>,
    source: &Source<'py>,
    shape: impl IntoDimension,
    width: usize,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let mut keys = output::<u64, _>(py, out, shape, "out")?;
    separate(out, &[source.array()], [keys.array()])?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let mut written = keys.write()?;
    write_hashes(py, &source.positions(), written.table(width), mask.cells(), threads)?;
    mask.with(py, keys.into_array(py))
}

fn write_hashes(
    py: Python,
    positions: &Positions,
    out: Table<u64>,
    faults: Option<&mut [u8]>,
    threads: Threads,
) -> PyResult<()> {
    let canonical = NamedCodec::of(WordFormat::SspfExt);
    positions.for_each_block(py, threads, out, faults, |setups, rows, bad| {
        let words = pack_block(canonical, setups, bad);
        let width = rows.cells.len() / setups.len();
        for (word, row) in words.iter().zip(rows.cells.chunks_exact_mut(width)) {
            match row {
                [key] => *key = XxHash3_64::oneshot(word),
                row => {
                    let key = XxHash3_128::oneshot(word);
                    row.copy_from_slice(&[key as u64, (key >> 64) as u64]);
                }
            }
        }
    })
}

/// The SFEN of each position, without a ply; an empty text for a bad record.
#[pyfunction]
#[pyo3(signature = (positions, codec, on_error, threads, /))]
pub fn to_sfen<'py>(
    py: Python<'py>,
    positions: &Bound<'py, PyAny>,
    codec: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(positions, codec)?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let mut texts = vec![String::new(); source.len()];
    let out = Table::new(&mut texts, 1);
    source.positions().for_each(py, threads, out, mask.cells(), |_, setup, text| {
        text.cells[0] = setup.to_string();
        Ok(())
    })?;
    mask.with(py, texts)
}

/// Packs SFENs. A ply is accepted and ignored.
#[pyfunction]
#[pyo3(signature = (sfens, codec, out, on_error, threads, /))]
pub fn from_sfen<'py>(
    py: Python<'py>,
    sfens: &Bound<'py, PyAny>,
    codec: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let texts = texts(sfens, "from_sfen", "SFENs")?;
    let codec = packing_of_words(codec)?.get().codec();
    let mut words = output::<u8, _>(py, out, [texts.len(), codec.size()], "out")?;
    let mut mask = Mask::new(py, on_error, texts.len())?;
    let mut written = words.write()?;
    encode(py, texts.len(), written.table(codec.size()), mask.cells(), threads, |row| {
        if &*texts[row] == NO_TEXT {
            return Err(Fault::NoText);
        }
        let sfen = sfen::parse(&texts[row][..]);
        let setup = sfen.map_err(|error| Fault::Record(RecordFault::Sfen(error)))?.setup;
        pack(codec, &setup)
    })?;
    mask.with(py, words.into_array(py))
}

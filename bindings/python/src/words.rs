//! Conversion of packed positions to arrays, other words, text and keys, and back.

use std::ops::Range;

use komabako::bits::Backend;
use komabako::board::{Setup, sfen};
use komabako::codec::{Word, recode};
use komabako::features::{board, turn};
use komabako::record::RecordFault;
use komabako::variants::WordFormat;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::arrays::{Bytes, Column, OutColumn, OutRows, check_len, column, mask, table};
use crate::fault::{BadRecord, Fault, encode_error};
use crate::positions::{NamedCodec, Positions, copy_row};
use crate::rows::{Rows, Table, in_parallel};

/// The numbers of squares, of kinds in both hands, and of kings of a position.
pub const WIDTHS: [usize; 3] = [81, 14, 2];

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each output")]
pub fn decode_board(
    py: Python,
    positions: Bytes,
    codec: &str,
    mut board: OutRows<u8>,
    mut hands: OutRows<u8>,
    mut side: OutColumn<u8>,
    mut kings: OutRows<u8>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    let rows = positions.len();
    let out = (
        table(&mut board, rows, WIDTHS[0])?,
        table(&mut hands, rows, WIDTHS[1])?,
        column(&mut side, rows)?,
        table(&mut kings, rows, WIDTHS[2])?,
    );
    let faults = mask(faults.as_mut(), rows)?;
    write_boards(py, &positions, out, faults, threads)
}

/// Tables of boards, hands, sides and kings.
pub type Boards<'a> = (Table<'a, u8>, Table<'a, u8>, Table<'a, u8>, Table<'a, u8>);

pub fn write_boards(
    py: Python,
    positions: &Positions,
    out: Boards,
    faults: Option<&mut [u8]>,
    threads: usize,
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

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each column")]
pub fn encode_board(
    py: Python,
    board: Bytes,
    hands: Bytes,
    side: Column<u8>,
    codec: &str,
    mut words: OutRows<u8>,
    faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let codec = NamedCodec::new(codec)?;
    let board = board.as_array();
    let hands = hands.as_array();
    let rows = board.nrows();
    if board.ncols() != WIDTHS[0] || hands.dim() != (rows, WIDTHS[1]) {
        return Err(PyValueError::new_err("a position has 81 squares and 2 × 7 numbers of pieces in hand"));
    }
    check_len(&side, rows)?;
    let side = side.as_array();
    let out = table(&mut words, rows, codec.size())?;
    encode(py, rows, out, faults, threads, |row| {
        let mut squares = [0; 81];
        let mut held = [0; 14];
        copy_row(&board, row, &mut squares);
        copy_row(&hands, row, &mut held);
        let hands = [0, 1].map(|color| std::array::from_fn(|kind| held[7 * color + kind]));
        let setup = board::setup(&squares, hands, side[row]).map_err(Fault::Arrays)?;
        pack(codec, &setup)
    })
}

/// Writes the word that `word` returns for each record's number.
fn encode(
    py: Python,
    rows: usize,
    out: Table<u8>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
    word: impl Fn(usize) -> Result<Word, Fault> + Sync,
) -> PyResult<()> {
    let faults = mask(faults.as_mut(), rows)?.map(|faults| Table::new(faults, 1));
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

/// Packs positions with another codec: unchanged, `flip`ped or `mirror`ed.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option")]
pub fn pack_as(
    py: Python,
    positions: Bytes,
    codec: &str,
    to: &str,
    view: &str,
    mut words: OutRows<u8>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    let to = NamedCodec::new(to)?;
    let view = View::new(view)?;
    let out = table(&mut words, positions.len(), to.size())?;
    let faults = mask(faults.as_mut(), positions.len())?;
    write_packed(py, &positions, to, view, out, faults, threads)
}

/// The position to pack: unchanged, or transformed.
#[derive(Clone, Copy)]
pub enum View {
    Same,
    Other(fn(&Setup) -> Setup),
}

impl View {
    pub fn new(name: &str) -> PyResult<View> {
        match name {
            "same" => Ok(View::Same),
            "flip" => Ok(View::Other(turn::flipped)),
            "mirror" => Ok(View::Other(turn::mirrored)),
            _ => Err(PyValueError::new_err(format!("unknown view {name:?}"))),
        }
    }
}

pub fn write_packed(
    py: Python,
    positions: &Positions,
    to: NamedCodec,
    view: View,
    out: Table<u8>,
    faults: Option<&mut [u8]>,
    threads: usize,
) -> PyResult<()> {
    let backend = Backend::detect();
    // PSV and HCP are converted directly, without unpacking positions.
    match (view, positions.strict_format(), to.strict_format()) {
        (View::Same, Some(WordFormat::PackedSfen), Some(WordFormat::Hcp)) => {
            let recode = |psv: &[Word], hcp: &mut [Word]| recode::psv_to_hcp(backend, psv, hcp);
            return positions.recode(py, threads, Some(out), faults, recode);
        }
        (View::Same, Some(WordFormat::Hcp), Some(WordFormat::PackedSfen)) => {
            let recode = |hcp: &[Word], psv: &mut [Word]| recode::hcp_to_psv(backend, hcp, psv);
            return positions.recode(py, threads, Some(out), faults, recode);
        }
        _ => {}
    }
    positions.for_each_block(py, threads, out, faults, |setups, rows, bad| {
        let words = match view {
            View::Same => pack_block(to, setups, bad),
            View::Other(seen) => pack_block(to, &setups.iter().map(seen).collect::<Vec<_>>(), bad),
        };
        for (word, row) in words.iter().zip(rows.cells.chunks_exact_mut(to.size())) {
            row.copy_from_slice(&word[..row.len()]);
        }
    })
}

/// Packs the positions of a block, and adds those that the codec cannot represent to `bad`.
fn pack_block(codec: NamedCodec, setups: &[Setup], bad: &mut Vec<BadRecord>) -> Vec<Word> {
    let mut words = vec![[0; 32]; setups.len()];
    let mut start = 0;
    while let Err(slice) = codec.codec.pack_slice(Backend::detect(), &setups[start..], &mut words[start..]) {
        bad.push((start + slice.index, Fault::Record(slice.error.into())));
        start += slice.index + 1;
    }
    words
}

/// Writes the XXH3 of each position's word in SSPFv1's extension, in 64 or 128 bits (the lower half first).
#[pyfunction]
pub fn hashes(
    py: Python,
    positions: Bytes,
    codec: &str,
    mut out: OutRows<u64>,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let positions = Positions::new(&positions, codec)?;
    let width = if out.as_array().ncols() == 2 { 2 } else { 1 };
    let out = table(&mut out, positions.len(), width)?;
    let faults = mask(faults.as_mut(), positions.len())?;
    write_hashes(py, &positions, out, faults, threads)
}

pub fn write_hashes(
    py: Python,
    positions: &Positions,
    out: Table<u64>,
    faults: Option<&mut [u8]>,
    threads: usize,
) -> PyResult<()> {
    let canonical = NamedCodec::new("sspfv1-ext")?;
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
pub fn to_sfen(
    py: Python,
    positions: Bytes,
    codec: &str,
    mut faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<Vec<String>> {
    let positions = Positions::new(&positions, codec)?;
    let faults = mask(faults.as_mut(), positions.len())?;
    texts(py, &positions, faults, threads)
}

pub fn texts(
    py: Python,
    positions: &Positions,
    faults: Option<&mut [u8]>,
    threads: usize,
) -> PyResult<Vec<String>> {
    let mut texts = vec![String::new(); positions.len()];
    let out = Table::new(&mut texts, 1);
    positions.for_each(py, threads, out, faults, |_, setup, text| {
        text.cells[0] = setup.to_string();
        Ok(())
    })?;
    Ok(texts)
}

#[pyfunction]
pub fn from_sfen(
    py: Python,
    texts: Vec<PyBackedStr>,
    codec: &str,
    mut words: OutRows<u8>,
    faults: Option<OutColumn<u8>>,
    threads: usize,
) -> PyResult<()> {
    let codec = NamedCodec::new(codec)?;
    let out = table(&mut words, texts.len(), codec.size())?;
    encode(py, texts.len(), out, faults, threads, |row| {
        let sfen = sfen::parse(&texts[row][..]);
        let setup = sfen.map_err(|error| Fault::Record(RecordFault::Sfen(error)))?.setup;
        pack(codec, &setup)
    })
}

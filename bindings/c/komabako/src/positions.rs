//! Packed positions as boards and as inputs of networks, and boards packed.

use komabako::bits::Backend;
use komabako::board::Setup;
use komabako::codec::Word;
use komabako::features::board::{self, Columns};
use komabako::features::nnue::{
    FeatureSet, First, KingMissing, RowOptions, Rows, has_both_kings, write_rows,
};
use komabako::record::batch::BATCH;
use komabako::record::{FileFormat, RecordFault};
use komabako::variants::WordFormat;

use crate::failure::Failure;
use crate::numbers::Format;
use crate::records::{Faults, for_each_batch, texts};

/// A `komabako_board`: 81 squares, 2 · 7 pieces in hand, the side to move, 3 unused bytes.
pub type Board = [u8; 99];

/// Unpacks positions.
pub fn unpack(format: Format, words: &[u8], out: &mut [Board], faults: &mut Faults) -> Result<i32, Failure> {
    out.fill([0; 99]);
    let mut boards = vec![[0; 81]; BATCH];
    let mut hands = vec![[[0; 7]; 2]; BATCH];
    let mut sides = vec![0; BATCH];
    let mut kings = vec![[0; 2]; BATCH];
    // As text, so that positions are unpacked.
    for_each_batch(words, format, FileFormat::Sfen, faults, |first, batch, faults| {
        faults.add_all(texts(first, batch))?;
        let records = batch.records();
        Columns { board: &mut boards, hands: &mut hands, side: &mut sides, kings: &mut kings }
            .write(Backend::detect(), records.setups);
        for (place, &row) in records.rows.iter().enumerate() {
            let board = &mut out[first + row];
            board[..81].copy_from_slice(&boards[place]);
            board[81..95].copy_from_slice(hands[place].as_flattened());
            board[95] = sides[place];
        }
        Ok(())
    })?;
    Ok(0)
}

/// Packs positions.
pub fn pack(
    format: WordFormat,
    boards: &[Board],
    out: &mut [u8],
    faults: &mut Faults,
) -> Result<i32, Failure> {
    let size = format.size();
    let backend = Backend::detect();
    out.fill(0);
    let mut setups: Vec<Setup> = Vec::with_capacity(BATCH);
    let mut rows: Vec<usize> = Vec::with_capacity(BATCH);
    let mut words: Vec<Word> = vec![[0; 32]; BATCH];
    for (number, chunk) in boards.chunks(BATCH).enumerate() {
        setups.clear();
        rows.clear();
        let mut bad = Vec::new();
        for (place, board) in chunk.iter().enumerate() {
            let row = number * BATCH + place;
            match setup(board) {
                Ok(setup) => {
                    setups.push(setup);
                    rows.push(row);
                }
                Err(error) => bad.push((row, error.name(), error.to_string())),
            }
        }
        let words = &mut words[..setups.len()];
        if format.pack_slice(backend, &setups, words).is_ok() {
            for (&row, word) in rows.iter().zip(&*words) {
                out[row * size..][..size].copy_from_slice(&word[..size]);
            }
        } else {
            // Some position has no word.
            for (&row, setup) in rows.iter().zip(&setups) {
                match format.pack_on(backend, setup) {
                    Ok(word) => out[row * size..][..size].copy_from_slice(&word[..size]),
                    Err(error) => {
                        let fault = RecordFault::from(error);
                        bad.push((row, fault.name(), fault.to_string()));
                    }
                }
            }
        }
        faults.add_all(bad)?;
    }
    Ok(0)
}

fn setup(board: &Board) -> Result<Setup, board::ArraysError> {
    let (squares, rest) = board.split_first_chunk::<81>().expect("99 bytes");
    let hands = rest.as_chunks::<7>().0;
    board::setup(squares, [hands[0], hands[1]], board[95])
}

/// Writes the rows of inputs of positions in `PackedSfen`.
pub fn write_inputs(
    set: FeatureSet,
    first_row: First,
    words: &[u8],
    rows: &mut [i32],
    faults: &mut Faults,
) -> Result<i32, Failure> {
    let width = 2 * set.active();
    rows.fill(-1);
    let mut written = vec![0; width * BATCH];
    let options = RowOptions { first: first_row, ..RowOptions::default() };
    let format = Format { file: FileFormat::PackedSfen, size: 32 };
    for_each_batch(words, format, FileFormat::Sfen, faults, |first, batch, faults| {
        let mut bad = texts(first, batch);
        let records = batch.records();
        write_rows(Backend::detect(), set, options, records.setups, Rows::Interleaved(&mut written));
        for ((&row, setup), inputs) in records.rows.iter().zip(records.setups).zip(written.chunks(width)) {
            if has_both_kings(setup) {
                rows[(first + row) * width..][..width].copy_from_slice(inputs);
            } else {
                bad.push((first + row, "KING_MISSING", KingMissing.to_string()));
            }
        }
        faults.add_all(bad)
    })?;
    Ok(0)
}

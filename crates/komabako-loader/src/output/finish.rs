//! [`Finisher`]: makes the arrays of a batch from its records.

use komabako_board::Setup;
use komabako_codec::{Backend, Word};
use komabako_features::nnue::{RowOptions, Rows, has_both_kings, write_rows};
use komabako_features::{dlshogi, label};
use komabako_record::record::Psv;
use komabako_record::{RecordFault, batch};
use komabako_rules::Move16;
use komabako_rules::move16::MoveEncoding;
use komabako_variants::WordFormat;

use super::targets::Table;
use super::{Arrays, Layout, Output, Planes, Policy, PolicyLayout, Record};
use crate::LoaderError;
use crate::error::{Conflict, FeatureFault, PolicyFault};

/// Makes the arrays of batches.
pub(crate) struct Finisher {
    output: Output,
    table: Option<Table>,
    backend: Backend,
    /// Whether a word that cannot be read only has weight 0.
    forgives: bool,
}

/// Why the arrays of a batch cannot be made.
pub(crate) enum Unfinished {
    /// The word of the record with this index cannot be read.
    Word(usize),
    Targets(Conflict),
    Policy(PolicyFault),
}

/// The buffers of a thread.
#[derive(Default)]
pub(crate) struct Scratch {
    words: Vec<Word>,
    setups: Vec<Setup>,
    counts: Vec<u16>,
    shares: Vec<f32>,
}

/// The word of a record.
pub(crate) fn word_of(record: &Record) -> Word {
    *record.first_chunk().expect("a record is longer than a word")
}

/// The fault of a record's word.
pub(crate) fn unpack_fault(record: &Record) -> Option<RecordFault> {
    WordFormat::PackedSfen.unpack(&word_of(record)).err().map(RecordFault::from)
}

impl Finisher {
    /// Checks an output.
    pub fn new(output: &Output, forgives: bool) -> Result<Finisher, LoaderError> {
        let table = output.targets.as_ref().map(super::Targets::table).transpose()?;
        if let Some(Policy::Visits { temperature, .. }) = output.policy
            && (!temperature.is_finite() || temperature < 0.0)
        {
            return Err(LoaderError::Policy(PolicyFault::Temperature));
        }
        if let Err(error) = output.indexer() {
            return Err(LoaderError::Feature(FeatureFault::Buckets(error.to_string())));
        }
        Ok(Finisher { output: output.clone(), table, backend: Backend::detect(), forgives })
    }

    /// Makes the arrays of a batch, whose records and weights are there.
    pub fn finish(&self, scratch: &mut Scratch, arrays: &mut Arrays) -> Result<(), Unfinished> {
        self.write_targets(arrays).map_err(Unfinished::Targets)?;
        self.write_policy(scratch, arrays).map_err(Unfinished::Policy)?;
        if self.output.needs_positions() {
            self.write_features(scratch, arrays).map_err(Unfinished::Word)?;
        }
        Ok(())
    }

    fn write_targets(&self, arrays: &mut Arrays) -> Result<(), Conflict> {
        let (Some(table), Some(targets)) = (&self.table, &self.output.targets) else { return Ok(()) };
        let lambda = targets.lambda_at(arrays.epoch, arrays.step)?;
        // What the result adds, by the result plus one.
        let results = [0.0, 1.0, 2.0].map(|result: f32| (1.0 - lambda) * result / 2.0);
        arrays.targets.clear();
        arrays.targets.extend(arrays.records.iter().map(|record| {
            let Psv { score, result, .. } = Psv::from_bytes(record);
            lambda * table.value(score) + results[(result.clamp(-1, 1) + 1) as usize]
        }));
        arrays.wdl.clear();
        if targets.wdl {
            for record in &arrays.records {
                arrays.wdl.extend_from_slice(match Psv::from_bytes(record).result {
                    -1 => &[1.0, 0.0, 0.0],
                    0 => &[0.0, 1.0, 0.0],
                    1 => &[0.0, 0.0, 1.0],
                    _ => &[0.0; 3],
                });
            }
        }
        if let Some(least) = targets.score_drop_abs {
            for (record, weight) in arrays.records.iter().zip(&mut arrays.weights) {
                if Psv::from_bytes(record).score.unsigned_abs() >= least {
                    *weight = 0.0;
                }
            }
        }
        Ok(())
    }

    fn write_policy(&self, scratch: &mut Scratch, arrays: &mut Arrays) -> Result<(), PolicyFault> {
        match self.output.policy {
            Some(Policy::Moves) => write_moves(arrays, Some),
            Some(Policy::CompactMoves) => write_moves(arrays, label::compact),
            Some(Policy::Visits { temperature, layout }) => {
                return write_visits(scratch, arrays, temperature, layout);
            }
            None => {}
        }
        Ok(())
    }

    fn write_features(&self, scratch: &mut Scratch, arrays: &mut Arrays) -> Result<(), usize> {
        let Scratch { words, setups, .. } = scratch;
        let count = arrays.records.len();
        let active = self.output.features.map_or(0, |(set, ..)| set.active());
        arrays.stm.resize(count * active, -1);
        arrays.nstm.resize(count * active, -1);
        let indexer = self.output.indexer().ok().flatten();
        arrays.buckets.resize(if indexer.is_some() { count } else { 0 }, 0);
        self.resize_planes(arrays, count);
        let mut start = 0;
        while start < count {
            let end = count.min(start + batch::BATCH);
            words.clear();
            words.extend(arrays.records[start..end].iter().map(word_of));
            if setups.len() < words.len() {
                setups.resize(batch::BATCH, Setup::EMPTY);
            }
            let setups = &mut setups[..end - start];
            self.unpack(words, setups, &mut arrays.weights[start..end]).map_err(|index| start + index)?;
            if self.forgives {
                for (setup, record) in setups.iter_mut().zip(&arrays.records[start..end]) {
                    if !(-1..=1).contains(&Psv::from_bytes(record).result) {
                        *setup = Setup::EMPTY;
                    }
                }
            }
            let setups = &*setups;
            if let Some((set, layout, first)) = self.output.features {
                let missing = self.output.missing.unwrap_or(super::Missing::Omit);
                let sorted = self.output.sorted || layout == Layout::Coo;
                let options = RowOptions { first, missing, sorted };
                let stm = &mut arrays.stm[start * active..end * active];
                let nstm = &mut arrays.nstm[start * active..end * active];
                let kingless = write_rows(self.backend, set, options, setups, Rows::Separate([stm, nstm]));
                if kingless > 0 {
                    for (setup, weight) in setups.iter().zip(&mut arrays.weights[start..end]) {
                        if !has_both_kings(setup) {
                            *weight = 0.0;
                        }
                    }
                }
            }
            if let Some(indexer) = indexer {
                indexer.write(setups, &mut arrays.buckets[start..end]);
            }
            self.write_planes(arrays, setups, start);
            start = end;
        }
        match self.output.features {
            Some((_, Layout::Coo, _)) => {
                to_pairs(&mut arrays.stm, active);
                to_pairs(&mut arrays.nstm, active);
            }
            Some((_, Layout::Offsets, _)) => {
                to_offsets(&mut arrays.stm, active, &mut arrays.stm_offsets);
                to_offsets(&mut arrays.nstm, active, &mut arrays.nstm_offsets);
            }
            Some((_, Layout::Padded, _)) | None => {}
        }
        Ok(())
    }

    /// Unpacks words. A bad one stops it, or is an empty board of weight 0.
    fn unpack(&self, words: &[Word], setups: &mut [Setup], weights: &mut [f32]) -> Result<(), usize> {
        let mut start = 0;
        while let Err(error) =
            WordFormat::PackedSfen.unpack_slice(self.backend, &words[start..], &mut setups[start..])
        {
            let bad = start + error.index;
            // A record that could not be converted has weight 0 already.
            let is_placeholder = words[bad] == [0; 32] && weights[bad] == 0.0;
            if !self.forgives && !is_placeholder {
                return Err(bad);
            }
            setups[bad] = Setup::EMPTY;
            weights[bad] = 0.0;
            start = bad + 1;
        }
        Ok(())
    }

    fn resize_planes(&self, arrays: &mut Arrays, count: usize) {
        const CELLS1: usize = dlshogi::FEATURES1 * 81;
        const CELLS2: usize = dlshogi::FEATURES2 * 81;
        match self.output.planes {
            Some(Planes::F32) => {
                arrays.planes1.resize(count * CELLS1, 0.0);
                arrays.planes2.resize(count * CELLS2, 0.0);
            }
            Some(Planes::F16) => {
                arrays.planes1_f16.resize(count * CELLS1, 0);
                arrays.planes2_f16.resize(count * CELLS2, 0);
            }
            Some(Planes::U8) => {
                arrays.planes1_bytes.resize(count * CELLS1, 0);
                arrays.planes2_bytes.resize(count * CELLS2, 0);
            }
            Some(Planes::Bits) => {
                arrays.planes1_bytes.resize(count * dlshogi::FEATURES1_BYTES, 0);
                arrays.planes2_bytes.resize(count * dlshogi::FEATURES2_BYTES, 0);
            }
            None => {}
        }
    }

    fn write_planes(&self, arrays: &mut Arrays, setups: &[Setup], start: usize) {
        fn write<T: dlshogi::PlaneValue>(
            backend: Backend,
            setups: &[Setup],
            planes1: &mut [T],
            planes2: &mut [T],
            start: usize,
        ) {
            let planes1 = planes1.as_chunks_mut().0.as_chunks_mut().0;
            let planes2 = planes2.as_chunks_mut().0.as_chunks_mut().0;
            dlshogi::write_planes(backend, setups, &mut planes1[start..], &mut planes2[start..]);
        }
        let backend = self.backend;
        match self.output.planes {
            Some(Planes::F32) => write(backend, setups, &mut arrays.planes1, &mut arrays.planes2, start),
            Some(Planes::F16) => {
                write(backend, setups, &mut arrays.planes1_f16, &mut arrays.planes2_f16, start);
            }
            Some(Planes::U8) => {
                write(backend, setups, &mut arrays.planes1_bytes, &mut arrays.planes2_bytes, start);
            }
            Some(Planes::Bits) => {
                let planes1 = &mut arrays.planes1_bytes.as_chunks_mut().0[start..];
                let planes2 = &mut arrays.planes2_bytes.as_chunks_mut().0[start..];
                dlshogi::write_bits(backend, setups, planes1, planes2);
            }
            None => {}
        }
    }
}

/// Writes the classes of the recorded moves.
fn write_moves(arrays: &mut Arrays, class_of: impl Fn(u16) -> Option<u16>) {
    arrays.moves.clear();
    for record in &arrays.records {
        let psv = Psv::from_bytes(record);
        let class = label::label(Move16::from_bits(psv.best_move), psv.side_to_move()).and_then(&class_of);
        arrays.moves.push(class.map_or(-1, i64::from));
    }
}

/// Writes the probabilities of the candidates. Those that are no moves are left out.
fn write_visits(
    scratch: &mut Scratch,
    arrays: &mut Arrays,
    temperature: f64,
    layout: PolicyLayout,
) -> Result<(), PolicyFault> {
    let Scratch { counts, shares, .. } = scratch;
    let Arrays { records, visits, probabilities, classes, class_offsets, .. } = arrays;
    probabilities.clear();
    classes.clear();
    class_offsets.clear();
    if layout == PolicyLayout::Dense {
        probabilities.resize(records.len() * label::LABELS, 0.0);
    }
    for (number, record) in records.iter().enumerate() {
        class_offsets.push(classes.len() as i64);
        let candidates = visits.get(number);
        counts.clear();
        for [_, _, low, high] in candidates {
            counts.push(u16::from_le_bytes([*low, *high]));
        }
        super::probabilities(counts, temperature, shares)?;
        let side = Psv::from_bytes(record).side_to_move();
        for ([low, high, ..], &share) in candidates.iter().zip(&*shares) {
            let mv = MoveEncoding::Apery.decode(u16::from_le_bytes([*low, *high])).ok();
            let Some(class) = mv.and_then(|mv| label::label(mv, side)) else { continue };
            match layout {
                PolicyLayout::Dense => probabilities[number * label::LABELS + usize::from(class)] = share,
                PolicyLayout::Csr => {
                    classes.push(class as i16);
                    probabilities.push(share);
                }
            }
        }
    }
    class_offsets.push(classes.len() as i64);
    Ok(())
}

/// Turns rows padded with −1 into pairs of row and index, from the last to the first: a pair never lies before its index.
fn to_pairs(rows: &mut Vec<i32>, active: usize) {
    let length = rows.len();
    rows.resize(2 * length, 0);
    let mut start = rows.len();
    for row in (0..length / active).rev() {
        for place in (row * active..(row + 1) * active).rev() {
            let index = rows[place];
            if index >= 0 {
                start -= 2;
                rows[start] = row as i32;
                rows[start + 1] = index;
            }
        }
    }
    // Only rows that are not full leave a gap.
    if start > 0 {
        rows.copy_within(start.., 0);
        rows.truncate(2 * length - start);
    }
}

/// Turns rows padded with −1 into indices one after another, and notes where each row starts.
fn to_offsets(rows: &mut Vec<i32>, active: usize, offsets: &mut Vec<i64>) {
    offsets.clear();
    let mut kept = 0;
    for place in 0..rows.len() {
        if place.is_multiple_of(active) {
            offsets.push(kept as i64);
        }
        if rows[place] >= 0 {
            rows[kept] = rows[place];
            kept += 1;
        }
    }
    offsets.push(kept as i64);
    rows.truncate(kept);
}

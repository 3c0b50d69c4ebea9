//! [`Examiner`]: checks every record of a block at the requested levels. The codecs decode the records in slices and all
//! moves are judged once; only failures are examined again, to explain them.

use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

use komabako_board::{Color, Position, Setup};
use komabako_codec::Backend;
use komabako_rules::{Move16, State, first_illegal};

use super::explain::{explain, read_with_any_reader};
use super::next_position_check::UncertainMove;
use super::{Convention, Finding, Level, Levels, OtherEncoding};
use crate::batch::{Batch, Records};
use crate::block::Block;
use crate::games::{self, StreamFinding};
use crate::legality::Readings;
use crate::legality::sense::other_codec;
use crate::legality::{self, LegalityFault};
use crate::record::Labels;
use crate::{Field, FileFormat, Record};

/// The largest score of YaneuraOu: a mate in `n` plies is 32000 − n.
const MATE: u16 = 32_000;

/// More plies than any program plays: dlshogi's games, and therefore most of hcpe3, end at 513 moves.
pub const PLY_LIMIT: u32 = 2_048;

/// Checks the records of blocks at some levels.
#[derive(Clone, Copy, Debug)]
pub struct Examiner {
    /// The levels to check.
    pub levels: Levels,
    /// The backend of the kernels.
    pub backend: Backend,
}

/// The buffers that an [`Examiner`] reuses for every block; one per thread.
#[derive(Debug)]
pub struct Buffers {
    batch: Batch,
    moves: Vec<Move16>,
    /// The moves that the next position must resolve, by the index of the record in the block.
    uncertain_moves: Vec<(usize, UncertainMove)>,
}

/// The findings in a block.
#[derive(Debug, Default)]
pub struct BlockFindings {
    /// The findings by the index of the record in the block, ascending; within a record they ascend by level.
    pub findings: Vec<(usize, Finding)>,
    /// The games with a fault.
    pub games: Vec<StreamFinding>,
    /// The position of the first record, which may resolve the last move of the previous block.
    pub first: Option<Setup>,
    /// The last record's move, if it is uncertain.
    pub last: Option<UncertainMove>,
    /// The counts that are only meaningful over many records.
    pub tally: Tally,
}

/// Counts over many records.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Records whose position could not be decoded.
    pub undecoded: u64,
    /// Moves whose meaning depends on the encoding.
    pub encoding_dependent_moves: u64,
    /// The range from the smallest to the largest known ply.
    pub plies: Option<RangeInclusive<u32>>,
    /// The correlation of scores and results.
    pub convention: Convention,
}

impl Tally {
    /// Adds the counts over other records.
    pub fn merge(&mut self, other: &Tally) {
        self.undecoded += other.undecoded;
        self.encoding_dependent_moves += other.encoding_dependent_moves;
        self.convention.merge(&other.convention);
        for ply in other.plies.iter().flat_map(|plies| [*plies.start(), *plies.end()]) {
            self.add_ply(ply);
        }
    }

    fn add_ply(&mut self, ply: u32) {
        self.plies = Some(match self.plies.take() {
            Some(plies) => ply.min(*plies.start())..=ply.max(*plies.end()),
            None => ply..=ply,
        });
    }

    /// Adds a record, with its number in the file.
    fn add(&mut self, number: u64, setup: &Setup, labels: &Labels) {
        self.convention.add(number, setup, labels);
        if let Some(ply) = labels.ply {
            self.add_ply(ply);
        }
        let depends_on_encoding =
            labels.best_move.is_some_and(|best_move| Readings::depend_on_encoding(best_move.bits));
        self.encoding_dependent_moves += u64::from(depends_on_encoding);
    }
}

impl Examiner {
    /// Empty buffers.
    pub fn buffers(&self) -> Buffers {
        Buffers { batch: Batch::new(self.backend), moves: Vec::new(), uncertain_moves: Vec::new() }
    }

    /// Finds the faults of the records of a block; `found` is overwritten. A few hundred nanoseconds per record.
    pub fn examine(&self, buffers: &mut Buffers, from: FileFormat, block: &Block, found: &mut BlockFindings) {
        self.examine_rows(buffers, from, block, 0..block.len(), found);
    }

    /// Like [`Examiner::examine`], but only for the records with the indices `examined`; all games are judged. The record
    /// after that range may still resolve the last one's move.
    ///
    /// # Panics
    /// If the range is not within the block.
    pub fn examine_rows(
        &self,
        buffers: &mut Buffers,
        from: FileFormat,
        block: &Block,
        examined: Range<usize>,
        found: &mut BlockFindings,
    ) {
        let format = from.strict();
        let BlockFindings { findings, games, first, last, tally } = found;
        findings.clear();
        buffers.uncertain_moves.clear();
        *tally = Tally::default();
        for range in Batch::ranges(examined) {
            buffers.batch.decode(format, block, range);
            self.judge_decoded(buffers, format, block, findings, tally);
            for &(row, fault) in buffers.batch.faults() {
                let mut found = |finding| findings.push((row, finding));
                match explain(format, block.record(row), fault, &mut found) {
                    Some(Record { setup, labels }) => {
                        tally.add(block.first_record() + row as u64, &setup, &labels);
                        judge_labels(format, &setup, &labels, &mut found);
                        if self.levels.contains(Level::Mate) {
                            missed_mate(&setup, &labels).into_iter().for_each(&mut found);
                        }
                        let uncertain = UncertainMove::find(&setup, labels.best_move);
                        buffers.uncertain_moves.extend(uncertain.map(|uncertain| (row, uncertain)));
                        if let Err(finding) = judge_move(format, &setup, &labels) {
                            found(finding);
                        }
                    }
                    None => tally.undecoded += 1,
                }
            }
        }
        *first = None;
        *last = None;
        // This follows the batches because the next record may be in the next batch.
        if self.uses_next_position(format) {
            let setup_of = |row| read_with_any_reader(format, block, row).map(|record| record.setup);
            // The thread that examines the previous block needs it for that block's last record.
            if !block.is_empty() {
                *first = setup_of(0);
            }
            for &(row, uncertain) in &buffers.uncertain_moves {
                if row + 1 == block.len() {
                    *last = Some(uncertain);
                } else if let Some(finding) = setup_of(row + 1).and_then(|next| uncertain.resolve(&next)) {
                    findings.push((row, finding));
                }
            }
        }
        *games = if self.levels.contains(Level::Stream) { games::check(format, block) } else { Vec::new() };
        findings.retain(|(_, finding)| self.levels.contains(finding.level()));
        // The sort is stable, so that findings of a record at one level stay in the order in which they were made.
        findings.sort_by_key(|(row, finding)| (*row, finding.level()));
    }

    /// Whether the next position can resolve a move. Text has no encodings, and replayed games are consistent by
    /// construction.
    fn uses_next_position(&self, format: FileFormat) -> bool {
        self.levels.contains(Level::Move) && format.move_encoding().is_some() && !format.holds_games()
    }

    /// Judges the records that were decoded.
    fn judge_decoded(
        &self,
        buffers: &mut Buffers,
        format: FileFormat,
        block: &Block,
        findings: &mut Vec<(usize, Finding)>,
        tally: &mut Tally,
    ) {
        let Buffers { batch, moves, uncertain_moves } = buffers;
        let Records { rows, setups, labels, .. } = batch.records();
        let uses_next_position = self.uses_next_position(format);
        for (index, ((&row, setup), labels)) in rows.iter().zip(setups).zip(labels).enumerate() {
            tally.add(block.first_record() + row as u64, setup, labels);
            judge_labels(format, setup, labels, &mut |finding| findings.push((row, finding)));
            if self.levels.contains(Level::Mate) {
                findings.extend(missed_mate(setup, labels).map(|finding| (row, finding)));
            }
            if !uses_next_position {
                continue;
            }
            let Some(uncertain) = UncertainMove::find(setup, labels.best_move) else { continue };
            match rows.get(index + 1) {
                Some(&next) if next == row + 1 => {
                    findings.extend(uncertain.resolve(&setups[index + 1]).map(|finding| (row, finding)));
                }
                _ => uncertain_moves.push((row, uncertain)),
            }
        }
        // One judgement covers both levels and takes most of the time; it is skipped only if neither level is requested.
        if !self.levels.contains(Level::Rules) && !self.levels.contains(Level::Move) {
            return;
        }
        moves.clear();
        moves.extend(labels.iter().map(|labels| piece_move(labels).unwrap_or_default()));
        let mut start = 0;
        while start < rows.len() {
            // `first_illegal` always rejects an absent move. Ending the slice before it avoids judging the records after
            // it twice.
            let unmoved = moves[start..].iter().position(|&mv| mv == Move16::NONE);
            let end = unmoved.map_or(rows.len(), |unmoved| start + unmoved);
            let index = first_illegal(self.backend, &setups[start..end], &moves[start..end])
                .map_or(end, |index| start + index);
            if index < rows.len()
                && let Err(finding) = judge_move(format, &setups[index], &labels[index])
            {
                let row = rows[index];
                let is_of_encoding = matches!(finding, Finding::OtherEncoding(_));
                // A move that another encoding explains does not suggest another codec, and trying the codecs costs four
                // unpackings.
                let codec = if is_of_encoding { None } else { other_codec(format, block.record(row)) };
                findings.push((row, codec.map_or(finding, |(codec, _)| Finding::OtherCodec(codec))));
            }
            start = index + 1;
        }
    }
}

/// The move in the encoding of the rules, if it is well-formed.
fn piece_move(labels: &Labels) -> Option<Move16> {
    labels.best_move?.decode().ok()
}

/// Judges a position and its move on the slow path.
fn judge_move(format: FileFormat, setup: &Setup, labels: &Labels) -> Result<(), Finding> {
    let recorded = labels.best_move.unwrap_or(Move16::NONE.into());
    let Err(fault) = legality::check_move(setup, recorded) else { return Ok(()) };
    let is_of_move = !matches!(fault, LegalityFault::Position(_) | LegalityFault::OpponentInCheck);
    // Text has no encodings.
    let other = (is_of_move && format.move_encoding().is_some())
        .then(|| OtherEncoding::from_readings(recorded.bits, Readings::new(setup, recorded.bits)));
    Err(other.flatten().map_or(Finding::Legality(fault), Finding::OtherEncoding))
}

/// A mate in one that the recorded move, which is legal, misses.
fn missed_mate(setup: &Setup, labels: &Labels) -> Option<Finding> {
    let recorded = piece_move(labels)?;
    let position = Position::new_tsume(*setup).ok()?;
    let state = State::<()>::new(&position).ok()?;
    // Few positions have a mate in one, and finding that out is cheaper than judging the move.
    let mate = state.mate_in_one()?;
    let mates = state.gives_check(recorded) && state.is_mate_after(recorded);
    (state.is_legal(recorded) && !mates).then_some(Finding::MissedMate(mate))
}

/// Judges score, padding and ply.
#[inline]
fn judge_labels(format: FileFormat, setup: &Setup, labels: &Labels, found: &mut impl FnMut(Finding)) {
    match labels.score {
        Some(score) if Finding::is_no_score(score) => found(Finding::NoScore(score)),
        // The tools of hcpe write up to ±32767.
        Some(score) if score.unsigned_abs() > MATE && !format.holds(Field::HcpePadding) => {
            found(Finding::ScoreRange(score));
        }
        _ => {}
    }
    let padding = labels.extras.psv_padding | labels.extras.hcpe_padding;
    if padding != 0 {
        found(Finding::Padding(padding));
    }
    if let Some(ply) = labels.ply {
        let side = setup.side_to_move();
        if ply > PLY_LIMIT {
            found(Finding::PlyRange(ply));
        } else if (side == Color::Black) == ply.is_multiple_of(2) && setup.is_complete() {
            // In handicap games White moves first.
            found(Finding::PlyParity(ply, side));
        }
    }
}

//! [`Examiner`]: every question to every record of a block. One decoding by the codecs in slices and one judgement of
//! all moves in order; only what fails is looked at again, to explain it.

use alloc::vec::Vec;
use core::ops::{Range, RangeInclusive};

use komabako_board::{Color, Position, Setup};
use komabako_codec::Backend;
use komabako_rules::{Move16, State, first_illegal};

use super::explain::{explain, read_anyhow};
use super::next_position_check::UncertainMove;
use super::{Convention, Finding, Level, Levels, OtherEncoding};
use crate::Batch;
use crate::block::Block;
use crate::games::{self, StreamFinding};
use crate::legality::Readings;
use crate::legality::{self, LegalityFault};
use crate::move16::MoveField;
use crate::record::Labels;
use crate::sense::other_codec;
use crate::{Field, FileFormat, Record};

/// Where YaneuraOu's scores end: a mate in `n` plies is 32000 − n.
const MATE: u16 = 32_000;

/// More plies than any program plays: dlshogi's games, and so most of hcpe3, end at 513 moves.
pub const PLY_LIMIT: u32 = 2_048;

/// Asks the records of blocks the questions of some levels.
#[derive(Clone, Copy, Debug)]
pub struct Examiner {
    /// The levels to judge.
    pub levels: Levels,
    /// What the kernels run on.
    pub backend: Backend,
}

/// What an [`Examiner`] uses again for every block, one for each thread.
pub struct Buffers {
    batch: Batch,
    moves: Vec<Move16>,
    /// What the next position is to resolve, by the index of the record in the block.
    uncertain_moves: Vec<(usize, UncertainMove)>,
}

/// The findings in a block.
#[derive(Default)]
pub struct BlockFindings {
    /// What is wrong, by the index of the record in the block; ascending, and of a record by level.
    pub findings: Vec<(usize, Finding)>,
    /// The games that are not in order.
    pub games: Vec<StreamFinding>,
    /// The position of the first record, which may resolve the last move of the block before.
    pub first: Option<Setup>,
    /// The last record's move, if that is uncertain.
    pub last: Option<UncertainMove>,
    /// The counts that only many records together give.
    pub tally: Tally,
}

/// Counts over many records.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Records whose position is not known.
    pub undecoded: u64,
    /// Moves that mean something else in another encoding.
    pub telling_moves: u64,
    /// From the smallest to the largest known ply.
    pub plies: Option<RangeInclusive<u32>>,
    /// How scores and results go together.
    pub convention: Convention,
}

impl Tally {
    /// Adds what was counted over other records.
    pub fn merge(&mut self, other: &Tally) {
        self.undecoded += other.undecoded;
        self.telling_moves += other.telling_moves;
        self.convention.merge(&other.convention);
        for ply in other.plies.iter().flat_map(|plies| [*plies.start(), *plies.end()]) {
            self.note_ply(ply);
        }
    }

    fn note_ply(&mut self, ply: u32) {
        self.plies = Some(match self.plies.take() {
            Some(plies) => ply.min(*plies.start())..=ply.max(*plies.end()),
            None => ply..=ply,
        });
    }

    /// Takes a record into account, by its number in the file.
    fn note(&mut self, number: u64, setup: &Setup, labels: &Labels) {
        self.convention.add(number, setup, labels);
        if let Some(ply) = labels.ply {
            self.note_ply(ply);
        }
        let telling = labels.best_move.is_some_and(|best_move| Readings::depend_on_encoding(best_move.bits));
        self.telling_moves += u64::from(telling);
    }
}

impl Examiner {
    /// Empty buffers.
    pub fn buffers(&self) -> Buffers {
        Buffers { batch: Batch::new(self.backend), moves: Vec::new(), uncertain_moves: Vec::new() }
    }

    /// Finds what is wrong with the records of a block; `found` is overwritten. Some hundred nanoseconds a record.
    pub fn examine(&self, buffers: &mut Buffers, from: FileFormat, block: &Block, found: &mut BlockFindings) {
        self.examine_rows(buffers, from, block, 0..block.len(), found);
    }

    /// The same with only the records of a block that have these indices; the games are judged all. The record after them still
    /// says something of the last one's move.
    ///
    /// # Panics
    /// If the block has not as many records.
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
                        tally.note(block.first_record() + row as u64, &setup, &labels);
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
        (*first, *last) = (None, None);
        // After the batches, because the next record may be in the next batch.
        if self.asks_the_next(format) {
            let setup_of = |row| read_anyhow(format, block, row).map(|record| record.setup);
            // The thread that examines the block before needs it for that block's last record.
            *first = setup_of(0);
            for &(row, uncertain) in &buffers.uncertain_moves {
                if row + 1 == block.len() {
                    *last = Some(uncertain);
                } else if let Some(finding) = setup_of(row + 1).and_then(|next| uncertain.resolve(&next)) {
                    findings.push((row, finding));
                }
            }
        }
        *games = match self.levels.contains(Level::Stream) {
            true => games::check(format, block),
            false => Vec::new(),
        };
        findings.retain(|(_, finding)| self.levels.contains(finding.level()));
        // Stable, so that findings of a record at one level stay in the order in which they were made.
        findings.sort_by_key(|(row, finding)| (*row, finding.level()));
    }

    /// Whether the next position says something of a move. Text has no encodings, and replayed games agree with themselves.
    fn asks_the_next(&self, format: FileFormat) -> bool {
        self.levels.contains(Level::Move) && format.move_encoding().is_some() && !format.holds_games()
    }

    /// Judges the records that decoded.
    fn judge_decoded(
        &self,
        buffers: &mut Buffers,
        format: FileFormat,
        block: &Block,
        findings: &mut Vec<(usize, Finding)>,
        tally: &mut Tally,
    ) {
        let Buffers { batch, moves, uncertain_moves } = buffers;
        let (rows, setups, labels) = batch.records();
        let asks_the_next = self.asks_the_next(format);
        for (index, ((&row, setup), labels)) in rows.iter().zip(setups).zip(labels).enumerate() {
            tally.note(block.first_record() + row as u64, setup, labels);
            judge_labels(format, setup, labels, &mut |finding| findings.push((row, finding)));
            if self.levels.contains(Level::Mate) {
                findings.extend(missed_mate(setup, labels).map(|finding| (row, finding)));
            }
            if !asks_the_next {
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
        // One judgement answers both levels, and takes most of the time: it is skipped only if neither is asked.
        if !self.levels.contains(Level::Rules) && !self.levels.contains(Level::Move) {
            return;
        }
        moves.clear();
        moves.extend(labels.iter().map(|labels| piece_move(labels).unwrap_or_default()));
        let mut start = 0;
        while start < rows.len() {
            // A position without a move is judged alone, and spares the others a second look.
            let unmoved = moves[start..].iter().position(|&mv| mv == Move16::NONE);
            let end = unmoved.map_or(rows.len(), |unmoved| start + unmoved);
            let index = first_illegal(self.backend, &setups[start..end], &moves[start..end])
                .map_or(end, |index| start + index);
            if index < rows.len()
                && let Err(finding) = judge_move(format, &setups[index], &labels[index])
            {
                let row = rows[index];
                let is_of_encoding = matches!(finding, Finding::OtherEncoding(_));
                // A move that another encoding explains is no sign of another codec, and the attempt costs four
                // unpackings.
                let codec = if is_of_encoding { None } else { other_codec(format, block.record(row)) };
                findings.push((row, codec.map_or(finding, |(codec, _)| Finding::OtherCodec(codec))));
            }
            start = index + 1;
        }
    }
}

/// The move as the rules have it, if it is well-formed.
fn piece_move(labels: &Labels) -> Option<Move16> {
    labels.best_move?.decode().ok().map(MoveField::to_move16)
}

/// Judges a position and its move, slowly.
fn judge_move(format: FileFormat, setup: &Setup, labels: &Labels) -> Result<(), Finding> {
    let recorded = labels.best_move.unwrap_or(MoveField::NONE.into());
    let Err(fault) = legality::check_move(setup, recorded) else { return Ok(()) };
    let is_of_move = !matches!(fault, LegalityFault::Position(_) | LegalityFault::OpponentInCheck);
    // Text has no encodings.
    let other = (is_of_move && format.move_encoding().is_some())
        .then(|| OtherEncoding::from_readings(recorded.bits, Readings::of(setup, recorded.bits)));
    Err(other.flatten().map_or(Finding::Legality(fault), Finding::OtherEncoding))
}

/// A mate in one where the recorded move is legal but no mate.
fn missed_mate(setup: &Setup, labels: &Labels) -> Option<Finding> {
    let recorded = piece_move(labels)?;
    let position = Position::new_tsume(*setup).ok()?;
    let state = State::<()>::new(&position).ok()?;
    // Few positions have a mate in one, and to find that out takes less than to judge the move.
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
            // In handicap games it is White who begins.
            found(Finding::PlyParity(ply, side));
        }
    }
}

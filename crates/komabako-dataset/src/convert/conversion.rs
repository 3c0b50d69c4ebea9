//! [`Conversion`]: converts blocks of records in one format to bytes in another.

use std::io;
use std::ops::Range;

use komabako_codec::Backend;

use super::by_position::CANONICAL;
use super::{Rescaled, ScoreChange};
use crate::Batch;
use crate::FileFormat;
use crate::block::{Block, BlockGame};
use crate::engine::pipeline::{ProcessedBlock, Work};
use crate::games::{GameFragments, Kept, excerpt};
use crate::io::error::RecordFault;
use crate::io::score_column::{ColumnScore, Scores};
use crate::job::LossCounts;
use crate::record::Labels;
use crate::rescore::Answer;
use crate::select::Selection;
use crate::select::expression::Facts;
use crate::select::games::{GameFields, LeftOut, LeftOutCounts, stored_hash};

/// Writes the records of blocks in a format.
pub(crate) struct Conversion<'a> {
    pub to: FileFormat,
    pub backend: Backend,
    pub copies: Copies,
    pub checks_moves: bool,
    pub scores: ScoreChange<Scores<'a>>,
    pub select: Selection,
    /// The numbers of the records to read.
    pub range: Range<u64>,
}

/// Whether records that stay in their format are copied byte for byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Copies {
    /// None.
    No,
    /// Those that can be decoded.
    Good,
    /// All, without decoding them.
    All,
}

/// A block in the target format.
#[derive(Default)]
pub(crate) struct Converted {
    /// The format of the block.
    pub from: Option<FileFormat>,
    /// The scores of a column for its records.
    scores: Vec<Option<ColumnScore>>,
    /// The good records that were selected, if the format is written record by record, or if it holds games and is the format
    /// of the block.
    pub bytes: Vec<u8>,
    /// The number of games in `bytes`.
    pub games: u64,
    /// Otherwise the records that are still to be joined to games.
    pub fragments: GameFragments,
    pub read: usize,
    pub written: usize,
    pub lost: LossCounts,
    /// The number of records whose position had a score.
    pub matched: u64,
    pub rescaled: Rescaled,
    /// The numbers of games to leave out because an earlier one has their moves.
    duplicates: Vec<u64>,
    /// The games that were left out.
    pub left_out: LeftOutCounts,
    /// The other games and the hashes of their moves, if duplicates are to be left out.
    pub hashes: Vec<(u64, u128)>,
    /// The bad records, ascending by index in the block.
    pub faults: Vec<(usize, RecordFault)>,
    /// The error of reading the scores.
    pub failure: Option<io::Error>,
}

/// The buffers that a thread reuses for each block.
pub(crate) struct Scratch {
    pub batch: Batch,
    found: Vec<Option<i16>>,
    answers: Vec<Answer>,
    kept: Vec<Kept>,
    /// The numbers of the games of a block that are left out, ascending.
    left_out: Vec<u64>,
}

impl Work for Conversion<'_> {
    type Scratch = Scratch;
    type Product = Converted;

    fn scratch(&self) -> Scratch {
        let batch = Batch::new(self.backend);
        let left_out = Vec::new();
        Scratch { batch, found: Vec::new(), answers: Vec::new(), kept: Vec::new(), left_out }
    }

    fn work(&self, scratch: &mut Scratch, from: FileFormat, block: &Block, converted: &mut Converted) {
        // The last records are known, and converted, only at the end of the inputs.
        if !matches!(self.select, Selection::Last(_)) {
            self.fetch_and_convert(scratch, from, block, &self.range, converted);
        }
    }
}

impl Conversion<'_> {
    /// Converts the records of a block that have these numbers, after fetching their scores.
    fn fetch_and_convert(
        &self,
        scratch: &mut Scratch,
        from: FileFormat,
        block: &Block,
        range: &Range<u64>,
        converted: &mut Converted,
    ) {
        converted.from = Some(from);
        converted.duplicates.clear();
        converted.failure = match &self.scores {
            ScoreChange::Column(column) => {
                column.fetch(block.ordinal(), block.len(), &mut converted.scores).err()
            }
            _ => None,
        };
        self.convert(scratch, from, block, range, converted);
    }

    /// The product of the records of a block that have these numbers.
    pub fn product(&self, held: &ProcessedBlock<()>, range: &Range<u64>) -> Converted {
        let mut converted = Converted::default();
        if let Some(from) = held.format {
            self.fetch_and_convert(&mut self.scratch(), from, &held.block, range, &mut converted);
        }
        converted
    }

    /// Converts the records of a block that have these numbers.
    pub fn convert(
        &self,
        scratch: &mut Scratch,
        from: FileFormat,
        block: &Block,
        range: &Range<u64>,
        converted: &mut Converted,
    ) {
        let Scratch { batch, found, answers, kept, left_out } = scratch;
        self.judge_games(from, block, range, left_out, converted);
        let Converted { bytes, games, fragments, read, written, lost, matched, rescaled, faults, .. } =
            converted;
        let scores = &converted.scores;
        bytes.clear();
        *games = 0;
        kept.clear();
        fragments.clear();
        faults.clear();
        *written = 0;
        lost.clear();
        *matched = 0;
        *rescaled = Rescaled::default();
        // A block may straddle the ends of the range.
        let rows = block.indices(range);
        *read = rows.len();
        let are_kept_games = from == self.to && from.holds_games();
        // Games are excerpted, not copied; and bytes change if moves are read in another encoding.
        let stays = from == self.to && !are_kept_games && block.moves().is_none();
        let copies = if stays { self.copies } else { Copies::No };
        if copies == Copies::All {
            for index in rows.filter(|&index| self.selects(block, index)) {
                copy(from, block, index, bytes);
                *written += 1;
            }
            return;
        }
        if let ScoreChange::Answers(file) = &self.scores {
            converted.failure = file.fetch(block.ordinal(), block.len(), answers).err();
        }
        // Without scores nothing is written: the consumer stops the job at this block, in the order of the inputs.
        if converted.failure.is_some() {
            return;
        }
        let asks_for_positions = self.checks_moves
            || matches!(self.scores, ScoreChange::ByPosition(_))
            || matches!(self.select, Selection::Filter(_));
        for rows in Batch::ranges(rows) {
            // If nothing needs positions, words of PSV and HCP are recoded, or checked, without unpacking them.
            if asks_for_positions {
                batch.decode(from, block, rows);
            } else {
                batch.decode_for(self.to, from, block, rows);
            }
            if self.checks_moves {
                batch.retain(|index, _, labels| match labels.best_move.map(|best_move| best_move.decode()) {
                    Some(Err(fault)) => {
                        faults.push((index, RecordFault::Move(fault)));
                        false
                    }
                    _ => true,
                });
            }
            match &self.scores {
                ScoreChange::Keep => {}
                // A column that ends early is reported at the end of the job, when both lengths are known.
                ScoreChange::Column(_) => batch.relabel(|index, labels| {
                    if let Some(&Some(ColumnScore { score, is_clamped })) = scores.get(index) {
                        labels.score = Some(score);
                        rescaled.clamped += u64::from(is_clamped);
                    }
                }),
                ScoreChange::ByPosition(known) => {
                    batch.pack(CANONICAL);
                    found.clear();
                    found.extend(batch.words().iter().map(|word| known.find(word)));
                    *matched += found.iter().flatten().count() as u64;
                    let mut found = found.iter();
                    batch
                        .relabel(|_, labels| labels.score = found.next().copied().flatten().or(labels.score));
                }
                ScoreChange::Answers(file) => {
                    batch.retain_rows(|index| {
                        let is_answered = answers[index] != Answer::Failed;
                        if !is_answered {
                            faults.push((index, RecordFault::Unanswered));
                        }
                        is_answered
                    });
                    batch.relabel(|index, labels| answers[index].apply(file.replace(), labels));
                }
                ScoreChange::Rescale(rescale) => batch.relabel(|_, labels| {
                    if let Some(score) = &mut labels.score {
                        let (new, counts) = rescale.apply(*score);
                        *score = new;
                        *rescaled += counts;
                    }
                }),
            }
            match &self.select {
                Selection::Filter(filter) => {
                    batch.retain(|index, setup, labels| {
                        filter.keeps(&Facts { setup, labels, place: Some((block, index)) })
                    });
                }
                Selection::Ratio(_) | Selection::Mask(_) => {
                    batch.retain_rows(|index| self.selects(block, index));
                }
                Selection::Games(_) => batch.retain_rows(|index| {
                    let game = block.place(index).map(|place| place.game);
                    game.is_none_or(|game| left_out.binary_search(&game).is_err())
                }),
                _ => {}
            }
            if copies == Copies::Good {
                let (rows, _) = batch.labels();
                rows.iter().for_each(|&index| copy(from, block, index, bytes));
                *written += rows.len();
            } else if are_kept_games {
                let (rows, labels) = batch.labels();
                let score = |labels: &Labels| if self.scores.keeps() { None } else { labels.score };
                kept.extend(rows.iter().zip(labels).map(|(&row, labels)| Kept { row, score: score(labels) }));
                *written += rows.len();
            } else if self.to.holds_games() {
                *written += batch.join(self.to, fragments);
            } else {
                *written += batch.encode(self.to, bytes);
            }
            faults.extend_from_slice(batch.faults());
            // Copied records lose nothing; text that is written anew may, even in its own format.
            if copies == Copies::No {
                lost.add_batch(from, self.to, batch);
            }
        }
        lost.add_games(from, self.to, block);
        if are_kept_games {
            let keeps_empty = |game: &BlockGame| {
                let is_taken = match self.select {
                    Selection::All | Selection::Last(_) => true,
                    Selection::Games(_) => left_out.binary_search(&game.number).is_err(),
                    _ => false,
                };
                is_taken && range.contains(&(block.ordinal() + game.first as u64))
            };
            *games = excerpt(from, block, kept, keeps_empty, bytes);
        }
        // A batch checks the labels of all its records before it unpacks their words, so faults come out of order.
        faults.sort_unstable_by_key(|&(index, _)| index);
    }

    /// Finds the games of a block that are left out.
    fn judge_games(
        &self,
        from: FileFormat,
        block: &Block,
        range: &Range<u64>,
        left_out: &mut Vec<u64>,
        converted: &mut Converted,
    ) {
        left_out.clear();
        converted.left_out = LeftOutCounts::default();
        converted.hashes.clear();
        let Selection::Games(choice) = &self.select else { return };
        for game in block.games() {
            if !range.contains(&(block.ordinal() + game.first as u64)) {
                continue;
            }
            let is_duplicate = converted.duplicates.binary_search(&game.number).is_ok();
            let why = if is_duplicate {
                Some(LeftOut::Duplicate)
            } else {
                choice.judge(&GameFields::from_stored(from, &game))
            };
            if let Some(why) = why {
                converted.left_out.add(why);
                left_out.push(game.number);
            } else if choice.unique {
                converted.hashes.push((game.number, stored_hash(from, &game)));
            }
        }
    }

    /// The product of a block again, without some of its games.
    pub fn without(&self, duplicates: Vec<u64>, block: &Block, product: &Converted) -> Converted {
        let scores = product.scores.clone();
        let mut fewer = Converted { scores, duplicates, from: product.from, ..Converted::default() };
        if let Some(from) = product.from {
            self.convert(&mut self.scratch(), from, block, &self.range, &mut fewer);
        }
        fewer
    }

    /// The product of a block again, only up to the record that is written as number `count`, from 1. The block has so many.
    pub fn up_to(&self, count: usize, block: &Block, product: &Converted) -> Converted {
        let mut scratch = self.scratch();
        let scores = product.scores.clone();
        let duplicates = product.duplicates.clone();
        let mut shorter = Converted { scores, duplicates, ..Converted::default() };
        let start = block.ordinal().max(self.range.start);
        let mut convert = |records: u64| {
            if let Some(from) = product.from {
                self.convert(&mut scratch, from, block, &(start..start + records), &mut shorter);
            }
            shorter.written
        };
        // The fewest records that are enough, by bisection.
        let mut few = 0;
        let mut enough = product.read as u64;
        while few < enough {
            let middle = few.midpoint(enough);
            if convert(middle) < count { few = middle + 1 } else { enough = middle }
        }
        convert(enough);
        shorter
    }

    /// Whether a record is selected by its number.
    fn selects(&self, block: &Block, index: usize) -> bool {
        match &self.select {
            Selection::Ratio(ratio) => ratio.selects(block.ordinal() + index as u64),
            Selection::Mask(mask) => mask.selects(block.ordinal() + index as u64),
            _ => true,
        }
    }
}

/// Appends a record unchanged.
fn copy(format: FileFormat, block: &Block, index: usize, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(block.record(index));
    bytes.extend_from_slice(format.record_end());
}

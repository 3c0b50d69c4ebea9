//! [`Lost`]: the data that a job did not carry over, counted.

use crate::batch::Batch;
use crate::block::Block;
use crate::{FileFormat, Inputs, Loss, LossKind, losses};

/// Data that was not carried over from the inputs to the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lost {
    /// The kind of data.
    pub loss: Loss,
    /// The number of written records affected; for [`Field::Games`](crate::Field::Games), of games. `None` if the job does not
    /// count them.
    pub count: Option<u64>,
}

impl Lost {
    /// The losses that are possible for these inputs, for a job that does not count them; `copies` if records that stay in
    /// their format keep their bytes.
    pub(crate) fn uncounted(inputs: &Inputs, to: FileFormat, copies: bool) -> Vec<Lost> {
        if copies && inputs.formats().all(|from| from == to) {
            return Vec::new();
        }
        let is_lost =
            |loss: &Loss| matches!(loss.kind, LossKind::Dropped | LossKind::MadeUp | LossKind::Missing);
        inputs.losses(to).into_iter().filter(is_lost).map(|loss| Lost { loss, count: None }).collect()
    }
}

/// Counts losses, record by record.
#[derive(Default)]
pub(crate) struct LossCounts(Vec<(Loss, u64)>);

impl LossCounts {
    /// Resets all counts.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds the records of a batch that have just been written.
    pub fn add_batch(&mut self, from: FileFormat, to: FileFormat, batch: &Batch) {
        let (rows, labels) = batch.labels();
        for loss in losses(from, to) {
            // One loss at a time rather than one record at a time: each inner loop then examines one field.
            let mut count = labels.iter().filter(|labels| loss.affects(labels)).count();
            // Records that the format refused are not written.
            for (row, _) in batch.faults() {
                count -= rows.binary_search(row).map_or(0, |at| usize::from(loss.affects(&labels[at])));
            }
            self.add(loss, count as u64);
        }
    }

    /// Subtracts the records of a batch except the first `written` that its output holds. Returns the
    /// index in the block of the first one subtracted.
    pub fn subtract_unwritten(
        &mut self,
        from: FileFormat,
        to: FileFormat,
        batch: &Batch,
        written: usize,
    ) -> Option<usize> {
        let (rows, labels) = batch.labels();
        // Refused records were not counted.
        let is_good = |row: usize| batch.faults().iter().all(|&(bad, _)| bad != row);
        let unwritten = rows.iter().zip(labels).filter(|(row, _)| is_good(**row)).skip(written);
        for loss in losses(from, to) {
            let count = unwritten.clone().filter(|(_, labels)| loss.affects(labels)).count();
            self.subtract(loss, count as u64);
        }
        unwritten.clone().next().map(|(&row, _)| row)
    }

    /// Adds the games of a block whose ends are lost.
    pub fn add_games(&mut self, from: FileFormat, to: FileFormat, block: &Block) {
        if let Some(loss) = loss_of_games(from, to) {
            self.add(loss, block.game_count() as u64);
        }
    }

    /// Subtracts the games of a block that begin at `first` or later.
    pub fn subtract_games(&mut self, from: FileFormat, to: FileFormat, block: &Block, first: usize) {
        if let Some(loss) = loss_of_games(from, to) {
            self.subtract(loss, block.games().filter(|game| game.first >= first).count() as u64);
        }
    }

    /// Adds the counts of `other`.
    pub fn add_all(&mut self, other: &LossCounts) {
        other.0.iter().for_each(|&(loss, count)| self.add(loss, count));
    }

    /// Sets the number of games that were made of records.
    pub fn set_games(&mut self, games: u64) {
        let is_of_games = |loss: &Loss| loss.field == crate::Field::Games && loss.kind == LossKind::MadeUp;
        self.0.iter_mut().filter(|(loss, _)| is_of_games(loss)).for_each(|(_, count)| *count = games);
    }

    /// The losses that occurred.
    pub fn into_lost(self) -> Vec<Lost> {
        let lost = self.0.into_iter().filter(|&(_, count)| count > 0);
        lost.map(|(loss, count)| Lost { loss, count: Some(count) }).collect()
    }

    fn subtract(&mut self, loss: Loss, count: u64) {
        if let Some((_, total)) = self.0.iter_mut().find(|(known, _)| *known == loss) {
            *total -= count;
        }
    }

    fn add(&mut self, loss: Loss, count: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == loss) {
            _ if count == 0 => {}
            Some((_, total)) => *total += count,
            None => self.0.push((loss, count)),
        }
    }
}

/// The loss of the games themselves, if any.
fn loss_of_games(from: FileFormat, to: FileFormat) -> Option<Loss> {
    let is_of_games = |loss: &Loss| loss.field == crate::Field::Games && loss.kind == LossKind::Dropped;
    losses(from, to).into_iter().find(is_of_games)
}

//! The passes of a comparison: [`Gathering`] reads records, [`Comparing`] compares those of B with a table of A.

use komabako_codec::{Backend, Word};

use super::table::{Digest, Entry, Fields, Table, Verdict};
use super::tally::Tally;
use crate::Batch;
use crate::block::Block;
use crate::engine::pipeline::{ProcessedBlock, Sink, Work};
use crate::io::error::{RecordFault, Tail};
use crate::{DatasetError, FileFormat};
use komabako_variants::WordFormat;

/// Visits the good records of a block as index, word and digest; returns the first bad one.
fn visit(
    batch: &mut Batch,
    from: FileFormat,
    block: &Block,
    fields: &Fields,
    mut visitor: impl FnMut(usize, &Word, Digest),
) -> Option<(usize, RecordFault)> {
    let mut fault = None;
    for range in Batch::ranges(0..block.len()) {
        batch.decode(from, block, range);
        // Every format's positions become words of one codec, so that equal positions are equal words.
        batch.pack(WordFormat::SspfExt);
        let (rows, labels) = batch.labels();
        for ((&row, word), labels) in rows.iter().zip(batch.words()).zip(labels) {
            visitor(row, word, fields.digest(labels));
        }
        fault = fault.or(batch.faults().iter().min_by_key(|&&(index, _)| index).copied());
    }
    fault
}

/// The result for a block: an item for every good record, and the first bad record.
pub(super) struct Found<T> {
    all: Vec<T>,
    fault: Option<(usize, RecordFault)>,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Found { all: Vec::new(), fault: None }
    }
}

/// Fails at a bad record, which cannot be compared.
fn refuse_bad<T>(processed: &ProcessedBlock<Found<T>>) -> Result<(), DatasetError> {
    match processed.product.fault {
        Some((index, fault)) => Err(DatasetError::Record(Box::new(processed.error(index, fault)))),
        None => Ok(()),
    }
}

/// Reads records.
pub(super) struct Gathering {
    pub backend: Backend,
    pub fields: Fields,
}

impl Work for Gathering {
    type Scratch = Batch;
    type Product = Found<Entry>;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, found: &mut Found<Entry>) {
        found.all.clear();
        found.fault = visit(batch, from, block, &self.fields, |row, word, digest| {
            found.all.push(Entry { word: *word, ordinal: block.ordinal() + row as u64, digest });
        });
    }
}

/// Passes the entries to a function.
pub(super) struct Gatherer<'a> {
    pub each: &'a mut dyn FnMut(&Entry) -> Result<(), DatasetError>,
    pub tails: &'a mut Vec<Tail>,
}

impl Sink<Found<Entry>> for Gatherer<'_> {
    fn receive(&mut self, processed: &ProcessedBlock<Found<Entry>>) -> Result<(), DatasetError> {
        refuse_bad(processed)?;
        processed.product.all.iter().try_for_each(&mut self.each)
    }

    fn truncated(&mut self, tail: Tail) {
        self.tails.push(tail);
    }
}

/// Compares B with A.
pub(super) struct Comparing<'a> {
    pub backend: Backend,
    pub fields: Fields,
    pub table: &'a Table,
}

/// A record of B, its index in the block, and the verdict on it.
type Judged = (usize, Word, Digest, Verdict);

impl Work for Comparing<'_> {
    type Scratch = Batch;
    type Product = Found<Judged>;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, found: &mut Found<Judged>) {
        found.all.clear();
        found.fault = visit(batch, from, block, &self.fields, |index, word, digest| {
            found.all.push((index, *word, digest, self.table.judge(word, digest)));
        });
    }
}

/// Receives the verdicts.
pub(super) struct Judge<'a> {
    pub table: &'a Table,
    /// For the first entry of each position of the table, whether B has the position.
    pub seen: Vec<bool>,
    pub tally: &'a mut Tally,
    pub tails: &'a mut Vec<Tail>,
}

impl Judge<'_> {
    /// Counts the records that B lacks, at its end.
    pub fn finish(self) {
        self.tally.add_unseen(self.table, &self.seen);
    }
}

impl Sink<Found<Judged>> for Judge<'_> {
    fn receive(&mut self, processed: &ProcessedBlock<Found<Judged>>) -> Result<(), DatasetError> {
        refuse_bad(processed)?;
        for &(index, word, digest, verdict) in &processed.product.all {
            let ordinal = processed.block.ordinal() + index as u64;
            self.tally.add(self.table, &mut self.seen, &Entry { word, ordinal, digest }, verdict);
        }
        Ok(())
    }

    fn truncated(&mut self, tail: Tail) {
        self.tails.push(tail);
    }
}

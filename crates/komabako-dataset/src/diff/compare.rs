//! The two passes of a comparison: [`Gathering`] reads A, [`Comparing`] holds B against it.

use komabako_board::Setup;
use komabako_codec::{Backend, Word};

use super::table::{Digest, Entries, Entry, Fields, Table};
use super::{Difference, DifferenceKind, Summary};
use crate::batch::{BATCH, Batch};
use crate::block::Block;
use crate::codec::Codec;
use crate::error::{RecordFault, Tail};
use crate::pipeline::{Parcel, Sink, Work};
use crate::select::Mask;
use crate::{DatasetError, FileFormat};

/// Visits the good records of a block as index, word and digest; returns the first bad one.
fn visit(
    batch: &mut Batch,
    from: FileFormat,
    block: &Block,
    fields: &Fields,
    mut visitor: impl FnMut(usize, &Word, Digest),
) -> Option<(usize, RecordFault)> {
    let mut fault = None;
    for start in (0..block.len()).step_by(BATCH) {
        batch.decode(from, block, start..block.len().min(start + BATCH));
        // Every format's positions become words of one, so that equal positions are equal words.
        batch.pack(Codec::SspfExt);
        let (rows, _, labels) = batch.records();
        for ((&row, word), labels) in rows.iter().zip(batch.words()).zip(labels) {
            visitor(row, word, fields.digest(labels));
        }
        fault = fault.or(batch.faults().iter().min_by_key(|&&(index, _)| index).copied());
    }
    fault
}

/// What is found in a block: entries or verdicts, and the first bad record.
pub(super) struct Found<T> {
    all: Vec<T>,
    fault: Option<(usize, RecordFault)>,
}

impl<T> Default for Found<T> {
    fn default() -> Self {
        Found { all: Vec::new(), fault: None }
    }
}

/// A bad record cannot be compared.
fn refuse_bad<T>(parcel: &Parcel<Found<T>>) -> Result<(), DatasetError> {
    match parcel.product.fault {
        Some((index, fault)) => Err(DatasetError::Record(Box::new(parcel.error(index, fault)))),
        None => Ok(()),
    }
}

/// Reads A.
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

/// Takes the records of A.
pub(super) struct Gatherer {
    pub entries: Entries,
    pub tails: Vec<Tail>,
}

impl Sink<Found<Entry>> for Gatherer {
    fn take(&mut self, parcel: &Parcel<Found<Entry>>) -> Result<(), DatasetError> {
        refuse_bad(parcel)?;
        self.entries.add(&parcel.product.all)
    }

    fn tail(&mut self, tail: Tail) {
        self.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        0
    }
}

/// Holds B against A.
pub(super) struct Comparing<'a> {
    pub backend: Backend,
    pub fields: Fields,
    pub table: &'a Table,
}

/// What is known of a record of B.
pub(super) struct Verdict {
    index: usize,
    /// The first of the entries of its position, if there is any.
    entry: Option<usize>,
    /// What differs, if no entry is the same.
    difference: Option<(Word, Digest)>,
}

impl Work for Comparing<'_> {
    type Scratch = Batch;
    type Product = Found<Verdict>;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, found: &mut Found<Verdict>) {
        found.all.clear();
        found.fault = visit(batch, from, block, &self.fields, |index, word, digest| {
            let entries = self.table.find(word);
            let is_same = self.table.entries()[entries.clone()].iter().any(|entry| entry.digest == digest);
            found.all.push(Verdict {
                index,
                entry: entries.clone().next(),
                difference: (!is_same).then_some((*word, digest)),
            });
        });
    }
}

/// Takes the verdicts.
pub(super) struct Judge<'a> {
    pub fields: Fields,
    pub table: &'a Table,
    /// Of each position of A, by its first entry, whether B has it.
    pub seen: Vec<bool>,
    pub only_b: Mask,
    pub changed: Mask,
    pub summary: Summary,
}

impl Judge<'_> {
    /// Keeps a difference as a sample if there are not enough of its kind.
    pub fn sample(&mut self, difference: impl FnOnce() -> Difference, kind: DifferenceKind) {
        let of_kind = self.summary.samples.iter().filter(|sample| sample.kind == kind).count();
        if of_kind < Summary::SAMPLES {
            self.summary.samples.push(difference());
        }
    }

    fn differs(&mut self, ordinal: u64, entry: Option<usize>, word: &Word, digest: Digest) {
        let Some(entry) = entry else {
            self.summary.only_b += 1;
            self.only_b.set(ordinal);
            let kind = DifferenceKind::OnlyB;
            let difference =
                || Difference { kind, a: None, b: Some(ordinal), setup: setup_of(word), fields: Vec::new() };
            return self.sample(difference, kind);
        };
        self.summary.changed += 1;
        self.changed.set(ordinal);
        let Entry { ordinal: a, digest: before, .. } = self.table.entries()[entry];
        let differing = |field: &crate::Field| !before.agrees(digest, *field);
        for (field, count) in &mut self.summary.changed_fields {
            *count += u64::from(differing(field));
        }
        let kind = DifferenceKind::Changed;
        let texts = |field| (field, [before.text(field), digest.text(field)]);
        let fields = self.fields.iter().filter(differing).map(texts).collect();
        self.sample(
            || Difference { kind, a: Some(a), b: Some(ordinal), setup: setup_of(word), fields },
            kind,
        );
    }
}

impl Sink<Found<Verdict>> for Judge<'_> {
    fn take(&mut self, parcel: &Parcel<Found<Verdict>>) -> Result<(), DatasetError> {
        refuse_bad(parcel)?;
        for Verdict { index, entry, difference } in &parcel.product.all {
            if let Some(entry) = entry {
                self.seen[*entry] = true;
            }
            match difference {
                None => self.summary.same += 1,
                Some((word, digest)) => {
                    self.differs(parcel.block.ordinal() + *index as u64, *entry, word, *digest);
                }
            }
        }
        self.summary.records_b += parcel.product.all.len() as u64;
        Ok(())
    }

    fn tail(&mut self, tail: Tail) {
        self.summary.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        0
    }
}

/// The position of a word of the table.
pub(super) fn setup_of(word: &Word) -> Setup {
    let mut setup = [Setup::EMPTY];
    Codec::SspfExt.unpack_slice(Backend::detect(), &[*word], &mut setup).expect("the codec packed it");
    setup[0]
}

//! [`Tally`]: the results so far.

use komabako_board::Setup;
use komabako_codec::{Backend, Word};

use super::table::{Entry, Fields, Table, Verdict};
use super::{Difference, DifferenceKind, Summary};
use crate::select::Mask;
use komabako_variants::WordFormat;

/// The results so far. They do not depend on the order in which records are added.
pub(super) struct Tally {
    fields: Fields,
    /// The records that are only in A, only in B, and changed, if they are to be written.
    pub masks: [Option<Mask>; 3],
    /// The counts, and the samples, which are those with the lowest numbers.
    pub summary: Summary,
}

impl Tally {
    /// An empty tally. `wanted`: which of the three kinds are to be written.
    pub fn new(fields: Fields, wanted: [bool; 3]) -> Tally {
        let changed_fields = fields.iter().map(|field| (field, 0)).collect();
        let masks = wanted.map(|wanted| wanted.then(Mask::default));
        Tally { fields, masks, summary: Summary { changed_fields, ..Summary::default() } }
    }

    /// Adds a record of B. `seen`: for the first entry of each position of the table, whether B has the position.
    pub fn add(&mut self, table: &Table, seen: &mut [bool], entry: &Entry, verdict: Verdict) {
        self.summary.records_b += 1;
        if let Verdict::Same(first) | Verdict::Changed(first) = verdict {
            seen[first] = true;
        }
        match verdict {
            Verdict::Same(_) => self.summary.same += 1,
            Verdict::New => {
                self.summary.only_b += 1;
                self.add_difference(DifferenceKind::OnlyB, entry, |_| (None, Vec::new()));
            }
            Verdict::Changed(first) => {
                let before = table.entries()[first];
                self.summary.changed += 1;
                for (field, count) in &mut self.summary.changed_fields {
                    *count += u64::from(!before.digest.agrees(entry.digest, *field));
                }
                self.add_difference(DifferenceKind::Changed, entry, |fields| {
                    let differing = fields.iter().filter(|&field| !before.digest.agrees(entry.digest, field));
                    let texts = |field| (field, [before.digest.text(field), entry.digest.text(field)]);
                    (Some(before.ordinal), differing.map(texts).collect())
                });
            }
        }
    }

    /// Adds the records of a table whose positions B lacks: those whose first entry was not seen.
    pub fn add_unseen(&mut self, table: &Table, seen: &[bool]) {
        self.summary.records_a += table.entries().len() as u64;
        let mut start = 0;
        for position in table.entries().chunk_by(|a, b| a.word == b.word) {
            let is_seen = seen[start];
            start += position.len();
            if !is_seen {
                self.summary.only_a += position.len() as u64;
                for entry in position {
                    self.add_difference(DifferenceKind::OnlyA, entry, |_| (None, Vec::new()));
                }
            }
        }
    }

    /// Marks a record that differs, and keeps it as a sample if it is among the first of its kind. `more`: returns the record
    /// of A and the fields that differ.
    fn add_difference(
        &mut self,
        kind: DifferenceKind,
        entry: &Entry,
        more: impl FnOnce(&Fields) -> (Option<u64>, Vec<(crate::Field, [String; 2])>),
    ) {
        if let Some(mask) = &mut self.masks[kind as usize] {
            mask.set(entry.ordinal);
        }
        let samples = &mut self.summary.samples;
        // Parts are compared in any order, so that a record with a lower number may replace a sample.
        let start = samples.partition_point(|sample| sample.kind < kind);
        let of_kind = samples[start..].iter().take_while(|sample| sample.kind == kind).count();
        let number = |sample: &Difference| if kind == DifferenceKind::OnlyA { sample.a } else { sample.b };
        let lower = |sample: &&Difference| number(sample) < Some(entry.ordinal);
        let place = samples[start..][..of_kind].iter().take_while(lower).count();
        if place == Summary::SAMPLES {
            return;
        }
        let (other, fields) = more(&self.fields);
        let (a, b) = match kind {
            DifferenceKind::OnlyA => (Some(entry.ordinal), None),
            DifferenceKind::OnlyB | DifferenceKind::Changed => (other, Some(entry.ordinal)),
        };
        samples.insert(start + place, Difference { kind, a, b, setup: setup_of(&entry.word), fields });
        if of_kind == Summary::SAMPLES {
            samples.remove(start + of_kind);
        }
    }
}

/// The position of a word of the table.
fn setup_of(word: &Word) -> Setup {
    let mut setup = [Setup::EMPTY];
    // Tables have words instead of setups: only the few samples are decoded again.
    WordFormat::SspfExt.unpack_slice(Backend::detect(), &[*word], &mut setup).expect("the codec packed it");
    setup[0]
}

//! Shuffles the records that are not left out: in memory, through files, or in rounds.

use std::fs;
use std::ops::Range;

use super::manifest::{Checkpoint, Written};
use super::mark::NUMBER_BYTES;
use super::order::{self, Buckets};
use super::run::{End, Stages};
use super::writer::Writer;
use crate::engine::temporary::{PartitionWriter, Shape, TempFile};
use crate::{DatasetError, Phase, Progress, Step};

/// How many records are written between two reports of progress.
const REPORT_EVERY: u64 = 1 << 16;

impl Stages {
    /// Shuffles in memory or, part by part, through files.
    pub(super) fn shuffle(
        &mut self,
        seed: u64,
        writer: &mut Writer,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let shape = Shape::of(self.to);
        let parts = self.layout.cut.order;
        if parts == 1 {
            let mut buckets = Buckets::new(seed);
            let mut entries = Vec::with_capacity(self.demand.order.with(order::BUCKET_BYTES) as usize);
            self.pass(Phase::Deal, 0, progress, &mut |record: &[u8]| {
                order::put(buckets.draw(), shape, record, &mut entries);
                Ok(())
            })?;
            return self.write_part(seed, &entries, writer, progress);
        }
        if self.journal.manifest.dealt.is_none() {
            self.deal(seed, progress)?;
        }
        let dealt: Vec<TempFile> = self.journal.manifest.dealt.clone().unwrap_or_default();
        let done = self.journal.manifest.written.as_ref().map_or(0, |written| written.parts);
        self.remove_dealt(0..done);
        for start in (done..parts).step_by(self.layout.output_group()) {
            let group = start..parts.min(start + self.layout.output_group());
            for number in group.clone() {
                let entries = dealt[number].load(&self.journal.store.file("order", number))?;
                self.write_part(seed, &entries, writer, progress)?;
            }
            if let Some(part) = writer.settle()? {
                let written = Written { parts: group.end, records: writer.records, part };
                self.journal.manifest.written = Some(written);
                self.journal.save(&self.log.bad)?;
                self.remove_dealt(group);
            }
        }
        Ok(())
    }

    /// Removes the files of parts that are in the output.
    fn remove_dealt(&self, parts: Range<usize>) {
        for part in parts {
            // A run that was killed may have removed it.
            let _ = fs::remove_file(self.journal.store.file("order", part));
        }
    }

    /// Deals the records out to the files of the parts.
    fn deal(&mut self, seed: u64, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let parts = self.layout.cut.order;
        let buffer = self.layout.room.buffer(parts);
        self.journal.store.make()?;
        self.journal.save(&self.log.bad)?;
        let done = self.journal.begin();
        let store = &self.journal.store;
        let paths = (0..parts).map(|part| store.file("order", part));
        let (files, start, entries) = match done {
            None => (PartitionWriter::create(paths, buffer)?, 0, 0),
            Some(Checkpoint { records, entries, files }) => {
                (PartitionWriter::reopen(paths.zip(files), buffer)?, records, entries)
            }
        };
        let buckets = Buckets::after(seed, entries);
        let mut dealer = Dealer { shape: Shape::of(self.to), parts, buckets, files, entries };
        self.pass(Phase::Deal, start, progress, &mut dealer)?;
        let dealt = dealer.files.finish()?;
        self.journal.end(&self.log.bad, |manifest| manifest.dealt = Some(dealt))
    }

    /// Shuffles in rounds, each of which reads all records and keeps those of one part.
    pub(super) fn shuffle_in_rounds(
        &mut self,
        seed: u64,
        writer: &mut Writer,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let shape = Shape::of(self.to);
        let parts = self.layout.cut.order;
        let before = self.log.clone();
        let mut entries = Vec::new();
        for part in 0..parts {
            // Every round meets the same bad records.
            self.log = before.clone();
            let mut buckets = Buckets::new(seed);
            entries.clear();
            entries.reserve_exact(
                self.layout.part_of(self.demand.order, parts).with(order::BUCKET_BYTES) as usize
            );
            self.pass(Phase::Deal, 0, progress, &mut |record: &[u8]| {
                let bucket = buckets.draw();
                if order::part_of(bucket, parts) == part {
                    order::put(bucket, shape, record, &mut entries);
                }
                Ok(())
            })?;
            self.write_part(seed, &entries, writer, progress)?;
        }
        Ok(())
    }

    /// Writes the records of a part in their shuffled order.
    fn write_part(
        &self,
        seed: u64,
        entries: &[u8],
        writer: &mut Writer,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let dropped: u64 = self.journal.manifest.lists.iter().map(|list| list.bytes / NUMBER_BYTES).sum();
        let records = self.journal.manifest.load.records.saturating_sub(dropped);
        let total = self.to.record_size().map(|size| records * size as u64);
        order::in_order(seed, Shape::of(self.to), entries, |record| {
            writer.put(record)?;
            if writer.records.is_multiple_of(REPORT_EVERY) {
                let (bytes, records) = (writer.bytes, writer.records);
                report(
                    progress,
                    &Step { phase: Phase::Write, bytes, total, records, bad: self.log.bad.total() },
                )?;
            }
            Ok(())
        })
    }
}

/// Deals records out to the files of parts.
struct Dealer {
    shape: Shape,
    parts: usize,
    buckets: Buckets,
    files: PartitionWriter,
    /// Records so far.
    entries: u64,
}

impl End for Dealer {
    #[inline]
    fn put(&mut self, record: &[u8]) -> Result<(), DatasetError> {
        let bucket = self.buckets.draw();
        self.entries += 1;
        let part = order::part_of(bucket, self.parts);
        self.files.put(part, |out| order::put(bucket, self.shape, record, out))
    }

    fn rest(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        Ok(Some((self.files.rest()?, self.entries)))
    }
}

fn report(progress: &mut dyn Progress, step: &Step) -> Result<(), DatasetError> {
    if progress.update(step).is_break() { Err(DatasetError::Cancelled) } else { Ok(()) }
}

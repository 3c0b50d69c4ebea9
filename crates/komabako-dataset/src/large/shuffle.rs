//! Shuffles the records that are not left out: in memory, through files, or in rounds.

use std::fs;
use std::ops::Range;

use komabako_record::order::Buckets;

use super::Partition;
use super::entries;
use super::entries::NUMBER_BYTES;
use super::manifest::{Checkpoint, Written};
use super::run::{Stages, WriteRecord};
use super::writer::OutputWriter;
use crate::engine::temporary::{PartitionWriter, Shape, TempFile};
use crate::{DatasetError, Phase, Progress, Step};

/// The number of records written between two reports of progress.
const REPORT_EVERY: u64 = 1 << 16;

impl Stages {
    /// Shuffles in memory or, part by part, through files.
    pub(super) fn shuffle(
        &mut self,
        seed: u64,
        writer: &mut OutputWriter,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let shape = Shape::for_format(self.to);
        let parts = self.layout.partitions.order;
        let partition = self.partition;
        if parts == 1 {
            let mut buckets = Buckets::new(seed);
            let mut entries = Vec::with_capacity(self.demand.order.with(entries::BUCKET_BYTES) as usize);
            self.pass(Phase::Distribute, 0, progress, &mut |record: &[u8]| {
                let bucket = buckets.draw();
                if partition.segment_of(bucket, 1).is_some() {
                    entries::push_entry(bucket, shape, record, &mut entries);
                }
                Ok(())
            })?;
            return self.write_part(seed, &entries, writer, progress);
        }
        if self.journal.manifest.records.is_none() {
            self.deal(seed, progress)?;
        }
        let files: Vec<TempFile> = self.journal.manifest.records.clone().unwrap_or_default();
        let done = self.journal.manifest.written.as_ref().map_or(0, |written| written.parts);
        self.remove_dealt(0..done);
        for start in (done..parts).step_by(self.layout.output_group()) {
            let group = start..parts.min(start + self.layout.output_group());
            for number in group.clone() {
                let entries = files[number].load(&self.journal.work_dir.file("order", number))?;
                self.write_part(seed, &entries, writer, progress)?;
            }
            if let Some(part) = writer.checkpoint()? {
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
            // A killed run may have removed it already.
            let _ = fs::remove_file(self.journal.work_dir.file("order", part));
        }
    }

    /// Distributes the records to the files of the parts.
    fn deal(&mut self, seed: u64, progress: &mut dyn Progress) -> Result<(), DatasetError> {
        let parts = self.layout.partitions.order;
        let buffer = self.layout.budget.buffer(parts);
        self.journal.work_dir.create()?;
        self.journal.save(&self.log.bad)?;
        let done = self.journal.begin();
        let work_dir = &self.journal.work_dir;
        let paths = (0..parts).map(|part| work_dir.file("order", part));
        let (files, start, entries) = match done {
            None => (PartitionWriter::create(paths, buffer)?, 0, 0),
            Some(Checkpoint { records, entries, files }) => {
                (PartitionWriter::reopen(paths.zip(files), buffer)?, records, entries)
            }
        };
        let buckets = Buckets::after(seed, entries);
        let shape = Shape::for_format(self.to);
        let partition = self.partition;
        let mut dealer = Dealer { shape, partition, parts, buckets, files, entries };
        self.pass(Phase::Distribute, start, progress, &mut dealer)?;
        let records = dealer.files.finish()?;
        self.journal.end(&self.log.bad, |manifest| manifest.records = Some(records))
    }

    /// Shuffles in rounds, each of which reads all records and keeps those of one part.
    pub(super) fn shuffle_in_rounds(
        &mut self,
        seed: u64,
        writer: &mut OutputWriter,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let shape = Shape::for_format(self.to);
        let parts = self.layout.partitions.order;
        let partition = self.partition;
        let before = self.log.clone();
        let mut entries = Vec::new();
        for part in 0..parts {
            // Every round finds the same bad records.
            self.log = before.clone();
            let mut buckets = Buckets::new(seed);
            entries.clear();
            // Exactly, since the memory is planned: a vector that grows by doubling takes up to three times as much.
            entries.reserve_exact(
                self.layout.part_of(self.demand.order, parts).with(entries::BUCKET_BYTES) as usize
            );
            self.pass(Phase::Distribute, 0, progress, &mut |record: &[u8]| {
                let bucket = buckets.draw();
                if partition.segment_of(bucket, parts) == Some(part) {
                    entries::push_entry(bucket, shape, record, &mut entries);
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
        writer: &mut OutputWriter,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let excluded: u64 = self.journal.manifest.lists.iter().map(|list| list.bytes / NUMBER_BYTES).sum();
        let records = self.journal.manifest.load.records.saturating_sub(excluded);
        // Each bucket is drawn about equally often.
        let records = records / self.partition.parts() as u64;
        let total = self.to.record_size().map(|size| records * size as u64);
        entries::in_order(seed, Shape::for_format(self.to), entries, |record| {
            writer.write(record)?;
            if writer.records.is_multiple_of(REPORT_EVERY) {
                let bytes = writer.bytes;
                let records = writer.records;
                report(
                    progress,
                    &Step { phase: Phase::Write, bytes, total, records, bad: self.log.bad.total() },
                )?;
            }
            Ok(())
        })
    }
}

/// Distributes records to the files of parts.
struct Dealer {
    shape: Shape,
    partition: Partition,
    parts: usize,
    buckets: Buckets,
    files: PartitionWriter,
    /// The number of records so far, including those of other partitions: each has drawn a bucket.
    entries: u64,
}

impl WriteRecord for Dealer {
    #[inline]
    fn write(&mut self, record: &[u8]) -> Result<(), DatasetError> {
        let bucket = self.buckets.draw();
        self.entries += 1;
        match self.partition.segment_of(bucket, self.parts) {
            Some(part) => self.files.push(part, |out| entries::push_entry(bucket, self.shape, record, out)),
            None => Ok(()),
        }
    }

    fn checkpoint(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        Ok(Some((self.files.checkpoint()?, self.entries)))
    }
}

fn report(progress: &mut dyn Progress, step: &Step) -> Result<(), DatasetError> {
    if progress.update(step).is_break() { Err(DatasetError::Cancelled) } else { Ok(()) }
}

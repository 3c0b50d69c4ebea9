//! Shuffles the records that are not left out: in memory, through files, or in rounds.

use std::fs;
use std::ops::Range;

use komabako_record::order::Buckets;

use super::entries;
use super::entries::{NUMBER_BYTES, Order, Piece};
use super::manifest::{Checkpoint, Written};
use super::run::{Stages, WriteRecord};
use super::segments::Segments;
use super::writer::OutputWriter;
use crate::engine::parallel::{self, PieceSender};
use crate::engine::temporary::{PartitionWriter, Shape, TempFile};
use crate::{DatasetError, Phase, Progress, Step};

impl Stages {
    /// Shuffles in memory or, part by part, through files.
    pub(super) fn shuffle(
        &mut self,
        seed: u64,
        writer: &mut OutputWriter,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let parts = self.layout.partitions.order;
        if parts == 1 {
            return self.shuffle_in_rounds(seed, writer, progress);
        }
        if self.journal.manifest.records.is_none() {
            self.deal(seed, progress)?;
        }
        let files: Vec<TempFile> = self.journal.manifest.records.clone().unwrap_or_default();
        let done = self.journal.manifest.written.as_ref().map_or(0, |written| written.parts);
        self.remove_dealt(0..done);
        let order = self.order(seed);
        let segments = Segments::new(self.partition, parts);
        for start in (done..parts).step_by(self.layout.output_group()) {
            let group = start..parts.min(start + self.layout.output_group());
            let work_dir = &self.journal.work_dir;
            let send = |number: usize, pieces: &PieceSender<Piece>| {
                let entries = files[number].load(&work_dir.file("order", number))?;
                order.send(segments.buckets(number), &entries, |piece| pieces.send(piece))
            };
            self.write_in_order(group.clone(), send, writer, progress)?;
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
        let segments = Segments::new(self.partition, parts);
        let mut dealer = Dealer { shape, segments, buckets, files, entries };
        self.pass(Phase::Distribute, start, progress, &mut dealer)?;
        let records = dealer.files.finish()?;
        self.journal.end(&self.log.bad, |manifest| manifest.records = Some(records))
    }

    /// Shuffles in rounds, each of which reads all records and keeps those of one part: all of them if there is one.
    pub(super) fn shuffle_in_rounds(
        &mut self,
        seed: u64,
        writer: &mut OutputWriter,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let parts = self.layout.partitions.order;
        let each = self.layout.segments;
        let segments = Segments::new(self.partition, parts * each);
        let size = self.layout.part_of(self.demand.order, parts * each).with(entries::BUCKET_BYTES) as usize;
        let mut held = vec![Vec::new(); each];
        let order = self.order(seed);
        let before = self.log.clone();
        for part in 0..parts {
            // Every round finds the same bad records.
            self.log = before.clone();
            for entries in &mut held {
                entries.clear();
                // Exactly, since the memory is planned: a vector that grows by doubling takes up to three times as much.
                entries.reserve_exact(size);
            }
            let first = part * each;
            let mut buckets = Buckets::new(seed);
            self.pass(Phase::Distribute, 0, progress, &mut |record: &[u8]| {
                let bucket = buckets.draw();
                let segment = segments.find(bucket).and_then(|segment| segment.checked_sub(first));
                if let Some(entries) = segment.and_then(|segment| held.get_mut(segment)) {
                    entries::push_entry(bucket, order.shape, record, entries);
                }
                Ok(())
            })?;
            let send = |number: usize, pieces: &PieceSender<Piece>| {
                let buckets = segments.buckets(first + number);
                order.send(buckets, &held[number], |piece| pieces.send(piece))
            };
            self.write_in_order(0..each, send, writer, progress)?;
        }
        Ok(())
    }

    /// The order for a seed.
    fn order(&self, seed: u64) -> Order {
        Order { seed, shape: Shape::for_format(self.to), end: self.to.record_end() }
    }

    /// Writes segments, which several threads `send` in order.
    fn write_in_order(
        &self,
        segments: Range<usize>,
        send: impl Fn(usize, &PieceSender<Piece>) -> Result<(), DatasetError> + Sync,
        writer: &mut OutputWriter,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let excluded: u64 = self.journal.manifest.lists.iter().map(|list| list.bytes / NUMBER_BYTES).sum();
        let records = self.journal.manifest.load.records.saturating_sub(excluded);
        // Each bucket is drawn about equally often.
        let records = records / self.partition.parts() as u64;
        let total = self.to.record_size().map(|size| records * size as u64);
        let bad = self.log.bad.total();
        parallel::in_turn(segments, self.layout.ordered_at_once, send, |piece| {
            writer.write_piece(piece)?;
            let step = Step { phase: Phase::Write, bytes: writer.bytes, total, records: writer.records, bad };
            if progress.update(&step).is_break() { Err(DatasetError::Cancelled) } else { Ok(()) }
        })
    }
}

/// Distributes records to the files of parts.
struct Dealer {
    shape: Shape,
    segments: Segments,
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
        match self.segments.find(bucket) {
            Some(part) => self.files.push(part, |out| entries::push_entry(bucket, self.shape, record, out)),
            None => Ok(()),
        }
    }

    fn checkpoint(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        Ok(Some((self.files.checkpoint()?, self.entries)))
    }
}

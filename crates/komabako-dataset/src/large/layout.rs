//! [`Partitioning`]: divides a job into parts that fit in memory.

use serde::{Deserialize, Serialize};

use super::average::{Candidate, Mean, Tally};
use super::key_set::KeySet;
use super::means::Means;
use super::partition::BUCKETS;
use super::writer::OutputWriter;
use super::{Keep, Partition, Shuffle, entries};
use crate::engine::census::count_records;
use crate::engine::pipeline;
use crate::engine::temporary::{MemoryBudget, Shape, planned};
use crate::job::Limits;
use crate::job::preflight::{Amount, default_memory};
use crate::{Compression, DatasetError, FileFormat, Inputs, Progress};

/// The size of a job's inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Load {
    /// The number of records in the inputs.
    pub records: u64,
    /// The size of these records in the inputs, decompressed, in bytes.
    pub content: u64,
    /// The number of records in the references.
    pub references: u64,
}

impl Load {
    /// Counts the records of inputs and references.
    pub fn count(
        inputs: &Inputs,
        references: &Inputs,
        progress: &mut dyn Progress,
    ) -> Result<Load, DatasetError> {
        let (records, content) = count_records(inputs, progress)?;
        let (references, _) = count_records(references, progress)?;
        Ok(Load { records, content, references })
    }
}

/// The number of parts for each stage. If the records to be ordered are one part, they are in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Partitions {
    pub keys: usize,
    /// Whether the keys in these parts are in memory.
    #[serde(default)]
    pub holds_keys: bool,
    pub order: usize,
}

/// The number of items in memory or in files, and their bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Size {
    pub count: u64,
    pub bytes: u64,
}

/// The data that a job handles, in parts or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Demand {
    /// The keys with their votes, if duplicates are to be found.
    pub keys: Size,
    /// Whether `bytes` is exact rather than an upper bound.
    keys_are_known: bool,
    /// Those of them that are in memory.
    pub held: Size,
    /// The memory of each besides the key and its slot.
    pub each_held: u64,
    /// Whether a record is left out or not as soon as its key is read: the keys of inputs need not be kept.
    pub decides_at_once: bool,
    /// The means on disk, if any.
    pub means: Size,
    /// The number of records that may be on lists of excluded ones.
    pub listed: u64,
    /// The records to be ordered, if any.
    pub order: Size,
    /// Whether each part to be ordered takes a pass over the inputs.
    pub phased: bool,
    /// The unusually large part of the memory for decompressing the inputs.
    pub decoder_memory: u64,
    /// The records of archives, if they are read more than once.
    pub archived: u64,
    /// The records to be written, if none is left out.
    written: Size,
    /// Whether `bytes` is exact rather than an upper bound.
    is_known: bool,
}

/// The division of a job, and its memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partitioning {
    pub partitions: Partitions,
    /// The number of parts of the keys in memory at once.
    pub parts_at_once: usize,
    /// The number of segments of a part of the records that is put in order in memory; 1 if the parts are files.
    pub segments: usize,
    /// The number of segments, or of parts that are files, that are put in order at once.
    pub ordered_at_once: usize,
    /// The memory that stages may use in addition to the pipeline's.
    pub budget: MemoryBudget,
    /// The memory of the window of excluded records.
    pub window: u64,
    /// The number of record numbers in the window of means.
    pub means: u64,
    /// Whether the records of archives are kept for further passes: if memory is left for them.
    pub keeps_archived: bool,
    /// The maximum memory of the job.
    pub memory: u64,
}

/// The bytes of a game of one position without its candidates, and its length.
const POSITION_BYTES: u64 = 4 + 44;

/// The memory of the last record of a key, in a table.
const LAST_BYTES: u64 = 40;

/// The number of checkpoints over the parts of the keys, or over those in the output.
const GROUPS: usize = 16;

impl Size {
    /// The records that a job may write in a format. `alone`: all of them are already in it.
    pub fn of_records(load: &Load, to: FileFormat, alone: bool) -> Size {
        let count = load.records;
        let bytes = match (to.record_size(), to.longest_record()) {
            (Some(size), _) => count * size as u64,
            // A length each, or a line end.
            (None, Some(each)) if !alone => 4 * count + to.header().len() as u64 + count * each as u64,
            (None, Some(_)) => 4 * count + to.header().len() as u64 + load.content,
            // A game of one position each, with its candidates.
            (None, None) => POSITION_BYTES * count + load.content,
        };
        Size { count, bytes }
    }

    /// The bytes, plus `more` for each record.
    pub fn with(self, more: u64) -> u64 {
        self.bytes + self.count * more
    }
}

impl Demand {
    /// The demand of a job that writes a format. `alone`: all inputs are already in it. `key`: the shape of the keys, if any.
    pub fn new(
        load: &Load,
        to: FileFormat,
        alone: bool,
        key: Option<Shape>,
        keep: Keep,
        shuffle: Option<Shuffle>,
    ) -> Demand {
        let written = Size::of_records(load, to, alone);
        let keys = key.map_or(Size::default(), |shape| {
            let count = load.records + load.references;
            match shape {
                Shape::Fixed(size) => Size { count, bytes: count * size as u64 },
                // The bytes of references are unknown, even if they are in the same format.
                Shape::Varying => {
                    let load = Load { records: count, ..*load };
                    Size::of_records(&load, to, alone && load.references == 0)
                }
            }
        });
        let is_fixed = |shape| matches!(shape, Shape::Fixed(_));
        let keys_are_known = key.is_none_or(is_fixed) || alone && load.references == 0;
        let order = if shuffle.is_some() { written } else { Size::default() };
        let phased = shuffle.is_some_and(|shuffle| shuffle.phased);
        // Duplicates are left out, and nobody knows how many.
        let is_known = key.is_none() && (to.record_size().is_some() || alone);
        let listed = if key.is_some() { load.records } else { 0 };
        let decides_at_once = keep == Keep::All;
        let mut held = keys;
        let mut each_held = 0;
        let mut means = Size::default();
        match keep {
            Keep::First => {}
            // Only for keys that several records have.
            Keep::Last => each_held = LAST_BYTES,
            Keep::Mean => {
                each_held = Tally::BYTES;
                let candidates = if to.holds_games() { load.content } else { 0 };
                held.bytes += Tally::CANDIDATE * candidates / size_of::<Candidate>() as u64;
                means = Size { count: listed, bytes: listed * Mean::LISTED_BYTES + candidates };
            }
            Keep::All => {
                let share = load.references as f64 / keys.count.max(1) as f64;
                held = Size { count: load.references, bytes: (keys.bytes as f64 * share) as u64 };
            }
        }
        Demand {
            keys,
            keys_are_known,
            held,
            each_held,
            decides_at_once,
            means,
            listed,
            order,
            phased,
            decoder_memory: 0,
            archived: 0,
            written,
            is_known,
        }
    }

    /// Reduces the demand to that of a partition of the output, including the keys if it divides them.
    pub fn keep_part(&mut self, partition: Partition, divides_keys: bool) {
        let parts = partition.parts();
        if parts == 1 {
            return;
        }
        let keep = |size: Size| Size { count: planned(size.count, parts), bytes: planned(size.bytes, parts) };
        self.order = keep(self.order);
        self.written = keep(self.written);
        self.is_known = false;
        if divides_keys {
            self.keys = keep(self.keys);
            self.held = keep(self.held);
            self.means = keep(self.means);
            self.keys_are_known = false;
        }
    }

    /// The size of the output, if there are no duplicates. Text records may be shorter than the maximum.
    pub fn content(&self) -> Amount {
        self.of_written(self.written.bytes)
    }

    /// The size of files with the keys, of at most `bytes`.
    pub fn of_keys(&self, bytes: u64) -> Amount {
        if self.keys_are_known { Amount::exactly(bytes) } else { Amount::up_to(bytes) }
    }

    /// The size of files with the records to be written, of at most `bytes`.
    pub fn of_written(&self, bytes: u64) -> Amount {
        if self.is_known { Amount::exactly(bytes) } else { Amount::up_to(bytes) }
    }
}

impl Partitioning {
    /// Divides the keys and the records to be ordered, unless an earlier run has done so.
    pub fn new(
        demand: &Demand,
        compression: Compression,
        limits: &Limits,
        threads: usize,
        earlier: Option<Partitions>,
    ) -> Partitioning {
        let codecs = compression.encoder_memory(threads) + demand.decoder_memory;
        // The memory that is used for any number of parts; the rest of the limit is divided among them.
        let fixed = pipeline::memory(threads) + entries::memory(threads) + OutputWriter::MEMORY + codecs;
        let limit = limits.memory.unwrap_or_else(default_memory);
        let budget = MemoryBudget::new(limit, fixed);
        let keys = demand.held.with(KeySet::TABLE_BYTES + demand.each_held);
        // Keys that are looked up later than they are read lie in memory or in files, with the numbers of their records.
        let waiting = demand.keys.with(entries::NUMBER_BYTES);
        let held = demand.order.with(entries::BUCKET_BYTES);
        let places = demand.order.count * entries::PLACE_BYTES;
        // A mean per record, within a quarter of the memory.
        let each_mean = Means::BYTES + 2 * demand.means.bytes / demand.means.count.max(1);
        let means = (budget.bytes / 4 / each_mean).min(demand.means.count);
        let means_memory = means * each_mean;
        // One bit per record, within an eighth of the memory.
        let window = (budget.bytes / 8).min(demand.listed / 8 + 8);
        // All records, in memory, are put in order segment by segment.
        let segments = MemoryBudget::cached_parts(2 * held);
        let at_once = |segments| budget.at_once(places, segments, threads);
        let partitions = earlier.unwrap_or_else(|| {
            // Means are read while records are put in order.
            let whole = budget;
            let budget = MemoryBudget { bytes: whole.bytes - means_memory };
            let ordering = (at_once(segments) as u64 * planned(places, segments)).max(window);
            let in_memory = MemoryBudget::new(budget.bytes, ordering);
            // A phased shuffle reads the inputs once per part: as few parts as fit. One with files has no passes to save.
            let order = match in_memory.fewest_parts(held) {
                1 => 1,
                parts if demand.phased => parts,
                _ => budget.parts(held + places, threads),
            };
            let parts = |best| limits.parts.unwrap_or(best).clamp(1, Limits::MAX_PARTS);
            let order = parts(order);
            let cached = MemoryBudget::cached_parts(keys);
            let search = whole.at_once(keys, cached, threads) as u64 * planned(keys, cached) + window;
            let holds_keys = !demand.decides_at_once
                && MemoryBudget::new(whole.bytes, search).fewest_parts(waiting) == 1
                && limits.parts.is_none_or(|parts| parts == 1);
            let keys = if holds_keys { cached } else { parts(whole.parts(keys, threads)) };
            Partitions { keys, holds_keys, order }
        });
        let parts_at_once = budget.at_once(keys, partitions.keys, threads);
        // Records are in memory, in segments, or in files, in parts.
        let is_held = demand.phased || partitions.order == 1;
        let segments =
            if is_held { segments.div_ceil(partitions.order).min(BUCKETS / partitions.order) } else { 1 };
        let all_segments = partitions.order * segments;
        let ordered_at_once = if is_held {
            at_once(all_segments).min(segments)
        } else {
            budget.at_once(held + places, partitions.order, threads)
        };
        let mut layout = Partitioning {
            partitions,
            parts_at_once,
            segments,
            ordered_at_once,
            budget,
            window,
            means,
            keeps_archived: false,
            memory: 0,
        };
        let mut search = layout.stage(keys, partitions.keys, parts_at_once);
        if partitions.holds_keys {
            search = partitions.keys as u64 * planned(waiting, partitions.keys)
                + parts_at_once as u64 * planned(keys, partitions.keys)
                + window;
        }
        let order = if is_held {
            let in_order = ordered_at_once as u64 * planned(places, all_segments);
            segments as u64 * planned(held, all_segments) + in_order.max(window)
        } else {
            layout.stage(held + places, partitions.order, ordered_at_once)
        };
        // The stages run one after the other: the larger one counts.
        layout.memory = fixed + search.max(order + means_memory);
        layout.keeps_archived = demand.archived > 0 && layout.memory + demand.archived <= limit;
        if layout.keeps_archived {
            layout.memory += demand.archived;
        }
        layout
    }

    /// The number of parts of the keys between two checkpoints.
    pub fn group(&self) -> usize {
        self.partitions.keys.div_ceil(GROUPS).max(self.parts_at_once)
    }

    /// The number of parts of the records between two checkpoints of the output.
    pub fn output_group(&self) -> usize {
        self.partitions.order.div_ceil(GROUPS)
    }

    /// The memory of a stage in `parts` parts, `at_once` of which are in memory at once.
    fn stage(&self, bytes: u64, parts: usize, at_once: usize) -> u64 {
        // The files of the parts are first filled through buffers, then parts are loaded: never both at once.
        (at_once as u64 * planned(bytes, parts)).max(self.budget.buffers(parts) + self.window)
    }

    /// The maximum size of one of `parts` parts.
    pub fn part_of(&self, all: Size, parts: usize) -> Size {
        Size { count: planned(all.count, parts), bytes: planned(all.bytes, parts) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(records: u64, memory: u64) -> Partitioning {
        layout_after(records, memory, None)
    }

    fn layout_after(records: u64, memory: u64, earlier: Option<Partitions>) -> Partitioning {
        let load = Load { records, content: 40 * records, references: 0 };
        let shuffle = Some(Shuffle { seed: 0, phased: false });
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        let demand = Demand::new(&load, FileFormat::Psv, true, Some(Shape::Fixed(32)), Keep::First, shuffle);
        Partitioning::new(&demand, Compression::None, &limits, 2, earlier)
    }

    #[test]
    fn jobs_that_fit_stay_in_memory() {
        let small = layout(1_000_000, 1 << 30);
        assert_eq!(small.partitions, Partitions { keys: 5, holds_keys: true, order: 1 });
        assert_eq!((small.parts_at_once, small.segments, small.ordered_at_once), (2, 10, 2));
        let large = layout(100_000_000, 1 << 30);
        // 4.6 and 5 GB in parts of 8 MiB.
        assert_eq!(large.partitions, Partitions { keys: 548, holds_keys: false, order: 596 });
        assert!(large.parts_at_once == 2 && large.memory <= 1 << 30, "{large:?}");
        assert!(large.ordered_at_once == 2 && large.segments == 1);
        let huge = layout(100_000_000_000, 1 << 30);
        assert!(huge.memory <= 1 << 30, "{huge:?}");
    }

    /// Whatever is in memory, in files or in rounds, a plan stays within the limit; steps of 0.1 % meet the sizes at which it
    /// changes.
    #[test]
    fn every_plan_fits_in_memory() {
        let plans =
            [(None, false), (None, true), (Some(Shape::Fixed(32)), false), (Some(Shape::Fixed(32)), true)];
        for (key, phased) in plans {
            let shuffle = Some(Shuffle { seed: 0, phased });
            let mut records = 1;
            while records < 1 << 32 {
                let load = Load { records, content: 40 * records, references: 0 };
                let demand = Demand::new(&load, FileFormat::Psv, true, key, Keep::First, shuffle);
                for memory in [28, 31, 36] {
                    for threads in [1, 3, 16] {
                        let limits = Limits { memory: Some(1 << memory), ..Limits::default() };
                        let layout = Partitioning::new(&demand, Compression::None, &limits, threads, None);
                        assert!(layout.memory <= 1 << memory, "{records} records: {layout:?}");
                        let segments = layout.partitions.order * layout.segments;
                        assert!(segments <= BUCKETS, "{records} records: {layout:?}");
                    }
                }
                records += records / 1_000 + 1;
            }
        }
    }

    #[test]
    fn phased_shuffle_reads_the_inputs_as_rarely_as_possible() {
        let order = Size { count: 100_000_000, bytes: 4_000_000_000 };
        let demand = Demand { order, phased: true, ..Demand::default() };
        let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
        assert_eq!(
            Partitioning::new(&demand, Compression::None, &limits, pipeline::threads(0), None)
                .partitions
                .order,
            5
        );
    }

    #[test]
    fn plan_shows_that_the_memory_is_too_small() {
        assert!(layout(1_000_000, 1 << 20).memory > 1 << 20);
        // The parts of an earlier run with more memory cannot be changed.
        let earlier = Partitions { keys: 7, holds_keys: false, order: 6 };
        let later = layout_after(100_000_000, 1 << 28, Some(earlier));
        assert!(later.partitions == earlier && later.memory > 1 << 28, "{later:?}");
    }
}

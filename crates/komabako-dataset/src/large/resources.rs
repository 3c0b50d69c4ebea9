//! [`resources`]: the memory and disk space that a job needs.

use std::path::Path;

use super::entries::NUMBER_BYTES;
use super::layout::{Demand, Partitioning};
use super::means::Columns;
use super::work_dir::WorkDir;
use super::{Job, Partition, Shuffle, entries};
use crate::Preflight;
use crate::engine::temporary::planned;
use crate::io::output;
use crate::job::preflight::Amount;

/// The memory and, stage by stage, the disk space that a job needs. `work_dir`: the directories of its temporary files.
/// `makes_room`: whether parts are removed once they are in the output.
pub(super) fn resources(
    job: &Job,
    demand: &Demand,
    layout: &Partitioning,
    work_dir: &WorkDir,
    makes_room: bool,
) -> Preflight {
    let Demand { keys, order: ordered, .. } = *demand;
    let parts = layout.partitions.keys;
    let mut key_files = 0;
    if !layout.partitions.holds_keys && (parts > 1 || !demand.decides_at_once) {
        let lists = NUMBER_BYTES * keys.count + demand.means.bytes;
        let group = layout.group().min(parts) as u64;
        key_files = keys.with(NUMBER_BYTES) + lists * group / parts as u64;
    }
    // Lists beside the output need no extra space: a record is either on a list or in the output. The output of a partition is
    // smaller, and the records of the other partitions are on lists too.
    let is_whole = job.partition == Partition::WHOLE;
    let are_beside = is_whole && job.limits.directories.is_empty() && job.output.named().is_some();
    let lists = if are_beside { 0 } else { NUMBER_BYTES * demand.listed } + demand.means.bytes;
    let dealt = match job.shuffle {
        Some(Shuffle { phased: false, .. }) if layout.partitions.order > 1 => {
            ordered.with(entries::BUCKET_BYTES)
        }
        _ => 0,
    };
    let columns = if job.columns().is_some() {
        Amount::up_to(Columns::BYTES * demand.listed)
    } else {
        Amount::exactly(0)
    };
    let content = demand.content().compressed(job.output.compression(job.compression)) + columns;
    let output = job.output.file().map(|path| (output::directory_of(path), content));
    let places: Vec<&Path> = work_dir.places().collect();
    let spread = |bytes: u64, amount: fn(&Demand, u64) -> Amount| {
        // Files are spread over the directories in turn, so that each gets about the same.
        let share = bytes.div_ceil(places.len() as u64);
        let amount = amount(demand, share);
        places.iter().map(move |&place| (place, amount)).filter(move |_| share > 0)
    };
    let mut preflight = Preflight::new(None, layout.memory, job.limits.memory);
    preflight.add_stage(&spread(key_files, Demand::of_keys).collect::<Vec<_>>());
    let temporary = |bytes| spread(bytes, Demand::of_written);
    if makes_room {
        // The first group is written before any part is removed; after that, removed parts make space for the output.
        let group = layout.output_group() as u64 * planned(ordered.bytes, layout.partitions.order);
        let group = output.map(|(path, content)| (path, content.min(group)));
        preflight.add_stage(&temporary(dealt + lists).chain(group).collect::<Vec<_>>());
        preflight.add_stage(&temporary(lists).chain(output).collect::<Vec<_>>());
    } else {
        preflight.add_stage(&temporary(dealt + lists).chain(output).collect::<Vec<_>>());
    }
    if job.resume {
        // The files that an earlier run left are overwritten or continued.
        for (number, place) in places.iter().enumerate() {
            preflight.credit(place, work_dir.bytes(number));
        }
    }
    preflight
}

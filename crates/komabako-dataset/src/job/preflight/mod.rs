//! [`Preflight`]: the resources that a long job needs, and those that the machine has.

mod amount;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

pub use self::amount::Amount;
use crate::engine::pipeline;
use crate::io::error::Mismatch;
pub use crate::io::error::Shortage;
use crate::io::output;
use crate::{Compression, Inputs, Output};

/// The resources that a job needs, checked before it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Preflight {
    /// The records to process; `None` if the inputs must be read to count them: they are compressed, text or streams.
    pub records: Option<u64>,
    /// The size of the inputs on disk, in bytes; `None` if one is a stream.
    pub input_bytes: Option<u64>,
    /// The maximum memory of the job, in bytes.
    pub memory: u64,
    /// The memory that it is allowed.
    pub memory_limit: u64,
    /// The bytes to be written on each file system.
    pub disks: Vec<Disk>,
    /// Files not included in `disks`: the lists of reasons beside bad records, which have one line per bad record.
    pub uncounted: Vec<PathBuf>,
    /// The file for bad records, if they are collected.
    pub rejects: Option<PathBuf>,
    /// The mismatches of inputs that are [repaired](crate::MoveReading::Repaired) while they are read.
    pub repaired: Vec<Mismatch>,
}

/// The bytes that a job writes on one file system.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Disk {
    /// A directory on it that the job writes to.
    pub path: PathBuf,
    /// The peak size of the job's temporary files, its output and its file of bad records.
    pub peak: Amount,
    /// The free bytes.
    pub free: u64,
    volume: Volume,
}

impl Preflight {
    /// A job that writes nothing yet. `memory_limit`: `None` for [`default_memory`].
    pub fn new(records: Option<u64>, memory: u64, memory_limit: Option<u64>) -> Preflight {
        let memory_limit = memory_limit.unwrap_or_else(default_memory);
        Preflight {
            records,
            input_bytes: None,
            memory,
            memory_limit,
            disks: Vec::new(),
            uncounted: Vec::new(),
            rejects: None,
            repaired: Vec::new(),
        }
    }

    /// A job that passes over inputs once, in memory that does not grow with them.
    pub(crate) fn of_pass(inputs: &Inputs, threads: usize) -> Preflight {
        let memory = pipeline::memory(threads) + inputs.decoder_memory();
        let preflight = Preflight::new(inputs.expected(), memory, Some(physical_memory()));
        let mut preflight = Preflight { input_bytes: inputs.size(), ..preflight };
        preflight.add_repairs(inputs);
        preflight
    }

    /// A job that passes over inputs once and encodes to one output. `content`: the size of the output before compression, if no
    /// record is bad.
    pub(crate) fn of_copy(
        inputs: &Inputs,
        output: &Output,
        content: Amount,
        compression: Compression,
        threads: usize,
    ) -> Preflight {
        let mut preflight = Preflight::of_pass(inputs, threads);
        preflight.memory += compression.encoder_memory(threads);
        let spilled = Amount {
            least: compression.spilled(content.least),
            most: content.most.map(|most| compression.spilled(most)),
        };
        match output.file().map(output::directory_of) {
            Some(place) => preflight.add_stage(&[(place, content.compressed(compression) + spilled)]),
            None if compression.spilled(u64::MAX) > 0 => {
                preflight.add_stage(&[(&std::env::temp_dir(), spilled)]);
            }
            None => {}
        }
        preflight
    }

    /// Adds the memory for the inputs that are repaired while they are read, one at a time, on all CPUs.
    pub(crate) fn add_repairs(&mut self, inputs: &Inputs) {
        if !inputs.repaired().is_empty() {
            self.memory += pipeline::memory(pipeline::threads(0));
            self.repaired.extend_from_slice(inputs.repaired());
        }
    }

    /// Adds the file for the bad records of inputs, if `path` is given.
    pub(crate) fn add_rejects(&mut self, inputs: &Inputs, path: Option<&Path>) {
        let Some(path) = path else { return };
        let format = inputs.formats().next();
        let all = format.map_or(Amount::exactly(0), |format| Amount::of_all(inputs, format, true));
        // At most all records, and then the output is empty: the file takes the output's place, like a later stage.
        self.add_stage(&[(output::directory_of(path), all.or_less())]);
        // The list grows with the number of bad records, which is unknown.
        self.uncounted.push(output::reasons_path(path));
        self.rejects = Some(path.to_owned());
    }

    /// Adds a stage of the job: the peak size of its files in each directory. Files that an earlier stage leaves behind are
    /// included; those it has removed are not.
    pub fn add_stage(&mut self, directories: &[(&Path, Amount)]) {
        let mut taken: Vec<(Volume, &Path, Amount)> = Vec::new();
        for &(path, bytes) in directories {
            let path = existing(path);
            let volume = Volume::containing(path);
            match taken.iter_mut().find(|(known, ..)| *known == volume) {
                Some((.., sum)) => *sum = *sum + bytes,
                None => taken.push((volume, path, bytes)),
            }
        }
        for (volume, path, bytes) in taken {
            match self.disks.iter_mut().find(|disk| disk.volume == volume) {
                Some(disk) => disk.peak = disk.peak.max(bytes),
                None => {
                    // If the system does not report free space, the job is not refused; a total of zero is not a real disk's.
                    let free = match fs4::statvfs(path) {
                        Ok(known) if known.total_space() > 0 => known.available_space(),
                        _ => u64::MAX,
                    };
                    self.disks.push(Disk { path: path.to_owned(), peak: bytes, free, volume });
                }
            }
        }
    }

    /// Adds another job, to be run after this one: the outputs of both remain on disk.
    pub fn add_job(&mut self, job: &Preflight) {
        let Preflight { records, input_bytes, memory, memory_limit, disks, uncounted, repaired, .. } = job;
        let sum = |one: Option<u64>, other: &Option<u64>| Some(one?.saturating_add((*other)?));
        self.records = sum(self.records, records);
        self.input_bytes = sum(self.input_bytes, input_bytes);
        self.memory = self.memory.max(*memory);
        self.memory_limit = self.memory_limit.min(*memory_limit);
        for disk in disks {
            match self.disks.iter_mut().find(|known| known.volume == disk.volume) {
                Some(known) => known.peak = known.peak + disk.peak,
                None => self.disks.push(disk.clone()),
            }
        }
        self.uncounted.extend_from_slice(uncounted);
        self.repaired.extend_from_slice(repaired);
    }

    /// Counts bytes in a directory as free that an earlier run left there and this run reuses.
    pub(crate) fn credit(&mut self, path: &Path, bytes: u64) {
        let volume = Volume::containing(existing(path));
        if let Some(disk) = self.disks.iter_mut().find(|disk| disk.volume == volume) {
            disk.free = disk.free.saturating_add(bytes);
        }
    }

    /// Checks whether the job can finish, as far as its needs are known.
    ///
    /// # Errors
    /// The first resource that is certainly insufficient.
    pub fn check(&self) -> Result<(), Shortage> {
        // With a limit beyond the machine's memory the system could kill the job midway.
        let allowed = allowed_memory(Some(self.memory_limit));
        if self.memory > allowed {
            return Err(Shortage::Memory { needed: self.memory, allowed });
        }
        // Uses the lower bound: a job is refused only if it cannot succeed.
        match self.disks.iter().find(|disk| disk.peak.least > disk.free) {
            Some(Disk { path, peak, free, .. }) => {
                Err(Shortage::Disk { path: path.clone(), needed: peak.least, free: *free })
            }
            None => Ok(()),
        }
    }

    /// The disks that may fill up: their space may or may not suffice.
    pub fn doubtful(&self) -> impl Iterator<Item = &Disk> {
        self.disks.iter().filter(|disk| disk.peak.most.is_none_or(|most| most > disk.free))
    }
}

/// The default memory limit of a job: half of the machine's memory.
pub fn default_memory() -> u64 {
    physical_memory() / 2
}

/// The memory that a job may have with a limit; `None` for the default.
pub(crate) fn allowed_memory(limit: Option<u64>) -> u64 {
    limit.unwrap_or_else(default_memory).min(physical_memory())
}

/// The memory of this machine, or of the container that the program runs in, as far as a program of 32 bits can have it; unlimited if
/// the system does not report it.
fn physical_memory() -> u64 {
    // The query takes some milliseconds.
    static MEMORY: LazyLock<u64> = LazyLock::new(|| ask_memory().min(isize::MAX as u64));
    *MEMORY
}

fn ask_memory() -> u64 {
    let ram = MemoryRefreshKind::nothing().with_ram();
    let Ok(system) = System::new_with_specifics(RefreshKind::nothing().with_memory(ram)) else {
        return u64::MAX;
    };
    let container = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    match system.total_memory().min(container) {
        0 => u64::MAX,
        memory => memory,
    }
}

/// The nearest existing directory, for one that may have to be created.
fn existing(directory: &Path) -> &Path {
    let is_there = |path: &&Path| !path.as_os_str().is_empty() && path.exists();
    directory.ancestors().find(is_there).unwrap_or(Path::new("."))
}

/// Identifies a file system.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Volume {
    /// The number of its device.
    #[cfg(unix)]
    Device(u64),
    /// The first component of its absolute path, such as a drive.
    Root(PathBuf),
}

impl Volume {
    fn containing(path: &Path) -> Volume {
        #[cfg(unix)]
        if let Ok(metadata) = fs::metadata(path) {
            return Volume::Device(std::os::unix::fs::MetadataExt::dev(&metadata));
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Volume::Root(path.components().take(1).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_on_one_disk_add_up_and_the_largest_stage_counts() {
        let directory = tempfile::tempdir().unwrap();
        let other = directory.path().join("other");
        fs::create_dir(&other).unwrap();
        let mut preflight = Preflight::new(Some(1), 1, Some(1));
        preflight.add_stage(&[(directory.path(), Amount::exactly(10)), (&other, Amount::exactly(20))]);
        preflight.add_stage(&[(&other, Amount::exactly(25))]);
        assert_eq!(preflight.disks.len(), 1);
        assert_eq!(preflight.disks[0].peak, Amount::exactly(30));
        assert_eq!((preflight.check(), preflight.doubtful().count()), (Ok(()), 0));
        preflight.add_stage(&[(directory.path(), Amount::up_to(u64::MAX))]);
        assert_eq!((preflight.check(), preflight.doubtful().count()), (Ok(()), 1));
        preflight.add_stage(&[(directory.path(), Amount::exactly(u64::MAX))]);
        assert!(matches!(preflight.check(), Err(Shortage::Disk { needed: u64::MAX, .. })));
    }

    #[test]
    fn disk_space_of_several_jobs_adds_up() {
        let directory = tempfile::tempdir().unwrap();
        let of = |memory, bytes| {
            let mut preflight = Preflight::new(Some(5), memory, Some(10));
            preflight.add_stage(&[(directory.path(), Amount::exactly(bytes))]);
            preflight
        };
        let mut all = of(1, 30);
        all.add_job(&of(2, 40));
        assert_eq!((all.records, all.memory, all.disks.len()), (Some(10), 2, 1));
        assert_eq!((all.disks[0].peak, all.check()), (Amount::exactly(70), Ok(())));
        all.add_job(&of(1, u64::MAX));
        assert!(matches!(all.check(), Err(Shortage::Disk { .. })));
    }

    #[test]
    fn missing_directory_is_on_the_disk_of_its_parent() {
        let directory = tempfile::tempdir().unwrap();
        let mut preflight = Preflight::new(Some(1), 1, Some(1));
        preflight.add_stage(&[(&directory.path().join("a/b"), Amount::exactly(1))]);
        assert_eq!(preflight.disks[0].path, directory.path());
        assert!(preflight.disks[0].free < u64::MAX);
        assert_eq!(existing(Path::new("no-such-directory")), Path::new("."));
    }

    #[test]
    fn more_memory_than_allowed_is_refused() {
        let preflight = Preflight::new(Some(1), 3, Some(2));
        assert_eq!(preflight.check(), Err(Shortage::Memory { needed: 3, allowed: 2 }));
        assert!(default_memory() > 0);
        // No plan that passes the check has a size that a pointer cannot have.
        let preflight = Preflight::new(Some(1), isize::MAX as u64 + 1, Some(u64::MAX));
        assert!(preflight.check().is_err());
    }

    #[test]
    fn collected_records_replace_written_ones_in_the_estimate() {
        let directory = tempfile::tempdir().unwrap();
        let input = directory.path().join("in.psv");
        let bad = directory.path().join("bad.psv");
        fs::write(&input, vec![0; 10 * 40]).unwrap();
        let inputs =
            Inputs::examine(vec![crate::Input::path(input)], Some(crate::FileFormat::Psv), false).unwrap();
        let out = |name: &str| Output::path(directory.path().join(name));
        let of = |content| Preflight::of_copy(&inputs, &out("out"), content, Compression::None, 1);
        for (content, peak) in [(300, Amount { least: 300, most: Some(400) }), (500, Amount::exactly(500))] {
            let mut preflight = of(Amount::exactly(content));
            preflight.add_rejects(&inputs, None);
            assert_eq!((preflight.disks[0].peak, preflight.uncounted.len()), (Amount::exactly(content), 0));
            preflight.add_rejects(&inputs, Some(&bad));
            assert_eq!(preflight.disks[0].peak, peak);
            assert_eq!(preflight.uncounted, [directory.path().join("bad.psv.reasons.tsv")]);
        }
    }
}

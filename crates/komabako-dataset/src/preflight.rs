//! [`Preflight`]: what a long job needs, beside what the machine has.

use core::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// What a job needs, to be looked at before it starts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Preflight {
    /// The records to work on.
    pub records: u64,
    /// The memory that the job will take at most, in bytes.
    pub memory: u64,
    /// The memory that it may take: the given limit, or else [`default_memory`].
    pub memory_limit: u64,
    /// What it writes on each file system.
    pub disks: Vec<Disk>,
}

/// What a job writes on one file system.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Disk {
    /// A directory on it that the job writes to.
    pub path: PathBuf,
    /// The bytes that the job's temporary files and its output take at most, at any one time.
    pub peak: u64,
    /// The bytes that are free for them.
    pub free: u64,
    volume: Volume,
}

/// Why a job would not finish.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Shortage {
    /// It needs more memory than it may take or than there is.
    Memory {
        /// The bytes that it needs.
        needed: u64,
        /// The bytes that it may take.
        allowed: u64,
    },
    /// It would fill a disk.
    Disk {
        /// A directory on that disk.
        path: PathBuf,
        /// The bytes that it needs there.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
}

impl Preflight {
    /// A job that writes nothing yet. `memory_limit`: `None` for [`default_memory`].
    pub fn new(records: u64, memory: u64, memory_limit: Option<u64>) -> Preflight {
        let memory_limit = memory_limit.unwrap_or_else(default_memory);
        Preflight { records, memory, memory_limit, disks: Vec::new() }
    }

    /// Adds a stage of the job: what lies in each directory at its fullest. What an earlier stage leaves behind is part
    /// of it; what it has removed is not.
    pub fn add_stage(&mut self, directories: &[(&Path, u64)]) {
        let mut taken: Vec<(Volume, &Path, u64)> = Vec::new();
        for &(path, bytes) in directories {
            let volume = Volume::of(path);
            match taken.iter_mut().find(|(known, ..)| *known == volume) {
                Some((.., sum)) => *sum += bytes,
                None => taken.push((volume, path, bytes)),
            }
        }
        for (volume, path, bytes) in taken {
            match self.disks.iter_mut().find(|disk| disk.volume == volume) {
                Some(disk) => disk.peak = disk.peak.max(bytes),
                None => {
                    // Where the system does not tell, the job is not refused.
                    let free = fs4::available_space(path).unwrap_or(u64::MAX);
                    self.disks.push(Disk { path: path.to_owned(), peak: bytes, free, volume });
                }
            }
        }
    }

    /// Counts bytes that an earlier run has left in a directory, and that this one goes on with, as free.
    pub(crate) fn credit(&mut self, path: &Path, bytes: u64) {
        let volume = Volume::of(path);
        if let Some(disk) = self.disks.iter_mut().find(|disk| disk.volume == volume) {
            disk.free = disk.free.saturating_add(bytes);
        }
    }

    /// Whether the job can finish.
    ///
    /// # Errors
    /// The first thing that it lacks.
    pub fn check(&self) -> Result<(), Shortage> {
        let allowed = self.memory_limit.min(physical_memory());
        if self.memory > allowed {
            return Err(Shortage::Memory { needed: self.memory, allowed });
        }
        match self.disks.iter().find(|disk| disk.peak > disk.free) {
            Some(Disk { path, peak, free, .. }) => {
                Err(Shortage::Disk { path: path.clone(), needed: *peak, free: *free })
            }
            None => Ok(()),
        }
    }
}

/// The memory that a job may take unless it is told: half of what the machine has.
pub fn default_memory() -> u64 {
    physical_memory() / 2
}

/// The memory of this machine, or of the container that the program runs in; without limit if the system does not tell.
fn physical_memory() -> u64 {
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

/// Tells file systems apart.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Volume {
    /// By the number of its device.
    #[cfg(unix)]
    Device(u64),
    /// By the first part of its absolute path, such as a drive.
    Root(PathBuf),
}

impl Volume {
    fn of(path: &Path) -> Volume {
        #[cfg(unix)]
        if let Ok(metadata) = fs::metadata(path) {
            return Volume::Device(std::os::unix::fs::MetadataExt::dev(&metadata));
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Volume::Root(path.components().take(1).collect())
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shortage::Memory { needed, allowed } => {
                write!(f, "the job needs {needed} bytes of memory and may take {allowed}; allow it more")
            }
            Shortage::Disk { path, needed, free } => write!(
                f,
                "{}: the job needs {needed} bytes there and {free} are free; make room, or name another directory",
                path.display()
            ),
        }
    }
}

impl core::error::Error for Shortage {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_on_one_disk_are_added_up_and_the_fullest_counts() {
        let directory = tempfile::tempdir().unwrap();
        let other = directory.path().join("other");
        fs::create_dir(&other).unwrap();
        let mut preflight = Preflight::new(1, 1, Some(1));
        preflight.add_stage(&[(directory.path(), 10), (&other, 20)]);
        preflight.add_stage(&[(&other, 25)]);
        assert_eq!(preflight.disks.len(), 1);
        assert_eq!(preflight.disks[0].peak, 30);
        assert_eq!(preflight.check(), Ok(()));
        preflight.add_stage(&[(directory.path(), u64::MAX)]);
        assert!(matches!(preflight.check(), Err(Shortage::Disk { needed: u64::MAX, .. })));
    }

    #[test]
    fn more_memory_than_allowed_is_refused() {
        let preflight = Preflight::new(1, 3, Some(2));
        assert_eq!(preflight.check(), Err(Shortage::Memory { needed: 3, allowed: 2 }));
        assert!(default_memory() > 0);
    }
}

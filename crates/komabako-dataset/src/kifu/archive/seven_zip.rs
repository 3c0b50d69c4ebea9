//! `.7z`, whose members are packed together in blocks.
//!
//! A thread unpacks the blocks and sends their members in the order of names. That is usually the order in which they were
//! packed; a member that comes too early waits in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use sevenz_rust2::{Archive as Opened, BlockDecoder, Error, Password};

use super::{Archive, ArchiveFault, Directory, Entry, EntryContent, Listed, damaged};
use crate::kifu::reading::{GameFile, Limits};

/// A member of up to this size is unpacked before it is read; of a larger one, chunks of a sixteenth.
const WHOLE: usize = 16 << 20;
/// Chunks of a large member that wait for its reader.
const CHUNKS: usize = 2;

/// Reads the directory of an archive.
pub(super) fn open(file: &mut File, limits: &Limits) -> io::Result<Opened> {
    let mut file = BufReader::new(file);
    let limit = limits.directory;
    Opened::read_with_memory_limit(&mut file, &Password::empty(), (limit >> 10) as usize).map_err(|error| {
        match error {
            Error::MaxMemLimited { .. } => ArchiveFault::Directory { limit }.into(),
            error => of_error(error, limits),
        }
    })
}

/// The entries of an archive.
pub(super) fn directory(opened: &Opened) -> Directory {
    let mut entries = Vec::new();
    for (index, file) in opened.files.iter().enumerate() {
        if file.is_directory() || file.is_anti_item() {
            continue;
        }
        entries.push(Entry {
            name: file.name().replace('\\', "/"),
            place: index as u64,
            packed: 0,
            size: file.size(),
            fault: if opened.is_file_encrypted(index) { Some(ArchiveFault::Encrypted) } else { None },
            content: EntryContent::InBlock(index),
        });
    }
    Directory { entries, fault: None }
}

/// The packed and unpacked sizes of the blocks that have some files.
pub(super) fn sizes(opened: &Opened, wanted: impl Iterator<Item = usize>) -> (u64, u64) {
    let mut blocks: Vec<usize> =
        wanted.filter_map(|index| opened.stream_map.file_block_index[index]).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let packed = opened.pack_sizes().iter().fold(0_u64, |sum, &size| sum.saturating_add(size));
    let sizes = blocks.iter().map(|&block| opened.blocks[block].get_unpack_size());
    (packed, sizes.fold(0_u64, u64::saturating_add))
}

/// An error of the library as a fault of the archive.
fn of_error(error: Error, limits: &Limits) -> io::Error {
    match error {
        Error::Io(error, _) | Error::FileOpen(error, _) | Error::MaybeBadPassword(error) => {
            match error.downcast() {
                Ok(error) => of_error(error, limits),
                Err(error) => damaged(error),
            }
        }
        Error::PasswordRequired => ArchiveFault::Encrypted.into(),
        Error::UnsupportedCompressionMethod(method) if method.contains("AES") => {
            ArchiveFault::Encrypted.into()
        }
        Error::UnsupportedCompressionMethod(_) | Error::Unsupported(_) => ArchiveFault::Method.into(),
        Error::MaxMemLimited { .. } => ArchiveFault::Memory { limit: limits.memory }.into(),
        error => ArchiveFault::Damaged(error.to_string()).into(),
    }
}

/// The members of an archive in the order of names, while they are unpacked.
pub(super) struct Unpacking {
    files: std::vec::IntoIter<Listed>,
    unpacked: Receiver<io::Result<Content>>,
}

/// The content of a member.
struct Content {
    reader: Box<dyn Read + Send>,
    size: u64,
}

impl Unpacking {
    /// Starts the thread that unpacks.
    pub fn start(
        opened: Opened,
        file: File,
        archive: Arc<Archive>,
        files: Vec<Listed>,
        limits: &Limits,
    ) -> io::Result<Unpacking> {
        let (sender, unpacked) = mpsc::sync_channel(1);
        // The places among the files that are unpacked, by the number of the file in the archive.
        let ranks: BTreeMap<usize, usize> = files.iter().filter_map(Listed::index).zip(0..).collect();
        let early = BTreeMap::new();
        let turns = Turns { archive, sender, next: 0, early, early_bytes: 0, limits: *limits };
        thread::Builder::new()
            .name("unpack".to_owned())
            .spawn(move || unpack(&opened, BufReader::new(file), &ranks, turns))?;
        Ok(Unpacking { files: files.into_iter(), unpacked })
    }
}

impl Iterator for Unpacking {
    type Item = GameFile;

    fn next(&mut self) -> Option<GameFile> {
        Some(match self.files.next()? {
            Listed::File(file) => file,
            Listed::InBlock { name, extension, .. } => match self.unpacked.recv() {
                Ok(Ok(Content { reader, size })) => GameFile::unpacked(name, extension, reader, size),
                Ok(Err(error)) => GameFile::unread(name, error),
                Err(_) => GameFile::unread(name, missing()),
            },
        })
    }
}

/// The fault of a member that was not reached.
fn missing() -> io::Error {
    ArchiveFault::Damaged("it ends before this member".to_owned()).into()
}

/// Unpacks the blocks with members that are wanted, those first whose members come first.
fn unpack(opened: &Opened, mut file: BufReader<File>, ranks: &BTreeMap<usize, usize>, mut turns: Turns) {
    // The places of the members of each block that are still to come.
    let mut blocks: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (&index, &rank) in ranks {
        match opened.stream_map.file_block_index[index] {
            Some(block) => _ = blocks.entry(block).or_default().insert(rank),
            // An empty file is in no block.
            None => _ = turns.pass(rank, &mut io::empty(), 0),
        }
    }
    let mut blocks: Vec<(usize, BTreeSet<usize>)> = blocks.into_iter().collect();
    blocks.sort_by_key(|(_, ranks)| ranks.first().copied());
    let password = Password::empty();
    for (block, mut left) in blocks {
        let memory = (turns.limits.memory >> 10) as usize;
        let decoder = BlockDecoder::new_with_memory_limit(1, memory, block, opened, &password, &mut file);
        let mut index = opened.stream_map.block_first_file_index[block];
        let limits = turns.limits;
        let done = decoder.for_each_entries(&mut |entry, content| {
            let rank = ranks.get(&index).copied();
            index += 1;
            if let Some(rank) = rank {
                turns.pass(rank, content, entry.size())?;
                left.remove(&rank);
            }
            Ok(!left.is_empty())
        });
        let Err(error) = done else { continue };
        // The rest of a block after the damage cannot be unpacked.
        let error = of_error(error, &limits);
        let Some(first) = left.pop_first() else { continue };
        for rank in left {
            turns.early.insert(rank, Err(copy_of(&error)));
        }
        if turns.fail(first, error).is_err() {
            return;
        }
    }
}

/// A copy of an error.
fn copy_of(error: &io::Error) -> io::Error {
    match error.get_ref().and_then(|cause| cause.downcast_ref::<ArchiveFault>()) {
        Some(fault) => fault.clone().into(),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// The sender of members, in the order of names.
struct Turns {
    /// The archive, which must not change until a member is unpacked.
    archive: Arc<Archive>,
    sender: SyncSender<io::Result<Content>>,
    /// The place of the next member to send.
    next: usize,
    /// Members that came too early, by their places.
    early: BTreeMap<usize, io::Result<Vec<u8>>>,
    early_bytes: u64,
    limits: Limits,
}

impl Turns {
    /// Sends a member when its turn comes. An error is one of reading it, or that nobody receives it.
    fn pass(&mut self, rank: usize, content: &mut dyn Read, size: u64) -> io::Result<()> {
        let mut bytes = Vec::new();
        if rank == self.next {
            content.take(WHOLE as u64).read_to_end(&mut bytes)?;
            if bytes.len() < WHOLE {
                return self.send(Ok(bytes));
            }
            return self.stream(bytes, content, size);
        }
        let limit = self.limits.unpacked;
        let room = limit.saturating_sub(self.early_bytes);
        content.take(room + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > room {
            return Err(ArchiveFault::Order { limit }.into());
        }
        self.early_bytes += bytes.len() as u64;
        self.early.insert(rank, Ok(bytes));
        Ok(())
    }

    /// Sends the error of a member when its turn comes.
    fn fail(&mut self, rank: usize, error: io::Error) -> io::Result<()> {
        if rank == self.next {
            return self.send(Err(error));
        }
        self.early.insert(rank, Err(error));
        Ok(())
    }

    /// Sends the next member, and those after it that came early.
    fn send(&mut self, member: io::Result<Vec<u8>>) -> io::Result<()> {
        self.send_one(member)?;
        self.send_early()
    }

    fn send_one(&mut self, member: io::Result<Vec<u8>>) -> io::Result<()> {
        let content = member.and_then(|bytes| {
            self.archive.check()?;
            let size = bytes.len() as u64;
            let reader = Box::new(Cursor::new(bytes));
            Ok(Content { reader, size })
        });
        self.next += 1;
        self.sender.send(content).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn send_early(&mut self) -> io::Result<()> {
        while let Some(member) = self.early.remove(&self.next) {
            if let Ok(bytes) = &member {
                self.early_bytes -= bytes.len() as u64;
            }
            self.send_one(member)?;
        }
        Ok(())
    }

    /// Sends the next member in chunks, while it is read.
    fn stream(&mut self, first: Vec<u8>, content: &mut dyn Read, size: u64) -> io::Result<()> {
        let (sender, chunks) = mpsc::sync_channel(CHUNKS);
        let reader = Box::new(Chunks { chunks, chunk: Cursor::new(first) });
        self.next += 1;
        self.sender
            .send(Ok(Content { reader, size }))
            .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        let mut done = Ok(());
        loop {
            let mut chunk = Vec::new();
            if let Err(error) = content.take(WHOLE as u64 / 16).read_to_end(&mut chunk) {
                let error = of_error(error.into(), &self.limits);
                // A reader that stopped early does not need to know.
                let _ = sender.send(Err(copy_of(&error)));
                done = Err(error);
                break;
            }
            if chunk.is_empty() {
                if let Err(error) = self.archive.check() {
                    let _ = sender.send(Err(error));
                }
                break;
            }
            if sender.send(Ok(chunk)).is_err() {
                break;
            }
        }
        drop(sender);
        self.send_early()?;
        done
    }
}

/// The content of a large member, in chunks.
struct Chunks {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.chunk.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            match self.chunks.recv() {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(_) => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Mutex;

    use super::super::{ArchiveKind, members};
    use super::*;
    use crate::DatasetError;
    use crate::io::input::Stamp;

    /// The sender of the members of a file, and their receiver.
    fn turns(path: &Path) -> (Turns, Receiver<io::Result<Content>>) {
        let stamp = Stamp::new(&fs::metadata(path).unwrap());
        let archive = Arc::new(Archive { path: path.to_owned(), stamp, free: Mutex::default() });
        let (sender, received) = mpsc::sync_channel(1);
        let early = BTreeMap::new();
        (Turns { archive, sender, next: 0, early, early_bytes: 0, limits: Limits::USUAL }, received)
    }

    #[test]
    fn an_archive_that_changes_is_an_error_of_the_job() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.7z");
        fs::write(&path, "before").unwrap();
        let (mut turns, received) = turns(&path);
        turns.pass(0, &mut &b"first"[..], 5).unwrap();
        assert!(received.recv().unwrap().is_ok());
        fs::write(&path, "after it").unwrap();
        turns.pass(1, &mut &b"second"[..], 6).unwrap();
        let error = received.recv().unwrap().err().unwrap();
        assert!(
            matches!(error.downcast::<DatasetError>().unwrap(), DatasetError::Altered(name) if name == path)
        );
    }

    #[test]
    fn members_are_sent_in_turn_and_large_ones_in_chunks() {
        let (mut turns, received) = turns(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"));
        let large: Vec<u8> = (0..WHOLE as u32 + 5_000_000).map(|number| (number % 251) as u8).collect();
        let content = large.clone();
        let unpacking = thread::spawn(move || {
            turns.pass(1, &mut &b"second"[..], 6)?;
            turns.pass(0, &mut &content[..], content.len() as u64)?;
            turns.pass(3, &mut &b"fourth"[..], 6)?;
            turns.fail(2, missing())?;
            io::Result::Ok(turns.early_bytes)
        });
        let mut members = Vec::new();
        for member in received {
            members.push(member.map(|Content { mut reader, size }| {
                let mut bytes = Vec::new();
                reader.read_to_end(&mut bytes).unwrap();
                assert_eq!(bytes.len() as u64, size);
                bytes
            }));
        }
        assert_eq!(unpacking.join().unwrap().unwrap(), 0);
        assert!(members[0].as_ref().unwrap() == &large);
        assert_eq!(members[1].as_ref().unwrap(), b"second");
        assert!(members[2].is_err());
        assert_eq!((members[3].as_ref().unwrap().as_slice(), members.len()), (&b"fourth"[..], 4));
    }

    /// The faults of reading an archive of the tests within limits.
    fn faults(name: &str, limits: Limits) -> Vec<&'static str> {
        use crate::kifu::Found;
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/archives").join(name);
        let files = match members(&path, ArchiveKind::SevenZip, &limits) {
            Ok(files) => files.collect(),
            Err(error) => vec![GameFile::unread(name.to_owned(), error)],
        };
        let mut faults = Vec::new();
        for file in files {
            let _ = file.read_within(&limits, komabako_kifu::ReadOptions::default(), |found| {
                if let Found::Bad(crate::kifu::BadGameFault::Archive(fault)) = found {
                    faults.push(match fault {
                        ArchiveFault::Order { .. } => "order",
                        ArchiveFault::Memory { .. } => "memory",
                        ArchiveFault::Directory { .. } => "directory",
                        other => other.name(),
                    });
                }
                std::ops::ControlFlow::<()>::Continue(())
            });
        }
        faults
    }

    #[test]
    fn limits_hold_and_are_named() {
        assert!(faults("order.7z", Limits::USUAL).is_empty());
        // `b.csa` comes before `a.kif`, and has 33 bytes.
        assert!(faults("order.7z", Limits { unpacked: 33, ..Limits::USUAL }).is_empty());
        assert_eq!(faults("order.7z", Limits { unpacked: 32, ..Limits::USUAL }), ["order", "order"]);
        assert_eq!(faults("lzma.7z", Limits { memory: 1 << 10, ..Limits::USUAL }), ["memory"]);
        assert_eq!(faults("games.7z", Limits { directory: 0, ..Limits::USUAL }), ["directory"]);
    }
}

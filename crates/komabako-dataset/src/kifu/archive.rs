//! Archives of game records: `.zip`.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use komabako_kifu::encoding;
use komabako_messages::{Grouped, messages};
use zip::read::{ArchiveOffset, Config, OwnedZipFileEntry};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive, ZipReadOptions};

use super::bad_games::is_system_error;
use super::reading::{GameFile, Limits};
use super::source::{PassedBy, extension_of, has_game_name, is_packed};
use crate::DatasetError;
use crate::io::input::Stamp;

/// Why an archive or one of its members cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArchiveFault {
    /// Its data is damaged, or was never a zip archive: the reason.
    Damaged(String),
    /// The member is encrypted.
    Encrypted,
    /// The member is packed itself, in a way that is not read.
    Packed,
    /// It has no member with a name of game records, among this many.
    NoGames(usize),
    /// The member is compressed by a method of zip that is not read.
    Method,
    /// The members have more packed bytes than the archive: some share them, as in a decompression bomb.
    Overlap,
    /// There are more bytes than `limit` to unpack, which is many times the packed size.
    Unpacked {
        /// The most bytes that are unpacked.
        limit: u64,
    },
    /// The directory of the archive is larger than `limit` bytes: there are more than a million members.
    Directory {
        /// The largest directory that is read.
        limit: u64,
    },
}

impl ArchiveFault {
    /// The name of the fault, which is stable between releases.
    pub const fn name(&self) -> &'static str {
        match self {
            ArchiveFault::Damaged(_) => "DAMAGED",
            ArchiveFault::Encrypted => "ENCRYPTED",
            ArchiveFault::Packed => "PACKED",
            ArchiveFault::NoGames(_) => "EMPTY",
            ArchiveFault::Method => "COMPRESSION",
            ArchiveFault::Overlap | ArchiveFault::Unpacked { .. } | ArchiveFault::Directory { .. } => "LIMIT",
        }
    }
}

messages! {
    ArchiveFault {
        Damaged(why) => "the archive is damaged here ({why}); get it again, or repair it with zip -FF",
            "書庫のここが壊れています ({why})。入手し直すか、zip -FF で修復してください";
        Encrypted => "encrypted; unpack it with its password first", "暗号化されています。先にパスワードで展開してください";
        Packed => "packed in a way that is not read; unpack it first",
            "読めない形に圧縮されています。先に展開してください";
        NoGames(members) =>
            "none of its {members} members has a name of game records, such as NAME.csa; unpack it first, and name its files",
            "メンバー {members} 個のどれにも、NAME.csa のような棋譜の名前がありません。先に展開し、ファイルを指定してください";
        Method =>
            "compressed by a method of zip other than deflate, which is not read; unpack the archive first",
            "deflate 以外の方法で圧縮されているため読めません。先に書庫を展開してください";
        Overlap =>
            "not read, because its members share their data, as in a decompression bomb; unpack it first if you trust it",
            "展開爆弾のようにメンバーがデータを共有しているため、読みませんでした。信頼できるなら先に展開してください";
        Unpacked { limit } with (most = Grouped(*limit)) =>
            "not read, because it would unpack to more than {most} bytes, as a decompression bomb does; unpack it first \
             if you trust it",
            "展開爆弾のように、展開すると {most} バイトを超えるため、読みませんでした。信頼できるなら先に展開してください";
        Directory { limit } with (most = Grouped(*limit)) =>
            "not read, because its directory has more than {most} bytes; unpack the archive first, or divide it",
            "書庫の目録が {most} バイトを超えるため、読みませんでした。先に展開するか、書庫を分けてください";
    }
}

impl core::error::Error for ArchiveFault {}

impl From<ArchiveFault> for io::Error {
    fn from(fault: ArchiveFault) -> Self {
        io::Error::other(fault)
    }
}

/// An archive whose members are read, each by any thread.
struct Archive {
    path: PathBuf,
    stamp: Stamp,
    /// Opened files that no thread reads at the moment: opening one takes as long as reading a game.
    free: Mutex<Vec<BufReader<File>>>,
}

impl Archive {
    fn open(&self) -> io::Result<BufReader<File>> {
        let free = self.free.lock().ok().and_then(|mut free| free.pop());
        match free {
            Some(file) => Ok(file),
            None => File::open(&self.path).map(BufReader::new),
        }
    }

    /// Fails if the archive has changed since its directory was read.
    fn check(&self) -> io::Result<()> {
        if Stamp::new(&fs::metadata(&self.path)?) == self.stamp {
            Ok(())
        } else {
            Err(io::Error::other(DatasetError::Altered(self.path.clone())))
        }
    }
}

/// A member of an archive.
pub(super) struct Member {
    archive: Arc<Archive>,
    entry: OwnedZipFileEntry,
}

impl Member {
    /// Its size in bytes, which the reader enforces.
    pub fn size(&self) -> u64 {
        self.entry.size()
    }

    /// Checks its archive after it was read.
    pub fn check(&self) -> io::Result<()> {
        self.archive.check()
    }

    /// Opens it, and passes the reader of its content.
    pub fn open<T>(&self, read: impl FnOnce(io::Result<&mut (dyn Read + Send)>) -> T) -> T {
        let mut file = match self.archive.open() {
            Ok(file) => file,
            Err(error) => return read(Err(error)),
        };
        let done = match self.entry.as_ref().with_reader(&mut file, ZipReadOptions::new()) {
            Ok(content) => read(Ok(&mut Unpacking(content))),
            Err(error) => read(Err(of_zip(error))),
        };
        if let Ok(mut free) = self.archive.free.lock() {
            free.push(file);
        }
        done
    }
}

/// A member's content, whose faults are those of the archive.
struct Unpacking<R>(R);

impl<R: Read> Read for Unpacking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(damaged)
    }
}

/// An error of reading an archive: the system's, one of ours, or damage.
fn damaged(error: io::Error) -> io::Error {
    let is_own = error.get_ref().is_some_and(|cause| cause.is::<ArchiveFault>());
    if is_own || is_system_error(&error) { error } else { ArchiveFault::Damaged(error.to_string()).into() }
}

fn of_zip(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => damaged(error),
        error => ArchiveFault::Damaged(error.to_string()).into(),
    }
}

/// The members of an archive that are game records by their names, and those that may hold some but cannot be read, in the
/// order of names. Members of one name are all listed, in the order of the archive.
pub(super) fn members(path: &Path, limits: &Limits) -> io::Result<Vec<GameFile>> {
    let file = File::open(path)?;
    let stamp = Stamp::new(&file.metadata()?);
    let length = stamp.bytes;
    let file = BufReader::new(Limited { file, left: limits.directory, limit: limits.directory });
    let archive = ZipArchive::new(file).map_err(of_zip)?;
    let mut entries = (0..archive.len())
        .map(|index| archive.by_index_data(index).map(OwnedZipFileEntry::from))
        .collect::<Result<Vec<_>, _>>()
        .map_err(of_zip)?;
    let (others, fault) = others(&archive, path, limits)?;
    entries.extend(others);
    let archive = Arc::new(Archive { path: path.to_owned(), stamp, free: Mutex::default() });
    archive.check()?;
    let count = entries.len();
    let mut members = Vec::new();
    let mut packed = 0_u64;
    let mut unpacked = 0_u64;
    let mut others = Vec::new();
    for entry in entries {
        let name = name_of(entry.name_raw());
        let path = Path::new(&name);
        if name.ends_with('/') {
            continue;
        }
        // 0 for the entries that the index lacks: they come before the one of their name that it has.
        let place = entry.central_header_start();
        let full_name = format!("{}!{name}", archive.path.display());
        let file = if is_packed(path) {
            GameFile::unread(full_name, ArchiveFault::Packed.into())
        } else if !has_game_name(path) {
            others.push(name);
            continue;
        } else if entry.as_ref().encrypted() {
            GameFile::unread(full_name, ArchiveFault::Encrypted.into())
        } else if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            GameFile::unread(full_name, ArchiveFault::Method.into())
        } else {
            packed = packed.saturating_add(entry.compressed_size());
            unpacked = unpacked.saturating_add(entry.size());
            let member = Member { archive: Arc::clone(&archive), entry };
            GameFile::member(full_name, extension_of(path), member)
        };
        members.push((name, place, file));
    }
    // Before anything is unpacked, so that the answer is the same for any number of threads.
    if packed > length {
        return Err(ArchiveFault::Overlap.into());
    }
    limits.check_unpacked(length, unpacked)?;
    members.sort_by(|(a, at, _), (b, other, _)| (a, at).cmp(&(b, other)));
    if members.is_empty() && fault.is_none() {
        return Err(ArchiveFault::NoGames(count).into());
    }
    // The other members are read all the same.
    let fault = fault.map(|fault| GameFile::unread(archive.path.display().to_string(), fault.into()));
    let passed_by = others.iter().min().map(|first| {
        let what = PassedBy::Members { count: others.len() as u64, first: first.clone() };
        GameFile::passed_by(&archive.path, what)
    });
    Ok(members.into_iter().map(|(.., file)| file).chain(fault).chain(passed_by).collect())
}

/// The entries of the directory that the index of the library lacks: it is by name, and of several members of one name it has
/// the last; and it has no more entries than the end of the directory counts. Each is read as the only entry of a directory.
/// Also the fault of a directory that does not reach from where it is said to begin to its end.
fn others<R: Read + Seek>(
    archive: &ZipArchive<R>,
    path: &Path,
    limits: &Limits,
) -> io::Result<(Vec<OwnedZipFileEntry>, Option<ArchiveFault>)> {
    const SIGNATURE: &[u8] = b"PK\x01\x02";
    const LENGTH: usize = 46;
    let start = archive.central_directory_start();
    let known: HashSet<u64> = (0..archive.len())
        .filter_map(|index| Some(archive.by_index_data(index).ok()?.central_header_start()))
        .collect();
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut directory = Vec::new();
    file.take(limits.directory).read_to_end(&mut directory)?;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(header) = directory[at..].get(..LENGTH).filter(|header| header.starts_with(SIGNATURE)) {
        let lengths = [28, 30, 32].map(|at| usize::from(u16::from_le_bytes([header[at], header[at + 1]])));
        let length = LENGTH + lengths.iter().sum::<usize>();
        let Some(entry) = directory[at..].get(..length) else { break };
        if !known.contains(&(start + at as u64)) {
            found.push(only_entry(entry).map_err(of_zip)?);
        }
        at += length;
    }
    let number = |at: usize| directory.get(at..at + 8)?.first_chunk().map(|&bytes| u64::from_le_bytes(bytes));
    // The end of the directory, usual, of ZIP64 or signed, and the size that it gives.
    let size = match directory.get(at..at + 4) {
        Some(b"PK\x05\x06") => number(at + 12).map(|size| size & u64::from(u32::MAX)),
        Some(b"PK\x06\x06") => number(at + 40),
        Some(b"PK\x05\x05") => Some(at as u64),
        _ => None,
    };
    let fault = |why: &str| Some(ArchiveFault::Damaged(why.to_owned()));
    // The places in an archive behind another file count from its own start.
    if archive.offset() != 0 && !found.is_empty() {
        return Ok((Vec::new(), fault("its directory has entries that are not counted")));
    }
    Ok((found, if size == Some(at as u64) { None } else { fault("its directory is incomplete") }))
}

/// An entry of a directory, from its bytes alone.
fn only_entry(entry: &[u8]) -> Result<OwnedZipFileEntry, ZipError> {
    let mut bytes = entry.to_vec();
    // The end of a directory: of disk 0, with 1 entry on it and in all, its size and place, no comment.
    bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    bytes.extend_from_slice(&(entry.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&[0; 6]);
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let archive = ZipArchive::with_config(config, Cursor::new(bytes))?;
    archive.by_index_data(0).map(OwnedZipFileEntry::from)
}

/// A file of which at most `limit` bytes may be read: the directory of an archive takes several times its size in memory.
struct Limited {
    file: File,
    left: u64,
    limit: u64,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => {
                self.left = left;
                Ok(read)
            }
            None => Err(ArchiveFault::Directory { limit: self.limit }.into()),
        }
    }
}

impl Seek for Limited {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The name of a member: UTF-8, or CP932, which Japanese Windows writes.
fn name_of(raw: &[u8]) -> String {
    match encoding::decode(raw) {
        Ok(decoded) => decoded.text.into_owned(),
        Err(_) => String::from_utf8_lossy(raw).into_owned(),
    }
}

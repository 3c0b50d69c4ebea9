//! Archives of game records: `.zip`, `.7z`, `.lzh`.

mod lzh;
mod seven_zip;
mod zip;

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ::zip::read::OwnedZipFileEntry;
use komabako_kifu::encoding;
use komabako_messages::{Grouped, messages};

use super::bad_games::is_system_error;
use super::reading::{GameFile, Limits};
use super::source::{PassedBy, extension_of, has_game_name, is_packed};
use crate::DatasetError;
use crate::io::input::Stamp;

/// The kinds of archives that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArchiveKind {
    Zip,
    SevenZip,
    Lzh,
}

/// The extensions of archives that are read.
const EXTENSIONS: [(&str, ArchiveKind); 4] = [
    ("zip", ArchiveKind::Zip),
    ("7z", ArchiveKind::SevenZip),
    ("lzh", ArchiveKind::Lzh),
    ("lha", ArchiveKind::Lzh),
];

impl ArchiveKind {
    /// The kind of archive that a path names.
    pub fn from_path(path: &Path) -> Option<ArchiveKind> {
        let extension = path.extension()?;
        let known = EXTENSIONS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
        known.map(|(_, kind)| *kind)
    }
}

/// Why an archive or one of its members cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArchiveFault {
    /// Its data is damaged, or was never an archive: the reason.
    Damaged(String),
    /// The archive or the member is encrypted.
    Encrypted,
    /// The member is packed itself, in a way that is not read.
    Packed,
    /// It has no member with a name of game records, among this many.
    NoGames(usize),
    /// The member is compressed by a method that is not read.
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
    /// Unpacking takes more memory than `limit` bytes.
    Memory {
        /// The most memory.
        limit: u64,
    },
    /// The members are packed together in another order than that of their names, and those that come too early have more than
    /// `limit` bytes.
    Order {
        /// The most bytes that are kept until their turn comes.
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
            ArchiveFault::Overlap
            | ArchiveFault::Unpacked { .. }
            | ArchiveFault::Directory { .. }
            | ArchiveFault::Memory { .. }
            | ArchiveFault::Order { .. } => "LIMIT",
        }
    }
}

messages! {
    ArchiveFault {
        Damaged(why) => "the archive is damaged here ({why}); get it again, or repair a .zip with zip -FF",
            "書庫のここが壊れています ({why})。入手し直すか、.zip なら zip -FF で修復してください";
        Encrypted => "encrypted; unpack it with its password first: 7z x FILE",
            "暗号化されています。先にパスワードで展開してください: 7z x FILE";
        Packed => "packed in a way that is not read; unpack it first",
            "読めない形に圧縮されています。先に展開してください";
        NoGames(members) =>
            "none of its {members} members has a name of game records, such as NAME.csa; unpack it first, and name its files",
            "メンバー {members} 個のどれにも、NAME.csa のような棋譜の名前がありません。先に展開し、ファイルを指定してください";
        Method =>
            "compressed by a method that is not read; unpack the archive first: 7z x FILE",
            "読めない方法で圧縮されています。先に書庫を展開してください: 7z x FILE";
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
        Memory { limit } with (most = Grouped(*limit)) =>
            "not read, because unpacking it takes more than {most} bytes of memory; unpack it first: 7z x FILE",
            "展開に {most} バイトを超えるメモリが必要なため、読みませんでした。先に展開してください: 7z x FILE";
        Order { limit } with (most = Grouped(*limit)) =>
            "not read, because its members are packed in another order than that of their names, and more than {most} bytes \
             would have to wait in memory; unpack it first: 7z x FILE",
            "メンバーが名前の順に圧縮されておらず、{most} バイトを超える分をメモリに置くことになるため、読みませんでした。\
             先に展開してください: 7z x FILE";
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

/// A member of an archive, which is opened on its own.
pub(super) struct Member {
    archive: Arc<Archive>,
    size: u64,
    place: MemberPlace,
}

/// Where a member is in its archive.
enum MemberPlace {
    Zip(OwnedZipFileEntry),
    /// The byte at which its header begins.
    Lzh(u64),
}

impl Member {
    /// Its size in bytes, which the reader enforces.
    pub fn size(&self) -> u64 {
        self.size
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
        let done = match &self.place {
            MemberPlace::Zip(entry) => zip::open(entry, &mut file, read),
            MemberPlace::Lzh(header) => lzh::open(*header, &mut file, read),
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

/// An entry of an archive's directory.
struct Entry {
    name: String,
    /// Its place among entries of the same name.
    place: u64,
    packed: u64,
    size: u64,
    /// Why it cannot be unpacked.
    fault: Option<ArchiveFault>,
    content: EntryContent,
}

/// How an entry is unpacked.
enum EntryContent {
    /// On its own.
    Member(MemberPlace),
    /// With the others of its block: the number of its file.
    InBlock(usize),
}

/// The directory of an archive.
struct Directory {
    /// The entries, without folders.
    entries: Vec<Entry>,
    /// What is wrong with it, though the entries can be read.
    fault: Option<ArchiveFault>,
}

/// The files of an archive, in the order of names.
pub(super) type Members = Box<dyn Iterator<Item = GameFile> + Send>;

/// The members of an archive that are game records by their names, and those that may hold some but cannot be read, in the
/// order of names. Members of one name are all listed, in the order of the archive.
pub(super) fn members(path: &Path, kind: ArchiveKind, limits: &Limits) -> io::Result<Members> {
    let mut file = File::open(path)?;
    let stamp = Stamp::new(&file.metadata()?);
    let length = stamp.bytes;
    let archive = Arc::new(Archive { path: path.to_owned(), stamp, free: Mutex::default() });
    let (directory, seven_zip) = match kind {
        ArchiveKind::Zip => (zip::directory(file, path, limits)?, None),
        ArchiveKind::Lzh => (lzh::directory(BufReader::new(file), limits)?, None),
        ArchiveKind::SevenZip => {
            let opened = seven_zip::open(&mut file, limits)?;
            (seven_zip::directory(&opened), Some((opened, file)))
        }
    };
    archive.check()?;
    let Directory { entries, fault } = directory;
    let count = entries.len();
    let mut members = Vec::new();
    let mut packed = 0_u64;
    let mut unpacked = 0_u64;
    let mut others = Vec::new();
    for entry in entries {
        let Entry { name, place, content, size, .. } = entry;
        let path = Path::new(&name);
        let full_name = format!("{}!{name}", archive.path.display());
        let file = if is_packed(path) {
            Listed::File(GameFile::unread(full_name, ArchiveFault::Packed.into()))
        } else if !has_game_name(path) {
            others.push(name);
            continue;
        } else if let Some(fault) = entry.fault {
            Listed::File(GameFile::unread(full_name, fault.into()))
        } else {
            packed = packed.saturating_add(entry.packed);
            unpacked = unpacked.saturating_add(size);
            let extension = extension_of(path);
            match content {
                EntryContent::Member(place) => {
                    let member = Member { archive: Arc::clone(&archive), size, place };
                    Listed::File(GameFile::member(full_name, extension, member))
                }
                EntryContent::InBlock(index) => Listed::InBlock { name: full_name, extension, index },
            }
        };
        members.push((name, place, file));
    }
    if let Some((opened, _)) = &seven_zip {
        // All of a block is unpacked for one member of it.
        let wanted = members.iter().filter_map(|(.., file)| file.index());
        (packed, unpacked) = seven_zip::sizes(opened, wanted);
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
    let members: Vec<Listed> = members.into_iter().map(|(.., file)| file).collect();
    let members: Members = match seven_zip {
        Some((opened, file)) => {
            Box::new(seven_zip::Unpacking::start(opened, file, archive, members, limits)?)
        }
        None => Box::new(members.into_iter().filter_map(Listed::into_file)),
    };
    Ok(Box::new(members.chain(fault).chain(passed_by)))
}

/// A file of game records of an archive.
enum Listed {
    /// It can be read, or its fault is known.
    File(GameFile),
    /// It is unpacked with the others of its block: the number of its file.
    InBlock { name: String, extension: Option<String>, index: usize },
}

impl Listed {
    fn into_file(self) -> Option<GameFile> {
        match self {
            Listed::File(file) => Some(file),
            Listed::InBlock { .. } => None,
        }
    }

    /// The number of a file in a block.
    fn index(&self) -> Option<usize> {
        match self {
            Listed::File(_) => None,
            Listed::InBlock { index, .. } => Some(*index),
        }
    }
}

/// The name of a member: UTF-8, or CP932, which Japanese Windows writes.
fn name_of(raw: &[u8]) -> String {
    match encoding::decode(raw) {
        Ok(decoded) => decoded.text.into_owned(),
        Err(_) => String::from_utf8_lossy(raw).into_owned(),
    }
}

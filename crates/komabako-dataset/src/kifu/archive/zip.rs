//! `.zip`.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use zip::read::{ArchiveOffset, Config, OwnedZipFileEntry};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive, ZipReadOptions};

use super::{ArchiveFault, Directory, Entry, EntryContent, MemberPlace, Unpacking, damaged, name_of};
use crate::kifu::reading::Limits;

fn of_zip(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => damaged(error),
        error => ArchiveFault::Damaged(error.to_string()).into(),
    }
}

/// The directory of an archive.
pub(super) fn directory(file: File, path: &Path, limits: &Limits) -> io::Result<Directory> {
    let file = BufReader::new(Limited { file, left: limits.directory, limit: limits.directory });
    let archive = ZipArchive::new(file).map_err(of_zip)?;
    let mut found = (0..archive.len())
        .map(|index| archive.by_index_data(index).map(OwnedZipFileEntry::from))
        .collect::<Result<Vec<_>, _>>()
        .map_err(of_zip)?;
    let (others, fault) = others(&archive, path, limits)?;
    found.extend(others);
    let mut entries = Vec::new();
    for entry in found {
        let name = name_of(entry.name_raw());
        if name.ends_with('/') {
            continue;
        }
        let fault = if entry.as_ref().encrypted() {
            Some(ArchiveFault::Encrypted)
        } else if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            Some(ArchiveFault::Method)
        } else {
            None
        };
        // 0 for the entries that the index lacks: they come before the one of their name that it has.
        let place = entry.central_header_start();
        let packed = entry.compressed_size();
        let size = entry.size();
        let content = EntryContent::Member(MemberPlace::Zip(entry));
        entries.push(Entry { name, place, packed, size, fault, content });
    }
    Ok(Directory { entries, fault })
}

/// Opens a member, and passes the reader of its content.
pub(super) fn open<T>(
    entry: &OwnedZipFileEntry,
    file: &mut BufReader<File>,
    read: impl FnOnce(io::Result<&mut (dyn Read + Send)>) -> T,
) -> T {
    match entry.as_ref().with_reader(file, ZipReadOptions::new()) {
        Ok(content) => read(Ok(&mut Unpacking(content))),
        Err(error) => read(Err(of_zip(error))),
    }
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

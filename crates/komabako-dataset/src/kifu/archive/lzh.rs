//! `.lzh`: a chain of headers, each followed by the packed member.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use delharc::header::{CompressionMethod, LhaHeader};
use delharc::{LhaDecodeReader, LhaError};

use super::{ArchiveFault, Directory, Entry, EntryContent, MemberPlace, damaged, name_of};
use crate::kifu::reading::Limits;

/// The bytes that a header takes at least.
const HEADER: u64 = 21;

/// The directory of an archive: all its headers, up to the first that is damaged.
pub(super) fn directory(mut file: BufReader<File>, limits: &Limits) -> io::Result<Directory> {
    let length = file.get_ref().metadata()?.len();
    let mut entries = Vec::new();
    let mut fault = None;
    let mut names = 0_u64;
    let mut at = 0;
    loop {
        if at == length && at > 0 {
            fault = Some(ArchiveFault::Damaged("its end is missing".to_owned()));
            break;
        }
        file.seek(SeekFrom::Start(at))?;
        // A header ends where the packed member begins.
        let header = match LhaHeader::read(&mut file) {
            Ok(Some(header)) => header,
            // A byte 0 ends the archive.
            Ok(None) => break,
            Err(LhaError::Io(error)) if error.raw_os_error().is_some() => return Err(error),
            Err(error) if at == 0 => return Err(damage(&error.to_string())),
            Err(error) => {
                fault = Some(ArchiveFault::Damaged(error.to_string()));
                break;
            }
        };
        let content = file.stream_position()?;
        let end = content.checked_add(header.compressed_size).filter(|&end| end <= length);
        names += (header.filename.len() + header.extra_headers.len()) as u64 + HEADER;
        if names > limits.directory {
            return Err(ArchiveFault::Directory { limit: limits.directory }.into());
        }
        let name = name_in(&header);
        if !header.is_directory() && !name.ends_with('/') {
            let is_read = header.compression_method().is_ok_and(is_read);
            entries.push(Entry {
                name,
                place: at,
                packed: header.compressed_size,
                size: header.original_size,
                fault: if is_read { None } else { Some(ArchiveFault::Method) },
                content: EntryContent::Member(MemberPlace::Lzh(at)),
            });
        }
        match end {
            Some(end) => at = end,
            None => {
                fault = Some(ArchiveFault::Damaged("it ends inside a member".to_owned()));
                break;
            }
        }
    }
    Ok(Directory { entries, fault })
}

fn damage(why: &str) -> io::Error {
    ArchiveFault::Damaged(why.to_owned()).into()
}

/// Whether a method can be unpacked.
fn is_read(method: CompressionMethod) -> bool {
    use CompressionMethod::{Lh0, Lh1, Lh4, Lh5, Lh6, Lh7, Lz4, Lz5, Lzs, Pm0};
    matches!(method, Lh0 | Lh1 | Lh4 | Lh5 | Lh6 | Lh7 | Lz4 | Lz5 | Lzs | Pm0)
}

/// The name of a member with its folders, from bytes in UTF-8 or CP932: the library's has neither.
fn name_in(header: &LhaHeader) -> String {
    /// The kinds of extra headers.
    const NAME: u8 = 1;
    const FOLDER: u8 = 2;
    /// What separates folders in an extra header.
    const SEPARATOR: u8 = 0xff;
    let mut folder = String::new();
    let mut name = name_of(&header.filename);
    for extra in header.iter_extra() {
        match extra {
            [NAME, bytes @ ..] => name = name_of(bytes),
            [FOLDER, bytes @ ..] => {
                for part in bytes.split(|&byte| byte == SEPARATOR).filter(|part| !part.is_empty()) {
                    folder.push_str(&name_of(part));
                    folder.push('/');
                }
            }
            _ => {}
        }
    }
    let name = name.split('\0').next().unwrap_or_default();
    folder + &name.replace('\\', "/")
}

/// Opens the member with a header at a byte, and passes the reader of its content.
pub(super) fn open<T>(
    header: u64,
    file: &mut BufReader<File>,
    read: impl FnOnce(io::Result<&mut (dyn Read + Send)>) -> T,
) -> T {
    let opened = file.seek(SeekFrom::Start(header)).map_err(damaged);
    match opened.and_then(|_| LhaDecodeReader::new(file).map_err(|error| damaged(error.into()))) {
        Ok(content) => read(Ok(&mut Checked { content, is_checked: false })),
        Err(error) => read(Err(error)),
    }
}

/// The content of a member, whose checksum is compared at its end.
struct Checked<'f> {
    content: LhaDecodeReader<&'f mut BufReader<File>>,
    is_checked: bool,
}

impl Read for Checked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer).map_err(damaged)?;
        if read == 0 && !buffer.is_empty() && !self.is_checked {
            self.is_checked = true;
            self.content.crc_check().map_err(|error| damage(&error.to_string()))?;
        }
        Ok(read)
    }
}

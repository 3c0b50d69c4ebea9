//! [`Sources`]: iterates over files, members of archives and files in folders.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use komabako_kifu::{Format, MAX_BYTES, encoding};
use zip::ZipArchive;

use crate::io::input::{Stopped, Waiting};
use crate::io::output::identity;
use crate::{Compression, DatasetError};

/// A file or a member of an archive.
pub struct Loaded {
    /// Its name: a path, or `ARCHIVE!MEMBER`.
    pub name: String,
    /// The extension of its name, before that of a compression.
    pub extension: Option<String>,
    /// Its bytes, decompressed, or the error of reading them.
    pub bytes: io::Result<Vec<u8>>,
}

/// A file or member that may still have to be read. Members are read in the order of the archive, files by any worker.
pub(super) enum Source {
    File(PathBuf),
    Loaded(Loaded),
}

impl Source {
    /// Its size in bytes; for a compressed file, the size on disk.
    pub fn size(&self) -> u64 {
        match self {
            Source::File(path) => fs::metadata(path).map_or(0, |known| known.len()),
            Source::Loaded(Loaded { bytes: Ok(bytes), .. }) => bytes.len() as u64,
            Source::Loaded(_) => 0,
        }
    }

    /// Reads the file.
    pub fn load(self) -> Loaded {
        let path = match self {
            Source::File(path) => path,
            Source::Loaded(loaded) => return loaded,
        };
        match File::open(&path) {
            Ok(file) => {
                Loaded { name: path.display().to_string(), extension: extension_of(&path), bytes: load(file) }
            }
            Err(error) => Loaded::failed(&path, error),
        }
    }
}

impl Loaded {
    fn failed(path: &Path, error: io::Error) -> Self {
        Loaded { name: path.display().to_string(), extension: None, bytes: Err(error) }
    }
}

/// The files of game records among paths.
pub struct Sources {
    /// The paths still to be read, in reverse order.
    paths: Vec<PathBuf>,
    /// Those of them that are pipes or devices, which may keep a reader waiting.
    streams: HashSet<PathBuf>,
    archive: Option<Archive>,
}

struct Archive {
    path: PathBuf,
    archive: ZipArchive<BufReader<File>>,
    /// The members still to be read, in reverse order.
    members: Vec<usize>,
}

/// Whether a path names a file of game records or an archive, or is a folder.
pub fn is_game_file(path: &Path) -> bool {
    is_zip(path)
        || extension_of(path).is_some_and(|extension| {
            Format::from_extension(&extension).is_some_and(|format| {
                // `.sfen` files are lists of positions, which other jobs read.
                format != Format::Usi || extension == "usi"
            })
        })
        || path.is_dir()
}

fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

/// The extension, before that of a compression, in lower case.
fn extension_of(path: &Path) -> Option<String> {
    let inner = match Compression::from_path(path) {
        Compression::None => path,
        _ => Path::new(path.file_stem()?),
    };
    Some(inner.extension()?.to_str()?.to_ascii_lowercase())
}

impl Sources {
    /// Finds files: those given, regardless of their names, and with `recursive` the files in given folders whose names
    /// are those of game records, in the order of names.
    ///
    /// # Errors
    /// If a path does not exist, is a folder without `recursive`, or a folder cannot be read, or has a pipe or a device with
    /// the name of a file of game records ([`DatasetError::SpecialFile`]).
    pub fn find(inputs: &[PathBuf], recursive: bool) -> Result<Self, DatasetError> {
        let mut paths = Vec::new();
        let mut streams = HashSet::new();
        for path in inputs {
            let failed = |error| DatasetError::Open(path.clone(), error);
            let known = fs::metadata(path).map_err(failed)?;
            if !known.is_file() && !known.is_dir() {
                streams.insert(path.clone());
            }
            match (known.is_dir(), recursive) {
                (false, _) => paths.push(path.clone()),
                (true, false) => return Err(failed(io::ErrorKind::IsADirectory.into())),
                (true, true) => find_in(path, &mut paths)?,
            }
        }
        // The next path is taken from the end.
        paths.reverse();
        Ok(Sources { paths, streams, archive: None })
    }

    /// The files that were found, archives as one.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().rev().map(PathBuf::as_path)
    }

    /// The files that were found, for checks that no output replaces one of them.
    pub fn input_files(&self) -> InputFiles {
        InputFiles { paths: self.paths.clone(), identities: OnceCell::new() }
    }

    /// The next file, unread, or member of an archive.
    pub(super) fn next_source(&mut self) -> Option<Source> {
        loop {
            if let Some(member) = self.next_member() {
                return Some(Source::Loaded(member));
            }
            let path = self.paths.pop()?;
            if self.streams.contains(&path) {
                let (name, extension) = (path.display().to_string(), extension_of(&path));
                let bytes = Waiting::open(&path).and_then(load);
                return Some(Source::Loaded(Loaded { name, extension, bytes }));
            }
            if !is_zip(&path) {
                return Some(Source::File(path));
            }
            if let Err(error) = self.open_archive(&path) {
                return Some(Source::Loaded(Loaded::failed(&path, error)));
            }
        }
    }

    fn next_member(&mut self) -> Option<Loaded> {
        let archive = self.archive.as_mut()?;
        let Some(index) = archive.members.pop() else {
            self.archive = None;
            return None;
        };
        let archive_name = archive.path.display();
        Some(match archive.archive.by_index(index) {
            Ok(member) => {
                let path = PathBuf::from(name_of(member.name_raw()));
                Loaded {
                    name: format!("{archive_name}!{}", path.display()),
                    extension: extension_of(&path),
                    bytes: load(member),
                }
            }
            Err(error) => {
                Loaded { name: format!("{archive_name}!#{index}"), extension: None, bytes: Err(error.into()) }
            }
        })
    }

    /// Opens an archive; its members are read in the order of their names.
    fn open_archive(&mut self, path: &Path) -> io::Result<()> {
        let file = BufReader::new(File::open(path)?);
        let mut archive = ZipArchive::new(file)?;
        let mut members = Vec::new();
        for index in 0..archive.len() {
            let Ok(member) = archive.by_index_raw(index) else { continue };
            let name = name_of(member.name_raw());
            let path = Path::new(&name);
            if !name.ends_with('/') && is_game_file(path) && !is_zip(path) {
                members.push((name, index));
            }
        }
        // Descending, because the next one is taken from the end.
        members.sort_by(|a, b| b.cmp(a));
        let members = members.into_iter().map(|(_, index)| index).collect();
        self.archive = Some(Archive { path: path.to_owned(), archive, members });
        Ok(())
    }
}

/// The files that a job reads, which no output may replace. This includes files found in folders: an earlier output among
/// them would otherwise be read as input, and its games written twice.
#[derive(Default)]
pub struct InputFiles {
    paths: Vec<PathBuf>,
    /// Computed when an output exists: resolving the paths of 100,000 games takes a tenth of the time of converting them.
    identities: OnceCell<HashSet<PathBuf>>,
}

impl InputFiles {
    /// Checks that an output is not one of the files, under any name.
    ///
    /// # Errors
    /// [`DatasetError::SameFile`].
    pub fn check_output(&self, output: &Path) -> Result<(), DatasetError> {
        // A file that does not exist is no input, and a device or a pipe has no content to replace.
        if !output.is_file() {
            return Ok(());
        }
        let identities =
            self.identities.get_or_init(|| self.paths.iter().map(|path| identity(path)).collect());
        match identities.contains(&identity(output)) {
            true => Err(DatasetError::SameFile(output.to_owned())),
            false => Ok(()),
        }
    }
}

impl Iterator for Sources {
    type Item = Loaded;

    fn next(&mut self) -> Option<Loaded> {
        self.next_source().map(Source::load)
    }
}

/// The name of a member: UTF-8, or CP932, which Japanese Windows writes.
fn name_of(raw: &[u8]) -> String {
    match encoding::decode(raw) {
        Ok(decoded) => decoded.text.into_owned(),
        Err(_) => String::from_utf8_lossy(raw).into_owned(),
    }
}

/// Whether an error of reading a game is one of the system or of the user, such as too many open files or Ctrl-C, rather than a
/// fault of the content: it says nothing about the game.
pub fn is_system_error(error: &io::Error) -> bool {
    let has_code = |error: &io::Error| error.raw_os_error().is_some();
    if has_code(error) || error.kind() == io::ErrorKind::OutOfMemory {
        return true;
    }
    let mut cause = error.get_ref().map(|cause| cause as &(dyn core::error::Error + 'static));
    while let Some(error) = cause {
        if error.is::<Stopped>() || error.downcast_ref().is_some_and(has_code) {
            return true;
        }
        cause = error.source();
    }
    false
}

/// More than most games take.
const USUAL_BYTES: usize = 1 << 13;

/// Reads all bytes, decompressed if they start like a compressed stream. A decompression bomb is read up to the limit of a file.
fn load(mut reader: impl Read + Send) -> io::Result<Vec<u8>> {
    const LIMIT: u64 = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    // A usual file is read completely here, with one call and another that finds its end: opening and reading files is a
    // tenth of the time of converting games.
    let is_whole = reader.by_ref().take(USUAL_BYTES as u64).read_to_end(&mut bytes)? < USUAL_BYTES;
    match Compression::from_magic(&bytes) {
        Compression::None if is_whole => {}
        // A decoder has its own buffer, which costs more than reading a game.
        Compression::None => {
            reader.take(LIMIT - USUAL_BYTES as u64).read_to_end(&mut bytes)?;
        }
        compression => {
            let start = io::Cursor::new(std::mem::take(&mut bytes));
            compression.decoder(start.chain(reader))?.take(LIMIT).read_to_end(&mut bytes)?;
        }
    }
    if bytes.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "more than 64 MiB in one file; split it"));
    }
    Ok(bytes)
}

/// Finds the files in a folder and its subfolders.
fn find_in(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), DatasetError> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let failed = |error| DatasetError::Open(folder.clone(), error);
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            let path = entry.path();
            // Links to folders are not followed: they may lead back.
            let is_folder = || kind.is_symlink() && path.is_dir();
            // A link that leads nowhere is reported when it is read.
            let is_special = || !kind.is_file() && path.exists() && !path.is_file();
            if kind.is_dir() {
                folders.push(path);
            } else if is_game_file(&path) && !is_folder() {
                if is_special() {
                    return Err(DatasetError::SpecialFile(path));
                }
                found.push(path);
            }
        }
    }
    found.sort();
    paths.extend(found);
    Ok(())
}

#[cfg(test)]
mod tests {
    use zip::result::ZipError;

    use super::*;

    #[test]
    fn errors_with_a_code_of_the_system_are_not_of_the_content() {
        // EIO, EMFILE and EACCES on Linux; any code will do.
        for code in [5, 24, 13] {
            let error = || io::Error::from_raw_os_error(code);
            assert!(is_system_error(&error()));
            assert!(is_system_error(&ZipError::Io(error()).into()));
            assert!(is_system_error(&io::Error::other(error())));
        }
        assert!(is_system_error(&io::Error::other(Stopped)));
        let of_content = [
            io::ErrorKind::UnexpectedEof.into(),
            io::Error::new(io::ErrorKind::InvalidData, "corrupt deflate stream"),
            io::Error::new(io::ErrorKind::FileTooLarge, "more than 64 MiB"),
            ZipError::InvalidArchive("no end of the directory".into()).into(),
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED).into(),
            ZipError::Io(io::ErrorKind::UnexpectedEof.into()).into(),
        ];
        for error in of_content {
            assert!(!is_system_error(&error), "{error:?}");
        }
    }
}

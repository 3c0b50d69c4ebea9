//! [`Sources`]: iterates over files, members of archives and files in folders.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use komabako_kifu::Format;

use super::archive::{self, ArchiveKind, Members};
use super::reading::{GameFile, Limits};
use crate::io::detect;
use crate::io::output::Files;
use crate::{Compression, DatasetError};

/// The most files of a group.
const GROUP: usize = 32;
/// A group ends when its files reach this many bytes: what is made of them is kept in memory until its turn.
const GROUP_BYTES: u64 = 1 << 20;

/// The files of game records among paths.
pub struct Sources {
    /// The paths still to be read, in reverse order.
    paths: Vec<(PathBuf, Origin)>,
    /// The links to folders in searched folders, in reverse order.
    links: Vec<PathBuf>,
    /// The folders in searched folders that may not be read.
    unread: Vec<(PathBuf, io::Error)>,
    /// The members of an archive that are still to be read.
    members: Members,
}

/// How a path came to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// The user named it.
    Named,
    /// The same, of a pipe or a device, which may keep a reader waiting.
    Stream,
    /// It was found in a folder.
    Found,
}

/// What a search passes by, though it may hold games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PassedBy {
    /// A link to a folder: it may lead back.
    LinkedFolder,
    /// A file `.json` without moves, such as `package.json`.
    OtherJson,
    /// The members of an archive that do not have names of game records.
    Members {
        /// Their number.
        count: u64,
        /// The name of the first.
        first: String,
    },
}

/// Whether a path names a file of game records or an archive, or is a folder.
pub fn is_game_file(path: &Path) -> bool {
    ArchiveKind::from_path(path).is_some() || has_game_name(path) || path.is_dir()
}

/// As [`is_game_file`], or whether a file with another name has the content of game records.
pub fn holds_games(path: &Path) -> bool {
    let has_content = || {
        let found = detect::detect_path(path);
        matches!(found, Err(DatasetError::Unsupported { what, .. }) if what.is_game_record())
    };
    // A pipe can be read only once.
    is_game_file(path) || path.is_file() && has_content()
}

/// Whether a path has the extension of game records. macOS puts a file `._NAME` of what it knows about each file into archives.
pub(super) fn has_game_name(path: &Path) -> bool {
    let is_of_macos = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"._"));
    !is_of_macos
        && extension_of(path).is_some_and(|extension| {
            Format::from_extension(&extension).is_some_and(|format| {
                // `.sfen` files are mostly lists of positions, which other jobs read.
                format != Format::Usi || extension == "usi"
            })
        })
}

/// Whether a file `.sfen` begins with a game rather than a position: its first line has moves. One that cannot be opened is
/// reported when it is read.
fn is_sfen_game(path: &Path) -> bool {
    const LINE: u64 = 1 << 12;
    if extension_of(path).as_deref() != Some("sfen") || Compression::from_path(path) != Compression::None {
        return false;
    }
    let Ok(file) = fs::File::open(path) else { return true };
    let mut start = Vec::new();
    if file.take(LINE).read_to_end(&mut start).is_err() {
        return true;
    }
    let first = start.trim_ascii_start().split(|&byte| byte == b'\n').next().unwrap_or_default();
    first.starts_with(b"position ") || first.split(|&byte| byte == b' ').any(|word| word == b"moves")
}

/// Whether a path names an archive, or a compressed file of game records, of a kind that is not read, or not inside an archive.
pub(super) fn is_packed(path: &Path) -> bool {
    /// The kinds that are not read.
    const OTHERS: [&str; 3] = ["rar", "tar", "tgz"];
    let is_other = extension_of(path).is_some_and(|extension| OTHERS.contains(&&*extension));
    is_other
        || ArchiveKind::from_path(path).is_some()
        || Compression::is_unsupported(path) && has_game_name(&path.with_extension(""))
}

/// The extension, before that of a compression, in lower case.
pub(super) fn extension_of(path: &Path) -> Option<String> {
    let inner = match Compression::from_path(path) {
        Compression::None => path,
        _ => Path::new(path.file_stem()?),
    };
    Some(inner.extension()?.to_str()?.to_ascii_lowercase())
}

impl Sources {
    /// Finds files: those given, regardless of their names, and with `recursive` the files in given folders whose names
    /// are those of game records or of archives, in the order of names.
    ///
    /// # Errors
    /// If a path does not exist, is a folder without `recursive`, or cannot be read, or a folder in one cannot be read for another
    /// reason than its permissions, or has a pipe or a device with
    /// the name of a file of game records ([`DatasetError::SpecialFile`]).
    pub fn find(inputs: &[PathBuf], recursive: bool) -> Result<Self, DatasetError> {
        let mut found = FoundFiles::default();
        for path in inputs {
            let failed = |error| DatasetError::Open(path.clone(), error);
            let known = fs::metadata(path).map_err(failed)?;
            if known.is_file() {
                found.paths.push((path.clone(), Origin::Named));
            } else if !known.is_dir() {
                found.paths.push((path.clone(), Origin::Stream));
            } else if recursive {
                found.search(path)?;
            } else {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
        }
        let FoundFiles { mut paths, mut links, unread } = found;
        // The next path is taken from the end.
        paths.reverse();
        links.reverse();
        Ok(Sources { paths, links, unread, members: Box::new(std::iter::empty()) })
    }

    /// The next files, for a thread that reads them: several, since passing them one by one takes a fifth of the time, but few if
    /// they are large. Empty at the end. They must be read before the next ones are asked for, or by another thread: a large
    /// member of an archive is unpacked while it is read.
    pub fn next_group(&mut self) -> Vec<GameFile> {
        let mut group = Vec::new();
        let mut bytes = 0;
        while group.len() < GROUP && bytes < GROUP_BYTES {
            let Some(file) = self.next() else { break };
            bytes += file.size();
            group.push(file);
        }
        group
    }

    /// The files that were found, archives as one.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().rev().map(|(path, _)| path.as_path())
    }

    /// The files that were found, for checks that no output replaces one of them.
    pub fn input_files(&self) -> InputFiles {
        InputFiles { paths: self.paths().map(Path::to_owned).collect(), files: OnceCell::new() }
    }
}

/// The files that a job reads, which no output may replace. This includes files found in folders: an earlier output among
/// them would otherwise be read as input, and its games written twice.
#[derive(Default)]
pub struct InputFiles {
    paths: Vec<PathBuf>,
    /// Computed when an output exists: resolving the paths of 100,000 games takes a tenth of the time of converting them.
    files: OnceCell<Files>,
}

impl InputFiles {
    /// Standard input, which may be redirected from a file.
    pub fn standard_input() -> InputFiles {
        InputFiles { paths: vec!["/dev/stdin".into()], ..InputFiles::default() }
    }

    /// Checks that an output is not one of the files, under any name.
    ///
    /// # Errors
    /// [`DatasetError::SameFile`].
    pub fn check_output(&self, output: &Path) -> Result<(), DatasetError> {
        // A file that does not exist is no input, and a device or a pipe has no content to replace.
        if !output.is_file() {
            return Ok(());
        }
        let files = self.files.get_or_init(|| {
            let mut files = Files::default();
            self.paths.iter().for_each(|path| files.add(path));
            files
        });
        if files.contains(output) { Err(DatasetError::SameFile(output.to_owned())) } else { Ok(()) }
    }
}

impl Iterator for Sources {
    type Item = GameFile;

    fn next(&mut self) -> Option<GameFile> {
        loop {
            if let Some(member) = self.members.next() {
                return Some(member);
            }
            if let Some(link) = self.links.pop() {
                return Some(GameFile::passed_by(link.as_path(), PassedBy::LinkedFolder));
            }
            if let Some((folder, error)) = self.unread.pop() {
                return Some(GameFile::unread(&folder, error));
            }
            let (path, origin) = self.paths.pop()?;
            let is_stream = origin == Origin::Stream;
            let kind = if is_stream { None } else { ArchiveKind::from_path(&path) };
            let Some(kind) = kind else {
                let extension = extension_of(&path);
                let file = GameFile::from_path(path, extension, is_stream);
                return Some(if origin == Origin::Found { file.found() } else { file });
            };
            match archive::members(&path, kind, &Limits::USUAL) {
                Ok(members) => self.members = members,
                Err(error) => return Some(GameFile::unread(&path, error)),
            }
        }
    }
}

/// What a search finds.
#[derive(Default)]
struct FoundFiles {
    paths: Vec<(PathBuf, Origin)>,
    links: Vec<PathBuf>,
    unread: Vec<(PathBuf, io::Error)>,
}

impl FoundFiles {
    /// Adds the files in a folder and its subfolders.
    fn search(&mut self, start: &Path) -> Result<(), DatasetError> {
        let mut folders = vec![start.to_owned()];
        let mut found = Vec::new();
        let first_link = self.links.len();
        while let Some(folder) = folders.pop() {
            let failed = |error| DatasetError::Open(folder.clone(), error);
            let entries = match fs::read_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied && folder != start => {
                    self.unread.push((folder, error));
                    continue;
                }
                entries => entries.map_err(failed)?,
            };
            for entry in entries {
                let entry = entry.map_err(failed)?;
                let kind = entry.file_type().map_err(failed)?;
                let path = entry.path();
                // A link that leads nowhere is reported when it is read.
                let is_special = || !kind.is_file() && path.exists() && !path.is_file();
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_symlink() && path.is_dir() {
                    self.links.push(path);
                } else if is_game_file(&path) || is_packed(&path) || kind.is_file() && is_sfen_game(&path) {
                    // What is packed is named when it is read, lest its games be missed without a word.
                    if is_special() {
                        return Err(DatasetError::SpecialFile(path));
                    }
                    found.push(path);
                }
            }
        }
        // By the names on the way, as paths are compared, but split once.
        found.sort_by_cached_key(|path| path.iter().map(OsStr::to_owned).collect::<Vec<_>>());
        self.paths.extend(found.into_iter().map(|path| (path, Origin::Found)));
        self.links[first_link..].sort();
        Ok(())
    }
}

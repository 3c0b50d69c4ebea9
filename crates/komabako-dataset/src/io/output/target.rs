//! [`Target`]: an output that appears complete or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf, is_separator};
use std::sync::{Mutex, OnceLock, PoisonError};

use komabako_messages::{Phrase, phrase};
use tempfile::{NamedTempFile, PathPersistError, TempPath};

use super::rename::{ATTEMPTS, is_free, of_any_length, rename, rename_in};
use super::{Files, Output, identity};
use crate::DatasetError;
use crate::Name;
use crate::engine::temporary::directory::try_lock;
use crate::io::input::{self, Waiting};

/// What becomes of a temporary file.
struct End {
    /// Its destination.
    path: PathBuf,
    /// Whether to replace an existing file.
    force: bool,
    /// Whether it has a name of its own, by which a run finds it again.
    is_named: bool,
    /// How often to try.
    attempts: usize,
}

/// How an output is treated whose name is taken by a file that must stay.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhenTaken {
    /// Refuse the output.
    Refuse,
    /// Write it, and give it another name at the end.
    KeepBoth,
}

/// An opened output.
pub(crate) struct Target<'a> {
    name: Name,
    sink: Destination<'a>,
}

enum Destination<'a> {
    /// Written beside its destination and renamed at the end.
    File {
        temporary: NamedTempFile,
        end: End,
    },
    /// A device or a pipe with a path.
    Device(File),
    Stream(Box<dyn Write + Send + 'a>),
}

impl<'a> Target<'a> {
    /// Opens an output. Nothing is visible under its name before [`Target::complete`].
    pub fn open(output: Output<'a>, force: bool) -> Result<Target<'a>, DatasetError> {
        Target::open_with(output, force, WhenTaken::Refuse)
    }

    /// The same for an output whose name was free when the job was planned. If a file has it by now, that is an error at the end,
    /// which keeps what was written: by now a stream may have been read that nobody can read again.
    pub fn open_planned(output: Output<'a>, force: bool) -> Result<Target<'a>, DatasetError> {
        Target::open_with(output, force, WhenTaken::KeepBoth)
    }

    fn open_with(output: Output<'a>, force: bool, when_taken: WhenTaken) -> Result<Target<'a>, DatasetError> {
        let name = output.name();
        let sink = match output {
            Output::Stream(_, sink) => Destination::Stream(sink),
            Output::Path(path) => Destination::open(path, force, when_taken)?,
        };
        Ok(Target { name, sink })
    }

    /// Opens an output that is a file and whose temporary file, named by [`unfinished`], already exists: appends to it. The
    /// temporary file is kept unless the output is completed.
    pub fn reopen(path: &Path, unfinished: &Path, force: bool) -> Result<Target<'a>, DatasetError> {
        let failed = |error| DatasetError::Create(unfinished.to_owned(), error);
        let file = File::options().append(true).open(unfinished).map_err(failed)?;
        let mut place = TempPath::try_from_path(of_any_length(unfinished)).map_err(failed)?;
        // The file outlives a run that fails, so that the next one can resume.
        place.disable_cleanup(true);
        let temporary = NamedTempFile::from_parts(file, place);
        let end = End { path: path.to_owned(), force, is_named: true, attempts: ATTEMPTS };
        Ok(Target { name: path.into(), sink: Destination::File { temporary, end } })
    }

    /// The name.
    pub fn name(&self) -> &Name {
        &self.name
    }

    /// The temporary file; `None` if the output is a device or a stream.
    pub fn file(&self) -> Option<&File> {
        match &self.sink {
            Destination::File { temporary, .. } => Some(temporary.as_file()),
            Destination::Device(_) | Destination::Stream(_) => None,
        }
    }

    /// Makes [`complete`](Target::complete) try once: the file that it replaces may be another one a moment later.
    pub fn complete_at_once(&mut self) {
        if let Destination::File { end, .. } = &mut self.sink {
            end.attempts = 1;
        }
    }

    /// The [token](token_of) in the temporary name; `None` if it has another form: see [`Target::reopen`].
    pub fn token(&self) -> Option<&str> {
        match &self.sink {
            Destination::File { temporary, end } if !end.is_named => token_of(temporary.path().file_name()?),
            _ => None,
        }
    }

    /// Ends the writing. A file does not have its final name yet.
    pub fn finish(self) -> FinishedTarget {
        let (lock, file) = match self.sink {
            Destination::File { temporary, end } => {
                let (file, temporary) = temporary.into_parts();
                (Some(file), Some((temporary, end)))
            }
            Destination::Device(_) | Destination::Stream(_) => (None, None),
        };
        FinishedTarget { name: self.name, lock, file }
    }

    /// Renames a file to its name, then closes it: until then its lock shows that the run is alive.
    ///
    /// # Errors
    /// [`DatasetError::Unnamed`].
    pub fn complete(self) -> Result<(), DatasetError> {
        self.finish().complete()
    }
}

/// An output that is written.
pub(crate) struct FinishedTarget {
    name: Name,
    /// The open file, whose lock shows that the run is alive.
    lock: Option<File>,
    file: Option<(TempPath, End)>,
}

impl FinishedTarget {
    /// A closed file that keeps its name if it cannot get another.
    pub fn kept(unnamed: &Path, path: &Path, force: bool) -> Result<Self, DatasetError> {
        let name = Name::from(path);
        let failed = |error| DatasetError::Write(name.clone(), error);
        let mut place = TempPath::try_from_path(of_any_length(unnamed)).map_err(failed)?;
        place.disable_cleanup(true);
        let end = End { path: path.to_owned(), force, is_named: true, attempts: ATTEMPTS };
        Ok(FinishedTarget { name, file: Some((place, end)), lock: None })
    }

    /// Whether the file is in the directory of another output.
    pub fn is_beside(&self, other: &Path) -> bool {
        let file = self.file.as_ref();
        file.is_some_and(|(_, end)| directory_of(&end.path) == directory_of(&destination(other)))
    }

    /// Closes the file. Another file of the run, in the same directory, must be open from now on until all have their names, so that
    /// no file looks like one of a killed run.
    pub fn close(&mut self) {
        self.lock = None;
    }

    /// Renames a file to its name. One that cannot have it stays, under a name that is no temporary file's if possible: it may be
    /// the work of hours.
    ///
    /// # Errors
    /// [`DatasetError::Unnamed`].
    pub fn complete(self) -> Result<(), DatasetError> {
        let Some((temporary, End { path, force, is_named, attempts })) = self.file else { return Ok(()) };
        let renamed = rename_in(attempts, temporary, &path, force);
        let Err(PathPersistError { error, path: mut temporary }) = renamed else {
            NOTICE.get().iter().for_each(|notice| notice(&self.name));
            return Ok(());
        };
        temporary.disable_cleanup(true);
        let mut kept = shown(temporary.to_path_buf());
        if !is_named {
            for number in 0..MAX_KEPT {
                let visible = kept_name(&path, number);
                match rename(temporary, &visible, false) {
                    Ok(()) => {
                        kept = visible;
                        break;
                    }
                    Err(_) if is_free(&visible) => break,
                    Err(taken) => temporary = taken.path,
                }
            }
        }
        Err(DatasetError::Unnamed { path, error, kept })
    }
}

/// The most files that are kept beside an output.
const MAX_KEPT: usize = 100;

/// A name for a complete output that cannot have its own: `NAME.complete`, `NAME.complete.1` and so on.
fn kept_name(path: &Path, number: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".complete");
    if number > 0 {
        name.push(format!(".{number}"));
    }
    name.into()
}

/// Renames files to their names, all that can have them.
///
/// # Errors
/// The first one.
pub(crate) fn complete_all(files: impl IntoIterator<Item = FinishedTarget>) -> Result<(), DatasetError> {
    let mut result = Ok(());
    for file in files {
        result = result.and(file.complete());
    }
    result
}

static RESERVED: Mutex<Option<Files>> = Mutex::new(None);

/// Keeps one file of the program, which is written after all jobs, from being an output of any of them: the name of that output would
/// be [used twice](DatasetError::SameFile). `None` ends that.
pub fn reserve(path: Option<&Path>) {
    let reserved = path.map(|path| {
        let mut files = Files::default();
        files.add(path);
        files
    });
    *RESERVED.lock().unwrap_or_else(PoisonError::into_inner) = reserved;
}

/// Whether no job may write a file.
pub(super) fn is_reserved(path: &Path) -> bool {
    let reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
    reserved.as_ref().is_some_and(|reserved| reserved.contains(path))
}

static NOTICE: OnceLock<fn(&str)> = OnceLock::new();

/// Calls a function with the name of every output file of the program, by any job and on any thread, once it is complete and has
/// that name: if a job with several outputs fails, some of them may be complete. Only the first call counts.
pub fn when_output_completes(notice: fn(&str)) {
    let _ = NOTICE.set(notice);
}

impl Destination<'_> {
    fn open(path: PathBuf, force: bool, when_taken: WhenTaken) -> Result<Self, DatasetError> {
        let create = |error| DatasetError::Create(path.clone(), error);
        if device(&path) == Some(Device::Itself) {
            return File::options().write(true).open(&path).map(Destination::Device).map_err(create);
        }
        if input::descriptor(&path).is_some() {
            return Waiting::open_to_write(&path).map(Destination::Device).map_err(create);
        }
        // Reported here, before the work, rather than at the rename.
        check_name(&path).map_err(create)?;
        let target = destination(&path);
        if is_reserved(&target) {
            return Err(DatasetError::SameFile(path));
        }
        let mut replaced = None;
        match fs::metadata(&target) {
            Ok(known) if known.is_dir() => return Err(create(io::ErrorKind::IsADirectory.into())),
            Ok(known) if !known.is_file() => {
                return Waiting::open_to_write(&target).map(Destination::Device).map_err(create);
            }
            Ok(_) if !force && when_taken == WhenTaken::Refuse => return Err(DatasetError::Exists(path)),
            // Windows does not replace such a file, whatever the permissions of the folder.
            Ok(known) if cfg!(windows) && known.permissions().readonly() => {
                return Err(create(io::Error::new(io::ErrorKind::PermissionDenied, READ_ONLY)));
            }
            Ok(known) => replaced = Some(known.permissions()),
            // Only `force` writes through a dangling link.
            Err(_) if !force && path.is_symlink() => return Err(DatasetError::Exists(path)),
            // A cycle of links.
            Err(error) if target.is_symlink() => return Err(create(error)),
            Err(_) => {}
        }
        let temporary = temporary_beside(&target).map_err(create)?;
        // Not everyone may read a private file because it is written again. Some file systems have no permissions.
        if cfg!(unix)
            && let Some(permissions) = replaced
        {
            let _ = temporary.as_file().set_permissions(permissions);
        }
        // On a file system without locks, abandoned files are not removed.
        let _ = try_lock(temporary.as_file());
        Ok(Destination::File {
            temporary,
            end: End { path: target, force, is_named: false, attempts: ATTEMPTS },
        })
    }
}

/// The error of a file that Windows does not replace.
const READ_ONLY: Phrase = phrase!("the file is read-only", "読み取り専用のファイルです");
/// The error of a file with the name of a folder.
const FOLDER: Phrase = phrase!("this is the name of a folder", "フォルダーの名前です");

/// Refuses a path that only a folder can have, whether it exists or not: one that ends in a separator, or in a dot after one. On Windows
/// also that of a device with an extension, and a name with a colon: the part after it would be a stream, which no folder shows, of the
/// file before it.
pub(super) fn check_name(path: &Path) -> io::Result<()> {
    let is_separator = |&byte: &u8| is_separator(char::from(byte));
    let names_folder = match path.as_os_str().as_encoded_bytes() {
        [.., before, b'.'] => is_separator(before),
        [.., last] => is_separator(last),
        [] => false,
    };
    if names_folder {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, FOLDER));
    }
    let has_stream = |name: &OsStr| cfg!(windows) && name.as_encoded_bytes().contains(&b':');
    if device(path) == Some(Device::WithExtension) || path.file_name().is_some_and(has_stream) {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    Ok(())
}

/// The ways in which Windows treats a path as a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Device {
    /// It is a device: `NUL`, in any directory.
    Itself,
    /// A name that no file can have: `con.psv`.
    WithExtension,
}

/// Whether Windows treats a path as a device; `None` on other systems.
pub(super) fn device(path: &Path) -> Option<Device> {
    if cfg!(windows) { device_name(path.file_name()?.to_str()?) } else { None }
}

fn device_name(name: &str) -> Option<Device> {
    let stem = name.split('.').next()?.trim_end_matches([' ', ':']).to_ascii_uppercase();
    let numbered = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let is_numbered = numbered.is_some_and(|number| {
        matches!(number, "¹" | "²" | "³") || matches!(number.as_bytes(), [b'1'..=b'9'])
    });
    if !is_numbered && !["CON", "CONIN$", "CONOUT$", "PRN", "AUX", "NUL"].contains(&&*stem) {
        return None;
    }
    Some(if name.contains('.') { Device::WithExtension } else { Device::Itself })
}

/// The file that a path leads to through links, whether it exists or not. Renaming over a link would replace the link.
pub(crate) fn destination(path: &Path) -> PathBuf {
    /// The limit of Linux.
    const MAX_LINKS: usize = 40;
    let mut end = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&end) {
            Ok(next) => end = directory_of(&end).join(next),
            Err(_) => break,
        }
    }
    fs::canonicalize(&end).map_or(end, shown)
}

/// A path without the `\\?\` before a drive that canonical paths have on Windows, and people do not know.
fn shown(path: PathBuf) -> PathBuf {
    match path.to_str().and_then(|path| path.strip_prefix(r"\\?\")) {
        Some(rest) if rest.as_bytes().get(1) == Some(&b':') => rest.into(),
        _ => path,
    }
}

/// The suffix of a temporary file's name, which no other program uses.
const SUFFIX: &str = ".komabako-part";
/// The number of random letters and digits before the suffix.
const RANDOM_LENGTH: usize = 6;
/// The number of bytes by which that name is longer than the output's.
pub(super) const LONGER_NAME: usize = ".".len() + ".".len() + RANDOM_LENGTH + SUFFIX.len();

/// A new file in the same directory, `.NAME.XXXXXX.komabako-part`, with the permissions of any new file.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let prefix = prefix_of(path).ok_or(io::ErrorKind::InvalidFilename)?;
    let mut of_run = prefix.clone();
    of_run.push(run_token());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&of_run).rand_bytes(0).suffix(SUFFIX);
    let directory = of_any_length(directory_of(path));
    // `tempfile` would make a private file, which an output is not, and on Windows one with the attribute of temporary files.
    let create = |path: &Path| File::options().read(true).write(true).create_new(true).open(path);
    match builder.make_in(&directory, create) {
        // Another job of this program has the same output.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            builder.prefix(&prefix).rand_bytes(RANDOM_LENGTH).make_in(&directory, create)
        }
        created => created,
    }
}

/// The path of an output's temporary file with a token.
pub(crate) fn temporary_of(output: &Path, token: &str) -> Option<PathBuf> {
    let output = destination(output);
    let mut name = prefix_of(&output)?;
    name.push(token);
    name.push(SUFFIX);
    Some(output.with_file_name(name))
}

/// Letters and digits that are the same for all temporary files of this run of the program, by which those that it has closed are
/// recognised while others are locked.
fn run_token() -> &'static str {
    static TOKEN: OnceLock<String> = OnceLock::new();
    TOKEN.get_or_init(|| {
        // Seeded by the system.
        let mut random = RandomState::new().build_hasher().finish();
        let mut digit = |_| {
            let digit = char::from_digit((random % 36) as u32, 36).unwrap_or_default();
            random /= 36;
            digit
        };
        (0..RANDOM_LENGTH).map(&mut digit).collect()
    })
}

/// The prefix of the names of an output's temporary files.
fn prefix_of(path: &Path) -> Option<OsString> {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name()?);
    prefix.push(".");
    Some(prefix)
}

/// The name of an output's temporary file in a directory beside it, which has no other output: `.NAME.komabako-part`. `None` if the
/// output is elsewhere or is a link, and may thus be on another file system.
pub(crate) fn unfinished(directory: &Path, output: &Path) -> Option<PathBuf> {
    let is_beside = directory_of(&identity(output)) == directory_of(&identity(directory));
    let mut name = prefix_of(output)?;
    name.push(&SUFFIX[1..]);
    (is_beside && !output.is_symlink()).then(|| directory.join(name))
}

/// The directory of a path.
pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Waits until the name of a file is on disk, where its content is already, and not just in the cache: both must survive a power failure.
pub(crate) fn sync_name(path: &Path) -> Result<(), DatasetError> {
    let path = destination(path);
    let sync = || {
        // A file that is gone is an error: its inputs must stay.
        let file = File::options().write(true).open(&path)?;
        // The name is in the directory. Windows cannot open one as a file, and syncs it with the file.
        if !cfg!(unix) {
            return file.sync_all();
        }
        match File::open(directory_of(&path))?.sync_all() {
            // Some file systems have no such operation.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            synced => synced,
        }
    };
    sync().map_err(|error| DatasetError::Write(Name::from(&path), error))
}

/// Whether `temporary` is the name of a temporary file of an output: `.out.psv.zst.XXXXXX.komabako-part` does not belong to
/// `out.psv`.
pub(crate) fn is_temporary_of(output: &Path, temporary: &OsStr) -> bool {
    prefix_of(output).is_some_and(|prefix| {
        temporary.as_encoded_bytes().starts_with(prefix.as_encoded_bytes())
            && temporary.len() == prefix.len() + RANDOM_LENGTH + SUFFIX.len()
            && token_of(temporary).is_some()
    })
}

/// Whether a name is that of a temporary file in the form of [`unfinished`].
pub(crate) fn is_unfinished(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.len() > SUFFIX.len() + 1 && name.starts_with(b".") && name.ends_with(SUFFIX.as_bytes())
}

/// The random letters and digits in the name of a temporary file, which all files of a run share; `None` for other names.
pub(crate) fn token_of(name: &OsStr) -> Option<&str> {
    let rest = name.as_encoded_bytes().strip_suffix(SUFFIX.as_bytes())?;
    let (prefix, token) = rest.split_at_checked(rest.len().checked_sub(RANDOM_LENGTH)?)?;
    let is_hidden = prefix.len() > 2 && prefix.starts_with(b".") && prefix.ends_with(b".");
    let token = str::from_utf8(token).ok()?;
    (is_hidden && token.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(token)
}

impl Write for Target<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Destination::File { temporary, .. } => temporary.write(bytes),
            Destination::Device(file) => file.write(bytes),
            Destination::Stream(sink) => sink.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Destination::File { temporary, .. } => temporary.flush(),
            Destination::Device(file) => file.flush(),
            Destination::Stream(sink) => sink.flush(),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn dangling_links_are_followed_only_if_forced() {
        let directory = tempfile::tempdir().unwrap();
        let [there, link, nothing] = ["there", "link", "nothing"].map(|name| directory.path().join(name));
        fs::write(&there, "old").unwrap();
        symlink(&there, &link).unwrap();
        symlink(directory.path().join("gone"), &nothing).unwrap();
        let open = |path: &Path, force| Target::open(Output::path(path), force);
        for path in [&link, &nothing] {
            assert!(matches!(open(path, false), Err(DatasetError::Exists(known)) if known == *path));
        }
        for (link, file) in [(&link, &there), (&nothing, &directory.path().join("gone"))] {
            let mut target = open(link, true).unwrap();
            target.write_all(b"new").unwrap();
            target.complete().unwrap();
            assert!(link.is_symlink() && fs::read(file).unwrap() == b"new", "{}", link.display());
        }
        let circle = directory.path().join("circle");
        symlink("circle", &circle).unwrap();
        assert!(matches!(open(&circle, true), Err(DatasetError::Create(path, _)) if path == circle));
    }
}

#[cfg(test)]
mod any_system_tests {
    use super::*;

    #[test]
    fn a_complete_file_that_cannot_have_its_name_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.psv");
        for name in ["out.psv.complete", "out.psv.complete.1"] {
            let mut target = Target::open(Output::path(&path), true).unwrap();
            target.write_all(b"records").unwrap();
            fs::create_dir_all(path.join("in the way")).unwrap();
            let DatasetError::Unnamed { kept, .. } = target.complete().unwrap_err() else { panic!() };
            assert_eq!((fs::read(&kept).unwrap(), kept), (b"records".to_vec(), directory.path().join(name)));
            fs::remove_dir_all(&path).unwrap();
        }
    }

    /// A scanner opens a new file, and does not share it.
    #[cfg(windows)]
    #[test]
    fn a_file_that_another_program_has_open_for_a_moment_gets_its_name() {
        use std::os::windows::fs::OpenOptionsExt;
        use std::thread;
        use std::time::Duration;

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.psv");
        for force in [false, true] {
            let mut target = Target::open(Output::path(&path), force).unwrap();
            target.write_all(b"records").unwrap();
            let Destination::File { temporary, .. } = &target.sink else { panic!() };
            assert!(temporary.path().to_str().unwrap().starts_with(r"\\?\"));
            const SHARE_READ_AND_WRITE: u32 = 3;
            let scanned = File::options().read(true).share_mode(SHARE_READ_AND_WRITE).open(temporary.path());
            let scanned = scanned.unwrap();
            thread::scope(|scope| {
                let completed = scope.spawn(|| target.complete());
                thread::sleep(Duration::from_millis(200));
                assert!(!completed.is_finished());
                drop(scanned);
                completed.join().unwrap().unwrap();
            });
            assert_eq!(fs::read(&path).unwrap(), b"records");
        }
    }

    #[test]
    fn canonical_paths_of_drives_are_shown_as_people_write_them() {
        for (path, expected) in
            [(r"\\?\C:\a\b", r"C:\a\b"), (r"\\?\UNC\nas\a", r"\\?\UNC\nas\a"), ("/a/b", "/a/b")]
        {
            assert_eq!(shown(path.into()), Path::new(expected));
        }
    }

    #[test]
    fn windows_devices_are_recognised_by_name() {
        for name in ["NUL", "con", "Aux", "COM1", "lpt9", "com²", "nul ", "NUL:", "conout$"] {
            assert_eq!(device_name(name), Some(Device::Itself), "{name}");
        }
        assert_eq!(device_name("con.psv.zst"), Some(Device::WithExtension));
        for name in ["conn", "COM0", "COM10", "COM", "null.psv", "a.con", "棋譜.psv", ""] {
            assert_eq!(device_name(name), None, "{name}");
        }
    }
}

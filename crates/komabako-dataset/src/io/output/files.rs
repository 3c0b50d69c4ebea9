//! [`Files`]: recognises files under all names that lead to them.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
#[cfg(any(unix, test))]
use std::fs;
use std::path::{Path, PathBuf};

use super::{directory_of, identity};
use crate::Input;

/// Files that a job reads or writes, recognised under all names that lead to them.
#[derive(Default)]
pub(crate) struct Files {
    paths: HashSet<PathBuf>,
    /// The device and the number of each file with one name.
    numbers: HashSet<(u64, u64)>,
    /// The paths that lead to nothing yet, by what is left of them without case.
    new: HashMap<PathBuf, PathBuf>,
}

impl Files {
    /// The inputs that are files. Any stream may be standard input, redirected from a file.
    pub fn of_inputs(inputs: &[Input]) -> Files {
        let mut files = Files::default();
        for input in inputs {
            match input {
                Input::Path(path) => files.add(path),
                Input::Stream(..) => files.add(Path::new("/dev/stdin")),
            }
        }
        files
    }

    /// Adds a file, which need not exist.
    pub fn add(&mut self, path: &Path) {
        let identity = identity(path);
        self.numbers.extend(number(path));
        if !path.exists() {
            self.new.insert(folded(&identity), identity.clone());
        }
        self.paths.insert(identity);
    }

    /// Whether a path leads to one of the files, or would once that one exists.
    pub fn contains(&self, path: &Path) -> bool {
        let identity = identity(path);
        if self.paths.contains(&identity) || number(path).is_some_and(|number| self.numbers.contains(&number))
        {
            return true;
        }
        let other = self.new.get(&folded(&identity));
        !path.exists() && other.is_some_and(|other| are_one(other, &identity))
    }
}

/// The device and the number of a file. On a file system that ignores case, or is mounted twice, several paths lead to them.
/// `None` for a file with several names: if it is replaced under one of them, the others still lead to it.
fn number(path: &Path) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let known = fs::metadata(path).ok()?;
        (known.is_file() && known.nlink() == 1).then(|| (known.dev(), known.ino()))
    }
    // On Windows, a canonical path has the case of the file's name.
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// A path whose name has no case, and no dots and blanks at its end, which Windows leaves out.
fn folded(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let name: OsString = match name.to_str() {
        Some(name) => name.trim_end_matches(['.', ' ']).to_lowercase().into(),
        None => name.to_ascii_lowercase(),
    };
    path.with_file_name(name)
}

/// Whether two new paths in one directory would lead to one file: asks the file system, by names that end like theirs.
fn are_one(one: &Path, other: &Path) -> bool {
    let ending = |path: &Path| path.file_name().map(OsStr::to_owned);
    let (Some(one_end), Some(other_end)) = (ending(one), ending(other)) else { return false };
    let mut builder = tempfile::Builder::new();
    let Ok(probe) = builder.prefix(".komabako-").suffix(&one_end).tempfile_in(directory_of(one)) else {
        return false;
    };
    let name = probe.path().file_name().unwrap_or_default().as_encoded_bytes();
    let start = str::from_utf8(&name[..name.len() - one_end.len()]);
    let mut twin = OsString::from(start.unwrap_or_default());
    twin.push(other_end);
    probe.path().with_file_name(twin).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_many_names() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("a.psv"), "").unwrap();
        let ignores_case = path("A.psv").exists();
        let mut files = Files::default();
        files.add(&path("a.psv"));
        files.add(&path("new.psv"));
        for name in ["a.psv", "./a.psv", "new.psv", "./new.psv"] {
            assert!(files.contains(&path(name)), "{name}");
        }
        for name in ["A.psv", "NEW.psv", "New.PSV"] {
            assert_eq!(files.contains(&path(name)), ignores_case, "{name}");
        }
        assert_eq!(files.contains(&path("new.psv.")), cfg!(windows));
        fs::hard_link(path("a.psv"), path("link.psv")).unwrap();
        assert!(!files.contains(&path("link.psv")) && files.contains(&path("a.psv")));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    }
}

//! [`Names`]: the names of a split's parts.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::{DatasetError, Existing, FileFormat, Output, format_of};

/// The placeholder for the number of a part.
const PLACE: &str = "{}";

/// The names of the parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Names {
    /// A path whose file name has `{}` for the number of the part, starting at 001.
    Pattern(PathBuf),
    /// One path for each part, if the number of parts is known beforehand.
    Each(Vec<PathBuf>),
}

impl Names {
    /// Checks the names for `parts` parts, or for an unknown number.
    ///
    /// # Errors
    /// [`DatasetError::PartNames`] if the number of names is wrong, or a pattern has no placeholder.
    pub(crate) fn check(&self, parts: Option<u64>) -> Result<(), DatasetError> {
        let fits = match self {
            // A pattern without a placeholder would give every part the same name.
            Names::Pattern(pattern) => numbered(pattern, 1).is_some_and(|path| path != *pattern),
            Names::Each(paths) => Some(paths.len() as u64) == parts,
        };
        if fits { Ok(()) } else { Err(DatasetError::PartNames { parts }) }
    }

    /// The path of a part, counted from 0.
    pub(crate) fn path(&self, part: u64) -> Option<PathBuf> {
        match self {
            Names::Pattern(pattern) => numbered(pattern, part + 1),
            Names::Each(paths) => paths.get(usize::try_from(part).ok()?).cloned(),
        }
    }

    /// The format of the parts: the given one, or else the one that all names tell.
    ///
    /// # Errors
    /// Those of an output's format, for any of the names; [`DatasetError::PartFormats`] if the names tell different ones.
    pub(crate) fn format(&self, given: Option<FileFormat>) -> Result<FileFormat, DatasetError> {
        let paths = match self {
            Names::Pattern(pattern) => std::slice::from_ref(pattern),
            Names::Each(paths) => paths,
        };
        let first = paths.first().map_or("".as_ref(), PathBuf::as_path);
        let format = Output::path(first).format(given)?;
        for path in paths {
            Output::path(path).check_compression()?;
            let named = if given.is_none() { format_of(path) } else { None };
            if named.is_some_and(|named| named != format) {
                return Err(DatasetError::PartFormats(first.to_owned(), path.clone()));
            }
        }
        Ok(format)
    }
}

/// The path for a number. Only the file name is a pattern, so that directories may have any name.
fn numbered(pattern: &Path, number: u64) -> Option<PathBuf> {
    Some(pattern.with_file_name(filled(pattern.file_name()?, &format!("{number:03}"))?))
}

/// A name with a text in place of each placeholder, in any encoding.
#[cfg(unix)]
fn filled(name: &OsStr, text: &str) -> Option<OsString> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    let mut rest = name.as_bytes();
    let mut filled = Vec::new();
    while let Some((first, after)) = rest.split_first() {
        match rest.strip_prefix(PLACE.as_bytes()) {
            Some(after) => {
                filled.extend_from_slice(text.as_bytes());
                rest = after;
            }
            None => {
                filled.push(*first);
                rest = after;
            }
        }
    }
    Some(OsString::from_vec(filled))
}

/// A name with a text in place of each placeholder; `None` unless the name is Unicode.
#[cfg(not(unix))]
fn filled(name: &OsStr, text: &str) -> Option<OsString> {
    Some(name.to_str()?.replace(PLACE, text).into())
}

impl Names {
    /// The files that have names of parts, if their number is not known. All of them begin with the text before the placeholder.
    pub(super) fn existing(&self) -> Existing {
        let Names::Pattern(pattern) = self else { return Existing::default() };
        let name = pattern.file_name().unwrap_or_default().as_encoded_bytes();
        let place = name.windows(PLACE.len()).position(|part| part == PLACE.as_bytes());
        let prefix = &name[..place.unwrap_or(name.len())];
        Existing::beside(pattern, |name| name.as_encoded_bytes().starts_with(prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_in_the_file_name() {
        let names = Names::Pattern("駒{}/part-{}.psv".into());
        assert_eq!(names.path(0), Some("駒{}/part-001.psv".into()));
        assert_eq!(names.path(1233), Some("駒{}/part-1234.psv".into()));
        assert!(names.check(None).is_ok());
        assert!(Names::Pattern("{}/part.psv".into()).check(None).is_err());
    }

    /// Such as the encodings of older Japanese disks.
    #[cfg(unix)]
    #[test]
    fn placeholder_is_found_in_names_of_other_encodings() {
        use std::os::unix::ffi::OsStrExt;

        let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        // A koma in Shift_JIS.
        let names = Names::Pattern(path(b"dir/\x8b\xee{}-{}.psv"));
        assert!(names.check(None).is_ok());
        assert_eq!(names.path(1), Some(path(b"dir/\x8b\xee002-002.psv")));
    }

    #[test]
    fn number_of_names_must_match_the_parts() {
        let names = Names::Each(vec!["a.psv".into(), "b.psv".into()]);
        assert!(names.check(Some(2)).is_ok());
        assert!(names.check(Some(3)).is_err() && names.check(None).is_err());
        assert_eq!((names.path(1), names.path(2)), (Some("b.psv".into()), None));
    }
}

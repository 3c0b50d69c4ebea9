//! [`Names`]: what the parts of a split are called.

use std::path::{Path, PathBuf};

use crate::DatasetError;

/// What the parts are called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Names {
    /// A path whose file name has `{}` for the number of the part, from 001 on.
    Pattern(PathBuf),
    /// One path each, where the number of parts is known beforehand.
    Each(Vec<PathBuf>),
}

impl Names {
    /// The names of `parts` parts, or of any number.
    ///
    /// # Errors
    /// [`DatasetError::PartNames`] if these are not enough or too many, or a pattern has no place for the number.
    pub(crate) fn check(&self, parts: Option<u64>) -> Result<(), DatasetError> {
        let fits = match self {
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

    /// A path with the extensions of all of them.
    pub(crate) fn example(&self) -> Option<&Path> {
        match self {
            Names::Pattern(pattern) => Some(pattern),
            Names::Each(paths) => paths.first().map(PathBuf::as_path),
        }
    }
}

/// The path of a number. Only the file name has a place for it, so that directories may have any name.
fn numbered(pattern: &Path, number: u64) -> Option<PathBuf> {
    let name = pattern.file_name()?.to_str()?;
    Some(pattern.with_file_name(name.replace("{}", &format!("{number:03}"))))
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

    #[test]
    fn names_of_each_must_be_as_many_as_the_parts() {
        let names = Names::Each(vec!["a.psv".into(), "b.psv".into()]);
        assert!(names.check(Some(2)).is_ok());
        assert!(names.check(Some(3)).is_err() && names.check(None).is_err());
        assert_eq!((names.path(1), names.path(2)), (Some("b.psv".into()), None));
    }
}

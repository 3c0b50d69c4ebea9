//! [`Output`]: a destination of records that is complete or absent.

mod appended;
mod collection;
mod compressed;
mod existing;
mod files;
mod rename;
mod target;

use std::cell::LazyCell;
use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub use self::appended::Appended;
pub use self::collection::Collection;
pub(crate) use self::collection::reasons_path;
pub(crate) use self::compressed::Compressed;
pub use self::existing::Existing;
pub(crate) use self::files::Files;
pub(crate) use self::rename::{of_any_length, rename};
use self::target::Device;
pub(crate) use self::target::{
    FinishedTarget, Target, complete_all, destination, directory_of, is_temporary_of, is_unfinished,
    sync_name, temporary_of, token_of, unfinished,
};
pub use self::target::{reserve, when_output_completes};
use crate::Name;
use crate::io::input;
use crate::{Compression, DatasetError, FileFormat, Input};

/// A destination of records.
pub enum Output<'a> {
    /// A file: written under a temporary name, then renamed. An existing device or pipe is
    /// written directly.
    Path(PathBuf),
    /// A stream, such as standard output, and its name for messages.
    Stream(String, Box<dyn Write + Send + 'a>),
}

impl<'a> Output<'a> {
    /// A file.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Output::Path(path.into())
    }

    /// The name.
    pub fn name(&self) -> Name {
        match self {
            Output::Path(path) => Name::from(&**path),
            Output::Stream(name, _) => Name::Stream(name.as_str().into()),
        }
    }

    /// The path, if it has one.
    pub(crate) fn named(&self) -> Option<&Path> {
        match self {
            Output::Path(path) => Some(path),
            Output::Stream(..) => None,
        }
    }

    /// The path, if it is or becomes a regular file.
    pub fn file(&self) -> Option<&Path> {
        let path = self.named()?;
        let is_file = input::descriptor(path).is_none() && (path.is_file() || !path.exists());
        is_file.then_some(path)
    }

    /// The number of bytes by which the name of the temporary file is longer.
    pub const LONGER_NAME: usize = target::LONGER_NAME;

    /// Writes content other than records, such as a report: all of it or none.
    ///
    /// # Errors
    /// If the output exists and is not to be overwritten (`force`), or cannot be written.
    pub fn write(self, content: &[u8], force: bool) -> Result<(), DatasetError> {
        let mut writer = self.open(force)?;
        writer.write(content)?;
        writer.complete()
    }

    /// Opens the output for content other than records that is written piece by piece.
    ///
    /// # Errors
    /// If it exists and is not to be overwritten (`force`), or cannot be created.
    pub fn open(self, force: bool) -> Result<OutputWriter<'a>, DatasetError> {
        Target::open(self, force).map(|target| OutputWriter(BufWriter::new(target)))
    }

    /// The file that a path leads to through links, whether it exists or not. Renaming a file to the path itself would replace the link.
    pub fn destination(path: &Path) -> PathBuf {
        destination(path)
    }

    /// Gives a complete file in the directory of `path` this name. If that fails, the file keeps its own.
    ///
    /// # Errors
    /// [`DatasetError::Unnamed`] if the file cannot be renamed, or the name is taken and not to be overwritten (`force`).
    pub fn name_file(unnamed: &Path, path: &Path, force: bool) -> Result<(), DatasetError> {
        FinishedTarget::kept(unnamed, path, force)?.complete()
    }

    /// Checks, before a long job, that the output is not one of its inputs and, unless it is to be overwritten (`force`), does
    /// not exist.
    ///
    /// # Errors
    /// [`DatasetError::SameFile`] or [`DatasetError::Exists`].
    pub fn check(&self, inputs: &[Input], force: bool) -> Result<(), DatasetError> {
        check_paths(inputs, self.named(), force)
    }

    /// Checks the output of a job that writes a column or a mask, and its files of bad records, as [`Output::check`] does, and returns
    /// its compression.
    ///
    /// # Errors
    /// As there; [`DatasetError::OutputCompression`] if it would be an archive or has an unknown compression.
    pub(crate) fn column_compression(
        &self,
        rejects: &[PathBuf],
        inputs: &[Input],
        force: bool,
    ) -> Result<Compression, DatasetError> {
        check_paths(inputs, self.named().into_iter().chain(rejects.iter().map(AsRef::as_ref)), force)?;
        self.check_compression()?;
        let compression = self.compression(None);
        if compression.is_archive() {
            return Err(DatasetError::OutputCompression(self.name().to_string()));
        }
        Ok(compression)
    }

    /// As [`Output::check`], for several outputs, no two of which may be the same file.
    ///
    /// # Errors
    /// As there.
    pub fn check_all<'o>(
        outputs: impl IntoIterator<Item = &'o Output<'o>>,
        inputs: &[Input],
        force: bool,
    ) -> Result<(), DatasetError> {
        check_paths(inputs, outputs.into_iter().filter_map(Output::named), force)
    }

    /// The format to write: the given one, or else the one that the output's extension names.
    ///
    /// # Errors
    /// [`DatasetError::OutputFormat`] if neither is known, [`DatasetError::ReadOnly`] if the format cannot be written,
    /// [`DatasetError::OutputCompression`] if the output is named like an unsupported compression.
    pub(crate) fn format(&self, given: Option<FileFormat>) -> Result<FileFormat, DatasetError> {
        self.check_compression()?;
        // An archive holds PSV if nothing says otherwise.
        let of_archive = || self.compression(None).is_archive().then_some(FileFormat::Psv);
        match given.or_else(|| input::format_of(self.named()?)).or_else(of_archive) {
            Some(format) if format.can_write() => Ok(format),
            Some(format) => Err(DatasetError::ReadOnly(format)),
            None => Err(DatasetError::OutputFormat(self.name().to_string())),
        }
    }

    /// Whether nothing in its name tells the format to write: a stream, or an archive that is named only as one.
    pub(crate) fn takes_any_format(&self) -> bool {
        match self {
            Output::Path(path) => {
                Compression::from_path(path).is_archive() && input::format_of(path).is_none()
            }
            Output::Stream(..) => true,
        }
    }

    /// The [format](Output::format) of records that do not stay in their order.
    ///
    /// # Errors
    /// [`DatasetError::GamesInOrder`] too, if the format holds games.
    pub(crate) fn record_format(&self, given: Option<FileFormat>) -> Result<FileFormat, DatasetError> {
        match self.format(given)? {
            format if format.holds_games() => Err(DatasetError::GamesInOrder(format)),
            format => Ok(format),
        }
    }

    /// Checks that the output's name does not promise a compression that cannot be written.
    ///
    /// # Errors
    /// [`DatasetError::OutputCompression`], or [`DatasetError::CompressedArchive`].
    pub fn check_compression(&self) -> Result<(), DatasetError> {
        match self.named() {
            Some(path) if is_compressed_archive(path) => Err(DatasetError::CompressedArchive(self.name())),
            Some(path) if Compression::is_unsupported(path) => {
                Err(DatasetError::OutputCompression(self.name().to_string()))
            }
            _ => Ok(()),
        }
    }

    /// The compression: the given one, or else the one that the output's extension names.
    pub(crate) fn compression(&self, given: Option<Compression>) -> Compression {
        given.unwrap_or_else(|| self.named().map_or(Compression::None, Compression::from_path))
    }
}

/// Whether a path asks for an archive that is compressed once more.
fn is_compressed_archive(path: &Path) -> bool {
    let is_compressed = !matches!(Compression::from_path(path), Compression::None | Compression::Archive(_));
    let inner = path.file_stem().map(Path::new);
    is_compressed && inner.is_some_and(|inner| Compression::from_path(inner).is_archive())
}

/// An output that is written piece by piece. Nothing is visible under its name before [`OutputWriter::complete`].
pub struct OutputWriter<'a>(BufWriter<Target<'a>>);

impl<'a> OutputWriter<'a> {
    /// Appends bytes.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), DatasetError> {
        let written = self.0.write_all(bytes);
        written.map_err(|error| DatasetError::Write(self.0.get_ref().name().clone(), error))
    }

    /// Gives a file its name.
    ///
    /// # Errors
    /// If the rest cannot be written, or the file cannot be renamed.
    pub fn complete(self) -> Result<(), DatasetError> {
        self.finish()?.complete()
    }

    /// Writes the rest, and returns the output, which does not have its name yet.
    pub(crate) fn finish(mut self) -> Result<Target<'a>, DatasetError> {
        let flushed = self.0.flush();
        flushed.map_err(|error| DatasetError::Write(self.0.get_ref().name().clone(), error))?;
        Ok(self.0.into_parts().0)
    }
}

/// Checks that no file is both read and written, or written twice, that none is overwritten unless `force` is set, and that each
/// has a directory.
pub(crate) fn check_paths<'p>(
    inputs: &[Input],
    outputs: impl IntoIterator<Item = &'p Path>,
    force: bool,
) -> Result<(), DatasetError> {
    let outputs: Vec<&Path> = outputs.into_iter().collect();
    check_conflicts(inputs, outputs.iter().copied(), force)?;
    outputs.into_iter().try_for_each(check_directory)
}

/// Checks that the directory of an output is there, and that files can be created in it.
pub(crate) fn check_directory(path: &Path) -> Result<(), DatasetError> {
    if target::device(path) == Some(Device::Itself) || input::descriptor(path).is_some() {
        return Ok(());
    }
    let failed = |error| DatasetError::Create(path.to_owned(), error);
    target::check_name(path).map_err(failed)?;
    // A device or a pipe.
    if path.exists() && !path.is_file() {
        return Ok(());
    }
    let path = destination(path);
    let directory = directory_of(&path);
    if !fs::metadata(directory).map_err(failed)?.is_dir() {
        return Err(failed(io::ErrorKind::NotADirectory.into()));
    }
    // A file without a name. Whatever else is wrong, such as a full disk, has its own error.
    match tempfile::tempfile_in(directory) {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            Err(failed(error))
        }
        _ => Ok(()),
    }
}

/// The same as [`check_paths`] for files whose directories are made later.
pub(crate) fn check_conflicts<'p>(
    inputs: &[Input],
    outputs: impl IntoIterator<Item = &'p Path>,
    force: bool,
) -> Result<(), DatasetError> {
    // The inputs' files are needed only where an output exists: one that does not exist is no input. Resolving the
    // paths of 100,000 games took a tenth of the time of converting them.
    let of_inputs = LazyCell::new(|| Files::of_inputs(inputs));
    let mut used = Files::default();
    let mut existing = None;
    for path in outputs {
        // A device or a pipe has no content to overwrite.
        if target::device(path).is_some() || input::descriptor(path).is_some() {
            continue;
        }
        let known = fs::metadata(path).ok();
        if known.as_ref().is_some_and(Metadata::is_dir) {
            return Err(DatasetError::Create(path.to_owned(), io::ErrorKind::IsADirectory.into()));
        }
        if known.as_ref().is_some_and(|known| !known.is_file()) {
            continue;
        }
        // Not by name: `./x` and a link to it are the same file.
        let is_input = known.is_some() && of_inputs.contains(path);
        if used.contains(path) || is_input || target::is_reserved(path) {
            return Err(DatasetError::SameFile(path.to_owned()));
        }
        // A link that leads nowhere is not written through unasked.
        if (known.is_some() || path.is_symlink()) && !force {
            existing = existing.or(Some(path));
        }
        used.add(path);
    }
    // After the other errors, which `force` does not help.
    existing.map_or(Ok(()), |path| Err(DatasetError::Exists(path.to_owned())))
}

/// One canonical name for all paths that lead to a file, whether it exists or not.
pub(crate) fn identity(path: &Path) -> PathBuf {
    let path = destination(path);
    // A file that does not exist yet has no canonical path, but its directory has one.
    let in_directory = || {
        // Without the dots and blanks at its end that Windows leaves out.
        let path = std::path::absolute(&path).ok()?;
        Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
    };
    fs::canonicalize(&path).ok().or_else(in_directory).unwrap_or_else(|| path.clone())
}

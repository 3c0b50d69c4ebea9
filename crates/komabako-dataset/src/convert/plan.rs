//! [`Plan`]: a job whose inputs have been looked at.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::collect::reasons_path;
use super::counter::Counter;
use super::{Input, Job, OnError, Output};
use komabako_codec::Backend;

use crate::detect::{self, Content, Detection};
use crate::error::{Tail, TailCause};
use crate::{Compression, DatasetError, FileFormat, Loss, losses};

/// A job that can be done: every input opens, every format is known, and the output can be written.
pub struct Plan<'a> {
    pub(super) sources: Vec<Source<'a>>,
    pub(super) output: Output<'a>,
    pub(super) to: FileFormat,
    pub(super) compression: Compression,
    pub(super) on_error: OnError,
    pub(super) salvage: bool,
    pub(super) threads: usize,
    pub(super) backend: Backend,
    pub(super) force: bool,
    /// Counts what is taken from the inputs, of streams from the start.
    pub(super) counter: Counter,
}

/// An input that has been looked at.
pub struct Source<'a> {
    pub(super) name: String,
    pub(super) detection: Detection,
    pub(super) size: Option<u64>,
    pub(super) content: Where<'a>,
}

/// Where the content of a source is.
pub(super) enum Where<'a> {
    /// In a file, to be opened when its turn comes.
    File(PathBuf),
    /// In a stream that has been opened.
    Stream(Content<'a>),
}

impl Source<'_> {
    /// The input's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the input is.
    pub fn detection(&self) -> &Detection {
        &self.detection
    }

    /// The size of the input in bytes, if it is a regular file.
    pub fn size(&self) -> Option<u64> {
        self.size
    }
}

impl<'a> Plan<'a> {
    /// The inputs.
    pub fn sources(&self) -> &[Source<'a>] {
        &self.sources
    }

    /// The format to write.
    pub fn to(&self) -> FileFormat {
        self.to
    }

    /// How the output is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// The size of all inputs in bytes, if every one is a regular file.
    pub fn size(&self) -> Option<u64> {
        self.sources.iter().map(Source::size).sum()
    }

    /// What the conversion does not carry over, from any of the inputs; each once.
    pub fn losses(&self) -> Vec<Loss> {
        let mut all = Vec::new();
        for from in self.sources.iter().filter_map(|source| source.detection.format) {
            for loss in losses(from, self.to) {
                if !all.contains(&loss) {
                    all.push(loss);
                }
            }
        }
        all
    }
}

impl<'a> Job<'a> {
    /// Looks at the inputs and the output without writing anything. Reads up to 256 KiB of each input.
    ///
    /// # Errors
    /// Everything that can be known before the conversion: inputs that cannot be opened or recognised, or, unless the
    /// job salvages, that have a tail; an output that exists, is an input, or whose format is not known or not written.
    pub fn plan(self) -> Result<Plan<'a>, DatasetError> {
        let to = output_format(&self.output, self.to)?;
        let compression = self.compression.unwrap_or_else(|| match &self.output {
            Output::Path(path) => Compression::from_path(path),
            Output::Stream(..) => Compression::None,
        });
        check_paths(&self)?;
        let counter = Counter::default();
        let mut sources = Vec::with_capacity(self.inputs.len());
        for input in self.inputs {
            let source = look_at(input, self.from, &counter)?;
            if !self.salvage {
                check_size(&source)?;
            }
            sources.push(source);
        }
        if let OnError::Collect(_) = self.on_error {
            check_one_format(&sources)?;
        }
        let Job { output, on_error, salvage, force, backend, .. } = self;
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        Ok(Plan { sources, output, to, compression, on_error, salvage, threads, backend, force, counter })
    }
}

fn output_format(output: &Output, given: Option<FileFormat>) -> Result<FileFormat, DatasetError> {
    let named = match output {
        Output::Path(path) => FileFormat::from_path(path),
        Output::Stream(..) => None,
    };
    match given.or(named) {
        Some(format) if format.can_write() => Ok(format),
        Some(format) => Err(DatasetError::ReadOnly(format)),
        None => Err(DatasetError::OutputFormat(output.name())),
    }
}

/// No file is read and written, or written twice, and none that exists is overwritten unless that is wanted.
fn check_paths(job: &Job) -> Result<(), DatasetError> {
    let mut used: Vec<PathBuf> = Vec::new();
    for input in &job.inputs {
        if let Input::Path(path) = input {
            used.push(identity(path));
        }
    }
    let mut outputs = Vec::new();
    if let Output::Path(path) = &job.output {
        outputs.push(path.clone());
    }
    if let OnError::Collect(path) = &job.on_error {
        outputs.extend([path.clone(), reasons_path(path)]);
    }
    for path in outputs {
        let known = fs::metadata(&path).ok();
        if known.as_ref().is_some_and(|known| !known.is_file()) {
            continue;
        }
        let identity = identity(&path);
        if used.contains(&identity) {
            return Err(DatasetError::SameFile(path));
        }
        if known.is_some() && !job.force {
            return Err(DatasetError::Exists(path));
        }
        used.push(identity);
    }
    Ok(())
}

/// One name for all the paths that lead to a file, whether it exists or not.
fn identity(path: &Path) -> PathBuf {
    let in_directory = || {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        Some(fs::canonicalize(directory.unwrap_or(Path::new("."))).ok()?.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_directory).unwrap_or_else(|| path.to_owned())
}

fn look_at<'a>(
    input: Input<'a>,
    given: Option<FileFormat>,
    counter: &Counter,
) -> Result<Source<'a>, DatasetError> {
    let name = input.name();
    let path = match input {
        Input::Stream(_, stream) => {
            let (detection, content) =
                detect::open_stream(counter.counting(stream), &name, None, None, given)?;
            return Ok(Source { name, detection, size: None, content: Where::Stream(content) });
        }
        Input::Path(path) => path,
    };
    let open = |error| DatasetError::Open(path.clone(), error);
    let file = File::open(&path).map_err(open)?;
    let metadata = file.metadata().map_err(open)?;
    let hint = FileFormat::from_path(&path);
    if metadata.is_file() {
        let size = metadata.len();
        let (detection, _) = detect::open_stream(file, &name, Some(size), hint, given)?;
        Ok(Source { name, detection, size: Some(size), content: Where::File(path) })
    } else {
        // A pipe cannot be read twice.
        let (detection, content) = detect::open_stream(counter.counting(file), &name, None, hint, given)?;
        Ok(Source { name, detection, size: None, content: Where::Stream(content) })
    }
}

/// A file whose size says that its last record is cut off need not be converted to find that out.
fn check_size(source: &Source) -> Result<(), DatasetError> {
    let Detection { compression: Compression::None, format: Some(format), .. } = source.detection else {
        return Ok(());
    };
    let (Some(size), Some(record)) = (source.size, format.record_size()) else { return Ok(()) };
    let length = size % record as u64;
    if length == 0 {
        return Ok(());
    }
    Err(DatasetError::Tail(Box::new(Tail {
        input: source.name.clone(),
        records: size / record as u64,
        offset: size - length,
        length,
        cause: TailCause::Truncated,
    })))
}

fn check_one_format(sources: &[Source]) -> Result<(), DatasetError> {
    let mut formats = sources.iter().filter_map(|source| source.detection.format);
    let Some(first) = formats.next() else { return Ok(()) };
    match formats.find(|&format| format != first) {
        Some(other) => Err(DatasetError::MixedFormats(first, other)),
        None => Ok(()),
    }
}

//! Detects the format of a file, by its content first and its name second, and gives the reasons.
//!
//! A compression is recognised by its magic number. The format of the decompressed content is detected on its first bytes by
//! [`komabako_record::detect`].

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use komabako_record::detect::{NotRecognized, SAMPLE_BYTES, Sample};

use crate::Name;
use crate::io::archive::{self, ArchiveReader, Contents};
use crate::io::compression::{self, Compression, Content};
use crate::io::error::DatasetError;
use crate::io::input;
use crate::{FileFormat, Input};

pub use crate::io::error::{Evidence, Foreign, Reason};
pub use komabako_record::detect::{among, other_than};

/// The result of detection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detection {
    /// The compression of the file.
    pub compression: Compression,
    /// The memory for decompressing it, as far as that is [unusually large](Compression::decoder_memory).
    pub decoder_memory: u64,
    /// Its format; `None` only for an empty file whose name suggests none, which is a valid file of every format.
    pub format: Option<FileFormat>,
    /// The reasons for the format.
    pub why: Vec<Reason>,
    /// What the readers of an archive have found in it so far.
    pub archive: Option<Contents>,
}

/// Detects the format of a file.
///
/// # Errors
/// [`DatasetError::Open`] or [`DatasetError::Read`]; [`DatasetError::Unsupported`] for known kinds of files that hold no
/// positions or cannot be read; [`DatasetError::Unrecognized`].
pub fn detect_path(path: &Path) -> Result<Detection, DatasetError> {
    open(Input::path(path), None).map(|(detection, _)| detection)
}

/// Detects the format of an input, unless it is `given`, and returns its content from the start, decompressed. The input is read
/// once, so it may be a stream or a pipe.
///
/// # Errors
/// The errors of [`detect_path`].
pub fn open<'a>(
    input: Input<'a>,
    given: Option<FileFormat>,
) -> Result<(Detection, Box<dyn Read + Send + 'a>), DatasetError> {
    let name = input.name();
    match input {
        Input::Stream(_, stream) => {
            open_stream(stream, &name, None, input::format_of(Path::new(&*name)), given)
        }
        Input::Path(path) => {
            let opened = input::open(&path)?;
            let size = opened.size();
            open_stream(Box::new(opened), &name, size, input::format_of(&path), given)
        }
    }
}

/// The format of a file that contradicts the `given` one; `None` if it does not, or cannot be read.
pub(crate) fn contradicts(path: &Path, given: FileFormat) -> Option<FileFormat> {
    // A pipe could not be read again.
    if !path.is_file() {
        return None;
    }
    let file = File::open(path).ok()?;
    let (_, content) = open_stream(Box::new(file), &Name::default(), None, None, Some(given)).ok()?;
    let mut bytes = Vec::new();
    content.take(SAMPLE_BYTES as u64).read_to_end(&mut bytes).ok()?;
    other_than(given, &bytes)
}

/// Detects the format of a stream and returns its content, from the start.
///
/// `size`: the size of the stream, if known. `hint`: the format that its name suggests. `given`: its format, if it need not
/// be detected.
pub(crate) fn open_stream<'a>(
    mut stream: Content<'a>,
    input: &Name,
    size: Option<u64>,
    hint: Option<FileFormat>,
    given: Option<FileFormat>,
) -> Result<(Detection, Content<'a>), DatasetError> {
    let failed = |error| DatasetError::Read { input: input.clone(), offset: 0, error };
    let unsupported = |what| DatasetError::Unsupported { input: input.clone(), what };
    let mut head = Vec::new();
    stream.by_ref().take(Compression::HEAD as u64).read_to_end(&mut head).map_err(failed)?;
    if let Some(archive) = Foreign::from_magic(&head).filter(|what| what.is_archive()) {
        return Err(unsupported(archive));
    }
    let compression = Compression::from_magic(&head);
    if compression.is_archive() {
        return open_archive(Box::new(io::Cursor::new(head).chain(stream)), input, given);
    }
    let decoder_memory = compression.decoder_memory(&head);
    let is_marked = has_mark_of_utf16(&head);
    let mut content = compression.decoder(io::Cursor::new(head).chain(stream)).map_err(failed)?;
    let mut why = Vec::new();
    if compression != Compression::None {
        why.push(Reason::Compressed(compression));
    }
    // Of text, which comes line by line, nothing is read ahead.
    if let Some(format) = given.filter(|format| format.record_size().is_none()) {
        if is_marked {
            return Err(DatasetError::Utf16(input.clone()));
        }
        why.push(Reason::Given(format));
        return Ok((
            Detection { compression, decoder_memory, format: Some(format), why, archive: None },
            content,
        ));
    }
    let mut bytes = Vec::new();
    let read = content.by_ref().take(SAMPLE_BYTES as u64).read_to_end(&mut bytes);
    let early_end = match read {
        Ok(_) => None,
        // The bytes read, or the name, are enough; the reader of the records meets the same end and reports its
        // place.
        Err(error)
            if !bytes.is_empty()
                || given.is_some()
                || hint.is_some() && compression::is_corruption(&error) =>
        {
            Some(error)
        }
        Err(error) => return Err(failed(error)),
    };
    if bytes.starts_with(&komabako_archive::MAGIC) {
        return Err(DatasetError::CompressedArchive(input.to_owned()));
    }
    let is_named_archive = Compression::from_path(Path::new(&**input)).is_archive();
    if compression == Compression::None
        && (is_named_archive || komabako_archive::find_block(&bytes).is_some())
    {
        // Its magic number is damaged, but perhaps not its blocks.
        let content = io::Cursor::new(bytes).chain(Failing(early_end)).chain(content);
        return open_archive(Box::new(content), input, given);
    }
    if let Some(format) = given {
        why.push(Reason::Given(format));
        let detection = Detection { compression, decoder_memory, format: Some(format), why, archive: None };
        let read = io::Cursor::new(bytes).chain(Failing(early_end));
        return Ok((detection, Box::new(read.chain(content))));
    }
    let is_utf16 = is_utf16_text(&bytes);
    let at_end = early_end.is_none() && bytes.len() < SAMPLE_BYTES;
    let mut sample = if at_end { Sample::whole(bytes) } else { Sample::start(bytes) };
    if let (Compression::None, Some(size)) = (compression, size) {
        sample = sample.size(size);
    }
    if let Some(format) = hint {
        sample = sample.hint(format);
    }
    let format = match sample.detect() {
        // Of any bytes, some are records of a format without redundancy.
        Ok(found) if is_utf16 && found.format != hint => return Err(DatasetError::Utf16(input.clone())),
        Ok(found) => {
            why.extend(found.why.into_iter().map(Reason::Evidence));
            found.format
        }
        Err(NotRecognized::Foreign(what)) => return Err(unsupported(what)),
        Err(NotRecognized::NoFormat { .. }) if is_utf16 => return Err(DatasetError::Utf16(input.clone())),
        Err(NotRecognized::NoFormat { why: tried }) => {
            why.extend(tried.into_iter().map(Reason::Evidence));
            return Err(DatasetError::Unrecognized { input: input.clone(), why });
        }
    };
    let sampled = io::Cursor::new(sample.into_bytes());
    let content = Box::new(sampled.chain(Failing(early_end)).chain(content));
    Ok((Detection { compression, decoder_memory, format, why, archive: None }, content))
}

/// Whether a content begins with the byte order mark of UTF-16, as no text in UTF-8 does.
pub fn has_mark_of_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

/// Whether a content is text in UTF-16: records may begin with the mark too. Text of positions is mostly ASCII.
fn is_utf16_text(bytes: &[u8]) -> bool {
    if !has_mark_of_utf16(bytes) {
        return false;
    }
    let units = || bytes[2..].chunks_exact(2).take(64);
    let is_ascii = |unit: &&[u8]| matches!(unit, [0, 1..128] | [1..128, 0]);
    2 * units().filter(is_ascii).count() > units().count()
}

/// Takes the format of an archive from what it says, rather than from its records.
fn open_archive<'a>(
    mut stream: Content<'a>,
    input: &Name,
    given: Option<FileFormat>,
) -> Result<(Detection, Content<'a>), DatasetError> {
    let mut head = Vec::new();
    let (found, header, early_end) = match archive::detect_format(&mut stream, &mut head) {
        Ok((found, header)) => (found, header, None),
        // The reader of the records meets the same end.
        Err(error) => (archive::named_format(&head), None, Some(error)),
    };
    if let (Some(given), Some(found)) = (given, found)
        && given.strict() != found.strict()
    {
        return Err(DatasetError::OtherArchive { input: input.clone(), given, found });
    }
    let compression = Compression::ARCHIVE;
    let mut why = Vec::new();
    if head.starts_with(&komabako_archive::MAGIC) {
        why.push(Reason::Compressed(compression));
    }
    why.extend(found.map(Reason::Archive));
    why.extend(given.map(Reason::Given));
    let contents = Contents::new(header);
    let content = io::Cursor::new(head).chain(Failing(early_end)).chain(BufReader::new(stream));
    let content = Box::new(ArchiveReader::new(Box::new(content), contents.clone()));
    // Nothing that can be read says what it holds: its reader says what is wrong.
    let format = given.or(found).or(Some(FileFormat::Psv));
    Ok((Detection { compression, decoder_memory: 0, format, why, archive: Some(contents) }, content))
}

/// A stream that fails to read.
pub(crate) struct Failing(pub Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

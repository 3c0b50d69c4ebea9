//! Detects the format of a file, by its content first and its name second, and gives the evidence (`spec/formats.md` §9).
//!
//! A compression is recognised by its magic number. The formats of positions have none: each is tried on the first 256 KiB
//! of the content, and the one whose codec accepts the records is chosen. The size alone never decides, since 1520 bytes
//! can be 38 PSV records as well as 40 hcpe records.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use komabako_codec::{Backend, Format, UnpackFault};

use crate::Input;
use crate::batch::Batch;
use crate::block::{Block, Cuts};
use crate::codec::Codec;
use crate::io::compression::{self, Compression};
use crate::io::error::{Damage, DatasetError, Foreign};
use crate::io::input;
use crate::sense::other_codec;
use crate::{Field, FileFormat, RecordFault, boundaries};

pub use crate::io::error::Evidence;

/// The result of detection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detection {
    /// The compression of the file.
    pub compression: Compression,
    /// The memory for decompressing it, as far as that is [unusually large](Compression::decoder_memory).
    pub decoder_memory: u64,
    /// Its format; `None` only for an empty file whose name suggests none, which is a valid file of every format.
    pub format: Option<FileFormat>,
    /// The evidence for the format.
    pub why: Vec<Evidence>,
}

/// The size of the sample of the content.
const SAMPLE_BYTES: u64 = 1 << 18;

/// The maximum number of records to try.
const SAMPLE_RECORDS: usize = 1000;

/// The number of records to try before checking whether that is enough.
const RANGE: usize = 16;

/// With at least this many records, all of them good, a size that is not a multiple of the record's means truncation.
const CERTAIN: usize = 8;

/// Detects the format of a file.
///
/// # Errors
/// [`DatasetError::Open`] or [`DatasetError::Read`]; [`DatasetError::Unsupported`] for known kinds of files that hold no
/// positions or cannot be read; [`DatasetError::Unrecognized`].
pub fn detect_path(path: &Path) -> Result<Detection, DatasetError> {
    let (file, metadata) = input::open(path)?;
    let size = metadata.is_file().then_some(metadata.len());
    let hint = input::format_of(path);
    open_stream(file, &path.display().to_string(), size, hint, None).map(|(detection, _)| detection)
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
            open_stream(stream, &name, None, input::format_of(Path::new(&name)), given)
        }
        Input::Path(path) => {
            let (file, metadata) = input::open(&path)?;
            let size = metadata.is_file().then_some(metadata.len());
            open_stream(file, &name, size, input::format_of(&path), given)
        }
    }
}

/// The one of `formats` that a content, or the start of one, is in; `None` if it is in none of them. For programs that read only
/// these formats, and recognise their files by the content alone; the cost is proportional to the number of formats.
///
/// ```
/// use komabako_dataset::{FileFormat, detect};
/// let start = b"startpos\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
/// assert_eq!(detect::among(start, &[FileFormat::Psv, FileFormat::Sfen]), Some(FileFormat::Sfen));
/// assert_eq!(detect::among(start, &[FileFormat::Psv]), None);
/// ```
pub fn among(content: &[u8], formats: &[FileFormat]) -> Option<FileFormat> {
    let bytes = content[..content.len().min(SAMPLE_BYTES as usize)].to_vec();
    let at_end = bytes.len() == content.len();
    let block = Block::new(bytes, Cuts::default());
    let mut sample = Sample { block, at_end, size: Some(content.len() as u64) };
    let mut batch = Batch::new(Backend::detect());
    let fits: Vec<Fit> = formats.iter().map(|&format| Fit::on_all(format, &mut sample, &mut batch)).collect();
    choose(&fits, None)
}

/// The format of a content that is not in the `given` one: most of its records do not decode in that.
pub(crate) fn other_than(given: FileFormat, content: &[u8]) -> Option<FileFormat> {
    let bytes = content[..content.len().min(SAMPLE_BYTES as usize)].to_vec();
    let mut sample = Sample { block: Block::new(bytes, Cuts::default()), at_end: false, size: None };
    let lenient = wider(given).unwrap_or(given);
    if Fit::on_all(lenient, &mut sample, &mut Batch::new(Backend::detect())).is_tenable() {
        return None;
    }
    recognize(&mut sample, None, &mut Vec::new()).filter(|&found| found != given && found != lenient)
}

/// The format of a file that contradicts the `given` one; `None` if it does not, or cannot be read.
pub(crate) fn contradicts(path: &Path, given: FileFormat) -> Option<FileFormat> {
    let file =
        File::open(path).ok().filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()))?;
    let (_, content) = open_stream(file, "", None, None, Some(given)).ok()?;
    let mut bytes = Vec::new();
    content.take(SAMPLE_BYTES).read_to_end(&mut bytes).ok()?;
    other_than(given, &bytes)
}

/// A stream's content, decompressed.
pub(crate) type Content<'a> = Box<dyn Read + Send + 'a>;

/// Detects the format of a stream and returns its content, from the start.
///
/// `size`: the size of the stream, if known. `hint`: the format that its name suggests. `given`: its format, if it need not
/// be detected.
pub(crate) fn open_stream<'a>(
    mut stream: impl Read + Send + 'a,
    input: &str,
    size: Option<u64>,
    hint: Option<FileFormat>,
    given: Option<FileFormat>,
) -> Result<(Detection, Content<'a>), DatasetError> {
    let failed = |error| DatasetError::Read { input: input.to_owned(), offset: 0, error };
    let unsupported = |what| DatasetError::Unsupported { input: input.to_owned(), what };
    let mut head = Vec::new();
    stream.by_ref().take(Compression::HEAD as u64).read_to_end(&mut head).map_err(failed)?;
    if head.starts_with(SEVEN_ZIP) {
        return Err(unsupported(Foreign::SevenZip));
    }
    let compression = Compression::from_magic(&head);
    let decoder_memory = compression.decoder_memory(&head);
    let mut content = compression.decoder(io::Cursor::new(head).chain(stream)).map_err(failed)?;
    let mut why = Vec::new();
    if compression != Compression::None {
        why.push(Evidence::Compressed(compression));
    }
    if let Some(format) = given {
        why.push(Evidence::Given(format));
        return Ok((Detection { compression, decoder_memory, format: Some(format), why }, content));
    }
    let mut bytes = Vec::new();
    let read = content.by_ref().take(SAMPLE_BYTES).read_to_end(&mut bytes);
    let early_end = match read {
        Ok(_) => None,
        // The bytes read, or the name, are enough; the reader of the records meets the same end and reports its
        // place.
        Err(error) if !bytes.is_empty() || hint.is_some() && is_damage(&error) => Some(error),
        Err(error) => return Err(failed(error)),
    };
    let at_end = early_end.is_none() && (bytes.len() as u64) < SAMPLE_BYTES;
    let size = match compression {
        Compression::None => size.or(at_end.then_some(bytes.len() as u64)),
        _ => at_end.then_some(bytes.len() as u64),
    };
    if let Some(format) = hint {
        why.push(Evidence::Extension(format));
    }
    if let Some(what) = foreign_magic(&bytes) {
        return Err(unsupported(what));
    }
    let mut sample = Sample { block: Block::new(bytes, Cuts::default()), at_end, size };
    let format = if sample.block.bytes().is_empty() {
        why.extend(early_end.is_none().then_some(Evidence::Empty));
        hint
    } else {
        let format = recognize(&mut sample, hint, &mut why).or_else(|| {
            let evidence = recognize_by_sense(&sample, hint)?;
            why.push(evidence);
            match evidence {
                Evidence::OtherCodec { format, .. } => Some(format),
                _ => None,
            }
        });
        if format.is_none() {
            return Err(match foreign_text(sample.block.bytes()) {
                Some(what) => unsupported(what),
                None => DatasetError::Unrecognized { input: input.to_owned(), why },
            });
        }
        format
    };
    let sampled = io::Cursor::new(sample.block.into_bytes());
    let content: Content<'a> = match early_end {
        Some(error) => Box::new(sampled.chain(Failing(Some(error)))),
        None => Box::new(sampled.chain(content)),
    };
    Ok((Detection { compression, decoder_memory, format, why }, content))
}

/// Whether an error means that compressed data is damaged, rather than that it cannot be read.
fn is_damage(error: &io::Error) -> bool {
    compression::is_corruption(error) || error.kind() == io::ErrorKind::UnexpectedEof
}

/// A stream that fails to read.
pub(crate) struct Failing(pub Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The start of a content.
struct Sample {
    /// Its bytes, divided into the records of the format that is tried.
    block: Block,
    /// Whether it is the whole content.
    at_end: bool,
    /// The size of the whole content, if known.
    size: Option<u64>,
}

/// The result of trying a format.
struct Fit {
    format: FileFormat,
    /// The number of records that decode, or would if an ambiguity were resolved.
    good: usize,
    /// The number of records tried; damage counts as one.
    sampled: usize,
    /// Whether all records of the sample were tried.
    is_whole: bool,
    /// The damage after the records that were tried, if any.
    damage: Option<Damage>,
    /// Whether the size of the content is known and not a multiple of the record's.
    odd_size: bool,
}

impl Fit {
    /// Tries a format on all records of the sample.
    fn on_all(format: FileFormat, sample: &mut Sample, batch: &mut Batch) -> Fit {
        Fit::up_to(format, sample, batch, |_, _| false)
    }

    /// Tries a format, and stops once it has too many bad records to [decode](Self::decodes). Most formats stop in the first
    /// range. Without this, detecting the format of a file took 45 ms, nearly all of it spent on formats that did not fit.
    fn until_refuted(format: FileFormat, sample: &mut Sample, batch: &mut Batch) -> Fit {
        // Nearly any bytes can be ranks, decoding them is slow, and they prove nothing.
        let is_rank = format.codec() == Some(Codec::R238);
        // With fewer than 99 good records for each bad one, the remaining ones cannot make up for it.
        Fit::up_to(format, sample, batch, |bad, records| is_rank || bad * 99 > records)
    }

    /// Tries a format range by range, and stops when `is_enough(bad, records)` is true: `bad` is the number of bad records so
    /// far, `records` the number in the whole sample.
    fn up_to(
        format: FileFormat,
        sample: &mut Sample,
        batch: &mut Batch,
        is_enough: impl Fn(usize, usize) -> bool,
    ) -> Fit {
        let cut = boundaries::cut(format, sample.block.bytes(), sample.at_end, true);
        sample.block.set_cuts(cut.cuts);
        let records = sample.block.len().min(SAMPLE_RECORDS);
        let mut fit = Fit {
            format,
            good: 0,
            sampled: usize::from(cut.damage.is_some()),
            is_whole: true,
            damage: cut.damage,
            odd_size: sample
                .size
                .zip(format.record_size())
                .is_some_and(|(size, record)| size % record as u64 != 0),
        };
        let mut bad = 0;
        for start in (0..records).step_by(RANGE) {
            if is_enough(bad, records) {
                fit.is_whole = false;
                break;
            }
            let end = records.min(start + RANGE);
            batch.decode(format, &sample.block, start..end);
            let faults = || batch.faults().iter().map(|(_, fault)| fault);
            // After an illegal move the rest of a game is bad, which is no further evidence about the format.
            let consequences = faults().filter(|fault| fault.is_consequence()).count();
            let good = batch.records().0.len() + faults().filter(|fault| is_of(format, fault)).count();
            let sampled = end - start - consequences;
            fit.good += good;
            fit.sampled += sampled;
            bad += sampled - good;
        }
        fit
    }

    /// Whether the records alone prove the format: 99 % of them decode.
    fn decodes(&self) -> bool {
        self.good > 0 && self.good * 100 >= self.sampled * 99
    }

    /// Whether the records and the size prove the format. Many good records outweigh the size, which truncation makes odd. If
    /// nearly any bytes decode, as for ranks, records prove nothing: ranks are recognised only by a name.
    fn convinces(&self) -> bool {
        self.format.codec() != Some(Codec::R238) && self.decodes() && (!self.odd_size || self.good >= CERTAIN)
    }

    /// Whether the content is compatible with a name that suggests the format.
    fn is_tenable(&self) -> bool {
        self.good * 2 >= self.sampled
    }
}

/// Whether a refused record is still evidence for the format: it can be read in more than one way, or repair makes it
/// canonical.
fn is_of(format: FileFormat, fault: &RecordFault) -> bool {
    let RecordFault::Unpack(error) = fault else { return false };
    match error.fault {
        UnpackFault::PhantomPawns => true,
        UnpackFault::TailOrder => format.codec().is_some_and(Codec::is_sspf),
        _ => false,
    }
}

/// The format of a content that is not empty.
fn recognize(sample: &mut Sample, hint: Option<FileFormat>, why: &mut Vec<Evidence>) -> Option<FileFormat> {
    let batch = &mut Batch::new(Backend::detect());
    // A named format may be chosen although half of its records are bad, and so may the lenient one that reads more of them.
    let is_named = |format| hint == Some(format) || hint.and_then(wider) == Some(format);
    let formats = FileFormat::by_preference().into_iter();
    let mut fits: Vec<Fit> = formats
        .map(|format| match is_named(format) {
            true => Fit::on_all(format, sample, batch),
            false => Fit::until_refuted(format, sample, batch),
        })
        .collect();
    let found = choose(&fits, hint);
    if found.is_none() {
        // If the file is not recognised, formats that fit partly are reported.
        fits.iter_mut()
            .filter(|fit| !fit.is_whole)
            .for_each(|fit| *fit = Fit::on_all(fit.format, sample, batch));
    }
    let is_reported = |fit: &&Fit| match found {
        _ if hint == Some(fit.format) => true,
        Some(found) => fit.format == found || fit.convinces(),
        None => fit.good > 0,
    };
    for &Fit { format, good, sampled, damage, odd_size, is_whole: _ } in fits.iter().filter(is_reported) {
        why.push(Evidence::Decoded { format, good, sampled });
        let matters = found.is_none_or(|found| found == format);
        if let (true, Some(damage)) = (matters, damage) {
            why.push(Evidence::Damaged { format, damage });
        }
        if let (true, Some(size), Some(record)) = (odd_size, sample.size, format.record_size()) {
            why.push(Evidence::Size { format, size, record });
        }
    }
    if let (Some(found), Some(hint)) = (found, hint)
        && found != hint
        && Some(found) != wider(hint)
    {
        why.push(Evidence::NameIgnored(hint));
    }
    found
}

/// The minimum number of records that make sense in another format's codec, and one in how many may not.
const SENSIBLE: usize = 10;
const SENSELESS: usize = 10;

/// If nothing fits: the format of records whose positions are in another format's codec, such as hcpe's in PSV. Tries the
/// named format, and those with moves. `repair` rewrites such files. The moves decide: without them, one word in three makes
/// sense in the other codec.
fn recognize_by_sense(sample: &Sample, hint: Option<FileFormat>) -> Option<Evidence> {
    let candidates = hint.into_iter().chain([FileFormat::Psv, FileFormat::Hcpe]);
    candidates.filter(|&format| format.holds(Field::Move) && format.codec() != Some(Codec::R238)).find_map(
        |format| {
            let records = sample.block.bytes().chunks_exact(format.record_size()?).take(SAMPLE_RECORDS);
            let sampled = records.len();
            let senses = records.filter_map(|record| other_codec(format, record));
            let mut counts: Vec<(Format, usize)> = Vec::new();
            for (codec, _) in senses {
                match counts.iter_mut().find(|(known, _)| *known == codec) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((codec, 1)),
                }
            }
            let (codec, good) = counts.into_iter().max_by_key(|&(_, count)| count)?;
            let is_it = good >= SENSIBLE && (sampled - good) * SENSELESS <= sampled;
            is_it.then_some(Evidence::OtherCodec { format, codec, good, sampled })
        },
    )
}

/// The name decides between formats that all fit, and if the content is half bad; otherwise the content decides.
fn choose(fits: &[Fit], hint: Option<FileFormat>) -> Option<FileFormat> {
    let named = fits.iter().find(|fit| hint == Some(fit.format));
    let found = named
        .filter(|fit| fit.decodes())
        .or_else(|| fits.iter().find(|fit| fit.convinces()))
        .or_else(|| named.filter(|fit| fit.is_tenable()))?;
    // A lenient reader accepts everything that the strict one does: it is chosen only if it reads more.
    let reads_more = |fit: &&Fit| Some(fit.format) == wider(found.format) && fit.good > found.good;
    Some(fits.iter().find(reads_more).unwrap_or(found).format)
}

/// The format that reads every file of this one, and more.
fn wider(format: FileFormat) -> Option<FileFormat> {
    match format {
        FileFormat::Psv => Some(FileFormat::PsvLenient),
        FileFormat::Hcpe => Some(FileFormat::Hcpe2),
        FileFormat::Sspfv1 => Some(FileFormat::Sspfv1Ext),
        _ => None,
    }
}

const SEVEN_ZIP: &[u8] = &[b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c];

/// Known files with a magic number.
fn foreign_magic(content: &[u8]) -> Option<Foreign> {
    const MAGIC: [(&[u8], Foreign); 7] = [
        (b"SBN2", Foreign::Sbinpack),
        (b"SAZ2", Foreign::Sazpack),
        (b"YANE-BINBOOK-V1\0", Foreign::Ybb),
        (b"#YANEURAOU-DB2016", Foreign::YaneuraOuBook),
        (b"\xef\xbb\xbf#YANEURAOU-DB2016", Foreign::YaneuraOuBook),
        (b"ARROW1", Foreign::Arrow),
        (b"PAR1", Foreign::Parquet),
    ];
    MAGIC.into_iter().find(|(magic, _)| content.starts_with(magic)).map(|(_, what)| what)
}

/// The starts of lines in a KIF or KI2 header, in UTF-8 and Shift-JIS.
#[rustfmt::skip]
const KIF_LINES: [(&str, &[u8]); 11] = [
    ("先手：", b"\x90\xe6\x8e\xe8\x81F"),
    ("後手：", b"\x8c\xe3\x8e\xe8\x81F"),
    ("上手：", b"\x8f\xe3\x8e\xe8\x81F"),
    ("下手：", b"\x89\xba\x8e\xe8\x81F"),
    ("手合割：", b"\x8e\xe8\x8d\x87\x8a\x84\x81F"),
    ("開始日時：", b"\x8aJ\x8en\x93\xfa\x8e\x9e\x81F"),
    ("終了日時：", b"\x8fI\x97\xb9\x93\xfa\x8e\x9e\x81F"),
    ("棋戦：", b"\x8a\xfb\x90\xed\x81F"),
    ("場所：", b"\x8f\xea\x8f\x8a\x81F"),
    ("持ち時間：", b"\x8e\x9d\x82\xbf\x8e\x9e\x8a\xd4\x81F"),
    ("手数----", b"\x8e\xe8\x90\x94----"),
];

/// The number of lines to search for one of these.
const HEADER_LINES: usize = 40;

/// Recognises game records by the start of their text; used when no format of positions fits.
fn foreign_text(content: &[u8]) -> Option<Foreign> {
    let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii_start();
    if text.starts_with(b"{") {
        return text.windows(7).any(|key| key == b"\"moves\"").then_some(Foreign::Jkf);
    }
    const CSA: [&[u8]; 8] = [b"V1", b"V2", b"V3", b"'", b"PI", b"P1", b"N+", b"N-"];
    if CSA.iter().any(|start| text.starts_with(start)) {
        return Some(Foreign::Csa);
    }
    let starts = |line: &[u8]| {
        let has_key =
            |(utf8, sjis): &(&str, &[u8])| line.starts_with(utf8.as_bytes()) || line.starts_with(sjis);
        KIF_LINES.iter().any(has_key)
    };
    let is_kif = [&b"#KIF"[..], b"# ---- Kifu"].iter().any(|start| text.starts_with(start))
        || text.split(|&byte| byte == b'\n').take(HEADER_LINES).any(starts);
    is_kif.then_some(Foreign::Kif)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PSV: &[u8] = include_bytes!("../../../../data/sample.psv");

    fn sample(bytes: &[u8]) -> Sample {
        Sample { block: Block::new(bytes.to_vec(), Cuts::default()), at_end: true, size: None }
    }

    #[test]
    fn formats_that_do_not_fit_are_refuted_by_a_few_records() {
        let (mut sample, mut batch) = (sample(PSV), Batch::new(Backend::detect()));
        for format in FileFormat::by_preference() {
            let fit = Fit::until_refuted(format, &mut sample, &mut batch);
            let fits = matches!(format, FileFormat::Psv | FileFormat::PsvLenient);
            assert_eq!(fit.convinces(), fits, "{format}");
            assert!(fits || fit.sampled <= 2 * RANGE, "{format}: {} records", fit.sampled);
        }
    }

    #[test]
    fn early_refutation_agrees_with_trying_all_records() {
        let mut batch = Batch::new(Backend::detect());
        for bad in [0, 1, 9, 10, 11, 12, 500] {
            let mut bytes = PSV[..1000 * 40].to_vec();
            bytes.chunks_mut(40).rev().take(bad).for_each(|record| record[..32].fill(0xff));
            let mut sample = sample(&bytes);
            let whole = Fit::on_all(FileFormat::Psv, &mut sample, &mut batch);
            let fit = Fit::until_refuted(FileFormat::Psv, &mut sample, &mut batch);
            assert_eq!((whole.good, whole.sampled), (1000 - bad, 1000));
            assert_eq!(fit.convinces(), whole.convinces(), "{bad} bad records");
        }
    }
}

//! Detects the format of a content from its start, and gives the evidence (`spec/formats.md` §9).
//!
//! The formats of positions have no magic number: each is tried on the first 256 KiB of the content, and the one whose codec
//! accepts the records is chosen. The size alone never decides, since 1520 bytes can be 38 PSV records as well as 40 hcpe
//! records. The name of a file decides only between formats that fit equally well.
//!
//! ```
//! use komabako_record::FileFormat;
//! use komabako_record::detect::{Foreign, NotRecognized, Sample};
//! let text = b"startpos\nsfen 4k4/9/9/9/9/9/9/9/4K4 b R 1\n";
//! let found = Sample::whole(text.to_vec()).hint(FileFormat::Psv).detect()?;
//! assert_eq!(found.format, Some(FileFormat::Sfen));
//! let reasons: Vec<String> = found.why.iter().map(|evidence| evidence.to_string()).collect();
//! assert_eq!(reasons[1], "sfen: 2 of the first 2 records can be decoded");
//!
//! let game = b"V2.2\nPI\n+\n+7776FU\n";
//! let found = Sample::whole(game.to_vec()).detect();
//! assert_eq!(found, Err(NotRecognized::Foreign(Foreign::Csa)));
//! # Ok::<(), NotRecognized>(())
//! ```

mod evidence;
mod fit;
mod foreign;

use alloc::vec::Vec;
use core::fmt;

use komabako_codec::Backend;
use komabako_messages::{Lang, Message, say};
use komabako_variants::WordFormat;

use crate::batch::Batch;
use crate::block::{Block, Cuts};
use crate::legality::sense::other_codec;
use crate::{Field, FileFormat};
use fit::{Fit, SAMPLE_RECORDS, choose, wider};

pub use evidence::Evidence;
pub use foreign::Foreign;

/// The size of a sample: more bytes of a content only cost time.
pub const SAMPLE_BYTES: usize = 1 << 18;

/// The start of a decompressed content, with everything else that is known about it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its bytes, divided into the records of the format that is tried.
    block: Block,
    /// Whether it is the whole content.
    at_end: bool,
    /// The size of the whole content, if known.
    size: Option<u64>,
    /// The format that the name suggests.
    hint: Option<FileFormat>,
}

/// The result of detection.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Recognition {
    /// The format; `None` only for an empty content without a hint, which is valid in every format.
    pub format: Option<FileFormat>,
    /// The evidence for it.
    pub why: Vec<Evidence>,
}

/// Why no format was detected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotRecognized {
    /// The content is of a known kind that holds no positions or is not supported.
    Foreign(Foreign),
    /// No format fits.
    NoFormat {
        /// The formats that fit partly, and why they do not fit.
        why: Vec<Evidence>,
    },
}

impl NotRecognized {
    /// A stable name for programs.
    pub const fn name(&self) -> &'static str {
        match self {
            NotRecognized::Foreign(_) => "UNSUPPORTED",
            NotRecognized::NoFormat { .. } => "UNRECOGNIZED",
        }
    }
}

impl Message for NotRecognized {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRecognized::Foreign(what) => what.write(lang, f),
            NotRecognized::NoFormat { .. } => {
                say!(f, lang, "no format of records fits the content", "内容に合うレコードの形式がありません")
            }
        }
    }
}

komabako_messages::english!(NotRecognized);

impl core::error::Error for NotRecognized {}

impl Sample {
    /// The first bytes of a content that may continue. [`SAMPLE_BYTES`] are enough.
    pub fn start(bytes: Vec<u8>) -> Sample {
        Sample { block: Block::new(bytes, Cuts::default()), at_end: false, size: None, hint: None }
    }

    /// A whole content, whose last line may lack its line end.
    pub fn whole(bytes: Vec<u8>) -> Sample {
        let size = Some(bytes.len() as u64);
        Sample { at_end: true, size, ..Sample::start(bytes) }
    }

    /// Sets the size of the whole content in bytes. A size that is not a multiple of a format's record is evidence against it.
    #[must_use]
    pub fn size(self, size: u64) -> Sample {
        Sample { size: Some(size), ..self }
    }

    /// Sets the format that the name suggests, such as that of [its extension](FileFormat::from_extension).
    #[must_use]
    pub fn hint(self, format: FileFormat) -> Sample {
        Sample { hint: Some(format), ..self }
    }

    /// The bytes, for reading them again.
    pub fn into_bytes(self) -> Vec<u8> {
        self.block.into_bytes()
    }

    /// Detects the format.
    ///
    /// # Errors
    /// [`NotRecognized`]: the content is of another known kind, or no format fits.
    pub fn detect(&mut self) -> Result<Recognition, NotRecognized> {
        let hint = self.hint;
        let mut why: Vec<Evidence> = hint.map(Evidence::Extension).into_iter().collect();
        if let Some(what) = Foreign::from_magic(self.block.bytes()) {
            return Err(NotRecognized::Foreign(what));
        }
        if self.block.bytes().is_empty() {
            why.extend(self.at_end.then_some(Evidence::Empty));
            return Ok(Recognition { format: hint, why });
        }
        let format = recognize(self, &mut why).or_else(|| {
            let (format, evidence) = recognize_by_sense(self)?;
            why.push(evidence);
            Some(format)
        });
        if format.is_some() {
            return Ok(Recognition { format, why });
        }
        Err(match Foreign::from_text(self.block.bytes()) {
            Some(what) => NotRecognized::Foreign(what),
            None => NotRecognized::NoFormat { why },
        })
    }
}

/// The one of `formats` that a content, or the start of one, is in; `None` if it is in none of them. For programs that read only
/// these formats, and recognise their files by the content alone; the cost is proportional to the number of formats.
///
/// ```
/// use komabako_record::{FileFormat, detect};
/// let start = b"startpos\nlnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
/// assert_eq!(detect::among(start, &[FileFormat::Psv, FileFormat::Sfen]), Some(FileFormat::Sfen));
/// assert_eq!(detect::among(start, &[FileFormat::Psv]), None);
/// ```
pub fn among(content: &[u8], formats: &[FileFormat]) -> Option<FileFormat> {
    let mut sample =
        Sample { at_end: content.len() <= SAMPLE_BYTES, ..first_bytes(content) }.size(content.len() as u64);
    let mut batch = Batch::new(Backend::detect());
    let fits: Vec<Fit> = formats.iter().map(|&format| Fit::on_all(format, &mut sample, &mut batch)).collect();
    choose(&fits, None)
}

/// The format of the start of a content that is not in the `given` one: most of its records do not decode in that. `None` if
/// they do, or if no other format fits.
///
/// ```
/// use komabako_record::{FileFormat, detect};
/// let start = "startpos\n".repeat(100);
/// assert_eq!(detect::other_than(FileFormat::Psv, start.as_bytes()), Some(FileFormat::Sfen));
/// assert_eq!(detect::other_than(FileFormat::Sfen, start.as_bytes()), None);
/// ```
pub fn other_than(given: FileFormat, content: &[u8]) -> Option<FileFormat> {
    let mut sample = first_bytes(content);
    let lenient = wider(given).unwrap_or(given);
    if Fit::on_all(lenient, &mut sample, &mut Batch::new(Backend::detect())).is_tenable() {
        return None;
    }
    recognize(&mut sample, &mut Vec::new()).filter(|&found| found != given && found != lenient)
}

/// A sample of a content, which may be longer than that.
fn first_bytes(content: &[u8]) -> Sample {
    Sample::start(content[..content.len().min(SAMPLE_BYTES)].to_vec())
}

/// The format of a content that is not empty.
fn recognize(sample: &mut Sample, why: &mut Vec<Evidence>) -> Option<FileFormat> {
    let hint = sample.hint;
    let batch = &mut Batch::new(Backend::detect());
    // A named format may be chosen although half of its records are bad, and so may the lenient one that reads more of them.
    let is_named = |format| hint == Some(format) || hint.and_then(wider) == Some(format);
    let formats = FileFormat::by_preference().into_iter();
    let mut fits: Vec<Fit> = formats
        .map(|format| {
            if is_named(format) {
                Fit::on_all(format, sample, batch)
            } else {
                Fit::until_refuted(format, sample, batch)
            }
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
        if matters && let Some(damage) = damage {
            why.push(Evidence::Damaged { format, damage });
        }
        if odd_size && let (Some(size), Some(record)) = (sample.size, format.record_size()) {
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
fn recognize_by_sense(sample: &Sample) -> Option<(FileFormat, Evidence)> {
    let candidates = sample.hint.into_iter().chain([FileFormat::Psv, FileFormat::Hcpe]);
    candidates
        .filter(|&format| format.holds(Field::Move) && format.codec() != Some(WordFormat::R238))
        .find_map(|format| {
            let records = sample.block.bytes().chunks_exact(format.record_size()?).take(SAMPLE_RECORDS);
            let sampled = records.len();
            let senses = records.filter_map(|record| other_codec(format, record));
            let mut counts: Vec<(WordFormat, usize)> = Vec::new();
            for (codec, _) in senses {
                match counts.iter_mut().find(|(known, _)| *known == codec) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((codec, 1)),
                }
            }
            let (codec, good) = counts.into_iter().max_by_key(|&(_, count)| count)?;
            let is_it = good >= SENSIBLE && (sampled - good) * SENSELESS <= sampled;
            is_it.then_some((format, Evidence::OtherCodec { format, codec, good, sampled }))
        })
}

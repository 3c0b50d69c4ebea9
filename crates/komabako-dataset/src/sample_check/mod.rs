//! Examines a sample of each input before a job writes anything: whether its records match its format.
//!
//! Most records of a file are read without a fault, but wrongly, if its moves are in another encoding, its positions are in
//! another codec, or its hands are in the order of an older program. A conversion that skips the faulty records destroys the
//! file, while `repair` restores every record. So every job that reads records first runs this check:
//!
//! ```text
//! stretches = 64 × 64 records at equal distances        (of compressed files and streams: of their start)
//! findings  = what validation says of each              (0.3 µs a record: a good file ends here)
//! if three or more are of another encoding, codec or order:
//!     votes = the same sample as repair takes it         (some µs a record)
//!     a mismatch, if these clearly outnumber the records that are wrong in every way
//! ```
//!
//! A sound file has no such finding at all: its moves are legal as they are read. So the margins guard against damage and
//! against data that is unusual on purpose: with random bits, one move in a thousand is legal in another encoding, while nearly
//! all the others are legal in none.

mod judge;
mod repairing;

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use self::judge::judge;
pub use crate::io::error::{Mismatch, OtherCodec, OtherMoves, OtherOrder};

use crate::io::detect::{Detection, Reason};
use crate::io::input::{Inputs, Source, Spread, peek};
use crate::job::JobOptions;
pub use crate::job::MoveReading;
use crate::repair::is_repairable;
use crate::validate::{Level, examine_stretches};
use crate::{DatasetError, FileFormat, Input, Name};

/// The sample of a file whose records can be found without reading those before them: 4,096 records.
const SPREAD: Spread = Spread { stretches: 64, records: 64 };

/// The same when a user asks for it: 16,384 records.
const LARGE_SPREAD: Spread = Spread { stretches: 128, records: 128 };

/// The length of the start to sample of other inputs. For a stream it is what detection has read.
const START_OF_FILE: u64 = 1 << 20;
const START_OF_STREAM: u64 = 1 << 18;

/// Opens the inputs of a job, to be read according to its options.
///
/// # Errors
/// Any error of opening an input; [`DatasetError::Mismatch`] for the first input that contradicts its format, if that
/// is to be checked.
pub(crate) fn open_inputs<'a>(
    inputs: Vec<Input<'a>>,
    options: &JobOptions,
) -> Result<Inputs<'a>, DatasetError> {
    open_range(inputs, 0..u64::MAX, options)
}

/// Opens the inputs of a job that wants a [range](Inputs::limit) of their records; an indexed archive is sampled near these.
///
/// # Errors
/// As [`open_inputs`].
pub(crate) fn open_range<'a>(
    inputs: Vec<Input<'a>>,
    range: Range<u64>,
    options: &JobOptions,
) -> Result<Inputs<'a>, DatasetError> {
    let mut inputs = Inputs::examine(inputs, options.from, options.salvage)?;
    inputs.use_threads(options.threads);
    inputs.limit(range);
    apply(&mut inputs, options.moves)?;
    Ok(inputs)
}

fn apply(inputs: &mut Inputs, reading: MoveReading) -> Result<(), DatasetError> {
    let counter = inputs.counter().clone();
    let (sources, repaired) = inputs.sources_mut();
    for source in sources {
        match reading {
            MoveReading::AsIs => {}
            MoveReading::In(encoding) => source.read_moves_in(encoding),
            MoveReading::Checked => {
                if let Some(mismatch) = check(source)? {
                    return Err(DatasetError::Mismatch(Box::new(mismatch)));
                }
            }
            MoveReading::Repaired => {
                let Some(mismatch) = check(source)? else { continue };
                // A stream cannot be read twice, which a repair may have to do to choose its method.
                let Some(content) = repairing::content(&mismatch, source.stamp(), &counter) else {
                    return Err(DatasetError::Mismatch(Box::new(mismatch)));
                };
                source.replace_content(mismatch.format, content);
                repaired.push(mismatch);
            }
        }
    }
    Ok(())
}

/// The mismatch between a sample of an input and its format, if any. Reads at most 4,096 records, and judges them in
/// 1 to 2 ms if they match.
///
/// # Errors
/// The input cannot be opened or read.
pub fn check(source: &mut Source) -> Result<Option<Mismatch>, DatasetError> {
    check_sample(source, SPREAD)
}

/// Checks inputs as jobs do, by a sample of each: one of `of` files that are read together has its share of the places of one file,
/// at least four, so that thousands of them are opened as quickly as a few.
///
/// # Errors
/// Any error of reading an input; [`DatasetError::Mismatch`] for the first one that contradicts its format.
pub fn check_one_of(inputs: &mut Inputs, of: usize) -> Result<(), DatasetError> {
    let stretches = (SPREAD.stretches / of.max(1) as u64).max(4);
    let spread = Spread { stretches, ..SPREAD };
    for source in inputs.sources_mut().0 {
        if let Some(mismatch) = check_sample(source, spread)? {
            return Err(DatasetError::Mismatch(Box::new(mismatch)));
        }
    }
    Ok(())
}

fn check_sample(source: &mut Source, spread: Spread) -> Result<Option<Mismatch>, DatasetError> {
    let Some(format) = source.detection().format.filter(|&format| is_repairable(format)) else {
        return Ok(None);
    };
    let stretches = stretches(source, format, spread)?;
    Ok(mismatch(source.name(), source.path(), source.detection(), &stretches))
}

/// The mismatch between stretches of an input and its format, if any.
fn mismatch(
    name: &Name,
    path: Option<&Path>,
    detection: &Detection,
    stretches: &[Vec<u8>],
) -> Option<Mismatch> {
    let format = detection.format.filter(|&format| is_repairable(format))?;
    let given = detection.why.iter().find_map(|reason| match reason {
        Reason::Given(format) => Some(*format),
        _ => None,
    });
    // A caller who asks for the lenient reader knows about the hands.
    let any_order = given == Some(FileFormat::PsvLenient);
    let found = judge(format.strict(), stretches, any_order)?;
    Some(Mismatch {
        input: name.clone(),
        path: path.map(Into::into),
        compression: detection.compression,
        is_given: given.is_some(),
        ..found
    })
}

/// The findings in a sample of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SampleReport {
    /// The number of records in the sample.
    pub sampled: u64,
    /// The findings of [validation](crate::validate), by name. Plies and properties of the whole file
    /// are not judged.
    pub findings: BTreeMap<&'static str, u64>,
    /// The mismatch between the file and its format.
    pub mismatch: Option<Mismatch>,
}

/// Examines a sample of a file, larger than that of [`check`]. `from`: its format; `None` to detect it. Text and games
/// are not sampled.
///
/// # Errors
/// The file cannot be opened, recognised or read.
pub fn examine(path: &Path, from: Option<FileFormat>) -> Result<SampleReport, DatasetError> {
    let mut inputs = Inputs::examine(vec![Input::path(path)], from, true)?;
    let mut report = SampleReport::default();
    for source in inputs.sources_mut().0 {
        if let Some(format) = source.detection().format.filter(|format| format.record_size().is_some()) {
            let stretches = stretches(source, format, LARGE_SPREAD)?;
            report = report_of(source.name(), source.path(), source.detection(), &stretches);
        }
    }
    Ok(report)
}

/// The same for the start of a stream, of which the content is still read from its beginning.
pub fn examine_stream(
    name: &Name,
    detection: &Detection,
    content: &mut Box<dyn Read + Send + '_>,
) -> SampleReport {
    let Some(size) = detection.format.and_then(FileFormat::record_size) else {
        return SampleReport::default();
    };
    let start = peek(content, START_OF_STREAM);
    report_of(name, None, detection, &LARGE_SPREAD.of_bytes(&start, size))
}

/// The findings in stretches of an input of records of one size.
fn report_of(name: &Name, path: Option<&Path>, detection: &Detection, stretches: &[Vec<u8>]) -> SampleReport {
    let mut report = SampleReport::default();
    let Some((format, size)) = detection.format.and_then(|format| Some((format, format.record_size()?)))
    else {
        return report;
    };
    report.sampled = stretches.iter().map(|bytes| (bytes.len() / size) as u64).sum();
    let is_of_record = |level: &Level| !matches!(level, Level::Size | Level::Ply | Level::Mate);
    let levels = Level::ALL.iter().copied().filter(is_of_record).collect();
    examine_stretches(format.strict(), stretches, levels, &mut |finding| {
        *report.findings.entry(finding.name()).or_default() += 1;
    });
    report.mismatch = mismatch(name, path, detection, stretches);
    report
}

/// The sample of an input of records of one size.
fn stretches(source: &mut Source, format: FileFormat, spread: Spread) -> Result<Vec<Vec<u8>>, DatasetError> {
    let size = format.record_size().expect("a format of records of one size");
    if let Some(stretches) = source.stretches(spread)? {
        return Ok(stretches);
    }
    let most = if source.path().is_some() { START_OF_FILE } else { START_OF_STREAM };
    Ok(spread.of_bytes(&source.peek(most)?, size))
}

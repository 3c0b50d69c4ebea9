//! [`Fit`]: how well the records of a sample fit a format.

use komabako_codec::UnpackFault;

use super::Sample;
use crate::batch::Batch;
use crate::fault::{Damage, RecordFault};
use crate::{FileFormat, boundaries};
use komabako_variants::WordFormat;

/// The maximum number of records to try.
pub const SAMPLE_RECORDS: usize = 1000;

/// The number of records to try before checking whether that is enough.
const RANGE: usize = 16;

/// The bytes in which text is looked at first: cutting a whole sample into lines takes longer than refuting it.
const FIRST_BYTES: usize = 8 << 10;

/// With at least this many records, all of them good, a size that is not a multiple of the record's means truncation.
const CERTAIN: usize = 8;

/// The result of trying a format.
pub struct Fit {
    /// The format.
    pub format: FileFormat,
    /// The number of records that decode, or would if an ambiguity were resolved.
    pub good: usize,
    /// The number of records tried; damage counts as one.
    pub sampled: usize,
    /// Whether all records of the sample were tried.
    pub is_whole: bool,
    /// The damage after the records that were tried, if any.
    pub damage: Option<Damage>,
    /// Whether the size of the content is known and not a multiple of the record's.
    pub odd_size: bool,
}

impl Fit {
    /// Tries a format on all records of the sample.
    pub fn on_all(format: FileFormat, sample: &mut Sample, batch: &mut Batch) -> Fit {
        Fit::up_to(format, sample, batch, |_, _| false)
    }

    /// Tries a format, and stops once it has too many bad records to [decode](Self::decodes). Most formats stop in the first
    /// range. Without this, detecting the format of a file took 45 ms, nearly all of it spent on formats that did not fit.
    pub fn until_refuted(format: FileFormat, sample: &mut Sample, batch: &mut Batch) -> Fit {
        // Nearly any bytes can be ranks, decoding them is slow, and they prove nothing.
        let is_rank = format.codec() == Some(WordFormat::R238);
        // With fewer than 99 good records for each bad one, the remaining ones cannot make up for it.
        let is_refuted = |bad: usize, records: usize| bad * 99 > records;
        if format.is_text()
            && let Some(first) = sample.block.bytes().get(..FIRST_BYTES)
        {
            // The whole sample has at most `SAMPLE_RECORDS` records, so these bad ones would be too many in it as well.
            let is_enough = |bad, _| is_refuted(bad, SAMPLE_RECORDS);
            let fit = Fit::up_to(format, &mut Sample::start(first.to_vec()), batch, is_enough);
            let bad = fit.sampled - fit.good - usize::from(fit.damage.is_some());
            if is_refuted(bad, SAMPLE_RECORDS) {
                return Fit { is_whole: false, ..fit };
            }
        }
        Fit::up_to(format, sample, batch, |bad, records| is_rank || is_refuted(bad, records))
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
            let good = batch.labels().0.len() + faults().filter(|fault| is_of(format, fault)).count();
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
    pub fn convinces(&self) -> bool {
        self.format.codec() != Some(WordFormat::R238)
            && self.decodes()
            && (!self.odd_size || self.good >= CERTAIN)
    }

    /// Whether the content is compatible with a name that suggests the format.
    pub fn is_tenable(&self) -> bool {
        self.good * 2 >= self.sampled
    }
}

/// Whether a refused record is still evidence for the format: it can be read in more than one way, or repair makes it
/// canonical.
fn is_of(format: FileFormat, fault: &RecordFault) -> bool {
    let RecordFault::Unpack(error) = fault else { return false };
    match error.fault {
        UnpackFault::PhantomPawns => true,
        UnpackFault::TailOrder => format.codec().is_some_and(WordFormat::is_sspf),
        _ => false,
    }
}

/// The name decides between formats that all fit, and if the content is half bad; otherwise the content decides.
pub fn choose(fits: &[Fit], hint: Option<FileFormat>) -> Option<FileFormat> {
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
pub fn wider(format: FileFormat) -> Option<FileFormat> {
    match format {
        FileFormat::Psv => Some(FileFormat::PsvLenient),
        FileFormat::Hcpe => Some(FileFormat::Hcpe2),
        FileFormat::Sspfv1 => Some(FileFormat::Sspfv1Ext),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use komabako_codec::Backend;

    use super::*;

    const PSV: &[u8] = include_bytes!("../../../../data/sample.psv");

    fn sample(bytes: &[u8]) -> Sample {
        Sample::whole(bytes.to_vec())
    }

    #[test]
    fn formats_that_do_not_fit_are_refuted_by_a_few_records() {
        let mut sample = sample(PSV);
        let mut batch = Batch::new(Backend::detect());
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

//! [`ReportBuilder`]: collects the findings of blocks, by file.

use std::ops::RangeInclusive;

use komabako_board::Setup;
use komabako_record::findings::{PLY_LIMIT, Tally, UncertainMove, read_with_any_reader};

use super::Examined;
use super::report::tail_name;
use super::{Convention, Diagnosis, Example, FileReport, Finding, Level, LevelReport, Levels};
use crate::engine::pipeline::{ProcessedBlock, Sink};
use crate::games::StreamFinding;
use crate::io::detect::{self, Detection, Evidence, Reason};
use crate::io::error::Tail;
use crate::io::input::Source;
use crate::{DatasetError, FileFormat};

/// The last stage of a validation.
pub(super) struct ReportBuilder {
    files: Vec<File>,
    levels: Levels,
    /// Whether to stop at the first finding.
    fail_fast: bool,
    bad: u64,
    /// Whether the job stopped at a finding.
    pub stopped: bool,
}

/// A file that is not finished yet.
struct File {
    report: FileReport,
    tally: Tally,
    /// The last record so far, if its move depends on the next record.
    last: Option<Last>,
}

/// A record with an uncertain move, and its place.
struct Last {
    record: u64,
    offset: u64,
    line: Option<u64>,
    uncertain: UncertainMove,
}

impl ReportBuilder {
    pub fn new(sources: &[Source], levels: Levels, fail_fast: bool) -> ReportBuilder {
        let files = sources.iter().map(|source| File::new(source, levels)).collect();
        ReportBuilder { files, levels, fail_fast, bad: 0, stopped: false }
    }

    /// The reports of the files that `is_reported` selects by number.
    pub fn finish(self, is_reported: impl Fn(usize) -> bool) -> Vec<FileReport> {
        let levels = self.levels;
        let files = self.files.into_iter().enumerate().filter(|(number, _)| is_reported(*number));
        files.map(|(_, file)| file.finish(levels)).collect()
    }

    /// Notes that the job stops at a finding, and returns the error that ends the pipeline.
    fn stop(&mut self) -> DatasetError {
        self.stopped = true;
        DatasetError::Cancelled
    }
}

impl Sink<Examined> for ReportBuilder {
    fn receive(&mut self, processed: &ProcessedBlock<Examined>) -> Result<(), DatasetError> {
        let ProcessedBlock { block, product: Examined { rows, found: product }, .. } = processed;
        let file = &mut self.files[block.source()];
        // Merged before any early return: diagnoses need the tally of everything that was read.
        file.tally.merge(&product.tally);
        if file.resolve_last(product.first.as_ref()).is_some() {
            self.bad += 1;
            if self.fail_fast {
                return Err(self.stop());
            }
        }
        let before = file.report.records;
        file.report.records += rows.len() as u64;
        // Only for the first block: wrong detection shows there, and trying other formats takes a while.
        if block.first_record() == 0 && rows.start == 0 && product.tally.undecoded * 2 > rows.len() as u64 {
            file.suggest_format(block.bytes());
        }
        let constant_ply = file.has_constant_ply();
        file.last = product.last.map(|uncertain| {
            let index = block.len() - 1;
            let record = block.first_record() + index as u64;
            Last { record, offset: block.offset(index), line: block.line(index), uncertain }
        });
        let mut last = None;
        for (index, finding) in &product.findings {
            file.add(processed, *index, finding);
            // A record may have findings at several levels, but is counted as bad once.
            self.bad += u64::from(last.replace(*index) != Some(*index));
            // A constant ply counts as unknown at the end, so it is no reason to stop.
            if self.fail_fast && !(constant_ply && finding.level() == Level::Ply) {
                file.report.records = before + (*index - rows.start) as u64 + 1;
                return Err(self.stop());
            }
        }
        for finding in &product.games {
            file.add_game(finding);
            self.bad += 1;
            if self.fail_fast {
                return Err(self.stop());
            }
        }
        Ok(())
    }

    fn truncated(&mut self, tail: Tail) {
        // An input that is named twice has its tails in order.
        let of_this = |file: &&mut File| file.report.name == tail.input && !file.report.tails.contains(&tail);
        if let Some(file) = self.files.iter_mut().find(of_this) {
            if let Some(level) = file.report.level_mut(Level::Size) {
                level.add(tail.records, tail_name(tail.cause));
                self.bad += 1;
            }
            file.report.tails.push(tail);
        }
    }

    fn bad(&self) -> u64 {
        self.bad
    }

    fn is_done(&self) -> bool {
        self.stopped
    }
}

impl File {
    fn new(source: &Source, levels: Levels) -> File {
        let Detection { compression, format, ref why, .. } = *source.detection();
        let applies = |level: &Level| format.is_none_or(|format| level.applies_to(format.strict()));
        let asked = Level::ALL.iter().copied().filter(|&level| levels.contains(level)).filter(applies);
        let misnamed = why.iter().find_map(|reason| match reason {
            Reason::Evidence(Evidence::NameIgnored(format)) => Some(Diagnosis::Misnamed(*format)),
            _ => None,
        });
        let report = FileReport {
            name: source.name().to_owned(),
            format,
            compression,
            records: 0,
            undecoded: 0,
            levels: asked.map(LevelReport::new).collect(),
            diagnoses: misnamed.into_iter().collect(),
            convention: Convention::default(),
            tails: Vec::new(),
        };
        File { report, tally: Tally::default(), last: None }
    }

    /// The format in which the records are judged.
    fn format(&self) -> FileFormat {
        self.report.format.expect("a file with records has a format").strict()
    }

    /// Records a finding.
    fn add(&mut self, processed: &ProcessedBlock<Examined>, index: usize, finding: &Finding) {
        let format = self.format();
        let Some(level) = self.report.level_mut(finding.level()) else { return };
        let record = processed.block.first_record() + index as u64;
        level.add(record, finding.name());
        level.example.get_or_insert_with(|| {
            let read = read_with_any_reader(format, &processed.block, index);
            Example {
                record,
                offset: processed.block.offset(index),
                line: processed.block.line(index),
                setup: read.map(|read| read.setup),
                best_move: read.and_then(|read| read.labels.best_move),
                finding: *finding,
            }
        });
    }

    /// Resolves the last record of the previous block by the position of the next record. Returns the record if
    /// it has a finding.
    fn resolve_last(&mut self, next: Option<&Setup>) -> Option<Last> {
        let last = self.last.take()?;
        let finding = last.uncertain.resolve(next?)?;
        let Last { record, offset, line, uncertain: UncertainMove { setup, best_move } } = last;
        let level = self.report.level_mut(finding.level())?;
        level.add(record, finding.name());
        level.example.get_or_insert(Example {
            record,
            offset,
            line,
            setup: Some(setup),
            best_move: Some(best_move),
            finding,
        });
        Some(last)
    }

    /// Records a game that is not in order.
    fn add_game(&mut self, finding: &StreamFinding) {
        let &StreamFinding { offset, record, fault, .. } = finding;
        let Some(level) = self.report.level_mut(Level::Stream) else { return };
        level.add(record, fault.name());
        let finding = Finding::Stream(fault);
        let setup = None;
        let best_move = None;
        level.example.get_or_insert(Example { record, offset, line: None, setup, best_move, finding });
    }

    /// Called if most of the first records do not decode: suggests another format.
    fn suggest_format(&mut self, content: &[u8]) {
        let found = detect::other_than(self.format(), content);
        self.report.diagnoses.extend(found.map(Diagnosis::OtherFormat));
    }

    /// Whether all records have the same plausible ply: then a converter wrote it instead of the unknown one.
    fn has_constant_ply(&self) -> bool {
        let is_one = |plies: &RangeInclusive<u32>| plies.start() == plies.end() && *plies.end() <= PLY_LIMIT;
        self.report.records > 1 && self.tally.plies.as_ref().is_some_and(is_one)
    }

    fn finish(self, levels: Levels) -> FileReport {
        // Known only at the end: findings about plies of single records are then discarded.
        let constant_ply = self.has_constant_ply();
        let File { mut report, tally, .. } = self;
        if constant_ply && let Some(level) = report.level_mut(Level::Ply) {
            *level = LevelReport::new(Level::Ply);
        }
        report.undecoded = tally.undecoded;
        report.convention = tally.convention;
        let count = |level: Level, prefix: &str| -> u64 {
            let faults = report.level(level).into_iter().flat_map(|level| &level.faults);
            faults.filter(|(name, _)| name.starts_with(prefix)).map(|(_, count)| count).sum()
        };
        let variants = count(Level::Canonical, "VARIANT_");
        let recoded = count(Level::Codec, "CODEC_");
        let other = count(Level::Move, "MOVE_ENCODING_");
        let shifted = count(Level::Ply, "PLY_PARITY");
        let diagnoses = [
            (variants > 0).then_some(Diagnosis::Variants(variants)),
            (recoded > 0).then_some(Diagnosis::OtherCodec(recoded)),
            (other > 0).then_some(Diagnosis::OtherEncoding {
                encoding_dependent: tally.encoding_dependent_moves,
                other,
            }),
            (shifted > 0 && shifted * 10 >= report.records * 9).then_some(Diagnosis::PlyShifted),
        ];
        // Read in a wrong format, a file has many findings that mean nothing.
        if report.diagnoses.iter().any(|diagnosis| matches!(diagnosis, Diagnosis::OtherFormat(_))) {
            return report;
        }
        report.diagnoses.extend(diagnoses.into_iter().flatten());
        if levels.contains(Level::Result) || levels.contains(Level::Score) {
            report.diagnoses.extend(tally.convention.contradiction().map(Diagnosis::Contradiction));
            report.diagnoses.extend(tally.convention.mirrored().map(Diagnosis::Mirrored));
        }
        report
    }
}

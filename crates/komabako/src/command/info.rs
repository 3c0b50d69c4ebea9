//! `komabako info FILE…`: the format of a file and the evidence for it, the number of its records, and oddities in them.

use std::io::{self, Read, Write};
use std::iter;
use std::path::{Path, PathBuf};

use clap::Args;
use komabako::board::sfen::Sfen;
use komabako::codec::Backend;
use komabako::dataset::detect::{self, Detection, Evidence, Reason};
use komabako::dataset::error::{RecordError, Tail};
use komabako::dataset::sample_check::{self, SampleReport};
use komabako::dataset::{Batch, Block, DatasetError, FileFormat, Name, Record, RecordReader};

use super::named::file_format;
use super::{game_file, job};
use crate::context::Context;
use crate::message::mismatch::repair_command;
use crate::message::{counted, grouped, shell};
use crate::outcome::{Failure, Outcome};
use crate::own_file::OwnFile;
use crate::style;
use crate::survey::Survey;
use crate::table::Table;

#[derive(Args)]
pub struct Info {
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "N", default_value_t = 3)]
    samples: usize,
}

/// The results of reading a file.
struct Findings {
    name: Name,
    detection: Detection,
    records: u64,
    games: u64,
    samples: Vec<Record>,
    survey: Survey,
    first_bad: Option<RecordError>,
    /// What cannot be read.
    tails: Vec<Tail>,
    /// The findings of validation in a sample.
    sample: SampleReport,
}

impl Findings {
    /// Whether something is wrong with the file.
    fn any(&self) -> bool {
        let sample_is_wrong = self.sample.mismatch.is_some() || !self.sample.findings.is_empty();
        self.first_bad.is_some() || !self.tails.is_empty() || sample_is_wrong
    }
}

impl Info {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let mut any_bad = false;
        match self.show_files(&mut any_bad, context) {
            Ok(()) => Ok(Outcome::from_findings(any_bad)),
            Err(failure) => failure.or_findings(any_bad, context),
        }
    }

    /// Shows every file, and notes whether something is wrong with one.
    fn show_files(&self, any_bad: &mut bool, context: &Context) -> Result<(), Failure> {
        let mut out = context.stdout();
        let mut failure = None;
        for path in &self.files {
            if self.from.is_none()
                && let Some(file) = OwnFile::recognize(path)
            {
                show_own(path, &file, context, &mut out).and_then(|()| out.flush())?;
                continue;
            }
            if self.from.is_none() && path.to_str().is_some_and(game_file::is_named) {
                *any_bad |= !game_file::show(path, context, &mut out)?;
                out.flush()?;
                continue;
            }
            let findings = match self.examine(path, context) {
                Ok(findings) => findings,
                Err(error) => {
                    // A file that cannot be read does not stop the others.
                    if let Some((report, _)) =
                        failure.replace(error).and_then(|earlier| earlier.into_report(context))
                    {
                        context.print_error(&report);
                    }
                    continue;
                }
            };
            *any_bad |= findings.any();
            show(path, &findings, context, &mut out).and_then(|()| out.flush())?;
        }
        failure.map_or(Ok(()), Err)
    }

    fn examine(&self, path: &Path, context: &Context) -> Result<Findings, Failure> {
        let input = job::input(path.to_owned(), context.lang);
        let name = input.name();
        let (detection, mut content) = detect::open(input, self.from)?;
        let sample = if path.is_file() {
            sample_check::examine(path, self.from)?
        } else {
            sample_check::examine_stream(&name, &detection, &mut content)
        };
        let mut findings = Findings {
            name: name.clone(),
            detection,
            records: 0,
            games: 0,
            samples: Vec::new(),
            survey: Survey::default(),
            first_bad: None,
            tails: Vec::new(),
            sample,
        };
        if let Some(format) = findings.detection.format {
            let mut records = RecordReader::new(content, format, name);
            self.read(&mut records, format, &mut findings)?;
        }
        Ok(findings)
    }

    /// Counts all records and decodes those that the survey wants.
    fn read(
        &self,
        records: &mut RecordReader<Box<dyn Read + Send>>,
        format: FileFormat,
        findings: &mut Findings,
    ) -> Result<(), DatasetError> {
        let mut block = Block::default();
        let mut batch = Batch::new(Backend::detect());
        loop {
            match records.next_block(&mut block) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // What lies behind a damaged block of an archive is read.
                Err(DatasetError::Tail(tail)) => {
                    findings.tails.push(*tail);
                    continue;
                }
                Err(error) => return Err(error),
            }
            findings.records += block.len() as u64;
            findings.games += block.game_count() as u64;
            for index in 0..block.len() {
                let number = block.first_record() + index as u64;
                if !Survey::samples(number) {
                    continue;
                }
                match batch.decode_one(format, &block, index) {
                    Ok(record) => {
                        findings.survey.add(&record);
                        if findings.samples.len() < self.samples {
                            findings.samples.push(record);
                        }
                    }
                    Err(fault) => {
                        findings.survey.add_bad();
                        findings.first_bad.get_or_insert_with(|| RecordError {
                            input: findings.name.clone(),
                            format: Some(format),
                            record: number,
                            offset: block.offset(index),
                            line: block.line(index),
                            fault,
                        });
                    }
                }
            }
        }
    }
}

/// Whether a reason is for the format, rather than against others.
fn is_about(reason: &Reason, format: Option<FileFormat>) -> bool {
    let Reason::Evidence(evidence) = reason else { return true };
    match evidence {
        Evidence::Size { format: other, .. }
        | Evidence::Decoded { format: other, .. }
        | Evidence::OtherCodec { format: other, .. }
        | Evidence::Damaged { format: other, .. } => Some(*other) == format,
        _ => true,
    }
}

/// Shows what a file is that holds no records, and what reads it.
fn show_own(path: &Path, file: &OwnFile, context: &Context, out: &mut impl Write) -> io::Result<()> {
    let lang = context.lang;
    let mut table = Table::default();
    table.row(lang.format_heading(), style::NAME, lang.own_file(file));
    if let Some(command) = file.command(&shell::file(path)) {
        table.row(lang.next_label(), style::NAME, lang.read_by(command));
    }
    table.write_below(Name::from(path), out)
}

fn show(path: &Path, findings: &Findings, context: &Context, out: &mut impl Write) -> io::Result<()> {
    let lang = context.lang;
    let mut table = Table::default();
    if let Some(format) = findings.detection.format {
        table.row(
            lang.format_heading(),
            style::NAME,
            format!("{format}: {}", lang.say(&format.description())),
        );
    }
    let why = findings.detection.why.iter().filter(|reason| is_about(reason, findings.detection.format));
    table.rows(lang.why_heading(), style::NAME, why.map(|reason| lang.say(reason)));
    table.row(lang.records_label(), style::NAME, grouped(findings.records));
    if let Some(archive) = &findings.detection.archive {
        table.rows(lang.archive_label(), style::NAME, lang.archive_lines(&archive.summary()));
    }
    table.count(lang.games_label(), style::NAME, findings.games);
    let samples = findings.samples.iter().flat_map(|record| {
        let labels = lang.labels(record);
        let sfen = Sfen { setup: record.setup, ply: record.labels.ply };
        iter::once(sfen.to_string()).chain((!labels.is_empty()).then(|| format!("  {labels}")))
    });
    table.rows(lang.samples_label(), style::NAME, samples);
    let oddities =
        findings.detection.format.map(|format| findings.survey.oddities(format)).unwrap_or_default();
    let oddities = oddities.into_iter().map(|oddity| lang.oddity(oddity));
    table.rows(lang.oddities_label(), style::WARNING, oddities);
    if let Some(error) = &findings.first_bad {
        let bad =
            lang.bad_of_examined(grouped(findings.survey.bad()), lang.records(findings.survey.surveyed()));
        table.row(lang.bad_label(), style::ERROR, bad);
        table.row(lang.first_label(), style::ERROR, lang.record_error(error));
    }
    for tail in &findings.tails {
        table.row(lang.tail_label(), style::ERROR, lang.say(tail));
    }
    let SampleReport { sampled, findings: found, mismatch, .. } = &findings.sample;
    if let Some(mismatch) = mismatch {
        table.row(lang.wrong_label(), style::ERROR, lang.say(&mismatch.what()));
        table.row(lang.next_label(), style::NAME, lang.repair_next(repair_command(mismatch)));
    } else if !found.is_empty() {
        table.row(lang.wrong_label(), style::ERROR, lang.wrong_of_sampled(counted(found), grouped(*sampled)));
        let command = format!("komabako validate {}", shell::file(path));
        table.row(lang.next_label(), style::NAME, lang.validate_next(command));
    }
    table.write_below(&findings.name, out)
}

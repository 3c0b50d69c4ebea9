//! The report of `--json`.

use std::collections::BTreeMap;

use komabako::board::Color;
use komabako::dataset::FileFormat;
use komabako::dataset::validate::{
    Contradiction, Diagnosis, Example, FileReport, LevelReport, Mirror, Report, WrongField,
};
use serde::Serialize;

use crate::context::Context;
use crate::json::{Envelope, File, Tail, object};
use crate::message::Lang;

#[derive(Serialize)]
struct DiagnosisForm {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding_dependent: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    message: String,
    help: String,
}

/// The report. `bad` counts the findings of all levels: a record may have several.
pub fn report<'a>(report: &'a Report, context: &'a Context) -> Envelope<'a, impl Serialize> {
    let lang = context.lang;
    let files: Vec<_> = report.files.iter().map(|file| file_form(file, lang)).collect();
    let members = object! { clean: report.is_clean(), stopped: report.stopped, files: files };
    let mut bad = BTreeMap::new();
    for (fault, count) in report.files.iter().flat_map(|file| &file.levels).flat_map(|level| &level.faults) {
        *bad.entry(*fault).or_default() += count;
    }
    Envelope {
        inputs: report.files.iter().map(to_file).collect(),
        read: Some(report.records()),
        bytes_read: Some(report.bytes_read),
        bad_total: bad.values().sum(),
        bad,
        tails: report.files.iter().flat_map(|file| &file.tails).map(|tail| Tail::new(tail, lang)).collect(),
        seconds: Some(report.seconds),
        ..Envelope::with(members, context)
    }
}

fn to_file(file: &FileReport) -> File<'_> {
    File {
        name: file.name.plain(),
        format: file.format.map(FileFormat::name),
        compression: Some(file.compression.name()),
    }
}

/// The findings in one file.
fn file_form(file: &FileReport, lang: Lang) -> impl Serialize {
    let diagnosis = |diagnosis| DiagnosisForm::new(diagnosis, file, lang);
    object! {
        input: &file.name,
        records: file.records,
        undecoded: file.undecoded,
        levels: file.levels.iter().map(|level| level_form(level, lang)).collect::<Vec<_>>(),
        diagnoses: file.diagnoses.iter().map(diagnosis).collect::<Vec<_>>(),
        // Of score and result, by the side to move.
        correlation: object! {
            black: file.convention.correlation(Color::Black),
            white: file.convention.correlation(Color::White),
        },
    }
}

fn level_form(report: &LevelReport, lang: Lang) -> impl Serialize {
    let example = |example: &Example| {
        object! {
            record: example.record,
            offset: example.offset,
            line: example.line,
            sfen: example.setup.map(|setup| setup.to_string()),
            r#move: example.best_move.and_then(|bits| Some(bits.decode().ok()?.to_string())),
            fault: example.finding.name(),
            message: lang.finding(&example.finding),
        }
    };
    object! {
        level: report.level.name(),
        bad_total: report.bad,
        bad: &report.faults,
        first: &report.first,
        example: report.example.as_ref().map(example),
    }
}

impl DiagnosisForm {
    fn new(diagnosis: &Diagnosis, file: &FileReport, lang: Lang) -> Self {
        let mut form = DiagnosisForm {
            kind: diagnosis.name(),
            format: None,
            records: None,
            encoding_dependent: None,
            side: None,
            field: None,
            message: lang.diagnosis(diagnosis),
            help: lang.diagnosis_help(diagnosis, file),
        };
        match *diagnosis {
            Diagnosis::OtherFormat(format) | Diagnosis::Misnamed(format) => form.format = Some(format.name()),
            Diagnosis::Variants(records) | Diagnosis::OtherCodec(records) => form.records = Some(records),
            Diagnosis::OtherEncoding { encoding_dependent, other } => {
                (form.encoding_dependent, form.records) = (Some(encoding_dependent), Some(other));
            }
            Diagnosis::Contradiction(Contradiction { side, wrong_field, .. }) => {
                form.side = Some(side_name(side));
                form.field = wrong_field.map(|field| match field {
                    WrongField::Score => "score",
                    WrongField::Result => "result",
                });
            }
            Diagnosis::Mirrored(Mirror { side }) => form.side = Some(side_name(side)),
            _ => {}
        }
        form
    }
}

const fn side_name(side: Option<Color>) -> &'static str {
    match side {
        Some(Color::Black) => "black",
        Some(Color::White) => "white",
        None => "both",
    }
}

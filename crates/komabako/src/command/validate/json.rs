//! The report of `--json`.

use std::collections::BTreeMap;

use komabako::board::Color;
use komabako::dataset::FileFormat;
use komabako::dataset::validate::{
    Contradiction, Diagnosis, Example, FileReport, LevelReport, Mirror, Report, WrongField,
};

use crate::context::Context;
use crate::json::{self, Envelope, Value, object};
use crate::message::Lang;

/// The report. `bad` counts the findings of all levels: a record may have several.
pub fn report(report: &Report, context: &Context) -> Envelope {
    let lang = context.lang;
    let files: Vec<_> = report.files.iter().map(|file| file_form(file, lang)).collect();
    let members = object! { clean: report.is_clean(), stopped: report.stopped, files: files };
    let mut bad: BTreeMap<_, u64> = BTreeMap::new();
    for (fault, count) in report.files.iter().flat_map(|file| &file.levels).flat_map(|level| &level.faults) {
        *bad.entry(*fault).or_default() += count;
    }
    Envelope {
        inputs: report.files.iter().map(to_file).collect(),
        read: Some(report.records()),
        bytes_read: Some(report.bytes_read),
        bad_total: bad.values().sum(),
        bad: json::value(&bad),
        tails: json::tails(report.files.iter().flat_map(|file| &file.tails), lang),
        seconds: Some(report.seconds),
        ..Envelope::with(members, context)
    }
}

fn to_file(file: &FileReport) -> Value {
    json::file(file.name.plain(), file.format.map(FileFormat::name), Some(file.compression.name()))
}

/// The findings in one file.
fn file_form(file: &FileReport, lang: Lang) -> Value {
    let diagnosis = |diagnosis| diagnosis_form(diagnosis, file, lang);
    object! {
        input: file.name,
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

fn level_form(report: &LevelReport, lang: Lang) -> Value {
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
        bad: report.faults,
        first: report.first,
        example: report.example.as_ref().map(example),
    }
}

/// A diagnosis with the members that its kind has.
fn diagnosis_form(diagnosis: &Diagnosis, file: &FileReport, lang: Lang) -> Value {
    let mut form = object! { kind: diagnosis.name() };
    match *diagnosis {
        Diagnosis::OtherFormat(format) | Diagnosis::Misnamed(format) => form["format"] = format.name().into(),
        Diagnosis::Variants(records) | Diagnosis::OtherCodec(records) => form["records"] = records.into(),
        Diagnosis::OtherEncoding { encoding_dependent, other } => {
            form["records"] = other.into();
            form["encoding_dependent"] = encoding_dependent.into();
        }
        Diagnosis::Contradiction(Contradiction { side, wrong_field, .. }) => {
            form["side"] = side_name(side).into();
            match wrong_field {
                Some(WrongField::Score) => form["field"] = "score".into(),
                Some(WrongField::Result) => form["field"] = "result".into(),
                None => {}
            }
        }
        Diagnosis::Mirrored(Mirror { side }) => form["side"] = side_name(side).into(),
        _ => {}
    }
    form["message"] = lang.diagnosis(diagnosis).into();
    form["help"] = lang.diagnosis_help(diagnosis, file).into();
    form
}

const fn side_name(side: Option<Color>) -> &'static str {
    match side {
        Some(Color::Black) => "black",
        Some(Color::White) => "white",
        None => "both",
    }
}

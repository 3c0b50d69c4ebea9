//! `komabako diff A B`: two files compared by position.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use komabako::board::sfen::Sfen;
use komabako::dataset::diff::{Difference, DifferenceKind, Job, Summary};
use komabako::dataset::{Compression, FileFormat, Name, Plan, format_of};

use super::job;
use super::job::{LimitArgs, Needs};
use super::named::file_format;
use crate::context::Context;
use crate::json::{self, Envelope, Value, object};
use crate::message::{Lang, grouped};
use crate::outcome::{Failure, Outcome};
use crate::route::Route;
use crate::style::{self, Style};
use crate::table::Table;

#[derive(Args)]
pub struct Diff {
    #[arg(value_name = "A")]
    a: PathBuf,
    #[arg(value_name = "B")]
    b: PathBuf,
    #[arg(long, value_name = "FILE")]
    only_a: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    only_b: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    changed: Option<PathBuf>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    to: Option<FileFormat>,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Diff {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let heading = job::names(&[self.a.clone(), self.b.clone()], lang);
        let written = [&self.only_a, &self.only_b, &self.changed].into_iter().flatten();
        let outputs: Vec<Value> = written.map(|path| output(path, self.to)).collect();
        let comparison = Job {
            to: self.to,
            only_a: self.only_a,
            only_b: self.only_b,
            changed: self.changed,
            options: self.limits.job(self.from, context.backend),
            limits: self.limits.into(),
            ..Job::new(job::input(self.a, lang), job::input(self.b, lang))
        };
        let needs = |plan: &Plan<'static, Job<'static>>, _: &Route| {
            let parts = plan.parts();
            Needs {
                parts: BTreeMap::from([("keys", parts)]),
                in_parts: (parts > 1).then(|| lang.needs_comparison_parts(parts)),
                ..Needs::new(heading)
            }
        };
        let (_, summary) = job::run(context, Name::default(), |meter| comparison.plan(meter), needs)?;
        let report = Envelope { outputs, ..to_json(&summary, context) };
        context.show(report, |out| write(&summary, out, lang))?;
        Ok(Outcome::from_findings(!summary.is_same() || !summary.counts.tails.is_empty()))
    }
}

/// A file of differences, in the report.
fn output(path: &Path, to: Option<FileFormat>) -> Value {
    let format = to.or_else(|| format_of(path));
    let compression = Compression::from_path(path);
    json::file(&path.display().to_string(), format.map(FileFormat::name), Some(compression.name()))
}

fn write(summary: &Summary, out: &mut dyn Write, lang: Lang) -> io::Result<()> {
    let mut table = Table::default();
    let mut row = |label: String, count: u64, note: String| {
        let count = grouped(count);
        table.push_row([(label, style::NAME), (count, Style::new()), (note, style::FAINT)]);
    };
    row(lang.only_in("A"), summary.only_a, lang.among_records(lang.records(summary.records_a)));
    row(lang.only_in("B"), summary.only_b, lang.among_records(lang.records(summary.records_b)));
    let fields = summary.changed_fields.iter();
    let fields: Vec<String> =
        fields.map(|(field, count)| format!("{} {}", lang.say(&field.phrase()), grouped(*count))).collect();
    row(lang.changed_label(), summary.changed, lang.comma_separated(&fields));
    row(lang.same_label(), summary.same, String::new());
    table.write(out, "")?;
    for sample in &summary.samples {
        writeln!(out, "{}", to_line(sample))?;
    }
    for tail in &summary.counts.tails {
        writeln!(out, "{}", lang.say(tail))?;
    }
    Ok(())
}

/// A difference in one line, like the output of `diff`: `-` only in A, `+` only in B, `!` changed.
fn to_line(difference: &Difference) -> String {
    let sign = match difference.kind {
        DifferenceKind::OnlyA => '-',
        DifferenceKind::OnlyB => '+',
        DifferenceKind::Changed => '!',
    };
    let place = |name: &str, record: Option<u64>| record.map(|record| format!(" {name}[{record}]"));
    let places: String = [place("A", difference.a), place("B", difference.b)].into_iter().flatten().collect();
    let fields = difference.fields.iter();
    let fields: String = fields.map(|(field, [a, b])| format!("  {} {a} -> {b}", field.name())).collect();
    format!("{sign}{places}  {}{fields}", sfen_of(difference))
}

fn sfen_of(difference: &Difference) -> String {
    let text = Sfen { setup: difference.setup, ply: Some(1) }.to_string();
    // The position without a ply, which is not compared.
    text.rsplit_once(' ').map_or(text.clone(), |(position, _)| position.to_owned())
}

fn to_json(summary: &Summary, context: &Context) -> Envelope {
    let Summary { records_a, records_b, only_a, only_b, changed, same, changed_fields, samples, .. } =
        summary;
    let differences = samples.iter().map(|difference| {
        let fields = difference.fields.iter().map(|(field, texts)| (field.name(), texts));
        object! {
            kind: difference.kind.name(),
            a: difference.a,
            b: difference.b,
            sfen: sfen_of(difference),
            fields: json::by_name(fields),
        }
    });
    let changed_fields = changed_fields.iter().map(|(field, count)| (field.name(), *count));
    let members = object! {
        records_a: records_a,
        records_b: records_b,
        only_a: only_a,
        only_b: only_b,
        changed: changed,
        same: same,
        changed_fields: json::by_name(changed_fields),
        differences: differences.collect::<Vec<_>>(),
    };
    Envelope::with(members, context).with_counts(&summary.counts, context.lang)
}

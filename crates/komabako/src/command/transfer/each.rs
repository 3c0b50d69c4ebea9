//! [`ToEach`]: many inputs, each converted to its own output in a directory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use komabako::dataset::convert::{Job, OnBadRecord, Summary};
use komabako::dataset::{
    Compression, DatasetError, FileFormat, Lost, Name, Plan, Preflight, Selection, format_of,
};

use super::Options;
use super::view::View;
use crate::command::job::{self, Needs, has_findings};
use crate::context::Context;
use crate::interrupt;
use crate::json::{self, Envelope, object};
use crate::outcome::{Failure, Outcome};
use crate::progress::Meter;
use crate::route::Route;

/// Inputs that are converted into a directory, each to its own file.
pub struct ToEach {
    pub inputs: Vec<PathBuf>,
    /// The directory, which need not exist.
    pub directory: PathBuf,
    /// The format of all outputs.
    pub to: FileFormat,
    /// The compression of all outputs; `None` to keep the compression of each input.
    pub compression: Option<Compression>,
    /// The records to write of each input.
    pub select: Selection,
    pub options: Options,
}

/// The route and the summary of one conversion.
type Conversion = (Route, Summary);

impl ToEach {
    /// Runs the conversions, after a check of all inputs and outputs.
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        if self.options.on_error.as_ref().and_then(OnBadRecord::collected).is_some() {
            return Err(Failure::CouldNotRun(context.lang.collects_into_one()));
        }
        let outputs = self.outputs(context)?;
        let mut plans = Vec::with_capacity(outputs.len());
        let mut needs: Option<Preflight> = None;
        for (input, output) in self.inputs.iter().zip(&outputs) {
            let job = self.options.clone().job(vec![input.clone()], output.clone(), context);
            let select = self.select.clone();
            let job = Job { compression: self.compression, select, makes_directory: true, ..job };
            let plan = job.plan()?;
            match &mut needs {
                None => needs = Some(plan.preflight().clone()),
                Some(needs) => needs.add_job(plan.preflight()),
            }
            plans.push((Route::new(&plan, Name::from(output)), plan));
        }
        let heading = format!("{} -> {}", job::names(&self.inputs, context.lang), self.directory.display());
        if let Some(needs) = &needs {
            Needs::new(heading).report(needs, context)?;
        }
        let done = convert(plans, context)?;
        context.show_unless(!context.report.json, to_json(&done, context), |_| Ok(()))?;
        Ok(Outcome::from_findings(done.iter().any(|(_, summary)| has_findings(&summary.counts))))
    }

    /// The output of each input: its name, the format's extension in place of its own.
    fn outputs(&self, context: &Context) -> Result<Vec<PathBuf>, Failure> {
        let lang = context.lang;
        let mut taken: BTreeMap<OsString, &Path> = BTreeMap::new();
        let identity = |path: &Path| fs::canonicalize(path).ok();
        let read: Vec<PathBuf> = self.inputs.iter().filter_map(|path| identity(path)).collect();
        let mut outputs = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let name = if job::is_dash(input) { None } else { output_name(input, self.to, self.compression) };
            let refused = || Failure::CouldNotRun(lang.has_no_name(lang.path(input)));
            let name = name.ok_or_else(refused)?;
            let output = self.directory.join(&name);
            // On some file systems, names that differ only in case are the same.
            let folded = match name.to_str() {
                Some(name) => name.to_lowercase().into(),
                None => name.to_ascii_lowercase(),
            };
            if let Some(other) = taken.insert(folded, input) {
                let report = lang.same_output(other.display(), input.display(), output.display());
                return Err(Failure::CouldNotRun(report));
            }
            // With --force an output could replace an input that is yet to be read.
            if identity(&output).is_some_and(|output| read.contains(&output)) {
                return Err(Failure::from(DatasetError::SameFile(output)));
            }
            outputs.push(output);
        }
        Ok(outputs)
    }
}

/// The name of an input with another format's extension; `None` if it has no name that could be written.
fn output_name(input: &Path, to: FileFormat, compression: Option<Compression>) -> Option<OsString> {
    let own = Compression::from_path(input);
    let plain = match own {
        Compression::None => input.file_name()?,
        _ => input.file_stem()?,
    };
    // An unknown extension is a part of the name: games.2023.
    let stem = if format_of(input).is_some() { Path::new(plain).file_stem()? } else { plain };
    let mut name = stem.to_owned();
    let compressed = compression.unwrap_or(own).extension();
    for extension in to.extensions().first().into_iter().chain(&compressed) {
        name.push(".");
        name.push(extension);
    }
    Some(name)
}

/// Converts the inputs one by one. Outputs finished before a failure stay.
fn convert(
    plans: Vec<(Route, Plan<'static, Job<'static>>)>,
    context: &Context,
) -> Result<Vec<Conversion>, Failure> {
    let count = plans.len();
    let mut done = Vec::with_capacity(count);
    for (route, plan) in plans {
        let summary = plan.run(&mut Meter::new(context)).inspect_err(|_| {
            if !done.is_empty() {
                context.warn(&context.lang.done_before(done.len(), count));
            }
        })?;
        if !context.report.json && !context.is_silent(has_findings(&summary.counts)) {
            let table = View::default().table(&route, &summary, context.lang);
            context.print_report(|out| table.write_below(&route, out))?;
        }
        done.push((route, summary));
    }
    Ok(done)
}

fn to_json(done: &[Conversion], context: &Context) -> Envelope {
    let lang = context.lang;
    let sum = |of: fn(&Summary) -> u64| Some(done.iter().map(|(_, summary)| of(summary)).sum());
    let mut bad: BTreeMap<_, u64> = BTreeMap::new();
    for (name, count) in done.iter().flat_map(|(_, summary)| &summary.counts.bad) {
        *bad.entry(name).or_default() += count;
    }
    let conversion = |(route, summary): &Conversion| {
        object! {
            input: route.inputs[0].name,
            output: json::endpoint(&route.output),
            read: summary.counts.read,
            written: summary.counts.written,
            bad_total: summary.counts.bad_total(),
        }
    };
    Envelope {
        inputs: done.iter().map(|(route, _)| json::endpoint(&route.inputs[0])).collect(),
        outputs: done.iter().map(|(route, _)| json::endpoint(&route.output)).collect(),
        read: sum(|summary| summary.counts.read),
        written: sum(|summary| summary.counts.written),
        bytes_read: sum(|summary| summary.counts.bytes_read),
        bytes_written: sum(|summary| summary.counts.bytes_written),
        bad_total: bad.values().sum(),
        bad: json::value(&bad),
        samples: done.iter().flat_map(|(_, summary)| json::samples(&summary.counts.samples, lang)).collect(),
        tails: done.iter().flat_map(|(_, summary)| json::tails(&summary.counts.tails, lang)).collect(),
        notes: done.iter().flat_map(|(_, summary)| json::notes(&summary.counts.notes, lang)).collect(),
        losses: json::losses(&total_losses(done), lang),
        seconds: Some(done.iter().map(|(_, summary)| summary.counts.seconds).sum()),
        ..Envelope::with(object! { conversions: done.iter().map(conversion).collect::<Vec<_>>() }, context)
    }
}

/// The losses of all inputs together.
fn total_losses(done: &[Conversion]) -> Vec<Lost> {
    let mut total: Vec<Lost> = Vec::new();
    for lost in done.iter().flat_map(|(_, summary)| &summary.losses) {
        match total.iter_mut().find(|known| known.loss == lost.loss) {
            Some(known) => known.count = known.count.zip(lost.count).map(|(one, other)| one + other),
            None => total.push(*lost),
        }
    }
    total
}

//! Plans and runs a job.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::asking::Asking;
use super::pool::Shared;
use super::{Answers, EngineCommand, Job, RescoreError, Summary, column};
use crate::convert::{self, OnBadRecord, ScoreChange};
use crate::engine::pipeline;
use crate::engine::progress::{InPhase, Phase, Progress};
use crate::io::input::Stamp;
use crate::io::score_column::Width;
use crate::job::preflight::Amount;
use crate::job::{Plan, Rejects, Request};
use crate::{DatasetError, Field, FileFormat, Inputs, Output, Preflight, sample_check};

impl<'a> Job<'a> {
    /// Examines the inputs and the output, starts no engine and writes nothing.
    ///
    /// # Errors
    /// Those of [`convert::Job::plan`]; [`DatasetError::ReadOnce`] for an input that cannot be read twice;
    /// [`DatasetError::FieldMissing`] if the output's format lacks what is replaced.
    pub fn plan(mut self) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        self.engines = self.engines.max(1);
        self.engine.check()?;
        if self.as_column {
            return self.plan_column();
        }
        let conversion =
            std::mem::replace(&mut self.conversion, convert::Job::new(Vec::new(), Output::path("")));
        let Plan { request, inputs, to, compression, preflight, .. } = conversion.plan()?;
        self.conversion = request;
        read_twice(&inputs)?;
        for (field, is_replaced) in
            [(Field::Score, self.replace.replaces_score()), (Field::Move, self.replace.replaces_move())]
        {
            if is_replaced && !to.holds(field) {
                return Err(DatasetError::FieldMissing(self.conversion.output.name().to_string(), field));
            }
        }
        if self.replace.replaces_move() && to.holds_games() {
            return Err(RescoreError::GameMoves.into());
        }
        Ok(Plan { request: self, inputs, to: Some(to), compression, preflight, ready: () })
    }

    fn plan_column(mut self) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        let inputs = std::mem::take(&mut self.conversion.inputs);
        let convert::Job { output, on_bad_record, options, .. } = &mut self.conversion;
        let rejects = Rejects::paths(on_bad_record);
        let compression = output.column_compression(&rejects, &inputs, options.force)?;
        let inputs = sample_check::open_inputs(inputs, options)?;
        read_twice(&inputs)?;
        Rejects::check(on_bad_record.collected(), &inputs)?;
        options.threads = pipeline::threads(options.threads);
        let width = Width::of_written(output)?.bytes() as u64;
        let content = inputs.expected().map_or(Amount::UNKNOWN, |records| Amount::exactly(width * records));
        let mut preflight = Preflight::of_copy(&inputs, output, content, compression, options.threads);
        preflight.add_rejects(&inputs, on_bad_record.collected());
        Ok(Plan { request: self, inputs, to: None, compression, preflight, ready: () })
    }
}

/// Refuses inputs that cannot be read twice.
fn read_twice(inputs: &Inputs) -> Result<(), DatasetError> {
    inputs.check_repaired()?;
    match inputs.sources().iter().find(|source| source.path().is_none() || source.stamp().is_none()) {
        Some(source) => Err(DatasetError::ReadOnce(source.name().to_string())),
        None => Ok(()),
    }
}

impl<'a> Request<'a> for Job<'a> {
    type To = Option<FileFormat>;
    type Ready = ();
    type Summary = Summary;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Plan { request, inputs, to, compression, preflight, .. } = plan;
        let Job { conversion, engine, engines, replace, resume, .. } = request;
        // The answers for a stream are of no use later.
        let for_stream = || std::env::temp_dir().join(format!("komabako-{}.answers", std::process::id()));
        let kept = answers_beside(&conversion.output);
        let can_be_resumed = kept.is_some();
        let path = kept.unwrap_or_else(for_stream);
        let header = Header::new(&engine, &inputs, &conversion);
        let header = serde_json::to_string(&header).expect("texts and numbers have a form in JSON");
        // A run that was killed before it could keep an answer has left nothing to resume.
        let resume = resume && path.exists();
        let mut answers = Answers::open(&path, &header, replace, resume)?;
        let earlier = answers.count();
        let shared = Shared::default();
        let asking = Asking {
            engine: &engine,
            engines,
            backend: conversion.options.backend,
            stop_at_bad: conversion.on_bad_record == OnBadRecord::Stop,
        };
        let asked = asking.run(&inputs, &mut answers, &shared, &mut InPhase { progress, phase: Phase::Ask });
        let asked = asked.and_then(|()| inputs.check_unchanged()).and_then(|()| answers.tally());
        let answers = Arc::new(answers);
        let write = || {
            let progress = &mut InPhase { progress, phase: Phase::Write };
            let Some(to) = to else {
                return column::write(conversion, inputs, compression, &answers, progress);
            };
            let request = convert::Job { scores: ScoreChange::Answers(Arc::clone(&answers)), ..conversion };
            let plan = Plan { request, inputs, to, compression, preflight, ready: None };
            convert::Job::perform(plan, progress)
        };
        let done = asked.and_then(|scored| Ok((scored, write()?)));
        if done.is_ok() || answers.count() == 0 || !can_be_resumed {
            answers.remove();
        }
        let (scored, mut conversion) = done?;
        conversion.counts.seconds = start.elapsed().as_secs_f64();
        Ok(Summary { conversion, scored, earlier, restarts: shared.restarts.into_inner() })
    }
}

impl Job<'_> {
    /// The file that keeps the answers while the job runs, and after a run that failed if there are any; `None` if the output is a
    /// stream, for which no run can be resumed.
    pub fn answers_file(&self) -> Option<PathBuf> {
        answers_beside(&self.conversion.output)
    }
}

fn answers_beside(output: &Output) -> Option<PathBuf> {
    let mut name = output.file()?.as_os_str().to_owned();
    name.push(".answers");
    Some(PathBuf::from(name))
}

/// All that answers depend on.
#[derive(Serialize)]
struct Header {
    komabako: &'static str,
    program: String,
    arguments: Vec<String>,
    options: Vec<(String, String)>,
    go: String,
    new_game_each: bool,
    inputs: Vec<(String, Option<Stamp>)>,
    from: Option<String>,
    salvage: bool,
}

impl Header {
    fn new(engine: &EngineCommand, inputs: &Inputs, conversion: &convert::Job) -> Header {
        let options = &conversion.options;
        Header {
            komabako: "answers 1",
            program: engine.program.to_string_lossy().into_owned(),
            arguments: engine.arguments.iter().map(|text| text.to_string_lossy().into_owned()).collect(),
            options: engine.options.clone(),
            go: engine.go.clone(),
            new_game_each: engine.new_game_each,
            inputs: inputs
                .sources()
                .iter()
                .map(|source| (source.name().to_string(), source.stamp()))
                .collect(),
            from: options.from.map(|format| format.to_string()),
            salvage: options.salvage,
        }
    }
}

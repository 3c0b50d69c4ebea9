//! [`Refused`]: a line, record or game that is not a problem; [`Refusals`]: all of them, and the policy of `--on-error`.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use komabako::dataset::{Collection, Counts, Input, Name, OnBadRecord, Output, RecordError};

use super::arguments::Solve;
use crate::context::Context;
use crate::message::{Lang, Reason, Report};
use crate::outcome::Failure;

/// Where a problem comes from.
#[derive(Clone, Default)]
pub struct Origin {
    pub input: Name,
    /// Its number in the input, from 0.
    pub number: u64,
    /// The offset of its bytes.
    pub offset: u64,
    /// The line, from 1, if the input is text.
    pub line: Option<u64>,
    /// Its bytes in the input, with the line end; empty for a game.
    pub content: Vec<u8>,
    /// Whether it comes from a file of records, which is not read whole before problems are solved.
    pub is_record: bool,
}

/// A line, record or game that is not a problem.
pub struct Refused {
    error: RecordError<Why>,
    content: Vec<u8>,
    is_record: bool,
    help: Option<String>,
}

/// The reason: the kind for programs, and the sentence with the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    kind: &'static str,
    what: String,
}

/// Why a problem has no answer.
pub enum Unsolved {
    /// It is not a problem; the policy decides whether the others are solved.
    Refused(Box<Refused>),
    /// The job ends.
    Failed(Failure),
}

/// All lines, records and games that were refused so far, and the policy for them.
pub struct Refusals<'a> {
    solve: &'a Solve,
    context: &'a Context,
    collection: Option<Collection>,
    /// Whether lines or records are collected, and not only the reasons why games are left out.
    has_content: bool,
    /// The number of each kind.
    pub counts: BTreeMap<&'static str, u64>,
    /// The first ones.
    pub samples: Vec<RecordError<Why>>,
}

impl Origin {
    /// A sentence with the place before it, if it comes from a file.
    pub fn place(&self, lang: Lang, why: String) -> String {
        match self.line {
            _ if self.is_record => format!("{}: {why}", lang.record_of(&self.input, self.number)),
            Some(line) => lang.at_line(&self.input, line, why),
            None => why,
        }
    }

    /// The refusal of a line, record or game from here. `what` has the place; `help` is shown if it ends the job.
    pub fn refuse(&self, kind: &'static str, what: String, help: Option<String>) -> Box<Refused> {
        let &Origin { number, offset, line, is_record, .. } = self;
        let fault = Why { kind, what };
        let error =
            RecordError { input: self.input.clone(), format: None, record: number, offset, line, fault };
        Box::new(Refused { error, content: self.content.clone(), is_record, help })
    }
}

impl Refused {
    /// The failure of the job that ends here.
    pub fn into_failure(self) -> Failure {
        let Why { kind, what } = self.error.fault;
        let report = Report { help: self.help, ..Report::plain(what) }.of_kind(kind);
        if self.is_record { Failure::Bad(report) } else { Failure::CouldNotRun(report) }
    }
}

impl From<Box<Refused>> for Unsolved {
    fn from(refused: Box<Refused>) -> Self {
        Unsolved::Refused(refused)
    }
}

impl From<Failure> for Unsolved {
    fn from(failure: Failure) -> Self {
        Unsolved::Failed(failure)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Reason for Why {
    fn name(&self) -> &'static str {
        self.kind
    }

    fn explain(&self, _: Lang) -> String {
        self.what.clone()
    }
}

impl<'a> Refusals<'a> {
    /// None so far. Checks, before anything is solved, that they can be collected.
    pub fn open(solve: &'a Solve, context: &'a Context, inputs: &[PathBuf]) -> Result<Self, Failure> {
        let open = |path: &Path| {
            let inputs: Vec<Input<'_>> = inputs.iter().map(Input::path).collect();
            let files = Collection::paths(path).map(Output::path);
            let output = solve.output.path.as_ref().map(Output::path);
            Output::check_all(&files, &inputs, solve.force)?;
            // The output may exist if this run continues it, but it is no place for them.
            Output::check_all(files.iter().chain(&output), &inputs, true)?;
            Collection::open(path, false, solve.force)
        };
        let path = solve.on_error.as_ref().and_then(OnBadRecord::collected);
        let collection = path.map(open).transpose()?;
        Ok(Refusals {
            solve,
            context,
            collection,
            has_content: false,
            counts: BTreeMap::new(),
            samples: Vec::new(),
        })
    }

    /// Ends the job, or leaves it out: names it, counts it, and collects it if requested.
    pub fn add(&mut self, refused: Refused) -> Result<(), Failure> {
        if self.solve.stops_at(refused.is_record) {
            return Err(refused.into_failure());
        }
        let Refused { error, content, .. } = refused;
        self.context.print_error(&Report::plain(error.fault.to_string()));
        *self.counts.entry(error.fault.kind).or_default() += 1;
        self.has_content |= !content.is_empty();
        if let Some(collection) = &mut self.collection {
            let added = collection.add(&content, &error, error.fault.kind);
            added?;
        }
        if self.samples.len() < Counts::<Why>::SAMPLES {
            self.samples.push(error);
        }
        Ok(())
    }

    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Gives the collected ones the name of their file, and reports it.
    pub fn complete(&mut self) -> Result<(), Failure> {
        let Some(collection) = self.collection.take() else { return Ok(()) };
        collection.complete()?;
        let path = self.solve.on_error.as_ref().and_then(OnBadRecord::collected);
        if let Some(path) = path
            && self.total() > 0
            && !self.context.is_silent(true)
        {
            let lang = self.context.lang;
            let kept = if self.has_content {
                lang.collected(path.display())
            } else {
                lang.reasons_listed(path.display())
            };
            // Standard error may be closed; the file exists all the same.
            let _ = writeln!(self.context.stderr(), "{kept}");
        }
        Ok(())
    }
}

//! The end of a command, [`Outcome`] or [`Failure`], and the exit codes.

use std::io;

use komabako::dataset::kifu::BadGame;
use komabako::dataset::repair::RepairError;
use komabako::dataset::{DatasetError, Name};

use crate::context::Context;
use crate::message::mismatch::repair_command;
use crate::message::{Lang, Report};
use crate::standard;
use crate::{completed, interrupt};

/// The exit code of a command that could not run.
pub const COULD_NOT_RUN: u8 = 2;

/// The result of a command that ran to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No findings: exit code 0.
    Clean,
    /// Findings, such as bad records: exit code 1.
    Findings,
}

impl Outcome {
    /// [`Outcome::Findings`] if there are any.
    pub fn from_findings(any: bool) -> Self {
        if any { Outcome::Findings } else { Outcome::Clean }
    }

    pub fn code(self) -> u8 {
        match self {
            Outcome::Clean => 0,
            Outcome::Findings => 1,
        }
    }
}

/// Why a command stopped before its end, not yet in words.
#[derive(Debug)]
pub enum Failure {
    /// The command has done all that was asked for, as after `--dry-run`: exit code 0.
    Done,
    /// A bad line or record at which the user asked to stop, in the user's language: exit code 1.
    Bad(Report),
    /// The user stopped it: exit code 130, as shells have it.
    Interrupted(Report),
    /// The command could not run, in the user's language: exit code 2.
    CouldNotRun(Report),
    /// A failed read or write of a file.
    Dataset(Box<DatasetError>),
    /// A failed write to standard output.
    Stdout(io::Error),
}

impl From<DatasetError> for Failure {
    fn from(error: DatasetError) -> Self {
        Failure::Dataset(Box::new(error))
    }
}

/// An error of input or output without the name of a file is one of standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Stdout(error)
    }
}

impl Failure {
    /// A failure of a file with other advice.
    pub fn with_help(error: &DatasetError, help: String, lang: Lang) -> Self {
        Failure::with_report(error, Report { help: Some(help), ..lang.dataset_error(error) })
    }

    /// A failure of a file with another report.
    pub fn with_report(error: &DatasetError, report: Report) -> Self {
        let kind = match error {
            DatasetError::Read { error: cause, .. } if standard::is_empty(cause) => "empty_input",
            _ => error.kind(),
        };
        let report = report.of_kind(kind);
        match error {
            DatasetError::Record(_) | DatasetError::Tail(_) => Failure::Bad(report),
            _ if matches!(error.of_job(), Some(RepairError::Record(_))) => Failure::Bad(report),
            _ if error.of_job::<BadGame>().is_some() => Failure::Bad(report),
            _ => Failure::CouldNotRun(report),
        }
    }

    /// The error of a job whose bad records `--on-error` does not leave out.
    pub fn beside_inputs(error: &DatasetError, context: &Context) -> Self {
        file_failure(error, false, context)
    }

    /// The error in words, without advice.
    pub fn what(&self, lang: Lang) -> String {
        match self {
            Failure::Done => String::new(),
            Failure::Bad(report) | Failure::Interrupted(report) | Failure::CouldNotRun(report) => {
                report.what.clone()
            }
            Failure::Dataset(error) => lang.dataset_error(error).what,
            Failure::Stdout(error) => lang.io(error),
        }
    }

    /// The report and the exit code. `None` if nothing is to be reported, with exit code 0: all is done, or the reader of our
    /// output closed the pipe, as `head` does, and no other file was asked for.
    pub fn into_report(self, context: &Context) -> Option<(Report, u8)> {
        match self {
            Failure::Done => None,
            Failure::Bad(report) => Some((report, 1)),
            Failure::CouldNotRun(report) => Some((report, COULD_NOT_RUN)),
            Failure::Interrupted(report) => Some((report, interrupt::EXIT_CODE)),
            failure if failure.is_closed_pipe(context) => closed_pipe_report(context),
            Failure::Stdout(error) => {
                let lang = context.lang;
                let report = Report::plain(lang.cannot_write(lang.stdout(), lang.io(&error)));
                Some((report.of_kind("write"), COULD_NOT_RUN))
            }
            Failure::Dataset(error) => {
                file_failure(&error, context.report.can_skip, context).into_report(context)
            }
        }
    }

    /// The outcome of a command that has `found` something before the reader of its output closed the pipe; otherwise the failure.
    pub fn or_findings(self, found: bool, context: &Context) -> Result<Outcome, Failure> {
        if found && self.is_closed_pipe(context) && closed_pipe_report(context).is_none() {
            return Ok(Outcome::Findings);
        }
        Err(self)
    }

    /// Whether the reader of our output closed the pipe.
    fn is_closed_pipe(&self, context: &Context) -> bool {
        match self {
            Failure::Stdout(error) => is_closed_pipe(error),
            Failure::Dataset(error) => match &**error {
                DatasetError::Write(_, cause) => context.report.to_stdout && is_closed_pipe(cause),
                _ => false,
            },
            _ => false,
        }
    }
}

/// The report of a closed pipe: none, unless a file was asked for that is not written.
fn closed_pipe_report(context: &Context) -> Option<(Report, u8)> {
    let (_, written) = completed::so_far();
    let mut missing: Vec<String> =
        context.files_beside.iter().map(|path| Name::from(path).to_string()).collect();
    missing.retain(|name| !written.contains(name));
    if missing.is_empty() {
        return None;
    }
    let lang = context.lang;
    Some((lang.stdout_is_not_read(lang.comma_separated(&missing)), COULD_NOT_RUN))
}

/// A failed read or write of a file, in words.
fn file_failure(error: &DatasetError, can_skip: bool, context: &Context) -> Failure {
    let lang = context.lang;
    if let Some(error) = repair_cause(error) {
        let report = lang.dataset_error(error).of_kind(error.kind());
        let help = report.help.map(|help| match error {
            // Repairing it alone would meet the same change.
            DatasetError::Altered(_) => help,
            _ => lang.repair_alone_help(help),
        });
        return Failure::CouldNotRun(Report { help, ..report });
    }
    let to_stdout = context.report.to_stdout;
    if interrupt::requested() {
        let what = if to_stdout { lang.cancelled_to_stdout() } else { lang.say(&DatasetError::Cancelled) };
        return Failure::Interrupted(Report::plain(what).of_kind("interrupted"));
    }
    match error {
        DatasetError::Write(Name::Stream(_), _) if to_stdout => {
            Failure::with_help(error, lang.stdout_help(), lang)
        }
        DatasetError::Record(bad) if !can_skip => {
            Failure::with_help(error, lang.record_advice(bad, false), lang)
        }
        DatasetError::Open(_, cause)
            if context.report.can_search && cause.kind() == io::ErrorKind::IsADirectory =>
        {
            Failure::with_help(error, lang.recursive_help(), lang)
        }
        DatasetError::ReadOnce(_) if context.command == "split" => {
            Failure::with_help(error, lang.read_once_in_split_help(), lang)
        }
        DatasetError::Mismatch(mismatch) if mismatch.path.is_some() && !context.report.can_repair => {
            Failure::with_help(error, lang.repair_next(repair_command(mismatch)), lang)
        }
        DatasetError::Tail(_) if !context.report.can_salvage => {
            let report = lang.dataset_error(error);
            // Another advice names a command with the option already.
            let help =
                report.help.map(|help| help.replace("`--salvage`", "`komabako convert IN OUT --salvage`"));
            Failure::with_report(error, Report { help, ..report })
        }
        _ => Failure::with_report(error, lang.dataset_error(error)),
    }
}

/// The error of an on-the-fly repair, which arrives as the cause of a read error.
fn repair_cause(error: &DatasetError) -> Option<&DatasetError> {
    match error {
        DatasetError::Read { error, .. } => error.get_ref()?.downcast_ref(),
        _ => None,
    }
}

/// Passes over the error of a closed pipe, for a report that changes nothing if it is not read.
pub fn unless_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if is_closed_pipe(&error) { Ok(()) } else { Err(error) })
}

/// Whether a write failed because the reader closed the pipe.
fn is_closed_pipe(error: &io::Error) -> bool {
    /// `ERROR_PIPE_NOT_CONNECTED`: the third Windows error for this, and the only one that Rust maps to no kind.
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe || cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED)
}

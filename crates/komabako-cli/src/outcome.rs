//! How a command ends: [`Outcome`] or [`Failure`], and their exit codes.

use std::io;
use std::process::ExitCode;

use komabako::dataset::DatasetError;
use komabako::dataset::kifu::BadGame;
use komabako::dataset::repair::RepairError;

use crate::interrupt;
use crate::message::{Lang, Report};

/// The exit code of a command that could not run.
pub const COULD_NOT_RUN: u8 = 2;

/// How a command that ran ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing to complain of: exit code 0.
    Clean,
    /// Findings, such as bad records: exit code 1.
    Findings,
}

impl Outcome {
    /// [`Outcome::Findings`] if there are any.
    pub fn found(any: bool) -> Self {
        if any { Outcome::Findings } else { Outcome::Clean }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        match outcome {
            Outcome::Clean => ExitCode::SUCCESS,
            Outcome::Findings => ExitCode::from(1),
        }
    }
}

/// Why a command stopped before its end.
#[derive(Debug)]
pub enum Failure {
    /// The reader of our output went away, as `head` does. Not an error to speak of: silent, exit code 0.
    BrokenPipe,
    /// A bad line or record at which the user asked to stop, in the user's language: exit code 1.
    Bad(Report),
    /// The user stopped it: exit code 130, as shells have it.
    Interrupted(Report),
    /// The command could not run, in the user's language: exit code 2.
    CouldNotRun(Report),
}

impl Failure {
    /// What went wrong; `None` if there is nothing to say.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Failure::BrokenPipe => None,
            Failure::Bad(report) | Failure::Interrupted(report) | Failure::CouldNotRun(report) => {
                Some(report)
            }
        }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::BrokenPipe => 0,
            Failure::Bad(_) => 1,
            Failure::CouldNotRun(_) => COULD_NOT_RUN,
            Failure::Interrupted(_) => interrupt::EXIT_CODE,
        }
    }

    /// The failure to read or write a file of positions.
    pub fn dataset(error: &DatasetError, lang: Lang) -> Self {
        Failure::with_report(error, lang.dataset_error(error))
    }

    /// The same in other words.
    pub fn with_report(error: &DatasetError, report: Report) -> Self {
        let report = report.of_kind(error.kind());
        match error {
            DatasetError::Record(_) | DatasetError::Tail(_) => Failure::Bad(report),
            _ if matches!(error.of_job(), Some(RepairError::Record(_))) => Failure::Bad(report),
            _ if error.of_job::<BadGame>().is_some() => Failure::Bad(report),
            _ => Failure::CouldNotRun(report),
        }
    }

    /// The failure to write to standard output.
    pub fn stdout(error: &io::Error, lang: Lang) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::BrokenPipe,
            _ => Failure::CouldNotRun(
                Report::plain(lang.cannot_write(lang.stdout(), lang.io(error))).of_kind("write"),
            ),
        }
    }
}

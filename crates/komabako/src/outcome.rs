//! The end of a command, [`Outcome`] or [`Failure`], and the exit codes.

use std::io;

use komabako::dataset::DatasetError;
use komabako::dataset::kifu::BadGame;
use komabako::dataset::repair::RepairError;

use crate::interrupt;
use crate::message::{Lang, Report};
use crate::standard;

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

    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Outcome::Clean => 0,
            Outcome::Findings => 1,
        }
    }
}

/// Why a command stopped before its end.
#[derive(Debug)]
pub enum Failure {
    /// The reader of our output closed the pipe, as `head` does. Not an error to report: silent, exit code 0.
    BrokenPipe,
    /// A bad line or record at which the user asked to stop, in the user's language: exit code 1.
    Bad(Report),
    /// The user stopped it: exit code 130, as shells have it.
    Interrupted(Report),
    /// The command could not run, in the user's language: exit code 2.
    CouldNotRun(Report),
}

impl Failure {
    /// The report of the failure; `None` for a closed pipe.
    pub fn report(&self) -> Option<&Report> {
        match self {
            Failure::BrokenPipe => None,
            Failure::Bad(report) | Failure::Interrupted(report) | Failure::CouldNotRun(report) => {
                Some(report)
            }
        }
    }

    /// The error in words, without advice; empty for a closed pipe.
    pub fn what(&self) -> String {
        self.report().map_or_else(String::new, |report| report.what.clone())
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

    /// A failed read or write of a file of positions.
    pub fn dataset(error: &DatasetError, lang: Lang) -> Self {
        Failure::with_report(error, lang.dataset_error(error))
    }

    /// The same with other advice.
    pub fn with_help(error: &DatasetError, help: String, lang: Lang) -> Self {
        Failure::with_report(error, Report { help: Some(help), ..lang.dataset_error(error) })
    }

    /// The same with another report.
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

    /// A failed write to standard output.
    pub fn stdout(error: &io::Error, lang: Lang) -> Self {
        if is_closed_pipe(error) {
            return Failure::BrokenPipe;
        }
        let report = Report::plain(lang.cannot_write(lang.stdout(), lang.io(error)));
        Failure::CouldNotRun(report.of_kind("write"))
    }
}

/// Whether a write failed because the reader closed the pipe.
pub fn is_closed_pipe(error: &io::Error) -> bool {
    /// `ERROR_PIPE_NOT_CONNECTED`: the third Windows error for this, and the only one that Rust maps to no kind.
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe || cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_pipe_is_silent() {
        let codes: &[i32] = if cfg!(windows) { &[109, 232, 233] } else { &[32] };
        for &code in codes {
            let failure = Failure::stdout(&io::Error::from_raw_os_error(code), Lang::En);
            assert!(failure.report().is_none() && failure.code() == 0, "{code}");
        }
        assert_eq!(Failure::stdout(&io::ErrorKind::StorageFull.into(), Lang::En).code(), 2);
    }
}

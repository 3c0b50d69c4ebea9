//! [`Failure`]: why a chore did not do what it is for.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Why a chore failed, or left out the rest of what it does.
#[derive(Debug)]
pub enum Failure {
    /// The chore ran and found faults: one line each, with the place and what to do.
    Faults(Vec<String>),
    /// A file or directory could not be read or written.
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A program that the chore needs did not run, or printed something unexpected.
    Program {
        /// Its command line.
        command: String,
        /// The reason.
        reason: String,
    },
    /// A tool is missing that a change can pass without: a line with what is skipped, and why. It is printed, and is no fault.
    Skipped(String),
}

impl Failure {
    /// Returns a closure for `map_err` that adds the path.
    pub fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// A failure of a program, with its command line.
    pub fn program(command: &Command, reason: &str) -> Self {
        Self::Program { command: format!("{command:?}"), reason: reason.to_owned() }
    }

    /// Returns a closure for `map_err` on the run of a program.
    pub fn run(command: &Command) -> impl FnOnce(std::io::Error) -> Self {
        |error| Self::program(command, &error.to_string())
    }

    /// One fault.
    pub fn fault(fault: impl Into<String>) -> Self {
        Self::Faults(vec![fault.into()])
    }

    /// Returns a closure for `map_err` on the reason why something is skipped.
    pub fn skip(what: &str) -> impl FnOnce(String) -> Self {
        move |reason| Self::Skipped(format!("{what}: {reason}"))
    }

    /// Succeeds if there are no faults.
    pub fn unless_empty(faults: Vec<String>) -> Result<(), Self> {
        if faults.is_empty() { Ok(()) } else { Err(Self::Faults(faults)) }
    }

    /// 1 for faults, 2 if the chore could not run.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Skipped(_) => 0,
            Self::Faults(_) => 1,
            Self::Io { .. } | Self::Program { .. } => 2,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Faults(faults) => f.write_str(&faults.join("\n")),
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Program { command, reason } => write!(f, "{command}: {reason}"),
            Self::Skipped(line) => f.write_str(line),
        }
    }
}

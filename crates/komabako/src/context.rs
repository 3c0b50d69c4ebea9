//! [`Context`]: the settings that every command receives.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use clap::Args;
use komabako::bits::Backend;

use crate::escape::Escaped;
use crate::json::{self, Envelope};
use crate::manifest::Manifest;
use crate::message::{Lang, Report};
use crate::outcome::{Failure, Outcome, unless_closed_pipe};
use crate::route::file;
use crate::screen::Screen;
use crate::style::{self, Style};

/// The reporting options of commands that run a job on files.
#[derive(Args, Clone, Copy)]
pub struct ReportArgs {
    // Documented in `message::help`.
    #[arg(long)]
    pub dry_run: bool,
    #[arg(long)]
    pub json: bool,
}

/// The option of commands that write files.
#[derive(Args, Clone)]
pub struct ManifestArgs {
    // Read in `crate::manifest`, for all commands.
    #[arg(long, value_name = "FILE", value_parser = file())]
    manifest: Option<PathBuf>,
}

/// The way a command reports.
#[derive(Clone, Copy, Default)]
pub struct Reporting {
    /// Only the resources that the job needs are reported.
    pub dry_run: bool,
    pub json: bool,
    /// Records go to standard output, and reports to standard error.
    pub to_stdout: bool,
    /// The command has `--on-error`.
    pub can_skip: bool,
    /// The command has `--recursive`.
    pub can_search: bool,
    /// The command has `--salvage`.
    pub can_salvage: bool,
    /// The command has `--repair`, and reads its inputs once.
    pub can_repair: bool,
    /// Neither progress nor needed resources are shown, nor the report if all went well.
    pub quiet: bool,
    /// Needed resources are shown even for a short job.
    pub verbose: bool,
}

/// The settings that every command receives.
pub struct Context {
    pub lang: Lang,
    pub command: String,
    pub report: Reporting,
    /// The manifest to write, if one is asked for.
    pub manifest: Option<Manifest>,
    /// The files that are written besides the output.
    pub files_beside: Vec<PathBuf>,
    /// The backend that packs and unpacks.
    pub backend: Backend,
    /// The option or variable that named the backend, if any.
    pub backend_source: Option<&'static str>,
    pub color: ColorChoice,
    /// The command line as clap knows it, with the texts of a language: for the manual and completions.
    pub program: fn(Lang) -> clap::Command,
}

/// Standard output for text.
pub type Stdout = BufWriter<Screen<AutoStream<StdoutLock<'static>>>>;

impl Context {
    /// The settings of a command on the fastest backend.
    pub fn new(lang: Lang, command: String, report: Reporting, program: fn(Lang) -> clap::Command) -> Self {
        Context {
            lang,
            command,
            report,
            manifest: None,
            files_beside: Vec::new(),
            backend: Backend::detect(),
            backend_source: None,
            color: ColorChoice::Auto,
            program,
        }
    }

    /// Standard output for text that may be coloured.
    pub fn stdout(&self) -> Stdout {
        BufWriter::new(Screen::new(AutoStream::new(io::stdout().lock(), self.color)))
    }

    /// Prints text to standard output.
    pub fn print(&self, write: impl FnOnce(&mut Stdout) -> io::Result<()>) -> Result<(), Failure> {
        let mut out = self.stdout();
        Ok(unless_closed_pipe(write(&mut out).and_then(|()| out.flush()))?)
    }

    /// Prints text to the stream for the report of a job.
    pub fn print_report(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let mut out = self.report_out();
        Ok(unless_closed_pipe(write(&mut out).and_then(|()| out.flush()))?)
    }

    /// Standard error, for messages.
    pub fn stderr(&self) -> Screen<AutoStream<io::StderrLock<'static>>> {
        Screen::new(AutoStream::new(io::stderr().lock(), self.color))
    }

    /// Whether a finished job prints no report, because of `--quiet`. `found`: it has findings.
    pub fn is_silent(&self, found: bool) -> bool {
        self.report.quiet && !self.report.json && !found
    }

    /// The stream for the report of a job: standard error if its records go to standard output.
    pub fn report_out(&self) -> Box<dyn Write> {
        if self.report.to_stdout { Box::new(self.stderr()) } else { Box::new(self.stdout()) }
    }

    /// Writes the report of a command, as JSON or as text.
    pub fn show(
        &self,
        report: Envelope,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.show_unless(false, report, text)
    }

    /// The same, with nothing printed if it is `silent`. Writes the manifest in any case.
    pub fn show_unless(
        &self,
        silent: bool,
        report: Envelope,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if let Some(manifest) = &self.manifest {
            manifest.write(json::value(&report), self.lang)?;
        }
        if silent {
            return Ok(());
        }
        self.print_report(|mut out| if self.report.json { report.write(&mut out) } else { text(out) })
    }

    /// The same, unless [`Context::is_silent`]; and the outcome. `found`: it has findings.
    pub fn report(
        &self,
        found: bool,
        report: Envelope,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Outcome, Failure> {
        self.show_unless(self.is_silent(found), report, text)?;
        Ok(Outcome::from_findings(found))
    }

    /// Prints an error on standard error.
    pub fn print_error(&self, report: &Report) {
        let mut stderr = self.stderr();
        print_labelled(&mut stderr, style::ERROR, &self.lang.error(), &report.what);
        if let Some(help) = &report.help {
            print_labelled(&mut stderr, style::NAME, &self.lang.help(), help);
        }
    }

    /// Prints the outputs that were complete before a failure.
    pub fn print_completed(&self, count: u64, names: &[String]) {
        let text = Escaped(self.lang.first_names(names, count)).to_string();
        print_labelled(&mut self.stderr(), style::NAME, &self.lang.completed_label(), &text);
    }

    pub fn warn(&self, text: &str) {
        print_labelled(&mut self.stderr(), style::WARNING, &self.lang.warning(), &Escaped(text).to_string());
    }
}

fn print_labelled(stderr: &mut impl Write, style: Style, label: &str, text: &str) {
    // A write error of standard error cannot be reported.
    let _ = writeln!(stderr, "{style}{label}{style:#} {text}");
}

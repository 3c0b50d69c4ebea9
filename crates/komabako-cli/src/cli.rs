//! The command line: options of every command, the language, and what ends up as the exit code.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueEnum};
use komabako::bits::Backend;

use crate::command::Command;
use crate::interrupt;
use crate::message::{Lang, help};
use crate::outcome::{COULD_NOT_RUN, Failure, Report};
use crate::style;

/// The environment variable that names a backend where `--backend` does not.
const BACKEND_VARIABLE: &str = "KOMABAKO_BACKEND";

#[derive(Parser)]
#[command(name = "komabako", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Args)]
struct Global {
    #[arg(long, global = true, value_name = "LANG")]
    lang: Option<Lang>,
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: When,
    #[arg(long, global = true, value_name = "NAME")]
    backend: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

impl From<When> for ColorChoice {
    fn from(when: When) -> ColorChoice {
        match when {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        }
    }
}

/// What every command is given.
pub struct Context {
    /// The language of messages.
    pub lang: Lang,
    /// The backend that packs and unpacks.
    pub backend: Backend,
    /// The option or variable that named the backend, if one did.
    pub backend_asked_by: Option<&'static str>,
    color: ColorChoice,
}

impl Context {
    /// Standard output for text that may be coloured.
    pub fn stdout(&self) -> BufWriter<AutoStream<StdoutLock<'static>>> {
        BufWriter::new(AutoStream::new(io::stdout().lock(), self.color))
    }

    /// Standard error, for messages.
    pub fn stderr(&self) -> AutoStream<io::StderrLock<'static>> {
        AutoStream::new(io::stderr().lock(), self.color)
    }

    /// The failure to write to standard output.
    pub fn stdout_failed(&self, error: &io::Error) -> Failure {
        Failure::stdout(error, self.lang)
    }

    /// Tells of a failure and returns its exit code.
    pub fn complain(&self, failure: &Failure) -> u8 {
        let (report, code) = match failure {
            Failure::BrokenPipe => return 0,
            Failure::Bad(report) => (report, 1),
            Failure::CouldNotRun(report) => (report, COULD_NOT_RUN),
            Failure::Interrupted(report) => (report, interrupt::EXIT_CODE),
        };
        let mut stderr = self.stderr();
        print_labelled(&mut stderr, style::ERROR, &self.lang.error(), &report.what);
        if let Some(help) = &report.help {
            print_labelled(&mut stderr, style::NAME, &self.lang.help(), help);
        }
        code
    }

    /// Takes the backend that `--backend` or, without it, the environment names.
    fn choose_backend(&mut self, option: Option<String>) -> Result<(), Failure> {
        let (name, source) = match (option, std::env::var(BACKEND_VARIABLE)) {
            (Some(name), _) => (name, "--backend"),
            (None, Ok(name)) if !name.is_empty() => (name, BACKEND_VARIABLE),
            (None, _) => return Ok(()),
        };
        self.backend = name.parse().map_err(|error| {
            let available: Vec<_> = Backend::available().map(Backend::name).collect();
            let what = self.lang.backend_refused(source, &name, self.lang.backend_fault(error));
            Failure::CouldNotRun(Report::new(what, self.lang.backend_help(available.join(", "))))
        })?;
        self.backend_asked_by = Some(source);
        Ok(())
    }

    /// Prints a warning.
    pub fn warn(&self, text: &str) {
        print_labelled(&mut self.stderr(), style::WARNING, &self.lang.warning(), text);
    }
}

/// The command line as clap knows it, with the texts of a language.
pub fn command(lang: Lang) -> clap::Command {
    help::overlay(Cli::command(), lang)
}

/// Runs the program on its arguments, the program's name first.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.collect();
    let environment = Lang::from_env(|name| std::env::var(name).ok());
    let lang = lang_option(&arguments).unwrap_or(environment);
    let parsed =
        command(lang).try_get_matches_from(&arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    let Cli { global, command } = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage(error, lang),
    };
    let backend = Backend::detect();
    let mut context = Context { lang, backend, backend_asked_by: None, color: global.color.into() };
    let result = context.choose_backend(global.backend).and_then(|()| command.run(&context));
    match result {
        Ok(outcome) => outcome.into(),
        Err(failure) => ExitCode::from(context.complain(&failure)),
    }
}

/// The language that `--lang` asks for, found before clap parses, since clap's own texts depend on it.
fn lang_option(arguments: &[OsString]) -> Option<Lang> {
    let mut arguments = arguments.iter().skip(1).map(OsString::as_os_str);
    let mut lang = None;
    while let Some(argument) = arguments.next() {
        let value = match argument.to_str() {
            Some("--") => break,
            Some("--lang") => arguments.next().and_then(OsStr::to_str),
            Some(argument) => argument.strip_prefix("--lang="),
            None => None,
        };
        lang = value.and_then(|value| Lang::from_str(value, false).ok()).or(lang);
    }
    lang
}

/// Prints what clap has to say: help and version to standard output, errors of usage to standard error.
fn usage(error: clap::Error, lang: Lang) -> ExitCode {
    // Output that cannot be written leaves nobody to tell.
    let _ = lang.print_usage(&error);
    ExitCode::from(if error.use_stderr() { COULD_NOT_RUN } else { 0 })
}

fn print_labelled(stderr: &mut impl Write, style: anstyle::Style, label: &str, text: &str) {
    // Standard error that cannot be written leaves nobody to tell.
    let _ = writeln!(stderr, "{style}{label}{style:#} {text}");
}

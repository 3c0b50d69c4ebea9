//! The command line: global options, the language, and the exit code.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anstream::ColorChoice;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use komabako::bits::Backend;
use komabako::dataset::OnBadRecord;
use komabako::dataset::leftovers::{self, Leftover, State};

use crate::command::{Command, named};
use crate::completed::{self, Completed};
use crate::context::{Context, Reporting};
use crate::escape::Escaped;
use crate::json::{self, Envelope};
use crate::manifest::Manifest;
use crate::message::{Lang, Report, help, shell};
use crate::outcome::{COULD_NOT_RUN, Failure};
use crate::standard;

const NAME: &str = "komabako";
/// The environment variable that names a backend if `--backend` is absent.
const BACKEND_VARIABLE: &str = "KOMABAKO_BACKEND";
/// The arguments that may name an output.
const OUTPUTS: [&str; 4] = ["paths", "output", "html", "save"];
/// The options that name a file besides the output.
const BESIDE: [&str; 7] = ["manifest", "columns", "mask", "rejects", "certificate", "html", "save"];

#[derive(Parser)]
#[command(name = NAME, version, arg_required_else_help = true)]
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
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = named([
        ("auto", ColorChoice::Auto),
        ("always", ColorChoice::Always),
        ("never", ColorChoice::Never),
    ]))]
    color: ColorChoice,
    #[arg(long, global = true, value_name = "NAME")]
    backend: Option<String>,
    #[arg(long, short, global = true)]
    quiet: bool,
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
}

/// The command line as clap knows it, without texts; the arguments of a command are built only when it is named.
pub fn bare_command_line() -> clap::Command {
    Cli::command()
}

/// The command line with only the command that `arguments` name, if any. clap copies the global options into every command,
/// which with all commands is half of the program's start-up work.
fn named_alone(arguments: &[OsString]) -> clap::Command {
    let all = Command::augment_subcommands(clap::Command::new(NAME));
    let name = arguments.get(command_place(arguments));
    let named = name.and_then(|name| all.find_subcommand(name)).cloned();
    let alone = clap::Command::new(NAME)
        .version(env!("CARGO_PKG_VERSION"))
        .arg_required_else_help(true)
        .subcommand_required(true);
    Global::augment_args(alone).subcommands(named)
}

/// The language of the system's settings, on systems where the environment does not give it.
fn system_locale() -> Option<String> {
    #[cfg(windows)]
    return sys_locale::get_locale();
    #[cfg(not(windows))]
    None
}

/// The whole command line, with the texts of a language.
pub fn command_line(lang: Lang) -> clap::Command {
    help::overlay(bare_command_line(), lang)
}

/// Runs the program on its arguments, the program's name first, and returns its exit code: 0 on success, 1 with findings such
/// as bad records, 2 if it could not run, 130 if the user stopped it. Installs signal handlers, and exits the process on a
/// second Ctrl-C, so it is for processes that do nothing else.
pub fn run(arguments: impl Iterator<Item = OsString>) -> u8 {
    let mut arguments = expand_shorthand(arguments.collect());
    let environment = Lang::from_env(|name| std::env::var(name).ok(), system_locale);
    let lang = global_option(&arguments, "lang", |value| Lang::from_str(value, false).ok());
    let lang = lang.unwrap_or(environment);
    // Texts and the other commands are built only if they are printed: help and usage errors parse again with the whole command
    // line, and `--version` prints no texts.
    let mut command = help::bare(named_alone(&arguments));
    let mut matches = command.try_get_matches_from_mut(&arguments);
    if let Err(error) = &matches
        && error.kind() != ErrorKind::DisplayVersion
    {
        let color = global_option(&arguments, "color", |value| value.parse().ok()).unwrap_or_default();
        command = help::bare(bare_command_line()).color(color);
        // This pass builds the arguments of the named command, so that only these get texts.
        if let Err(error) = command.try_get_matches_from_mut(&arguments)
            && error.kind() == ErrorKind::MissingSubcommand
        {
            // Only options, such as `--lang ja`: print the help, as without any argument.
            arguments.truncate(1);
        }
        command = help::localise(command, lang);
        // The error quotes arguments, so it is found again in escaped ones.
        matches = command.try_get_matches_from_mut(&arguments).map_err(|error| {
            let escaped = arguments.iter().map(|argument| Escaped(argument.to_string_lossy()).to_string());
            command.try_get_matches_from_mut(escaped).err().unwrap_or(error)
        });
    }
    let parsed = matches.and_then(|matches| {
        let context = match matches.subcommand() {
            Some((name, options)) => Context {
                manifest: Manifest::asked_for(options, &arguments),
                files_beside: files_beside(options),
                ..Context::new(lang, name.to_owned(), reporting(&command, name, options), command_line)
            },
            None => Context::new(lang, String::new(), Reporting::default(), command_line),
        };
        Ok((Cli::from_arg_matches(&matches)?, context))
    });
    let (Cli { global, command }, mut context) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage(error, lang, &arguments, &command),
    };
    context.report.quiet = global.quiet;
    context.report.verbose = global.verbose;
    context.color = global.color;
    completed::watch();
    let result = choose_backend(&mut context, global.backend)
        .and_then(|()| check_output(&context))
        .and_then(|()| check_manifest(&context))
        .and_then(|()| command.run(&context));
    match result {
        Ok(outcome) => {
            name_leftovers(&context);
            outcome.code()
        }
        Err(failure) => report_failure(failure, &context),
    }
}

/// Sets the backend that `--backend` names or, without it, the environment.
fn choose_backend(context: &mut Context, option: Option<String>) -> Result<(), Failure> {
    let (name, source) = match (option, std::env::var(BACKEND_VARIABLE)) {
        (Some(name), _) => (name, "--backend"),
        (None, Ok(name)) if !name.is_empty() => (name, BACKEND_VARIABLE),
        (None, _) => return Ok(()),
    };
    let lang = context.lang;
    context.backend = name.parse().map_err(|error| {
        let available: Vec<_> = Backend::available().map(Backend::name).collect();
        let why = lang.backend_fault(error);
        Failure::CouldNotRun(lang.backend_refused(source, &name, why, available.join(", ")))
    })?;
    context.backend_source = Some(source);
    Ok(())
}

/// Refuses to write records to a standard output that is closed.
fn check_output(context: &Context) -> Result<(), Failure> {
    if context.report.to_stdout && standard::output_is_closed() {
        return Err(Failure::CouldNotRun(context.lang.stdout_is_closed()));
    }
    Ok(())
}

/// Refuses a manifest that would replace a file of the command or, without `--force`, another.
fn check_manifest(context: &Context) -> Result<(), Failure> {
    Ok(context.manifest.as_ref().map_or(Ok(()), Manifest::check)?)
}

/// Expands shorthand: `help COMMAND` to `COMMAND --help`, and `head -2` to `head -n 2`. In White's moves in CSA (`-3334FU`)
/// and in standard input with a weight (`-:2`) a minus sign replaces the hyphen, since clap would take them for options.
fn expand_shorthand(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let command = command_place(&arguments);
    if arguments.get(command).is_some_and(|first| first == "help") {
        arguments.remove(command);
        arguments.push("--help".into());
    }
    for argument in &mut arguments {
        let text = argument.to_str().and_then(|text| text.strip_prefix('-')).unwrap_or_default();
        let (digits, piece) = text.split_at_checked(4).unwrap_or_default();
        let is_move = piece.len() == 2 && piece.bytes().all(|letter| letter.is_ascii_uppercase());
        if is_move && digits.bytes().all(|digit| digit.is_ascii_digit()) || text.starts_with(':') {
            *argument = format!("−{text}").into();
        }
    }
    let has_count = |argument: &OsString| {
        let digits = argument.to_str().and_then(|argument| argument.strip_prefix('-'));
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let after = command + 1;
    if arguments.get(command).is_some_and(|command| command == "head" || command == "tail")
        && arguments.get(after).is_some_and(has_count)
    {
        let count = arguments[after].to_str().unwrap_or_default()[1..].into();
        arguments.splice(after..=after, ["-n".into(), count]);
    }
    arguments
}

/// The index of the command; global options may precede it.
fn command_place(arguments: &[OsString]) -> usize {
    let mut place = 1;
    while let Some(argument) = arguments.get(place).and_then(|argument| argument.to_str()) {
        place += match argument {
            "--lang" | "--color" | "--backend" => 2,
            option if option.starts_with('-') => 1,
            _ => break,
        };
    }
    place
}

/// The reporting options of a command. All commands use the same names for them, and a list of `paths` ends with the output.
fn reporting(program: &clap::Command, name: &str, options: &ArgMatches) -> Reporting {
    // Not every command has every option. For an unknown id clap returns an error in debug builds and no value in release builds.
    let is_set = |id| options.try_get_one::<bool>(id).ok().flatten().is_some_and(|&set| set);
    let dry_run = is_set("dry_run");
    let json = is_set("json");
    let last = |id| options.try_get_many::<PathBuf>(id).ok().flatten().and_then(Iterator::last);
    // With `--list` or `--check`, all paths of `kifu` are inputs.
    let outputs: &[&str] = if name == "kifu" && (is_set("list") || is_set("check")) { &[] } else { &OUTPUTS };
    let to_stdout = outputs.iter().copied().filter_map(last).any(|path| standard::is_output(path));
    let is_given = |id| {
        options.try_contains_id(id).unwrap_or(false)
            && options.value_source(id) == Some(ValueSource::CommandLine)
    };
    // One file for the bad records of several outputs is refused.
    let can_skip = has_option(program, name, "on_error") && !is_given("out_dir");
    let can_search = has_option(program, name, "recursive");
    let can_salvage = has_option(program, name, "salvage");
    let reads_twice = name == "rescore" || name == "split" && is_given("parts") || is_given("partition");
    let can_repair = has_option(program, name, "repair") && !reads_twice;
    Reporting {
        dry_run,
        json,
        to_stdout,
        can_skip,
        can_search,
        can_salvage,
        can_repair,
        ..Reporting::default()
    }
}

/// The files that a command writes besides its output.
fn files_beside(options: &ArgMatches) -> Vec<PathBuf> {
    // As in `reporting`.
    let named = |id: &&str| options.try_get_one::<PathBuf>(id).ok().flatten();
    let collected = options.try_get_one("on_error").ok().flatten().and_then(OnBadRecord::collected);
    let files = BESIDE.iter().filter_map(named).map(PathBuf::as_path).chain(collected);
    files.filter(|path| !standard::is_output(path)).map(Path::to_owned).collect()
}

/// Reports why a command failed, on standard error and, with `--json`, also in place of its report; and returns its exit code.
fn report_failure(failure: Failure, context: &Context) -> u8 {
    let Some((report, code)) = failure.into_report(context) else { return 0 };
    let Completed { count, names } = completed::drain();
    if context.report.json {
        let outputs = names.iter().map(|name| json::named_file(name, None)).collect();
        // If the report cannot be written, the failure is still on standard error.
        let _ = Envelope { outputs, ..Envelope::failed(&report, context) }.write(&mut context.report_out());
    }
    context.print_error(&report);
    if count > 0 {
        context.print_completed(count, &names);
    }
    code
}

/// Names what killed runs have left beside the outputs of a command.
fn name_leftovers(context: &Context) {
    if context.report.quiet {
        return;
    }
    let folder = |name: &String| match Path::new(name).parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let folders: BTreeSet<PathBuf> = completed::drain().names.iter().map(folder).collect();
    for folder in folders {
        let found = leftovers::find(&folder).unwrap_or_default();
        let left =
            found.into_iter().filter(|leftover| matches!(leftover.state, State::Dead | State::Resumable));
        let name = |leftover: Leftover| leftover.path.file_name().unwrap_or_default().display().to_string();
        let names: Vec<String> = left.map(name).collect();
        if !names.is_empty() {
            let names = context.lang.first_names(&names, names.len() as u64);
            context.warn(&context.lang.left_by_killed_runs(folder.display(), names, shell::file(&folder)));
        }
    }
}

/// The value of a global option, found before clap parses, since clap's own texts depend on it.
fn global_option<T>(arguments: &[OsString], name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    let mut arguments = arguments.iter().skip(1).map(|argument| argument.to_str().unwrap_or_default());
    let mut last = None;
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            break;
        }
        let value = match argument.strip_prefix("--").and_then(|option| option.strip_prefix(name)) {
            Some("") => arguments.next(),
            Some(value) => value.strip_prefix('='),
            None => None,
        };
        last = value.and_then(&read).or(last);
    }
    last
}

/// Whether a command has an option.
fn has_option(program: &clap::Command, command: &str, id: &str) -> bool {
    program
        .find_subcommand(command)
        .is_some_and(|command| command.get_arguments().any(|argument| argument.get_id() == id))
}

/// Prints clap's output: help and version to standard output, usage errors to standard error and, with `--json`, in a report.
fn usage(mut error: clap::Error, lang: Lang, arguments: &[OsString], program: &clap::Command) -> u8 {
    // clap lists similar commands with the best match last, after some that are hardly similar.
    if let Some(ContextValue::Strings(names)) = error.get(ContextKind::SuggestedSubcommand)
        && let Some(closest) = names.last().cloned()
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(closest));
    }
    let file = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if Path::new(name).exists() => Some(name.clone()),
        _ => None,
    };
    if file.is_some() {
        error.remove(ContextKind::SuggestedSubcommand);
    }
    // A write error cannot be reported here.
    let _ = lang.print_usage(&error, program.get_color());
    if let Some(name) = file {
        eprintln!("{} {}", lang.help(), lang.file_as_command(&name, shell::file(&name)));
    }
    if !error.use_stderr() {
        return 0;
    }
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let name = arguments.get(command_place(arguments)).map(|name| name.to_string_lossy().into_owned());
    let command = name.filter(|name| has("--json") && has_option(program, name, "json"));
    if let Some(command) = command {
        let report = Reporting { json: true, to_stdout: has("-"), ..Reporting::default() };
        let context = Context::new(lang, command, report, command_line);
        let failure = Report::plain(lang.usage_line(&error));
        // If the report cannot be written, the failure is still on standard error.
        let _ = Envelope::failed(&failure, &context).write(&mut context.report_out());
    }
    COULD_NOT_RUN
}

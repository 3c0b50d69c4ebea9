//! The texts of `--help`, laid over the command line that clap's derive builds.

#[macro_use]
mod text;

mod datasets;
mod files;
mod positions;
mod program;

use clap::{Arg, ArgAction, Command};

use self::text::{Help, Text};
use super::lang::Lang;

/// For an argument with more values than this, the text itself names the command that lists them.
const MANY_VALUES: usize = 8;

/// Names the text of a command itself in place of an argument.
const ABOUT: &str = "";
/// Names what stands before the examples of a command, in place of an argument.
const NOTES: &str = "notes";
/// Names the texts of arguments for the commands that have no text of their own for them, in place of a command.
const ANY_COMMAND: &str = "any";
/// Names the texts of arguments that all commands share, in place of a command.
const ALL_COMMANDS: &str = "*";

const HELP: [Help; 4] = [program::HELP, files::HELP, datasets::HELP, positions::HELP];

/// The template of Japanese help: clap's, with its one fixed heading in Japanese.
const JAPANESE: &str = "{about-with-newline}\n使い方: {usage}\n\n{all-args}{after-help}";

/// The same command line without texts, which is quick to build: enough for arguments without faults.
pub fn bare(command: Command) -> Command {
    // `-h` and `--help` print the same help; no longer form exists.
    let help = Arg::new("help").short('h').long("help").global(true).action(ArgAction::HelpShort);
    command.disable_help_subcommand(true).disable_help_flag(true).arg(help)
}

/// Gives a command, its arguments and its subcommands the texts of a language.
pub fn overlay(command: Command, lang: Lang) -> Command {
    let mut command = bare(command);
    // Adds the global options to every subcommand, so that they get their texts as well.
    command.build();
    localise(command, lang)
}

/// Gives texts to the built parts of a command line: subcommands that no arguments have named yet only get their own.
pub fn localise(command: Command, lang: Lang) -> Command {
    let name = command.get_name().to_owned();
    let mut command = command.mut_args(|argument| describe(argument, &name, lang));
    if let Some(about) = find(&name, ABOUT) {
        command = command.about(about.in_lang(lang));
    }
    if let Some(usage) = usage_of(&mut command) {
        command = command.override_usage(usage);
    }
    let after = after_help(&name, lang);
    if !after.is_empty() {
        command = command.after_help(after);
    }
    if lang == Lang::Ja {
        command = command.help_template(JAPANESE).subcommand_help_heading("コマンド");
    }
    command.mut_subcommands(|subcommand| localise(subcommand, lang))
}

/// The notes and the examples after a command's help.
fn after_help(name: &str, lang: Lang) -> String {
    let mut after = find(name, NOTES).map_or_else(String::new, |notes| notes.in_lang(lang).to_owned());
    let examples = HELP.iter().flat_map(|help| help.examples).find(|examples| examples.command == name);
    let lines = examples.map_or(&[][..], |examples| examples.lines);
    if !after.is_empty() && !lines.is_empty() {
        after.push('\n');
    }
    after += match (lines, lang) {
        ([], _) => "",
        ([_], Lang::En) => "Example:",
        (_, Lang::En) => "Examples:",
        (_, Lang::Ja) => "例:",
    };
    for line in lines {
        after += &format!("\n  {line}");
    }
    after
}

/// The usage of a command whose inputs and output are one argument to clap, `<IN|OUT>...`: each has its own name there.
fn usage_of(command: &mut Command) -> Option<String> {
    let names = command.get_positionals().find_map(Arg::get_value_names)?.first()?.to_string();
    let (inputs, others) = names.split_once('|')?;
    let usage = command.render_usage().to_string();
    let (_, usage) = usage.split_once(": ")?;
    let each = format!("<{inputs}>... <{}>", others.replace('|', "> <"));
    let usage = usage.replace(&format!("<{names}>..."), &each);
    Some(match command.get_name() {
        "convert" => {
            format!("{usage}\n       komabako convert [OPTIONS] <IN>... --to <FORMAT> --out-dir <DIR>")
        }
        _ => usage,
    })
}

/// The longest run of Japanese characters without a space, two columns each, that is left as it is.
const LONGEST_RUN: usize = 24;

fn describe(argument: Arg, command: &str, lang: Lang) -> Arg {
    let id = argument.get_id().as_str();
    let Some(text) = text_of(command, id) else { return argument };
    let is_shared = text.command == ALL_COMMANDS;
    let heading = match (lang, is_shared, argument.is_positional()) {
        (Lang::En, true, _) => "Common options",
        (Lang::Ja, true, _) => "共通オプション",
        (Lang::En, false, true) => "Arguments",
        (Lang::Ja, false, true) => "引数",
        (Lang::En, false, false) => "Options",
        (Lang::Ja, false, false) => "オプション",
    };
    let text = match lang {
        Lang::En => text.in_lang(lang).to_owned(),
        Lang::Ja => breakable(text.in_lang(lang)),
    };
    let help = text + &values(&argument, lang);
    argument.help(help).help_heading(heading).hide_possible_values(true).hide_default_value(true)
}

/// Adds spaces after the punctuation of long sentences without any: clap breaks lines only at spaces. [`unbroken`] removes those that
/// are left.
fn breakable(text: &str) -> String {
    let runs = text.split(' ').map(|run| {
        if run.chars().count() <= LONGEST_RUN {
            return run.to_owned();
        }
        run.replace('。', "。 ").replace('、', "、 ").trim_end().to_owned()
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// A rendered text without spaces after Japanese punctuation. None of our texts has one there, but clap needs some to break lines at.
pub fn unbroken(rendered: &str) -> String {
    rendered.replace("。 ", "。").replace("、 ", "、")
}

/// The values of an argument, with the default: clap's own list is in English and long.
fn values(argument: &Arg, lang: Lang) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let names: Vec<String> =
        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let default = argument.get_default_values().first().and_then(|value| value.to_str());
    match (names.is_empty(), default, lang) {
        _ if names.len() > MANY_VALUES => String::new(),
        (true, None, _) => String::new(),
        (false, None, _) => format!(" [{}]", names.join(", ")),
        (true, Some(default), Lang::En) => format!(" [default: {default}]"),
        (true, Some(default), Lang::Ja) => format!(" [既定: {default}]"),
        (false, Some(default), Lang::En) => format!(" [{}; default: {default}]", names.join(", ")),
        (false, Some(default), Lang::Ja) => format!(" [{}、既定: {default}]", names.join(", ")),
    }
}

/// The text of an argument: the command's own, or that of any command, or a shared one.
fn text_of(command: &str, argument: &str) -> Option<&'static Text> {
    [command, ANY_COMMAND, ALL_COMMANDS].into_iter().find_map(|command| find(command, argument))
}

fn find(command: &str, argument: &str) -> Option<&'static Text> {
    HELP.iter().flat_map(|help| help.texts).find(|text| text.is_of(command) && text.argument == argument)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;

    /// The command and its subcommands.
    fn commands(lang: Lang) -> Vec<Command> {
        let program = cli::command_line(lang);
        let subcommands: Vec<Command> = program.get_subcommands().cloned().collect();
        [program].into_iter().chain(subcommands).collect()
    }

    #[test]
    fn help_builds_the_arguments_of_one_command_only() {
        let mut program = bare(cli::bare_command_line());
        program.try_get_matches_from_mut(["komabako", "convert", "--help"]).expect_err("help is asked for");
        let program = localise(program, Lang::En);
        for command in program.get_subcommands() {
            let is_named = command.get_name() == "convert";
            assert_eq!(command.get_arguments().any(|argument| argument.get_id() == "from"), is_named);
            assert!(command.get_about().is_some());
        }
    }

    #[test]
    fn every_command_and_argument_has_a_text_in_both_languages() {
        for lang in [Lang::En, Lang::Ja] {
            for command in commands(lang) {
                let name = command.get_name();
                let about = command.get_about().map(ToString::to_string);
                assert_eq!(about.as_deref(), find(name, ABOUT).map(|text| text.in_lang(lang)), "{name}");
                assert!(about.is_some(), "{name}");
                for argument in command.get_arguments() {
                    let id = argument.get_id().as_str();
                    let text = text_of(name, id).expect(id).in_lang(lang);
                    let help = argument.get_help().expect(id).to_string();
                    // Japanese texts may have more spaces.
                    let [text, help] = [text, &help].map(|text| text.replace(' ', ""));
                    assert!(help.starts_with(&text), "{name} {id}: {help}");
                }
            }
        }
    }

    #[test]
    fn japanese_texts_are_japanese_and_not_empty() {
        let commands = commands(Lang::En);
        for text in HELP.iter().flat_map(|help| help.texts) {
            assert!(text.ja.chars().any(|letter| letter >= '\u{3040}'), "{}", text.ja);
            // A line of the source without a backslash at its end would bring its indentation along.
            let is_plain = |text: &str| !text.contains("  ") && !text.contains('\n');
            assert!(text.argument == NOTES || [text.en, text.ja].into_iter().all(is_plain), "{}", text.ja);
            let is_of = |command: &Command| {
                let is_known = |id: &str| command.get_arguments().any(|argument| argument.get_id() == id);
                ([ANY_COMMAND, ALL_COMMANDS].contains(&text.command) || text.is_of(command.get_name()))
                    && (matches!(text.argument, ABOUT | NOTES) || is_known(text.argument))
            };
            assert!(commands.iter().any(is_of), "{} {}", text.command, text.argument);
        }
        for examples in HELP.iter().flat_map(|help| help.examples) {
            assert!(commands.iter().any(|command| command.get_name() == examples.command));
        }
    }
}

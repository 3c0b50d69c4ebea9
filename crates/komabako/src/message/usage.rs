//! clap's errors of usage, in Japanese where the language is Japanese.

use std::error::Error;
use std::fmt::{self, Write};
use std::io;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use anstream::AutoStream;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::lang::Lang;

impl Lang {
    /// Prints help or version to standard output, an error of usage to standard error.
    pub fn print_usage(self, error: &clap::Error) -> io::Result<()> {
        match self.usage(error) {
            Some(text) => io::Write::write_all(&mut AutoStream::auto(io::stderr()), text.as_bytes()),
            None => error.print(),
        }
    }

    /// The first line of the error, without its label and colours.
    pub fn usage_line(self, error: &clap::Error) -> String {
        let text = self.usage(error).unwrap_or_else(|| error.render().to_string());
        let text = anstream::adapter::strip_str(&text).to_string();
        let line = text.lines().next().unwrap_or_default();
        line.split_once(": ").map_or(line, |(_, what)| what).to_owned()
    }

    /// Our text for an error; `None` to print clap's.
    fn usage(self, error: &clap::Error) -> Option<String> {
        match self {
            Lang::Ja => japanese(error),
            Lang::En if error.kind() == ErrorKind::ValueValidation => {
                Some(error.render().ansi().to_string().replace(ZERO, "give 1 or more"))
            }
            Lang::En => None,
        }
    }
}

/// The standard library's error for a zero.
const ZERO: &str = "number would be zero for non-zero type";

/// The form of a valid value, for the error about an invalid one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted(pub String);

impl Wanted {
    /// Examples.
    pub fn like(examples: &str) -> Wanted {
        Wanted(examples.to_owned())
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "give {}", self.0)
    }
}

impl Error for Wanted {}

/// The error in Japanese, or `None` for help, version and errors of a rarer kind.
fn japanese(error: &clap::Error) -> Option<String> {
    let part = |kind| error.get(kind).map(value).unwrap_or_default();
    let argument = part(ContextKind::InvalidArg);
    let given = part(ContextKind::InvalidValue);
    let mut text = match error.kind() {
        ErrorKind::UnknownArgument => format!("`{argument}` という引数はありません"),
        ErrorKind::InvalidSubcommand => {
            format!("`{}` というコマンドはありません", part(ContextKind::InvalidSubcommand))
        }
        ErrorKind::MissingSubcommand => "コマンドを指定してください".to_owned(),
        ErrorKind::MissingRequiredArgument => format!("引数が足りません: {argument}"),
        ErrorKind::InvalidValue if given.is_empty() => format!("`{argument}` に値が必要です"),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            format!("`{argument}` の値 `{given}` は使えません")
        }
        ErrorKind::TooManyValues => format!("`{argument}` に値 `{given}` は付けられません"),
        ErrorKind::InvalidUtf8 => "引数に UTF-8 ではないものがあります".to_owned(),
        ErrorKind::ArgumentConflict if argument == part(ContextKind::PriorArg) => {
            format!("`{argument}` は 1 回しか指定できません")
        }
        ErrorKind::ArgumentConflict => {
            format!("`{argument}` は `{}` と同時に指定できません", part(ContextKind::PriorArg))
        }
        _ => return None,
    };
    text = format!("エラー: {text}\n");
    let valid = error.source().map_or_else(|| part(ContextKind::ValidValue), |why| wanted(why, &given));
    if !valid.is_empty() {
        let _ = writeln!(text, "  使える値: {valid}");
    }
    for kind in [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand] {
        let suggested = part(kind);
        if !suggested.is_empty() {
            let _ = writeln!(text, "  対処: もしかして: {suggested}");
        }
    }
    let usage = part(ContextKind::Usage);
    if let Some((_, usage)) = usage.split_once(": ") {
        let _ = writeln!(text, "\n使い方: {usage}");
    }
    let _ = writeln!(text, "\n詳しくは `--help` をご覧ください。");
    Some(text)
}

/// The valid values of an argument, taken from the error about the given one: the error of the number's parser, of clap, or of
/// the argument's own parser.
fn wanted(why: &(dyn Error + 'static), given: &str) -> String {
    if let Some(error) = why.downcast_ref::<ParseIntError>() {
        let wanted = match error.kind() {
            IntErrorKind::Zero => "1 以上の整数",
            IntErrorKind::PosOverflow => "これより小さい整数",
            _ => "0 以上の整数",
        };
        return wanted.to_owned();
    }
    if why.is::<ParseFloatError>() {
        return "数".to_owned();
    }
    if let Some(Wanted(wanted)) = why.downcast_ref() {
        return wanted.clone();
    }
    let why = why.to_string();
    why.strip_prefix(&format!("{given} is not in ")).unwrap_or(&why).to_owned()
}

fn value(value: &ContextValue) -> String {
    value.to_string()
}

//! clap's errors of usage, in Japanese where the language is Japanese.

use std::error::Error;
use std::fmt::{self, Write};
use std::io;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use anstream::{AutoStream, ColorChoice};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use komabako::dataset::NotAPartition;

use super::help::unbroken;
use super::lang::Lang;

impl Lang {
    /// Prints help or version to standard output, an error of usage to standard error.
    pub fn print_usage(self, error: &clap::Error, color: clap::ColorChoice) -> io::Result<()> {
        let text = self.usage(error).unwrap_or_else(|| unbroken(&error.render().ansi().to_string()));
        let color = match color {
            clap::ColorChoice::Auto => ColorChoice::Auto,
            clap::ColorChoice::Always => ColorChoice::Always,
            clap::ColorChoice::Never => ColorChoice::Never,
        };
        if error.use_stderr() {
            io::Write::write_all(&mut AutoStream::new(io::stderr(), color), text.as_bytes())
        } else {
            io::Write::write_all(&mut AutoStream::new(io::stdout(), color), text.as_bytes())
        }
    }

    /// The error up to its first blank line, in one line, without its label and colours.
    pub fn usage_line(self, error: &clap::Error) -> String {
        let text = self.usage(error).unwrap_or_else(|| error.render().to_string());
        let text = anstream::adapter::strip_str(&text).to_string();
        let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        let line = lines.join(" ");
        line.split_once(": ").map_or(&*line, |(_, what)| what).to_owned()
    }

    /// Our text for an error; `None` to print clap's.
    fn usage(self, error: &clap::Error) -> Option<String> {
        match self {
            Lang::Ja => japanese(error),
            Lang::En if error.kind() == ErrorKind::ValueValidation => {
                let why = error.source()?;
                let given = error.get(ContextKind::InvalidValue).map(value).unwrap_or_default();
                let ours = match wanted(why, &given, self)? {
                    (true, values) => format!("give a value such as {values}"),
                    (false, values) => format!("give {values}"),
                };
                Some(error.render().ansi().to_string().replace(&why.to_string(), &ours))
            }
            Lang::En => None,
        }
    }
}

/// The valid values, or some of them, for the error about an invalid one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    values: String,
    are_examples: bool,
}

impl Wanted {
    /// All valid values, in words of every language: `1 … 9`, `skip, FILE`.
    pub fn one_of(values: impl Into<String>) -> Wanted {
        Wanted { values: values.into(), are_examples: false }
    }

    /// Some valid values.
    pub fn like(examples: &str) -> Wanted {
        Wanted { values: examples.to_owned(), are_examples: true }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.values)
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
    let (are_examples, valid) = match error.source() {
        Some(why) => wanted(why, &given, Lang::Ja).unwrap_or_else(|| (false, why.to_string())),
        None => (false, part(ContextKind::ValidValue)),
    };
    if !valid.is_empty() {
        let label = if are_examples { "使える値の例" } else { "使える値" };
        let _ = writeln!(text, "  {label}: {valid}");
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

/// The valid values of an argument, and whether they are only examples; taken from the error about the given one: the error of
/// the number's parser, of clap, or of the argument's own parser. `None` for another error.
fn wanted(why: &(dyn Error + 'static), given: &str, lang: Lang) -> Option<(bool, String)> {
    if let Some(Wanted { values, are_examples }) = why.downcast_ref() {
        return Some((*are_examples, values.clone()));
    }
    if let Some(error) = why.downcast_ref::<ParseIntError>() {
        let values = match_text!(lang, error.kind();
            IntErrorKind::Zero => "1 or more", "1 以上の整数";
            IntErrorKind::PosOverflow => "a smaller number", "これより小さい整数";
            _ => "a whole number, 0 or more", "0 以上の整数";
        );
        return Some((false, values));
    }
    if why.is::<ParseFloatError>() {
        return Some((false, match_text!(lang, (); () => "a number", "数";)));
    }
    if let Some(error) = why.downcast_ref::<NotAPartition>() {
        return Some((false, lang.say(error)));
    }
    let why = why.to_string();
    let range = why.strip_prefix(&format!("{given} is not in "))?;
    Some((false, range.replace("..=", " … ")))
}

fn value(value: &ContextValue) -> String {
    value.to_string()
}

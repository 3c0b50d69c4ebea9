//! Every text of the program, in English and Japanese side by side.
//!
//! A text is a method of [`Lang`], so a command says `lang.cannot_open(path, error)` and knows nothing of languages.
//! Errors of the libraries are put into words here too, by kind ([`fault`]); a kind without a Japanese text falls
//! back to the library's English.

/// Declares texts: `name(arguments) { "English", "日本語" }`, with the arguments captured in both.
macro_rules! texts {
    ($($name:ident($($argument:ident),*) { $en:literal, $ja:literal })*) => {
        impl $crate::message::Lang {
            $(
                pub fn $name(self $(, $argument: impl std::fmt::Display)*) -> String {
                    match self {
                        $crate::message::Lang::En => format!($en),
                        $crate::message::Lang::Ja => format!($ja),
                    }
                }
            )*
        }
    };
}

mod backends;
mod common;
mod convert;
mod dataset;
mod diff;
mod external;
mod fault;
mod formats;
mod game;
pub mod help;
mod info;
mod inspect;
mod kifu;
mod manual;
pub mod mismatch;
mod record;
mod repair;
mod scores;
mod select;
mod solve;
mod split;
mod stats;
mod text_lines;
mod usage;
mod validate;

use clap::ValueEnum;

pub use common::{counted, grouped};
pub use usage::Wanted;

/// A language of the program's texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Lang {
    /// English.
    En,
    /// 日本語
    Ja,
}

impl Lang {
    /// The language that the environment asks for, by POSIX's order of variables: the first that is set and not
    /// empty of `LC_ALL`, `LC_MESSAGES` and `LANG` decides.
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Self {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(variable)
            .find(|locale| !locale.is_empty())
            .unwrap_or_default();
        if locale.starts_with("ja") { Lang::Ja } else { Lang::En }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let lang = |variables: &[(&str, &str)]| {
            Lang::from_env(|name| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
            })
        };
        assert_eq!(lang(&[]), Lang::En);
        assert_eq!(lang(&[("LANG", "ja_JP.UTF-8")]), Lang::Ja);
        assert_eq!(lang(&[("LC_ALL", ""), ("LC_MESSAGES", "ja")]), Lang::Ja);
        assert_eq!(lang(&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")]), Lang::En);
    }
}

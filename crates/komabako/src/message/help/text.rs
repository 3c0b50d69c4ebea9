//! [`Text`] and [`Examples`]: the texts of help.

use crate::message::lang::Lang;

/// The texts and the examples of some commands.
pub struct Help {
    pub texts: &'static [Text],
    pub examples: &'static [Examples],
}

/// Examples of a command, in every language.
pub struct Examples {
    pub command: &'static str,
    pub lines: &'static [&'static str],
}

/// A text of help: of a command or several, of one of their arguments, or the notes after a command's help.
pub struct Text {
    /// The command, or several with blanks between.
    pub command: &'static str,
    pub argument: &'static str,
    pub en: &'static str,
    pub ja: &'static str,
}

impl Text {
    /// Whether this is a text of a command.
    pub fn is_of(&self, command: &str) -> bool {
        self.command.split(' ').any(|name| name == command)
    }

    pub fn in_lang(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Ja => self.ja,
        }
    }
}

/// Declares texts and examples: `command { argument: "English", "日本語"; examples "komabako …"; }`.
macro_rules! help {
    ($($command:tt {
        $($argument:literal: $en:literal, $ja:literal;)*
        $(examples $($example:literal),*;)?
    })*) => {
        $crate::message::help::text::Help {
            texts: &[$($($crate::message::help::text::Text {
                command: $command,
                argument: $argument,
                en: $en,
                ja: $ja,
            },)*)*],
            examples: &[$($($crate::message::help::text::Examples {
                command: $command,
                lines: &[$($example),*],
            },)?)*],
        }
    };
}

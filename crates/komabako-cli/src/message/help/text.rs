//! [`Text`]: a text of help.

use crate::message::lang::Lang;

/// A text of help: of a command or several, of one of their arguments, or the examples after a command's help.
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

/// Declares texts: `command { argument: "English", "日本語"; }`.
macro_rules! help {
    ($($command:tt { $($argument:tt: $en:literal, $ja:literal;)* })*) => {
        &[$($(Text { command: $command, argument: $argument, en: $en, ja: $ja },)*)*]
    };
}

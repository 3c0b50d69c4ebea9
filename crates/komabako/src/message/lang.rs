//! [`Lang`]: the languages of the program's texts.

use clap::ValueEnum;
use komabako::messages::{self, Message};

/// A language of the program's texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Lang {
    /// English.
    En,
    /// 日本語
    Ja,
}

impl From<Lang> for messages::Lang {
    fn from(lang: Lang) -> messages::Lang {
        match lang {
            Lang::En => messages::Lang::En,
            Lang::Ja => messages::Lang::Ja,
        }
    }
}

impl Lang {
    /// What the libraries say in the language.
    pub fn say(self, message: &impl Message) -> String {
        message.in_lang(self.into()).to_string()
    }

    /// The language that the environment selects, by POSIX's order of variables: the first that is set and not empty of
    /// `LC_ALL`, `LC_MESSAGES` and `LANG` decides. Without one, the system's own setting does.
    pub fn from_env(
        variable: impl Fn(&str) -> Option<String>,
        system: impl FnOnce() -> Option<String>,
    ) -> Self {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(variable)
            .find(|locale| !locale.is_empty())
            .or_else(system)
            .unwrap_or_default();
        if locale.starts_with("ja") { Lang::Ja } else { Lang::En }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_variable_that_is_set_decides() {
        let lang = |variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
            };
            Lang::from_env(variable, || None)
        };
        assert_eq!(lang(&[]), Lang::En);
        // As on Windows, where no variable is set.
        assert_eq!(Lang::from_env(|_| None, || Some("ja-JP".to_owned())), Lang::Ja);
        let english = |name: &str| (name == "LANG").then(|| "en_GB".to_owned());
        assert_eq!(Lang::from_env(english, || Some("ja-JP".to_owned())), Lang::En);
        assert_eq!(lang(&[("LANG", "ja_JP.UTF-8")]), Lang::Ja);
        assert_eq!(lang(&[("LC_ALL", ""), ("LC_MESSAGES", "ja")]), Lang::Ja);
        assert_eq!(lang(&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")]), Lang::En);
    }
}

//! [`Lang`]: the languages of the program's texts.

use clap::ValueEnum;

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

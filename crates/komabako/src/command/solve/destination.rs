//! [`Destination`]: the place and the form of the answers.

use std::path::PathBuf;

use komabako::kifu::Format;

use crate::message::Wanted;

/// The form in which answers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Text,
    Usi,
    Sfen,
    Json,
    Tsv,
    /// A game record.
    Game(Format),
}

/// The value of `--output`: a form on standard output, or a file whose name implies the form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    pub form: Form,
    pub path: Option<PathBuf>,
}

impl Form {
    const NAMES: [(&'static str, Form); 9] = [
        ("text", Form::Text),
        ("usi", Form::Usi),
        ("sfen", Form::Sfen),
        ("json", Form::Json),
        ("tsv", Form::Tsv),
        ("kif", Form::Game(Format::Kif)),
        ("ki2", Form::Game(Format::Ki2)),
        ("csa", Form::Game(Format::Csa)),
        ("jkf", Form::Game(Format::Jkf)),
    ];

    /// Whether `--skip-solved` continues a file of this form.
    pub fn can_be_continued(self) -> bool {
        matches!(self, Form::Json | Form::Tsv)
    }

    /// The form that an extension implies.
    fn of_extension(extension: &str) -> Option<Form> {
        match &*extension.to_ascii_lowercase() {
            "txt" => Some(Form::Text),
            "tsv" => Some(Form::Tsv),
            "json" | "jsonl" => Some(Form::Json),
            // Lines that other programs read as games, like the lines of `kifu`.
            "usi" | "sfen" => Some(Form::Sfen),
            other => Format::from_extension(other).map(Form::Game),
        }
    }
}

/// Reads the value of `--output`.
pub fn parse(text: &str) -> Result<Destination, Wanted> {
    if let Some(&(_, form)) = Form::NAMES.iter().find(|(name, _)| *name == text) {
        return Ok(Destination { form, path: None });
    }
    let path = PathBuf::from(text);
    let form = path.extension().and_then(|extension| Form::of_extension(extension.to_str()?));
    match form {
        Some(form) => Ok(Destination { form, path: Some(path) }),
        None => {
            let names = Form::NAMES.map(|(name, _)| name).join(", ");
            let extensions = ".kif, .kifu, .ki2, .ki2u, .csa, .jkf, .usi, .json, .tsv, .txt";
            Err(Wanted::one_of(format!("{names}; FILE{extensions}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_a_form_or_a_file_with_an_extension() {
        let form = |text| parse(text).map(|destination| (destination.form, destination.path.is_some()));
        assert_eq!(form("kif"), Ok((Form::Game(Format::Kif), false)));
        assert_eq!(form("answers.KIF"), Ok((Form::Game(Format::Kif), true)));
        assert_eq!(form("a/b.tsv"), Ok((Form::Tsv, true)));
        assert_eq!(form("lines.usi"), Ok((Form::Sfen, true)));
        assert!(form("answers").is_err() && form("answers.psv").is_err());
    }
}

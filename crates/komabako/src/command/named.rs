//! [`named`]: values of options by their names.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use komabako::dataset::FileFormat;

/// Reads a name as its value; help and completions list the names.
pub fn named<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<(&'static str, T)> = values.into_iter().collect();
    let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
    PossibleValuesParser::new(names).map(move |name| {
        // For an option that ignores case, the name is as it was given.
        let found = values.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
        found.expect("one of their own names").1.clone()
    })
}

/// Reads the name of a file format.
pub fn file_format() -> impl TypedValueParser<Value = FileFormat> {
    named(FileFormat::ALL.iter().map(|&format| (format.name(), format)))
}

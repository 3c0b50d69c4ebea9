//! The names of file formats as values of options.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use komabako::dataset::FileFormat;

/// Reads a format's name; help and completions list the names.
pub fn parser() -> impl TypedValueParser<Value = FileFormat> {
    PossibleValuesParser::new(FileFormat::ALL.iter().map(|format| format.name()))
        .map(|name| name.parse().expect("one of the formats' own names"))
}

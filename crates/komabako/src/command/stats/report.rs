//! [`Report`]: the figures of `stats`, for `--json`, text and HTML, with their inputs.

pub use komabako::dataset::stats::figures::{Bin, ByColor, Figures, Kind, King, Mover};
use komabako::dataset::stats::{MissingParts, Saved, SavedInput, Summary};
use komabako::dataset::{Compression, FileFormat, Name, Partition};
use serde::Serialize;

use crate::context::Context;
use crate::json::{Envelope, File as JsonFile, object};
use crate::message::Lang;

/// The figures of all inputs together.
pub struct Report {
    pub inputs: Vec<Source>,
    /// Only for merged inputs: a user who counts one part knows that others exist.
    pub missing_parts: Vec<MissingParts>,
    pub figures: Figures,
}

pub struct Source {
    pub name: Name,
    pub format: Option<&'static str>,
    pub compression: &'static str,
}

impl Report {
    /// The report of the counted records, and of the missing parts of merged inputs.
    pub fn new(saved: &Saved, missing_parts: Vec<MissingParts>, lang: Lang) -> Self {
        let inputs = saved.inputs().into_iter().map(|input| Source::new(input, lang)).collect();
        Report { inputs, missing_parts, figures: Figures::new(&saved.summary.stats) }
    }
}

impl Source {
    fn new(input: SavedInput, lang: Lang) -> Source {
        // A later version may know more formats: those have no name here.
        let format = |name| FileFormat::ALL.iter().map(|format| format.name()).find(|&known| known == name);
        let compression =
            |name| Compression::ALL.iter().map(|compression| compression.name()).find(|&known| known == name);
        Source {
            format: input.format.as_deref().and_then(format),
            compression: compression(&*input.compression).unwrap_or_default(),
            // A stream has no name of its own.
            name: if input.name == "-" { Name::Stream(lang.stdin().into()) } else { input.name.into() },
        }
    }
}

/// The report of `--json`.
pub fn to_json<'a>(
    report: &'a Report,
    summary: &'a Summary,
    context: &'a Context,
) -> Envelope<'a, impl Serialize> {
    let lang = context.lang;
    let inputs = report.inputs.iter().map(|input| JsonFile {
        name: input.name.plain(),
        format: input.format,
        compression: Some(input.compression),
    });
    let missing = report.missing_parts.iter().map(|missing| {
        object! {
            names: missing.inputs.iter().map(|input| &*input.name).collect::<Vec<_>>(),
            partitions: missing.partitions.iter().map(Partition::to_string).collect::<Vec<_>>(),
        }
    });
    let members = object! {
        merged_tails: summary.merged_tails,
        missing_parts: missing.collect::<Vec<_>>(),
        #[serde(flatten)]
        figures: &report.figures,
    };
    Envelope {
        inputs: inputs.collect(),
        written: None,
        bytes_written: None,
        ..Envelope::with(members, context).with_counts(&summary.counts, lang)
    }
}

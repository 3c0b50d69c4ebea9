//! [`Report`]: the figures of `stats`, for `--json`, text and HTML, with their inputs.

pub use komabako::dataset::stats::figures::{Bin, ByColor, Figures, Kind, King, Mover, Place};
use komabako::dataset::stats::{MissingParts, Saved, SavedInput, Summary};
use komabako::dataset::{Compression, FileFormat, Name, Partition};
use serde::Serialize;

use crate::context::Context;
use crate::json::{Envelope, File as JsonFile};
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

/// The members of this command only.
#[derive(Serialize)]
pub struct CommandMembers<'a> {
    merged_tails: u64,
    missing_parts: Vec<Missing<'a>>,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// Uncounted parts of inputs whose other parts were counted.
#[derive(Serialize)]
struct Missing<'a> {
    names: Vec<&'a str>,
    partitions: Vec<String>,
}

impl<'a> Missing<'a> {
    fn new(missing: &'a MissingParts) -> Self {
        Missing {
            names: missing.inputs.iter().map(|input| &*input.name).collect(),
            partitions: missing.partitions.iter().map(Partition::to_string).collect(),
        }
    }
}

/// The report of `--json`.
pub fn to_json<'a>(
    report: &'a Report,
    summary: &'a Summary,
    context: &'a Context,
) -> Envelope<'a, CommandMembers<'a>> {
    let lang = context.lang;
    let inputs = report.inputs.iter().map(|input| JsonFile {
        name: input.name.plain(),
        format: input.format,
        compression: Some(input.compression),
    });
    let members = CommandMembers {
        merged_tails: summary.merged_tails,
        missing_parts: report.missing_parts.iter().map(Missing::new).collect(),
        figures: &report.figures,
    };
    Envelope {
        inputs: inputs.collect(),
        written: None,
        bytes_written: None,
        ..Envelope::with(members, context).with_counts(&summary.counts, lang)
    }
}

//! [`Report`]: the figures of `stats`, for `--json`, text and HTML, with their inputs.

pub use komabako::dataset::stats::figures::{Bin, ByColor, Figures, Kind, King, Mover, Place};
use komabako::dataset::stats::{MissingParts, Saved, SavedInput, Summary};
use komabako::dataset::{Compression, FileFormat, Partition};
use serde::Serialize;

use crate::context::Context;
use crate::json::{self, Envelope, File as JsonFile};
use crate::message::Lang;

/// The figures of all inputs together.
pub struct Report {
    pub inputs: Vec<Source>,
    /// Only for merged inputs: a user who counts one part knows that others exist.
    pub missing_parts: Vec<MissingParts>,
    pub figures: Figures,
}

pub struct Source {
    pub name: String,
    pub format: Option<&'static str>,
    pub compression: &'static str,
}

impl Report {
    /// The report of the counted records, and of the missing parts of merged inputs.
    pub fn new(saved: &Saved, missing_parts: Vec<MissingParts>) -> Self {
        let inputs = saved.inputs().into_iter().map(Source::new).collect();
        Report { inputs, missing_parts, figures: Figures::new(&saved.summary.stats) }
    }
}

impl Source {
    fn new(input: SavedInput) -> Source {
        // A later version may know more formats: those have no name here.
        let format = |name| FileFormat::ALL.iter().map(|format| format.name()).find(|&known| known == name);
        let compression =
            |name| Compression::ALL.iter().map(|compression| compression.name()).find(|&known| known == name);
        Source {
            format: input.format.as_deref().and_then(format),
            compression: compression(&*input.compression).unwrap_or_default(),
            name: input.name,
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
    fn new(missing: &'a MissingParts, lang: Lang) -> Self {
        Missing {
            names: missing.inputs.iter().map(|input| json::plain_name(&input.name, lang)).collect(),
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
        name: json::plain_name(&input.name, lang),
        format: input.format,
        compression: Some(input.compression),
    });
    let members = CommandMembers {
        merged_tails: summary.merged_tails,
        missing_parts: report.missing_parts.iter().map(|missing| Missing::new(missing, lang)).collect(),
        figures: &report.figures,
    };
    Envelope {
        inputs: inputs.collect(),
        written: None,
        bytes_written: None,
        ..Envelope::with(members, context).with_counts(&summary.counts, lang)
    }
}

//! [`Report`]: the figures of `stats`, as `--json` has them and as text and HTML show them, with their inputs.

use komabako::dataset::stats::Summary;
pub use komabako::dataset::stats::figures::{Bin, ByColor, Figures, Kind, King, Mover, Place};
use komabako::dataset::{Compression, FileFormat, Inputs};

use crate::context::Context;
use crate::json::{self, Envelope, File as JsonFile};

/// What is in the inputs, all together.
pub struct Report {
    pub inputs: Vec<Source>,
    pub figures: Figures,
}

pub struct Source {
    pub name: String,
    pub format: Option<&'static str>,
    pub compression: &'static str,
}

/// The inputs, before a job uses them up.
pub fn inputs(inputs: &Inputs) -> Vec<Source> {
    let source = |source: &komabako::dataset::Source| Source {
        name: source.name().to_owned(),
        format: source.detection().format.map(FileFormat::name),
        compression: Compression::name(source.detection().compression),
    };
    inputs.sources().iter().map(source).collect()
}

impl Report {
    /// The report of what was counted.
    pub fn new(inputs: Vec<Source>, summary: &Summary) -> Self {
        Report { inputs, figures: Figures::new(&summary.stats) }
    }
}

/// The report of `--json`.
pub fn to_json<'a>(
    report: &'a Report,
    summary: &'a Summary,
    context: &'a Context,
) -> Envelope<'a, &'a Figures> {
    let lang = context.lang;
    let inputs = report.inputs.iter().map(|input| JsonFile {
        name: json::plain_name(&input.name, lang),
        format: input.format,
        compression: Some(input.compression),
    });
    Envelope {
        inputs: inputs.collect(),
        written: None,
        bytes_written: None,
        ..Envelope::with(&report.figures, context).with_counts(&summary.counts, lang)
    }
}

//! [`Report`]: the figures of `stats`, as `--json` has them and as text and HTML show them, with their inputs.

pub use komabako::dataset::stats::figures::{Bin, ByColor, Figures, Kind, King, Mover, Place};
use komabako::dataset::stats::{Saved, SavedInput, Summary};
use komabako::dataset::{Compression, FileFormat};
use serde::Serialize;

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

impl Report {
    /// The report of what was counted.
    pub fn new(saved: &Saved) -> Self {
        let inputs = saved.inputs().into_iter().map(Source::new).collect();
        Report { inputs, figures: Figures::new(&saved.summary.stats) }
    }
}

impl Source {
    fn new(input: SavedInput) -> Source {
        // A later version may know more formats: those have no name here.
        let format = |name| FileFormat::ALL.iter().map(|format| format.name()).find(|&known| known == name);
        let compression =
            |name| Compression::ALL.into_iter().map(Compression::name).find(|&known| known == name);
        Source {
            format: input.format.as_deref().and_then(format),
            compression: compression(&*input.compression).unwrap_or_default(),
            name: input.name,
        }
    }
}

/// The members of this command alone.
#[derive(Serialize)]
pub struct Own<'a> {
    merged_tails: u64,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// The report of `--json`.
pub fn to_json<'a>(report: &'a Report, summary: &'a Summary, context: &'a Context) -> Envelope<'a, Own<'a>> {
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
        ..Envelope::with(Own { merged_tails: summary.merged_tails, figures: &report.figures }, context)
            .with_counts(&summary.counts, lang)
    }
}

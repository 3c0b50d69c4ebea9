//! [`Route`]: the inputs and the output of a job.

use std::fmt;

use komabako::dataset::{Compression, FileFormat, Inputs, Source};

/// The inputs and the output of a job.
pub struct Route {
    /// The inputs in their order.
    pub inputs: Vec<End>,
    /// The output.
    pub output: End,
}

/// An input or the output of a job.
pub struct End {
    /// The name of the file or stream.
    pub name: String,
    /// Its format; `None` for an empty input whose name does not imply one.
    pub format: Option<FileFormat>,
    /// Its compression.
    pub compression: Compression,
}

impl Route {
    /// The route of a job from `inputs` to the output of this name.
    pub fn new(inputs: &Inputs, to: FileFormat, compression: Compression, output: String) -> Self {
        Route { inputs: End::of_all(inputs), output: End { name: output, format: Some(to), compression } }
    }
}

impl End {
    /// The inputs of a job.
    pub fn of_all(inputs: &Inputs) -> Vec<End> {
        let end = |source: &Source| End {
            name: source.name().to_owned(),
            format: source.detection().format,
            compression: source.detection().compression,
        };
        inputs.sources().iter().map(end).collect()
    }
}

impl fmt::Display for Route {
    /// `a.psv (psv) + b.psv (psv) -> c.hcpe (hcpe)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, input) in self.inputs.iter().enumerate() {
            write!(f, "{}{input}", if place == 0 { "" } else { " + " })?;
        }
        write!(f, " -> {}", self.output)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.format.map_or(Ok(()), |format| write!(f, " ({format})"))
    }
}

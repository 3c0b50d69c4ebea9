//! [`Route`]: from which files to which.

use std::fmt;

use komabako::dataset::{Compression, FileFormat, Inputs};

/// The inputs and the output of a job.
pub struct Route {
    /// The inputs in their order.
    pub inputs: Vec<End>,
    /// The output.
    pub output: End,
}

/// One end of a job.
pub struct End {
    /// The name of the file or stream.
    pub name: String,
    /// Its format; `None` for an empty input whose name says nothing.
    pub format: Option<FileFormat>,
    /// How it is compressed.
    pub compression: Compression,
}

impl Route {
    /// The route of a job, and the name of its output.
    pub fn new(inputs: &Inputs, to: FileFormat, compression: Compression, output: String) -> Self {
        let inputs = inputs.sources().iter().map(|source| End {
            name: source.name().to_owned(),
            format: source.detection().format,
            compression: source.detection().compression,
        });
        Route { inputs: inputs.collect(), output: End { name: output, format: Some(to), compression } }
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

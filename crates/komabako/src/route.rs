//! [`Route`]: the inputs and the output of a job.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use komabako::dataset::large::Job;
use komabako::dataset::{Compression, FileFormat, Name, Plan, Request, Source};

use crate::message::Wanted;
use crate::standard::is_dash;

/// Reads the path of a file that is written beside the output. `-` would be taken for standard output.
pub fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new()
        .try_map(|path| if is_dash(&path) { Err(Wanted::one_of("FILE, ./-")) } else { Ok(path) })
}

/// The inputs and the output of a job.
pub struct Route {
    /// The inputs in their order.
    pub inputs: Vec<Endpoint>,
    pub output: Endpoint,
    /// The file for bad records, if they are collected.
    pub rejects: Option<PathBuf>,
}

/// An input or the output of a job.
#[derive(Clone)]
pub struct Endpoint {
    /// The name of the file or stream.
    pub name: Name,
    /// Its format; `None` for an empty input whose name does not imply one, and for an output of other content.
    pub format: Option<FileFormat>,
    pub compression: Compression,
}

impl Route {
    /// The route of a job that an earlier run has finished: its inputs may be gone.
    pub fn of_finished(job: &Job) -> Self {
        let end = |name: Name| Endpoint { name, format: None, compression: Compression::None };
        Route {
            inputs: job.inputs.iter().map(|input| end(input.name())).collect(),
            output: end(job.output.name()),
            rejects: job.on_bad_record.collected().map(Path::to_owned),
        }
    }

    /// The route of a job to the output of this name.
    pub fn new<'a, J: Request<'a>>(plan: &Plan<'a, J>, output: Name) -> Self {
        let end = |source: &Source| Endpoint {
            name: source.name().clone(),
            format: source.detection().format,
            compression: source.detection().compression,
        };
        Route {
            inputs: plan.inputs().sources().iter().map(end).collect(),
            output: Endpoint { name: output, format: plan.to(), compression: plan.compression() },
            rejects: plan.preflight().rejects.clone(),
        }
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

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.format.map_or(Ok(()), |format| write!(f, " ({format})"))
    }
}

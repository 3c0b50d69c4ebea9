//! Opening a file of positions, or standard input, to look at its records.

use std::io::Read;
use std::path::Path;

use komabako::dataset::detect::{self, Detection};
use komabako::dataset::{FileFormat, RecordReader};

use super::job;
use crate::context::Context;
use crate::outcome::Failure;

/// The decompressed content of a file, split into records.
pub type Records = RecordReader<Box<dyn Read + Send>>;

/// Opens a file and detects its format, unless the user names it. Returns no records if the file is empty and its name does not
/// imply a format.
pub fn open(
    path: &Path,
    from: Option<FileFormat>,
    context: &Context,
) -> Result<(Detection, Option<Records>), Failure> {
    let input = job::input(path.to_owned(), context.lang);
    let name = input.name();
    let opened = detect::open(input, from).map_err(Failure::from);
    let (detection, content) = opened?;
    let records = detection.format.map(|format| RecordReader::new(content, format, name));
    Ok((detection, records))
}

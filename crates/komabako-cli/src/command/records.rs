//! Opening a file of positions to look at its records.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use komabako::dataset::detect::{self, Detection, Evidence};
use komabako::dataset::{Compression, DatasetError, FileFormat, RecordReader};

use crate::context::Context;
use crate::outcome::Failure;

/// The decompressed content of a file, cut into records.
pub type Records = RecordReader<Box<dyn Read + Send>>;

/// Finds out what a file is, unless the user says it, and opens it. No records if the file is empty and its name says
/// nothing.
pub fn open(
    path: &Path,
    from: Option<FileFormat>,
    context: &Context,
) -> Result<(Detection, Option<Records>), Failure> {
    let name = path.display().to_string();
    let detection = match from {
        Some(format) => given(path, &name, format),
        None => detect::detect_path(path),
    };
    detection
        .and_then(|detection| {
            let Some(format) = detection.format else { return Ok((detection, None)) };
            let file = File::open(path).map_err(|error| DatasetError::Open(path.to_owned(), error))?;
            let content = detection.compression.decoder(file).map_err(|error| DatasetError::Read {
                input: name.clone(),
                offset: 0,
                error,
            })?;
            Ok((detection, Some(RecordReader::new(content, format, name))))
        })
        .map_err(|error| Failure::dataset(&error, context.lang))
}

/// What a file is that the user says to be of a format: only its compression is found out.
fn given(path: &Path, name: &str, format: FileFormat) -> Result<Detection, DatasetError> {
    let file = File::open(path).map_err(|error| DatasetError::Open(path.to_owned(), error))?;
    let mut head = Vec::new();
    file.take(Compression::HEAD as u64).read_to_end(&mut head).map_err(|error| DatasetError::Read {
        input: name.to_owned(),
        offset: 0,
        error,
    })?;
    let compression = Compression::from_magic(&head);
    let decoder_memory = compression.decoder_memory(&head);
    let why = vec![Evidence::Given(format)];
    Ok(Detection { compression, decoder_memory, format: Some(format), why })
}

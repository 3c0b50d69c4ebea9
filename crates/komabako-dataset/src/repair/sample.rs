//! Takes a sample of the moves of an input, spread over all of it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::{RepairError, Votes};
use crate::input::Source;
use crate::{Block, Compression, DatasetError, FileFormat, RecordReader};

/// How many stretches of a file are read.
const STRETCHES: u64 = 256;

/// How many records a stretch has.
const STRETCH: u64 = 128;

/// How many records of a block are judged where all of a compressed file must be read.
const OF_A_BLOCK: usize = 1024;

/// Reads the sample of an input. `format` is a format of records of one size.
///
/// # Errors
/// [`RepairError::Stream`] if the input cannot be read twice, [`DatasetError::Read`] if not at all.
pub(super) fn sample(source: &Source, format: FileFormat) -> Result<Votes, DatasetError> {
    let Some(path) = source.path() else {
        return Err(RepairError::Stream(source.name().to_owned()).into());
    };
    let file = File::open(path).map_err(|error| DatasetError::Open(path.to_owned(), error))?;
    match (source.detection().compression, source.records()) {
        (Compression::None, Some(records)) => {
            stretches(file, records, format).map_err(|error| failed(source, error))
        }
        _ => throughout(source, file, format),
    }
}

/// Samples stretches at equal distances, the first and the last records among them.
fn stretches(mut file: File, records: u64, format: FileFormat) -> io::Result<Votes> {
    let size = format.record_size().expect("a format of records of one size") as u64;
    let mut votes = Votes::default();
    let mut bytes = Vec::new();
    let mut next = 0;
    for stretch in 0..STRETCHES {
        let last_start = records.saturating_sub(STRETCH);
        let spread = u128::from(last_start) * u128::from(stretch) / u128::from(STRETCHES - 1);
        // In a small file stretches overlap.
        let start = next.max(spread as u64);
        let end = (spread as u64 + STRETCH).min(records);
        if start >= end {
            continue;
        }
        next = end;
        file.seek(SeekFrom::Start(start * size))?;
        bytes.clear();
        file.by_ref().take((end - start) * size).read_to_end(&mut bytes)?;
        bytes.chunks_exact(size as usize).for_each(|record| vote(&mut votes, format, record));
    }
    Ok(votes)
}

/// Reads all of a compressed file, and samples every block of it.
fn throughout(source: &Source, file: File, format: FileFormat) -> Result<Votes, DatasetError> {
    let content = source.detection().compression.decoder(file).map_err(|error| failed(source, error))?;
    let mut reader = RecordReader::new(content, format, source.name());
    let mut votes = Votes::default();
    let mut block = Block::default();
    // The repair meets the same end and says what is wrong with it.
    while let Ok(true) = reader.next_block(&mut block) {
        let step = block.len().div_ceil(OF_A_BLOCK).max(1);
        (0..block.len()).step_by(step).for_each(|index| vote(&mut votes, format, block.record(index)));
    }
    Ok(votes)
}

/// Takes a record into account, if it decodes.
fn vote(votes: &mut Votes, format: FileFormat, record: &[u8]) {
    let format = if format == FileFormat::Psv { FileFormat::PsvLenient } else { format };
    if let Ok(record) = format.decode(record)
        && let Some(best_move) = record.labels.best_move
    {
        votes.add(&record.setup, best_move.bits);
    }
}

fn failed(source: &Source, error: io::Error) -> DatasetError {
    DatasetError::Read { input: source.name().to_owned(), offset: 0, error }
}

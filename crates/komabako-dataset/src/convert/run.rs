//! Carries out a [`Plan`].

use std::io::Write;
use std::time::Instant;

use komabako_codec::Backend;

use super::{OnError, Plan, Summary};
use crate::batch::{BATCH, Batch};
use crate::block::Block;
use crate::compression::Encoder;
use crate::error::{RecordFault, Tail};
use crate::games::{GameWriter, Stretches};
use crate::output::{Collection, Target};
use crate::pipeline::{self, Parcel, Sink, Work};
use crate::progress::Progress;
use crate::{DatasetError, FileFormat};

impl Plan<'_> {
    /// Converts.
    ///
    /// # Errors
    /// The first of what goes wrong, in the order of the records; no output is left behind then, and inputs are as they
    /// were. To a stream or a device, what came before may have been written.
    pub fn run(self, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let losses = self.losses();
        let Plan { inputs, output, to, compression, on_error, threads, backend, force } = self;
        let is_text = inputs.formats().any(FileFormat::is_text);
        let target = Target::open(output, force)?;
        let name = target.name().to_owned();
        let failed = |error| DatasetError::Write(name.clone(), error);
        let mut writer = Writer {
            sink: compression.encoder(target, threads).map_err(failed)?,
            name: &name,
            collection: match &on_error {
                OnError::Collect(path) => Some(Collection::open(path, is_text, force)?),
                _ => None,
            },
            stop: on_error == OnError::Stop,
            games: to.holds_games().then(|| GameWriter::new(to)),
            summary: Summary { losses, ..Summary::default() },
        };
        let bytes = pipeline::run(inputs, threads, &Conversion { to, backend }, progress, &mut writer)?;
        writer.finish_games()?;
        let Writer { sink, collection, mut summary, .. } = writer;
        // Everything is written before anything is put in its place.
        let reports = collection.map(Collection::finish).transpose()?;
        sink.finish().map_err(failed)?.complete()?;
        for report in reports.into_iter().flatten() {
            report.complete()?;
        }
        summary.bytes_read = bytes;
        summary.seconds = start.elapsed().as_secs_f64();
        Ok(summary)
    }
}

/// The middle of a conversion.
struct Conversion {
    to: FileFormat,
    backend: Backend,
}

/// A block in the target format.
#[derive(Default)]
struct Converted {
    /// The good records, if the format is written record by record.
    bytes: Vec<u8>,
    /// Otherwise these are they.
    stretches: Stretches,
    written: usize,
    /// The bad records, ascending by index in the block.
    faults: Vec<(usize, RecordFault)>,
}

impl Work for Conversion {
    type Scratch = Batch;
    type Product = Converted;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, converted: &mut Converted) {
        let Converted { bytes, stretches, written, faults } = converted;
        bytes.clear();
        stretches.clear();
        faults.clear();
        *written = 0;
        let count = block.len();
        for start in (0..count).step_by(BATCH) {
            batch.decode(from, block, start..count.min(start + BATCH));
            *written += match self.to.holds_games() {
                true => batch.join(self.to, stretches),
                false => batch.encode(self.to, bytes),
            };
            faults.extend_from_slice(batch.faults());
        }
        faults.sort_unstable_by_key(|&(index, _)| index);
    }
}

/// The end of a conversion.
struct Writer<'a> {
    sink: Encoder<Target<'a>>,
    name: &'a str,
    collection: Option<Collection>,
    /// Whether a bad record ends the conversion.
    stop: bool,
    /// What makes games of the records, if the format holds them.
    games: Option<GameWriter>,
    summary: Summary,
}

impl Sink<Converted> for Writer<'_> {
    fn take(&mut self, parcel: &Parcel<Converted>) -> Result<(), DatasetError> {
        let Converted { bytes, stretches, written, faults } = &parcel.product;
        for &(index, fault) in faults {
            self.note(parcel, index, fault)?;
        }
        let bytes = match &mut self.games {
            Some(games) => games.add(stretches),
            None => bytes,
        };
        self.sink.write_all(bytes).map_err(|error| DatasetError::Write(self.name.to_owned(), error))?;
        self.summary.read += parcel.block.len() as u64;
        self.summary.written += *written as u64;
        self.summary.bytes_written += bytes.len() as u64;
        Ok(())
    }

    fn tail(&mut self, tail: Tail) {
        self.summary.tails.push(tail);
    }

    fn bad(&self) -> u64 {
        self.summary.bad_total()
    }
}

impl Writer<'_> {
    /// Writes the game that is open when the inputs are at their end.
    fn finish_games(&mut self) -> Result<(), DatasetError> {
        let Some(games) = &mut self.games else { return Ok(()) };
        let bytes = games.finish();
        self.sink.write_all(bytes).map_err(|error| DatasetError::Write(self.name.to_owned(), error))?;
        self.summary.bytes_written += bytes.len() as u64;
        self.summary.games = games.games();
        Ok(())
    }

    fn note(
        &mut self,
        parcel: &Parcel<Converted>,
        index: usize,
        fault: RecordFault,
    ) -> Result<(), DatasetError> {
        let error = parcel.error(index, fault);
        if self.stop {
            return Err(DatasetError::Record(Box::new(error)));
        }
        *self.summary.bad.entry(fault.name()).or_default() += 1;
        if fault.is_consequence() {
            return Ok(());
        }
        if let Some(collection) = &mut self.collection {
            collection.add(parcel.block.record(index), &error, fault.name())?;
        }
        if self.summary.samples.len() < Summary::SAMPLES {
            self.summary.samples.push(error);
        }
        Ok(())
    }
}

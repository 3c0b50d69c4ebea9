//! [`Sample`]: evidence about an input from some of its records, spread over all of it.

use komabako_board::Setup;
use komabako_codec::packed_sfen::{Lenient, PhantomPawns, Variant};
use komabako_codec::{PackedSfen, PositionCodec, UnpackError, Word};
use komabako_variants::WordFormat;

use super::Votes;
use super::phantom_pawns::PawnCensus;
use super::recode::Codecs;
use crate::io::input::{Counter, Source, Spread};
use crate::legality::sense::{makes_sense, other_codec, sense_in_other_codec};
use crate::record::Labels;
use crate::{Block, DatasetError, FileFormat, read_packed};

/// The size of a sample of a file.
const SPREAD: Spread = Spread { stretches: 256, records: 128 };

/// The number of records of a block to judge if all of a compressed file must be read.
const JUDGED_PER_BLOCK: usize = 1024;

/// The number of positions that are evidence about their file.
pub(super) const ENOUGH: u64 = 10;

/// The evidence of the sample.
#[derive(Default)]
pub(crate) struct Sample {
    /// The votes on the encoding of its moves.
    pub votes: Votes,
    /// The number of records that make sense only in the format's own codec.
    sensible_in_own: u64,
    /// The numbers of records that make sense only in another.
    sensible_in: Vec<(WordFormat, u64)>,
    /// The number of records that make sense in none.
    senseless: u64,
    /// The number of words that no reader can read.
    refused: u64,
    /// The number of those that make sense with hands in an order that no known program uses.
    in_other_order: u64,
    /// The positions whose reading is certain.
    pub(super) pawns: PawnCensus,
}

impl Sample {
    /// Adds a record, if it decodes. `next`: the record after it.
    fn add(&mut self, format: FileFormat, record: &[u8], next: Option<&[u8]>) {
        let Ok((word, labels)) = read_packed(format, record) else { return };
        let own = decode(format, record, &word);
        let sensible = own.filter(|setup| makes_sense(setup, &labels));
        let other = sense_in_other_codec(format, record);
        match (sensible, other) {
            (Some(_), None) => self.sensible_in_own += 1,
            (None, Some((codec, _))) => {
                match self.sensible_in.iter_mut().find(|(known, _)| *known == codec) {
                    Some((_, count)) => *count += 1,
                    None => self.sensible_in.push((codec, 1)),
                }
            }
            (None, None) => self.senseless += 1,
            // It makes sense in both, and decides nothing.
            (Some(_), Some(_)) => {}
        }
        if sensible.is_some()
            && is_psv(format)
            && let Ok(read) = lenient(&word)
        {
            self.pawns.add(&read);
        }
        // The move is judged in the most likely position.
        let decoded = sensible.or(other.map(|(_, setup)| setup)).or(own);
        let Some(setup) = decoded else {
            self.refused += 1;
            self.in_other_order += u64::from(is_in_other_order(format, &word, &labels));
            return;
        };
        if let Some(best_move) = labels.best_move {
            self.votes.add(&setup, best_move.bits, || position(format, next?));
        }
    }

    /// The codecs of the positions.
    pub fn codecs(&self) -> Codecs {
        match self.most_in() {
            // One in a hundred damaged words makes sense in another codec.
            Some((_, count)) if count < ENOUGH || count <= self.senseless => Codecs::Own,
            Some((codec, count)) if self.sensible_in_own * 10 <= count => Codecs::Other(codec),
            Some(_) => Codecs::Mixed,
            None => Codecs::Own,
        }
    }

    /// The other codec that the most records exclusively make sense in, and their number.
    pub fn most_in(&self) -> Option<(WordFormat, u64)> {
        self.sensible_in.iter().copied().max_by_key(|&(_, count)| count)
    }

    /// Whether a program wrote hands in an unknown order. Damage creates such words only here and there.
    pub fn has_other_order(&self) -> bool {
        self.in_other_order >= ENOUGH && self.in_other_order * 2 > self.refused
    }
}

/// A record's position in the format's own codec, of any known variant.
pub(super) fn decode(format: FileFormat, record: &[u8], word: &Word) -> Option<Setup> {
    if !is_psv(format) {
        return format.decode(record).map(|record| record.setup).ok();
    }
    let read = lenient(word).ok()?;
    (read.variant != Variant::Other).then_some(read.setup)
}

/// Whether a record makes sense as PSV with hands in an unknown order.
fn is_in_other_order(format: FileFormat, word: &Word, labels: &Labels) -> bool {
    is_psv(format)
        && lenient(word).is_ok_and(|read| read.variant == Variant::Other && makes_sense(&read.setup, labels))
}

/// Whether positions are in PSV, which has variants from older programs.
pub(super) fn is_psv(format: FileFormat) -> bool {
    format.codec() == Some(WordFormat::PackedSfen)
}

fn lenient(word: &Word) -> Result<Lenient, UnpackError> {
    PackedSfen::new().unpack_lenient(word, PhantomPawns::Error)
}

/// A record's position in the format's own codec or another.
fn position(format: FileFormat, record: &[u8]) -> Option<Setup> {
    let (word, _) = read_packed(format, record).ok()?;
    decode(format, record, &word).or_else(|| other_codec(format, record).map(|(_, setup)| setup))
}

/// Reads the sample of an input; `None` if it cannot be read twice. `format` must have records of one size.
///
/// # Errors
/// [`DatasetError::Open`] or [`DatasetError::Read`].
pub(super) fn sample(source: &Source, format: FileFormat) -> Result<Option<Sample>, DatasetError> {
    let Some(again) = source.reopen() else { return Ok(None) };
    if let Some(stretches) = source.stretches(SPREAD)? {
        return Ok(Some(sample_stretches(format, &stretches)));
    }
    // A compressed file cannot be seeked: all of it is decompressed, and some records of each block are judged.
    throughout(again, format).map(Some)
}

/// The evidence of the records in some stretches.
pub(crate) fn sample_stretches(format: FileFormat, stretches: &[Vec<u8>]) -> Sample {
    let size = format.record_size().expect("a format of records of one size");
    let mut sample = Sample::default();
    for bytes in stretches {
        let records = bytes.chunks_exact(size);
        let nexts = records.clone().skip(1).map(Some).chain([None]);
        records.zip(nexts).for_each(|(record, next)| sample.add(format, record, next));
    }
    sample
}

/// Reads all of a compressed file, and samples every block of it.
fn throughout(source: Source, format: FileFormat) -> Result<Sample, DatasetError> {
    let mut reader = source.reader(format, &Counter::default(), 0)?;
    let mut sample = Sample::default();
    let mut block = Block::default();
    loop {
        match reader.next_block(&mut block) {
            Ok(true) => {}
            // What lies behind a damaged block of an archive is read. The repair meets the same ends and reports them.
            Err(DatasetError::Tail(_)) => continue,
            Ok(false) | Err(_) => return Ok(sample),
        }
        // Spread over the block: neighbours belong to one game, and would repeat one answer.
        let step = block.len().div_ceil(JUDGED_PER_BLOCK).max(1);
        let next = |index| (index + 1 < block.len()).then(|| block.record(index + 1));
        (0..block.len()).step_by(step).for_each(|index| sample.add(format, block.record(index), next(index)));
    }
}

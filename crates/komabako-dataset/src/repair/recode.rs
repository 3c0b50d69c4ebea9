//! [`Recoded`]: a block of which some or all positions were in another format's codec.

use komabako_board::Setup;
use komabako_variants::WordFormat;

use super::sample::decode;
use crate::block::Block;
use crate::legality::sense::{makes_sense, sense_in_other_codec};
use crate::legality::{self, Readings};
use crate::record::Labels;
use crate::{FileFormat, read_packed};

/// The maximum memory for rewriting a block: less than a kilobyte for each of up to 16,384 records.
pub(super) const MEMORY: u64 = 16 << 20;

/// The codecs of an input's positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Codecs {
    /// The format's own.
    Own,
    /// Another codec.
    Other(WordFormat),
    /// The format's own and others, each record in the one in which it makes sense.
    Mixed,
}

/// A block whose readable positions are all in the format's own codec.
pub(super) struct Recoded {
    pub block: Block,
    /// The records that were rewritten, by index.
    pub rows: Vec<usize>,
    /// The records that make sense in two codecs, with the one that is not the format's; left unchanged.
    pub doubtful: Vec<(usize, WordFormat)>,
}

impl Recoded {
    /// Rewrites a block. `None` if it needs no rewriting.
    pub fn from_block(block: &Block, format: FileFormat, codecs: Codecs) -> Option<Recoded> {
        // Only these codecs are confused with each other: their words all have 32 bytes.
        let own = format.codec().filter(|codec| WordFormat::BASE.contains(codec))?;
        let readings: Vec<(usize, Reading)> = match codecs {
            Codecs::Own => return None,
            Codecs::Other(codec) => {
                let read = |row| codec.unpack(block.record(row).first_chunk()?).ok();
                (0..block.len()).filter_map(|row| Some((row, Reading::Other(read(row)?)))).collect()
            }
            Codecs::Mixed => by_sense(block, format),
        };
        let size = format.record_size()?;
        let mut bytes = block.bytes().to_vec();
        let mut rows = Vec::new();
        let mut doubtful = Vec::new();
        for (row, reading) in readings {
            match reading {
                Reading::Doubtful(codec) => doubtful.push((row, codec)),
                Reading::Other(setup) => {
                    let Some(word) = bytes[row * size..].first_chunk_mut::<32>() else { continue };
                    // A record with the same word in both is not counted as changed.
                    if let Some(recoded) = own.pack(&setup).ok().filter(|recoded| recoded != word) {
                        *word = recoded;
                        rows.push(row);
                    }
                }
            }
        }
        Some(Recoded { block: block.with_bytes(bytes), rows, doubtful })
    }

    /// The other codec in which a record makes sense too.
    pub fn other_codec(&self, row: usize) -> Option<WordFormat> {
        let index = self.doubtful.binary_search_by_key(&row, |&(row, _)| row).ok()?;
        Some(self.doubtful[index].1)
    }
}

/// The codecs in which a record makes sense, with its position in each.
struct Sense {
    own: Option<Setup>,
    other: Option<(WordFormat, Setup)>,
    labels: Option<Labels>,
}

impl Sense {
    fn of_record(format: FileFormat, record: &[u8]) -> Sense {
        let Ok((word, labels)) = read_packed(format, record) else {
            return Sense { own: None, other: None, labels: None };
        };
        // Making sense is required, not just decoding: some random words decode in any codec.
        let own = decode(format, record, &word).filter(|setup| makes_sense(setup, &labels));
        Sense { own, other: sense_in_other_codec(format, record), labels: Some(labels) }
    }

    /// The position, if the record makes sense in one codec only.
    fn certain(&self) -> Option<Setup> {
        let other = self.other.map(|(_, setup)| setup);
        if self.own.is_some() && other.is_some() && self.own != other { None } else { self.own.or(other) }
    }

    /// Whether the move leads from one position to another; if none is recorded, whether any move does.
    fn leads(&self, from: &Setup, to: &Setup) -> bool {
        let best_move =
            self.labels.and_then(|labels| labels.best_move).filter(|best_move| best_move.bits != 0);
        match best_move {
            Some(best_move) => Readings::new(from, best_move.bits).before(from, to).is_some(),
            None => legality::leads(from, to),
        }
    }

    /// The position for which `holds` is true, if it is true for one only.
    fn only(&self, holds: impl Fn(&Setup) -> bool) -> Option<Setup> {
        let own = self.own?;
        let (_, other) = self.other?;
        match (holds(&own), holds(&other)) {
            (true, false) => Some(own),
            (false, true) => Some(other),
            _ => None,
        }
    }
}

/// The reading of a record that is not simply in the format's own codec.
enum Reading {
    /// This position, in another codec.
    Other(Setup),
    /// It also makes sense in this codec.
    Doubtful(WordFormat),
}

/// Reads records in the codec in which they make sense; if they do in two, in the one that fits the game of
/// the records before or after, within the block. Those in the format's own codec are left out.
fn by_sense(block: &Block, format: FileFormat) -> Vec<(usize, Reading)> {
    let senses: Vec<Sense> =
        (0..block.len()).map(|row| Sense::of_record(format, block.record(row))).collect();
    let mut setups: Vec<Option<Setup>> = senses.iter().map(Sense::certain).collect();
    // Forward first, then back: a decided record decides its neighbour in turn, so that one certain record is
    // enough for a whole game.
    for row in 1..setups.len() {
        if let (Some(before), None) = (setups[row - 1], setups[row]) {
            setups[row] = senses[row].only(|setup| senses[row - 1].leads(&before, setup));
        }
    }
    for row in (1..setups.len()).rev() {
        if let (None, Some(next)) = (setups[row - 1], setups[row]) {
            setups[row - 1] = senses[row - 1].only(|setup| senses[row - 1].leads(setup, &next));
        }
    }
    let read = |(row, (sense, setup)): (usize, (&Sense, Option<Setup>))| {
        let (codec, _) = sense.other?;
        match setup {
            Some(setup) if sense.own == Some(setup) => None,
            Some(setup) => Some((row, Reading::Other(setup))),
            None => Some((row, Reading::Doubtful(codec))),
        }
    };
    senses.iter().zip(setups).enumerate().filter_map(read).collect()
}

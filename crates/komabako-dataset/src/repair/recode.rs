//! [`Recoded`]: a block whose positions, or some of them, were in the codec of another format.

use komabako_board::Setup;
use komabako_codec::Format;

use super::sample::decode;
use crate::block::Block;
use crate::codec::Codec;
use crate::legality::{self, Readings};
use crate::record::Labels;
use crate::sense::{makes_sense, sense_in_other_codec};
use crate::{FileFormat, read_packed};

/// What rewriting a block takes at most: less than a kilobyte for each of up to 16,384 records.
pub(super) const MEMORY: u64 = 16 << 20;

/// In which codecs the positions of an input are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Codecs {
    /// The format's own.
    Own,
    /// Another.
    Other(Format),
    /// The format's own and others, each record in the one in which it makes sense.
    Mixed,
}

/// A block with all positions in the format's own codec, as far as they can be read.
pub(super) struct Recoded {
    pub block: Block,
    /// The records that this changed, by their indices.
    pub rows: Vec<usize>,
    /// The records that make sense in two codecs, and the other than the format's; left as they are.
    pub doubtful: Vec<(usize, Format)>,
}

impl Recoded {
    /// Rewrites a block. `None` if there is nothing to rewrite.
    pub fn of(block: &Block, format: FileFormat, codecs: Codecs) -> Option<Recoded> {
        // Only these codecs are confused with each other: their words have the same 32 bytes.
        let Codec::Base(own) = format.codec()? else { return None };
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
        let (mut rows, mut doubtful) = (Vec::new(), Vec::new());
        for (row, reading) in readings {
            match reading {
                Reading::Doubtful(codec) => doubtful.push((row, codec)),
                Reading::Other(setup) => {
                    let Some(word) = bytes[row * size..].first_chunk_mut::<32>() else { continue };
                    // A record that comes out the same is not counted as changed.
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
    pub fn doubt(&self, row: usize) -> Option<Format> {
        let index = self.doubtful.binary_search_by_key(&row, |&(row, _)| row).ok()?;
        Some(self.doubtful[index].1)
    }
}

/// How a record makes sense.
struct Sense {
    own: Option<Setup>,
    other: Option<(Format, Setup)>,
    labels: Option<Labels>,
}

impl Sense {
    fn of(format: FileFormat, record: &[u8]) -> Sense {
        let Ok((word, labels)) = read_packed(format, record) else {
            return Sense { own: None, other: None, labels: None };
        };
        // By sense and not by decoding alone: of random words, some decode in any codec.
        let own = decode(format, record, &word).filter(|setup| makes_sense(setup, &labels));
        Sense { own, other: sense_in_other_codec(format, record), labels: Some(labels) }
    }

    /// The position, if the record makes sense in one codec only.
    fn certain(&self) -> Option<Setup> {
        let other = self.other.map(|(_, setup)| setup);
        if self.own.is_some() && other.is_some() && self.own != other { None } else { self.own.or(other) }
    }

    /// Whether the move leads from one position to another, or any move where none is recorded.
    fn leads(&self, from: &Setup, to: &Setup) -> bool {
        let best_move =
            self.labels.and_then(|labels| labels.best_move).filter(|best_move| best_move.bits != 0);
        match best_move {
            Some(best_move) => Readings::of(from, best_move.bits).before(from, to).is_some(),
            None => legality::leads(from, to),
        }
    }

    /// The one of the two positions of which something holds, if it does of one only.
    fn only(&self, holds: impl Fn(&Setup) -> bool) -> Option<Setup> {
        let (own, (_, other)) = (self.own?, self.other?);
        match (holds(&own), holds(&other)) {
            (true, false) => Some(own),
            (false, true) => Some(other),
            _ => None,
        }
    }
}

/// What a record is that is not simply in the format's own codec.
enum Reading {
    /// This position, in another codec.
    Other(Setup),
    /// It makes sense in this codec too.
    Doubtful(Format),
}

/// Reads records by the codec in which they make sense; where they do in two, by that in which they belong to the game of
/// the records before or after, as far as the block goes. Those in the format's own codec are left out.
fn by_sense(block: &Block, format: FileFormat) -> Vec<(usize, Reading)> {
    let senses: Vec<Sense> = (0..block.len()).map(|row| Sense::of(format, block.record(row))).collect();
    let mut setups: Vec<Option<Setup>> = senses.iter().map(Sense::certain).collect();
    // Forward first, then back: a record that is decided decides its neighbour in turn, so that one certain record is
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

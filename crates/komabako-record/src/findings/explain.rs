//! Explains records that do not decode or make no sense, by trying other readers.

use alloc::vec::Vec;

use komabako_board::Setup;
use komabako_codec::packed_sfen::{PhantomPawns, Variant};
use komabako_codec::{PackedSfen, PositionCodec, UnpackError, UnpackFault};
use komabako_variants::WordFormat;
use komabako_variants::ext;

use super::Finding;
use crate::block::Block;
use crate::legality::sense::{makes_sense, other_codecs};
use crate::{FileFormat, Record, RecordFault, read_packed};

/// Explains why a record does not decode. Returns the record if another reader can read it.
pub fn explain(
    format: FileFormat,
    bytes: &[u8],
    fault: RecordFault,
    found: &mut impl FnMut(Finding),
) -> Option<Record> {
    match fault {
        RecordFault::Result(_) => {
            found(Finding::Record(fault));
            // The position is still judged: a wrong result should not hide a wrong word.
            let bytes = without_result(format, bytes)?;
            format.decode(&bytes).or_else(|fault| explain(format, &bytes, fault, found).ok_or(fault)).ok()
        }
        RecordFault::Unpack(error) => {
            let read = explain_word(format, bytes, error);
            match read {
                Ok((finding, _)) | Err(finding) => found(finding),
            }
            read.ok().map(|(_, record)| record)
        }
        // The finding is at an earlier record of the same game.
        RecordFault::Unreached => None,
        _ => {
            found(Finding::Record(fault));
            None
        }
    }
}

/// Reads a record of a block with any reader that accepts it.
pub fn read_with_any_reader(format: FileFormat, block: &Block, index: usize) -> Option<Record> {
    let read = block.decode(format, index);
    read.or_else(|fault| explain(format, block.record(index), fault, &mut |_| ()).ok_or(fault)).ok()
}

/// A copy of a record with its result replaced by a valid one, a draw.
fn without_result(format: FileFormat, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    match format {
        FileFormat::Psv => bytes[38] = 0,
        FileFormat::Hcpe | FileFormat::Hcpe2 => bytes[36] = 0,
        FileFormat::Compact36 | FileFormat::Compact32 => bytes[29] &= 0x3f,
        _ => return None,
    }
    Some(bytes)
}

/// Explains why a word was refused: by the first other reading that makes sense, or else by the first that succeeds.
fn explain_word(format: FileFormat, bytes: &[u8], error: UnpackError) -> Result<(Finding, Record), Finding> {
    let refused = |error| Finding::Record(RecordFault::Unpack(error));
    let (word, labels) = read_packed(format, bytes).map_err(Finding::Record)?;
    let lenient = (format.codec() == Some(WordFormat::PackedSfen))
        .then(|| PackedSfen::new().unpack_lenient(&word, PhantomPawns::Error));
    let ambiguous = match lenient {
        Some(Err(error)) if error.fault == UnpackFault::PhantomPawns => Some(error),
        _ => None,
    };
    // In order of credibility: the first reading is reported if several make sense, or none does.
    let mut read: Vec<(Finding, Setup)> =
        other_codecs(format, &word).map(|(other, setup)| (Finding::OtherCodec(other), setup)).collect();
    if let Some(Ok(lenient)) = lenient {
        // A reader that allows hands in any order accepts more words by chance than another codec does.
        let place = if lenient.variant == Variant::Other { read.len() } else { 0 };
        read.insert(place, (Finding::from(lenient), lenient.setup));
    }
    let is_sspf = format.codec().is_some_and(WordFormat::is_sspf);
    if is_sspf
        && error.fault == UnpackFault::TailOrder
        && let Ok(setup) = ext::unpack_lenient(&word)
    {
        read.insert(0, (refused(error), setup));
    }
    let sensible = read.iter().find(|(_, setup)| makes_sense(setup, &labels));
    match (sensible, ambiguous, read.first()) {
        (Some(&(finding, setup)), _, _) | (None, None, Some(&(finding, setup))) => {
            Ok((finding, Record { setup, labels }))
        }
        (None, Some(ambiguous), _) => Err(refused(ambiguous)),
        (None, None, None) => Err(refused(error)),
    }
}

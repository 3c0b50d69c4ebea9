//! Whether a record makes sense in its format's codec or in another codec.
//!
//! Codecs accept many words of other codecs, so a word alone does not reveal its codec. The move does: hardly any misread
//! position is both playable and one in which the record's move is legal.

use komabako_board::Setup;
use komabako_codec::Word;
use komabako_variants::WordFormat;

use crate::legality::{self, Readings};
use crate::record::Labels;
use crate::{FileFormat, read_packed};

/// For a record that does not decode, or whose position or move makes no sense: the codec in which it makes sense, and
/// the position.
pub fn other_codec(format: FileFormat, bytes: &[u8]) -> Option<(WordFormat, Setup)> {
    // Neither text nor games consist of words.
    format.record_size()?;
    let (_, labels) = read_packed(format, bytes).ok()?;
    // Without a move one record is too little evidence.
    labels.best_move.filter(|best_move| best_move.bits != 0)?;
    sense_in_other_codec(format, bytes)
}

/// The codec other than the format's own in which a record makes sense, and the position. Without a move, a third of the
/// words of PSV make sense in HCP and vice versa. `format` must be a format of words.
pub fn sense_in_other_codec(format: FileFormat, bytes: &[u8]) -> Option<(WordFormat, Setup)> {
    let (word, labels) = read_packed(format, bytes).ok()?;
    other_codecs(format, &word).find(|(_, setup)| makes_sense(setup, &labels))
}

/// The codecs other than the format's own that accept a word, each with the position.
pub fn other_codecs(format: FileFormat, word: &Word) -> impl Iterator<Item = (WordFormat, Setup)> {
    let others = WordFormat::BASE.iter().copied().filter(move |&other| format.codec() != Some(other));
    others.filter_map(move |other| Some((other, other.unpack(word).ok()?)))
}

/// Whether a game can be played from the position, and the move is legal in some encoding.
pub fn makes_sense(setup: &Setup, labels: &Labels) -> bool {
    match labels.best_move {
        Some(best_move) => !Readings::new(setup, best_move.bits).encodings().is_empty(),
        None => legality::state_of(setup).is_ok(),
    }
}

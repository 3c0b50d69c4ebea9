//! Whether a record makes sense: in its format's codec, or in another's.
//!
//! Codecs accept many words of one another, so a word alone does not show which one packed it. Its move does: hardly any
//! position that was misread is one of a game and has the record's move as a legal one.

use komabako_board::Setup;
use komabako_codec::{Format, Word};

use crate::codec::Codec;
use crate::legality::{self, Readings};
use crate::record::Labels;
use crate::{FileFormat, read_packed};

/// A record that does not decode, or whose position or move makes no sense: the codec by which they would, and the
/// position.
pub fn other_codec(format: FileFormat, bytes: &[u8]) -> Option<(Format, Setup)> {
    // Neither text nor games are words.
    format.record_size()?;
    let (_, labels) = read_packed(format, bytes).ok()?;
    // Without a move one record is too little evidence.
    labels.best_move.filter(|best_move| best_move.bits != 0)?;
    sense_in_other_codec(format, bytes)
}

/// The codec besides the format's own in which a record makes sense, and the position. Of the words of positions between
/// which no move leads, one in three of PSV or HCP makes sense in the other of the two. `format`: a format of words.
pub fn sense_in_other_codec(format: FileFormat, bytes: &[u8]) -> Option<(Format, Setup)> {
    let (word, labels) = read_packed(format, bytes).ok()?;
    other_codecs(format, &word).find(|(_, setup)| makes_sense(setup, &labels))
}

/// The codecs besides the format's own by which a word decodes, and the position.
pub fn other_codecs(format: FileFormat, word: &Word) -> impl Iterator<Item = (Format, Setup)> {
    let others = Format::ALL.into_iter().filter(move |&other| format.codec() != Some(Codec::Base(other)));
    others.filter_map(move |other| Some((other, other.unpack(word).ok()?)))
}

/// Whether a game can be played from the position, and the move is legal in some encoding.
pub fn makes_sense(setup: &Setup, labels: &Labels) -> bool {
    match labels.best_move {
        Some(best_move) => !Readings::of(setup, best_move.bits).encodings().is_empty(),
        None => legality::state_of(setup).is_ok(),
    }
}

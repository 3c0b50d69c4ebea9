//! [`Source`]: the formats of records that an archive holds.

use alloc::vec::Vec;

use komabako_codec::{GameWord, Setup, Word};
use komabako_record::record::{Hcpe, Psv};
use komabako_rules::Move16;
use komabako_rules::move16::MoveEncoding;
use komabako_variants::WordFormat;

/// The format of the records in an archive, which it gives back byte for byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// PSV, 40 bytes.
    Psv,
    /// hcpe, 38 bytes.
    Hcpe,
}

/// The fields of a record, as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fields {
    pub word: Word,
    pub score: i16,
    /// The move's bits in the encoding of the source.
    pub mv: u16,
    /// 0 in a source without plies.
    pub ply: u16,
    pub result: u8,
    pub padding: u8,
}

impl Source {
    /// Its number in a header.
    pub const fn number(self) -> u8 {
        match self {
            Source::Psv => 1,
            Source::Hcpe => 2,
        }
    }

    /// The source with a number.
    pub const fn from_number(number: u8) -> Option<Source> {
        match number {
            1 => Some(Source::Psv),
            2 => Some(Source::Hcpe),
            _ => None,
        }
    }

    /// The name of its format: `psv` or `hcpe`.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Psv => "psv",
            Source::Hcpe => "hcpe",
        }
    }

    /// The size of a record in bytes.
    pub const fn record_size(self) -> usize {
        match self {
            Source::Psv => Psv::SIZE,
            Source::Hcpe => Hcpe::SIZE,
        }
    }

    /// The format of its positions.
    pub(crate) const fn words(self) -> WordFormat {
        match self {
            Source::Psv => WordFormat::PackedSfen,
            Source::Hcpe => WordFormat::Hcp,
        }
    }

    /// The word of a position from which moves are made; `None` without both kings.
    pub(crate) fn game_word(self, setup: &Setup) -> Option<GameWord> {
        match self {
            Source::Psv => GameWord::psv(setup).ok(),
            Source::Hcpe => GameWord::hcp(setup).ok(),
        }
    }

    /// The fields of the records in some bytes, which are whole records.
    pub(crate) fn fields(self, records: &[u8]) -> Vec<Fields> {
        match self {
            Source::Psv => records.as_chunks().0.iter().map(Psv::from_bytes).map(Fields::from).collect(),
            Source::Hcpe => records.as_chunks().0.iter().map(Hcpe::from_bytes).map(Fields::from).collect(),
        }
    }

    /// Appends a record.
    #[inline]
    pub(crate) fn write(self, fields: &Fields, records: &mut Vec<u8>) {
        let &Fields { word: position, score, mv: best_move, ply, result, padding } = fields;
        match self {
            Source::Psv => {
                let record = Psv { position, score, best_move, ply, result: result as i8, padding };
                records.extend_from_slice(&record.to_bytes());
            }
            Source::Hcpe => {
                let record = Hcpe { position, score, best_move, result, padding };
                records.extend_from_slice(&record.to_bytes());
            }
        }
    }

    /// The move that some bits are.
    pub(crate) fn decode_move(self, bits: u16) -> Option<Move16> {
        match self {
            Source::Psv => Some(Move16::from_bits(bits)),
            Source::Hcpe => MoveEncoding::Apery.decode(bits).ok(),
        }
    }

    /// The bits of a legal move.
    pub(crate) fn encode_move(self, mv: Move16) -> u16 {
        match self {
            Source::Psv => mv.bits(),
            Source::Hcpe => MoveEncoding::Apery.encode(mv).unwrap_or(0),
        }
    }

    /// The result of a record one or two plies after one with this result.
    pub(crate) fn result_after(self, result: u8, plies: u16) -> u8 {
        match self {
            Source::Psv if plies % 2 == 1 => result.wrapping_neg(),
            _ => result,
        }
    }

    /// The result as the side to move sees it: 0 lost, 1 draw, 2 won; `None` for a byte that is no result.
    pub(crate) fn relative_result(self, result: u8, is_white: bool) -> Option<u8> {
        match (self, result) {
            (Source::Psv, 0xff | 0 | 1) => Some(result.wrapping_add(1)),
            (Source::Hcpe, 0) => Some(1),
            (Source::Hcpe, 1 | 2) => Some(if (result == 2) == is_white { 2 } else { 0 }),
            _ => None,
        }
    }

    /// The byte of a relative result, 0 to 2.
    pub(crate) fn stored_result(self, relative: u8, is_white: bool) -> u8 {
        match (self, relative) {
            (Source::Psv, _) => relative.wrapping_sub(1),
            (Source::Hcpe, 1) => 0,
            (Source::Hcpe, _) => {
                if (relative == 2) == is_white {
                    2
                } else {
                    1
                }
            }
        }
    }
}

impl Fields {
    /// Whether its labels but the move and the score are those of a record `plies` after `before`.
    pub(crate) fn continues(&self, before: &Fields, plies: u16, source: Source) -> bool {
        self.padding == before.padding
            && self.ply == before.ply_after(plies)
            && self.result == source.result_after(before.result, plies)
    }

    /// The ply some plies later; an unknown one stays unknown.
    pub(crate) fn ply_after(&self, plies: u16) -> u16 {
        if self.ply == 0 { 0 } else { self.ply.wrapping_add(plies) }
    }

    /// The labels of the record some plies later, as far as they follow; its position, move and score are still this one's.
    pub(crate) fn later(&self, plies: u16, source: Source) -> Fields {
        let mut later = *self;
        later.follow(plies, source);
        later
    }

    /// Makes the labels those of the record some plies later.
    #[inline]
    pub(crate) fn follow(&mut self, plies: u16, source: Source) {
        self.ply = self.ply_after(plies);
        self.result = source.result_after(self.result, plies);
    }
}

impl From<Psv> for Fields {
    fn from(Psv { position, score, best_move, ply, result, padding }: Psv) -> Fields {
        Fields { word: position, score, mv: best_move, ply, result: result as u8, padding }
    }
}

impl From<Hcpe> for Fields {
    fn from(Hcpe { position, score, best_move, result, padding }: Hcpe) -> Fields {
        Fields { word: position, score, mv: best_move, ply: 0, result, padding }
    }
}

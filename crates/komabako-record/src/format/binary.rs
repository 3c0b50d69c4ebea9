//! Fixed-size records: a packed position and its labels.

use alloc::vec::Vec;

use komabako_codec::Word;
use komabako_variants::WordFormat;
use komabako_variants::{c250, r238::Rank};

use crate::fault::RecordFault;
use crate::record::{Compact32, Compact36, Ext36, Extras, Hcpe, Labels, Psv};
use komabako_variants::r238::{rank_of, word_of};

type ReadPacked = fn(&[u8]) -> Result<(Word, Labels), RecordFault>;
type WritePacked = fn(&Word, &Labels, &mut Vec<u8>) -> Result<(), RecordFault>;

/// The byte layout of a packed position and its labels in a format.
pub(crate) struct Packed {
    /// The size of a record in bytes.
    pub size: usize,
    /// The codec of its positions.
    pub codec: WordFormat,
    /// Reads a record. Panics unless the bytes are one whole record.
    pub read: ReadPacked,
    /// Appends a record; on an error it appends nothing.
    pub write: WritePacked,
}

const WHOLE: &str = "the bytes are one whole record";

/// A format whose records are a type of [`crate::record`].
macro_rules! record {
    ($codec:expr, $record:ident, |$read:ident| $parts:expr, |$word:ident, $labels:ident| $made:expr) => {
        Packed {
            size: $record::SIZE,
            codec: $codec,
            read: |bytes| {
                let $read = $record::from_bytes(bytes.try_into().expect(WHOLE));
                Ok($parts)
            },
            write: |$word, $labels, out| {
                out.extend_from_slice(&$made.to_bytes());
                Ok(())
            },
        }
    };
}

pub(crate) const PSV: Packed =
    record!(WordFormat::PackedSfen, Psv, |record| (record.position, record.labels()?), |word, labels| {
        Psv::new(*word, labels)?
    });

pub(crate) const HCPE: Packed =
    record!(WordFormat::Hcp, Hcpe, |record| (record.position, record.labels()?), |word, labels| {
        Hcpe::new(*word, labels)?
    });

pub(crate) const HCPE2: Packed =
    record!(WordFormat::Hcp, Hcpe, |record| (record.position, record.labels2()?), |word, labels| {
        Hcpe::new2(*word, labels)?
    });

pub(crate) const COMPACT36: Packed = record!(
    WordFormat::R238,
    Compact36,
    |record| (word_of(&record.position.rank()), record.labels()?),
    |word, labels| Compact36::new(rank_of(word), labels)?
);

pub(crate) const COMPACT32: Packed = record!(
    WordFormat::R238,
    Compact32,
    |record| (word_of(&record.position.rank()), record.labels()?),
    |word, labels| Compact32::new(rank_of(word), labels)
);

pub(crate) const EXT36: Packed =
    record!(WordFormat::SspfExt, Ext36, |record| (record.position, record.labels()), |word, labels| {
        Ext36::new(*word, labels)?
    });

pub(crate) const C250: Packed = Packed {
    read: |bytes| {
        let word = <&Word>::try_from(bytes).expect(WHOLE);
        let extras = Extras { payload: c250::payload(word), ..Extras::default() };
        Ok((c250::position_key(word), Labels { extras, ..Labels::default() }))
    },
    write: |word, labels, out| {
        out.extend_from_slice(&c250::with_payload(word, labels.extras.payload));
        Ok(())
    },
    ..words(WordFormat::C250)
};

pub(crate) const R238: Packed = Packed {
    size: size_of::<Rank>(),
    codec: WordFormat::R238,
    read: |bytes| Ok((word_of(<&Rank>::try_from(bytes).expect(WHOLE)), Labels::default())),
    write: |word, _, out| {
        out.extend_from_slice(&rank_of(word));
        Ok(())
    },
};

pub(crate) const SSPFV1: Packed = words(WordFormat::Sspf);
pub(crate) const PACKED_SFEN: Packed = words(WordFormat::PackedSfen);
pub(crate) const HCP: Packed = words(WordFormat::Hcp);
pub(crate) const NSHOGI: Packed = words(WordFormat::Nshogi);
pub(crate) const SSPFV1_EXT: Packed = words(WordFormat::SspfExt);

/// Bare words of a codec.
const fn words(codec: WordFormat) -> Packed {
    Packed {
        size: size_of::<Word>(),
        codec,
        read: |bytes| Ok((*<&Word>::try_from(bytes).expect(WHOLE), Labels::default())),
        write: |word, _, out| {
            out.extend_from_slice(word);
            Ok(())
        },
    }
}

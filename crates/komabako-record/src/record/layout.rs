//! The byte layout of a fixed-size record: its fields in order, little-endian, without gaps.

use komabako_codec::Word;

use super::RankAndResult;

/// A field of a record.
pub(super) trait Stored: Sized {
    /// Its size in bytes.
    const SIZE: usize;

    /// Reads it from the start of some bytes and advances them.
    fn read(bytes: &mut &[u8]) -> Self;

    /// Writes it at the start of some bytes and advances them.
    fn write(self, bytes: &mut &mut [u8]);
}

/// Splits off the first `N` bytes, which always exist: the sizes of the fields add up to the size of the record.
fn split_first<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (first, rest) = bytes.split_first_chunk().expect("a record holds its fields");
    *bytes = rest;
    *first
}

#[inline(always)]
fn write_first(bytes: &mut &mut [u8], field: &[u8]) {
    bytes.split_off_mut(..field.len()).expect("a record holds its fields").copy_from_slice(field);
}

macro_rules! stored {
    ($($field:ty, $from:expr, $to:expr;)*) => {$(
        impl Stored for $field {
            const SIZE: usize = size_of::<$field>();

            #[inline(always)]
            fn read(bytes: &mut &[u8]) -> Self {
                $from(split_first(bytes))
            }

            #[inline(always)]
            fn write(self, bytes: &mut &mut [u8]) {
                write_first(bytes, &$to(self));
            }
        }
    )*};
}

stored! {
    u8, u8::from_le_bytes, u8::to_le_bytes;
    i8, i8::from_le_bytes, i8::to_le_bytes;
    u16, u16::from_le_bytes, u16::to_le_bytes;
    i16, i16::from_le_bytes, i16::to_le_bytes;
    Word, |word: Word| word, |word: Word| word;
    RankAndResult, RankAndResult::from_bytes, RankAndResult::to_bytes;
}

/// Generates the size of a record and the conversions from and to bytes, from the ordered list of its fields.
macro_rules! layout {
    ($record:ident { $($field:ident: $type:ty),* }) => {
        impl $record {
            /// The size of a record in bytes.
            pub const SIZE: usize = 0 $(+ <$type as $crate::record::layout::Stored>::SIZE)*;

            /// Reads a record from the bytes of a file. Any bytes are accepted; the fields are not checked.
            #[inline]
            pub fn from_bytes(bytes: &[u8; $record::SIZE]) -> $record {
                let mut bytes = bytes.as_slice();
                $(let $field = <$type as $crate::record::layout::Stored>::read(&mut bytes);)*
                $record { $($field),* }
            }

            /// The bytes of the record in a file.
            #[inline]
            pub fn to_bytes(self) -> [u8; $record::SIZE] {
                let mut bytes = [0; $record::SIZE];
                let mut rest = bytes.as_mut_slice();
                $($crate::record::layout::Stored::write(self.$field, &mut rest);)*
                bytes
            }
        }
    };
}

pub(super) use layout;

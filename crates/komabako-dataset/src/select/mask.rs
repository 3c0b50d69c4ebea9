//! [`Mask`]: one bit per record.

use std::path::Path;

use komabako_messages::{Lang, Message, say};

use crate::io::error::JobError;
use crate::{DatasetError, Name};

/// Selects the records whose bits are set: bit *i* mod 8 of byte *i* / 8 for record *i*, from the lowest bit, as in the
/// `.bits` files beside some data sets (`spec/formats.md` §4.4). Records beyond its end are not selected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mask {
    bytes: Vec<u8>,
    /// The file, if the mask must have a bit for each record.
    file: Option<Name>,
}

impl Mask {
    /// The mask in the bytes of such a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Mask {
        Mask { bytes, file: None }
    }

    /// The same as the content of a file: a job refuses it unless it has as many bytes as the bits of all records need.
    #[must_use]
    pub fn named(self, path: &Path) -> Mask {
        Mask { file: Some(Name::from(path)), ..self }
    }

    /// Checks that there is a bit for each of so many records, if the mask is a file.
    pub(crate) fn check(&self, records: u64) -> Result<(), DatasetError> {
        match &self.file {
            Some(file) if self.bytes.len() as u64 != records.div_ceil(8) => {
                let mask = file.to_string();
                Err(MaskLength { mask, bytes: self.bytes.len() as u64, records }.into())
            }
            _ => Ok(()),
        }
    }

    /// Selects a record.
    pub(crate) fn set(&mut self, ordinal: u64) {
        let byte = (ordinal / 8) as usize;
        // The mask grows, since the number of records may not be known before they are read.
        if byte >= self.bytes.len() {
            self.bytes.resize(byte + 1, 0);
        }
        self.bytes[byte] |= 1 << (ordinal % 8);
    }

    /// Whether a record is selected.
    #[inline]
    pub(crate) fn selects(&self, ordinal: u64) -> bool {
        usize::try_from(ordinal / 8)
            .ok()
            .and_then(|byte| self.bytes.get(byte))
            .is_some_and(|byte| byte >> (ordinal % 8) & 1 != 0)
    }
}

/// A mask that has not a bit for each record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MaskLength {
    /// The name of the mask.
    pub mask: String,
    /// Its bytes.
    pub bytes: u64,
    /// The records.
    pub records: u64,
}

impl Message for MaskLength {
    fn write(&self, lang: Lang, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let MaskLength { mask, bytes, records } = self;
        say!(
            f,
            lang,
            "{mask}: a mask of {bytes} bytes is not that of {records} records, which has one bit for each",
            "{mask}: {bytes} バイトのマスクは {records} 件のレコードのものではありません (1 件につき 1 ビット)",
            mask,
            bytes,
            records
        )
    }
}

komabako_messages::english!(MaskLength);

impl core::error::Error for MaskLength {}

impl JobError for MaskLength {
    fn kind(&self) -> &'static str {
        "mask_length"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_bit_is_the_first_record() {
        let mask = Mask::from_bytes(vec![0b0000_0101, 0b1000_0000]);
        let taken: Vec<u64> = (0..99).filter(|&ordinal| mask.selects(ordinal)).collect();
        assert_eq!(taken, [0, 2, 15]);
        let mut same = Mask::default();
        taken.into_iter().for_each(|ordinal| same.set(ordinal));
        assert_eq!(same, mask);
    }
}

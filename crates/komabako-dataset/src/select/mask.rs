//! [`Mask`]: one bit per record.

use std::io::Read;
use std::path::PathBuf;

use komabako_messages::{Lang, Message, say_match};

use crate::io::compression::Content;
use crate::io::error::JobError;
use crate::io::input::{self, Opened};
use crate::{Compression, DatasetError, Input, Name};

/// Selects the records whose bits are set: bit *i* mod 8 of byte *i* / 8 for record *i*, from the lowest bit, as in the
/// `.bits` files beside some data sets (`spec/formats.md` §4.4). Records beyond its end are not selected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mask {
    bytes: Vec<u8>,
    /// The name of the mask, if it must have a bit for each record.
    name: Option<Name>,
    /// Its path, if it is not a stream.
    path: Option<PathBuf>,
}

impl Mask {
    /// The mask in the bytes of such a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Mask {
        Mask { bytes, name: None, path: None }
    }

    /// Reads such a file, compressed or not. A job refuses the mask unless it has as many bytes as the bits of all records need, and
    /// no other bit is set.
    ///
    /// # Errors
    /// If it cannot be opened or read.
    pub fn read(input: Input) -> Result<Mask, DatasetError> {
        let name = input.name();
        let failed = |error| DatasetError::Read { input: name.clone(), offset: 0, error };
        let (path, mut content): (_, Content) = match input {
            Input::Stream(_, stream) => (None, stream),
            Input::Path(path) => match input::open(&path)? {
                Opened::File(file, _) => (Some(path), Box::new(file)),
                Opened::Stream(stream) => (Some(path), Box::new(stream)),
            },
        };
        let mut stored = Vec::new();
        content.read_to_end(&mut stored).map_err(failed)?;
        let mut bytes = Vec::new();
        let mut content = Compression::from_magic(&stored).decoder(&stored[..]).map_err(failed)?;
        content.read_to_end(&mut bytes).map_err(failed)?;
        Ok(Mask { bytes, name: Some(name), path })
    }

    /// The mask as an input that no output may overwrite.
    pub(crate) fn input(&self) -> Option<Input<'static>> {
        self.path.as_ref().map(Input::path)
    }

    /// Checks that a mask that was read from a file has one bit per record.
    pub(crate) fn check(&self, records: u64) -> Result<(), DatasetError> {
        let Some(name) = &self.name else { return Ok(()) };
        let bytes = self.bytes.len() as u64;
        // The bits that fill the last byte are 0. A mask of a few more records has as many bytes, but may have more bits.
        let has_length = bytes == records.div_ceil(8);
        let beyond = if has_length { (records..8 * bytes).find(|&bit| self.selects(bit)) } else { None };
        if has_length && beyond.is_none() {
            return Ok(());
        }
        Err(MaskLength { mask: name.to_string(), bytes, beyond, records }.into())
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
    /// If the bytes are as many as they should be, the number of the first record that it selects beyond the end.
    pub beyond: Option<u64>,
    /// The records.
    pub records: u64,
}

impl Message for MaskLength {
    fn write(&self, lang: Lang, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let MaskLength { mask, bytes, beyond, records } = self;
        say_match!(f, lang, beyond;
            Some(beyond) =>
                "{mask}: selects record {beyond} (from 0), but there are {records} records: it is the mask of another file",
                "{mask}: レコード {beyond} (0 から) を選んでいますが、レコードは {records} 件です。別のファイルのマスクです",
                mask, beyond, records;
            None => "{mask}: a mask of {bytes} bytes is not that of {records} records, which has one bit for each",
                "{mask}: {bytes} バイトのマスクは {records} 件のレコードのものではありません (1 件につき 1 ビット)",
                mask, bytes, records;
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

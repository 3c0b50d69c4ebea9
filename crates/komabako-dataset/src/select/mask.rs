//! [`Mask`]: one bit per record.

/// Selects the records whose bits are set: bit *i* mod 8 of byte *i* / 8 for record *i*, from the lowest bit, as in the
/// `.bits` files beside some data sets (`spec/formats.md` §4.4). Records beyond its end are not selected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mask {
    bytes: Vec<u8>,
}

impl Mask {
    /// The mask in the bytes of such a file.
    pub fn from_bytes(bytes: Vec<u8>) -> Mask {
        Mask { bytes }
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

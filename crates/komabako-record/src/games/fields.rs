//! [`Fields`]: a reader of a game's bytes.

/// Reads little-endian fields one after the other.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    pub fn read_bytes<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(field)
    }

    pub fn skip(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.get(bytes..)?;
        Some(())
    }

    pub fn read_byte(&mut self) -> Option<u8> {
        self.read_bytes::<1>().map(|[byte]| *byte)
    }

    pub fn read_u16(&mut self) -> Option<u16> {
        self.read_bytes().map(|bytes| u16::from_le_bytes(*bytes))
    }
}

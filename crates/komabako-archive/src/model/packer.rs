//! [`Packer`]: the words of decoded positions.

use alloc::vec::Vec;

use komabako_bits::Backend;
use komabako_board::Setup;
use komabako_variants::WordFormat;

use crate::Source;
use crate::error::Malformed;

/// Packs positions many at a time into the records that they belong to.
pub(super) struct Packer {
    format: WordFormat,
    backend: Backend,
    setups: Vec<Setup>,
    /// The places of their words in the output.
    places: Vec<usize>,
}

/// Positions that are packed at once.
const BATCH: usize = 128;

impl Packer {
    pub fn new(source: Source) -> Packer {
        Packer {
            format: source.words(),
            backend: Backend::detect(),
            setups: Vec::with_capacity(BATCH),
            places: Vec::with_capacity(BATCH),
        }
    }

    /// Packs a position, now or later, to a place in the output.
    #[inline(always)]
    pub fn push(&mut self, place: usize, setup: Setup, out: &mut [u8]) -> Result<(), Malformed> {
        if self.setups.len() == BATCH {
            self.flush(out)?;
        }
        self.setups.push(setup);
        self.places.push(place);
        Ok(())
    }

    /// Packs the positions so far.
    pub fn flush(&mut self, out: &mut [u8]) -> Result<(), Malformed> {
        let mut words = [[0; 32]; BATCH];
        let words = &mut words[..self.setups.len()];
        let packed = self.format.pack_slice(self.backend, &self.setups, words);
        packed.map_err(|_| Malformed::Position)?;
        for (place, word) in self.places.drain(..).zip(words) {
            out[place..place + word.len()].copy_from_slice(word);
        }
        self.setups.clear();
        Ok(())
    }
}

//! [`Distinct`]: how many positions differ, in constant memory.

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use datasketches::common::NumStdDev;
use datasketches::hll::{HllSketch, HllType, HllUnion};
use komabako_codec::Word;

/// The logarithm of the number of registers, which decides size and error: 256 KiB.
const LOG_REGISTERS: u8 = 18;

/// A sketch (`HyperLogLog`) of positions: board, hands and side to move.
///
/// The relative standard error is about 0.2 %, that of 2^18 registers; up to some ten thousand positions the sketch keeps
/// their hashes and is all but exact. Merged sketches say what one sketch of all positions would.
#[derive(Clone)]
pub struct Distinct(HllUnion);

/// A word as 64-bit machines hash an array: behind its length in eight bytes. In a browser, whose lengths have four, an
/// array would have another hash, and the sketch of the same positions would say something else.
struct Hashed<'a>(&'a Word);

impl Hash for Hashed<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.len() as u64);
        state.write(self.0);
    }
}

/// How many positions differ, as a sketch estimates it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely number.
    pub count: f64,
    /// The number is between these with a probability of about 95 %: two standard errors.
    pub bounds: (f64, f64),
}

impl Distinct {
    /// The relative standard error for many positions.
    pub const ERROR: f64 = 1.04 / (1 << (LOG_REGISTERS / 2)) as f64;

    /// Takes a position into account, by its canonical word.
    #[inline]
    pub(super) fn add(&mut self, word: &Word) {
        self.0.update_value(Hashed(word));
    }

    pub(super) fn merge(&mut self, other: &Distinct) {
        self.0.update(&other.sketch());
    }

    fn sketch(&self) -> HllSketch {
        self.0.to_sketch(HllType::Hll8)
    }

    /// The sketch as the library of many languages writes it.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.sketch().serialize()
    }

    /// Merges such a sketch; `None` if it is none of this size.
    pub(super) fn merge_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        let sketch = HllSketch::deserialize(bytes).ok()?;
        (sketch.lg_config_k() == LOG_REGISTERS).then(|| self.0.update(&sketch))
    }

    /// How many positions differ. The same whatever the order in which positions were added and sketches merged.
    pub fn estimate(&self) -> Estimate {
        // While a sketch grows by itself, the library's estimate depends on the order; of merged ones it rests on the registers
        // alone. Merged with itself, a sketch stays what it is.
        let mut merged = self.clone();
        merged.merge(self);
        merged.of_registers()
    }

    fn of_registers(&self) -> Estimate {
        // The library's lower bound of few positions may be below zero.
        let bound = |bound: f64| bound.max(0.0);
        Estimate {
            count: self.0.estimate(),
            bounds: (bound(self.0.lower_bound(NumStdDev::Two)), bound(self.0.upper_bound(NumStdDev::Two))),
        }
    }
}

impl Default for Distinct {
    fn default() -> Self {
        Distinct(HllUnion::new(LOG_REGISTERS).expect("a size that the library allows"))
    }
}

impl fmt::Debug for Distinct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Distinct").field(&self.estimate()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(numbers: core::ops::Range<u32>) -> Distinct {
        let mut distinct = Distinct::default();
        for number in numbers {
            let mut word = [0; 32];
            word[..4].copy_from_slice(&number.to_le_bytes());
            distinct.add(&word);
        }
        distinct
    }

    /// What other builds of the program wrote into reports stays comparable.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn a_word_has_the_hash_of_its_array() {
        let word: Word = core::array::from_fn(|index| index as u8 * 7);
        let mut as_array = HllUnion::new(LOG_REGISTERS).unwrap();
        as_array.update_value(word);
        let mut distinct = Distinct::default();
        distinct.add(&word);
        assert_eq!(distinct.sketch(), as_array.to_sketch(HllType::Hll8));
    }

    #[test]
    fn few_positions_are_counted_almost_exactly() {
        assert_eq!(Distinct::default().estimate().count, 0.0);
        for count in [1, 100, 10_000] {
            let mut distinct = sketch(0..count);
            distinct.merge(&sketch(count / 2..count));
            let estimate = distinct.estimate();
            assert!((estimate.count - f64::from(count)).abs() < 0.5, "{count}: {estimate:?}");
        }
    }

    #[test]
    fn the_estimate_does_not_depend_on_the_order() {
        for count in [100, 20_000, 30_000, 300_000] {
            let whole = sketch(0..count).estimate();
            let third = count / 3;
            for order in [[0, 1, 2], [2, 0, 1]] {
                let mut merged = Distinct::default();
                for piece in order {
                    let piece = sketch(piece * third..if piece == 2 { count } else { (piece + 2) * third });
                    merged.merge_bytes(&piece.to_bytes()).unwrap();
                }
                assert_eq!(merged.estimate(), whole, "{count}");
            }
        }
    }

    /// A quarter of a million words in pieces that overlap: within four standard errors, and within the bounds.
    #[test]
    fn many_positions_are_estimated_within_the_error() {
        let mut merged = Distinct::default();
        for piece in 0..16 {
            merged.merge(&sketch(piece * 15_000..piece * 15_000 + 25_000));
        }
        let known = 250_000.0;
        for estimate in [merged.estimate(), sketch(0..250_000).estimate()] {
            assert!((estimate.count / known - 1.0).abs() < 4.0 * Distinct::ERROR, "{estimate:?}");
            let (low, high) = estimate.bounds;
            assert!(
                low < estimate.count && estimate.count < high && high - low < 0.02 * known,
                "{estimate:?}"
            );
        }
    }
}

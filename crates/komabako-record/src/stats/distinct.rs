//! [`Distinct`]: how many positions differ, in constant memory.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashSet;

use komabako_codec::Word;

use crate::random;

/// The logarithm of the number of registers, which decides size and error: 256 KiB.
const LOG_REGISTERS: u32 = 18;
const REGISTERS: usize = 1 << LOG_REGISTERS;

/// The largest value of a register: one more than the bits of a hash that do not choose the register.
const LARGEST: usize = 64 - LOG_REGISTERS as usize + 1;

/// Up to this many hashes are kept themselves. They take about as much memory as the registers.
const FEW: usize = 1 << 15;

/// A sketch (`HyperLogLog`) of positions: board, hands and side to move.
///
/// The relative standard error is about 0.2 %, that of 2^18 registers; up to 32,768 positions the sketch keeps their hashes
/// and is exact, unless two hashes of 64 bits collide. Merged sketches say what one sketch of all positions would.
#[derive(Clone)]
pub struct Distinct(Sketch);

#[derive(Clone)]
enum Sketch {
    Few(HashSet<u64, BuildHasherDefault<AsItIs>>),
    /// For each value of the upper bits of a hash the most leading zeros of the bits below, plus one.
    Many(Box<[u8]>),
}

/// The hash of a hash: itself.
#[derive(Clone, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers of 64 bits are hashed");
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
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
        self.0.add(hash(word));
    }

    pub(super) fn merge(&mut self, other: &Distinct) {
        match (&mut self.0, &other.0) {
            (_, Sketch::Few(hashes)) => hashes.iter().for_each(|&hash| self.0.add(hash)),
            (Sketch::Few(_), Sketch::Many(registers)) => {
                let few = core::mem::replace(self, Distinct(Sketch::Many(registers.clone())));
                self.merge(&few);
            }
            (Sketch::Many(registers), Sketch::Many(others)) => {
                for (register, &other) in registers.iter_mut().zip(others) {
                    *register = (*register).max(other);
                }
            }
        }
    }

    /// The sketch as bytes: 0 and the hashes in their order, or 1 and the registers.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match &self.0 {
            Sketch::Few(hashes) => {
                let mut hashes: Vec<u64> = hashes.iter().copied().collect();
                hashes.sort_unstable();
                let bytes = hashes.into_iter().flat_map(u64::to_le_bytes);
                [0].into_iter().chain(bytes).collect()
            }
            Sketch::Many(registers) => [&[1], &registers[..]].concat(),
        }
    }

    /// Merges a sketch from its [bytes](Self::to_bytes); `None` if they are not valid.
    pub(super) fn merge_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        let (&kind, bytes) = bytes.split_first()?;
        let (hashes, rest) = bytes.as_chunks::<8>();
        let sketch = match kind {
            0 if rest.is_empty() && hashes.len() <= FEW => {
                Sketch::Few(hashes.iter().map(|&hash| u64::from_le_bytes(hash)).collect())
            }
            1 if bytes.len() == REGISTERS
                && bytes.iter().all(|&register| usize::from(register) <= LARGEST) =>
            {
                Sketch::Many(bytes.into())
            }
            _ => return None,
        };
        self.merge(&Distinct(sketch));
        Some(())
    }

    /// How many positions differ. The same whatever the order in which positions were added and sketches merged.
    pub fn estimate(&self) -> Estimate {
        match &self.0 {
            Sketch::Few(hashes) => {
                let count = hashes.len() as f64;
                Estimate { count, bounds: (count, count) }
            }
            Sketch::Many(registers) => {
                let count = estimate(registers);
                let two = 2.0 * Self::ERROR * count;
                Estimate { count, bounds: (count - two, count + two) }
            }
        }
    }
}

impl Sketch {
    #[inline]
    fn add(&mut self, hash: u64) {
        match self {
            Sketch::Few(hashes) => {
                hashes.insert(hash);
                if hashes.len() > FEW {
                    self.keep_registers();
                }
            }
            Sketch::Many(registers) => note(registers, hash),
        }
    }

    #[cold]
    fn keep_registers(&mut self) {
        let Sketch::Few(hashes) = self else { return };
        let mut registers = vec![0; REGISTERS].into_boxed_slice();
        hashes.iter().for_each(|&hash| note(&mut registers, hash));
        *self = Sketch::Many(registers);
    }
}

/// The hash of a word, the same on every machine: its four numbers of 64 bits, mixed as those of [`random`].
#[inline]
fn hash(word: &Word) -> u64 {
    let (numbers, _) = word.as_chunks::<8>();
    numbers.iter().fold(0, |hash: u64, &number| {
        random::mix(hash.wrapping_add(random::STEP) ^ u64::from_le_bytes(number))
    })
}

#[inline]
fn note(registers: &mut [u8], hash: u64) {
    let register = (hash >> (64 - LOG_REGISTERS)) as usize;
    // The bit behind those of the hash bounds the value.
    let rest = hash << LOG_REGISTERS | 1 << (LOG_REGISTERS - 1);
    registers[register] = registers[register].max(rest.leading_zeros() as u8 + 1);
}

/// The improved raw estimator of Ertl (*New cardinality estimation algorithms for `HyperLogLog` sketches*, 2017, algorithm 6):
/// without bias at any number, and without tables.
fn estimate(registers: &[u8]) -> f64 {
    let mut counts = [0u32; LARGEST + 1];
    for &register in registers {
        counts[usize::from(register)] += 1;
    }
    let m = REGISTERS as f64;
    let mut z = m * tau(1.0 - f64::from(counts[LARGEST]) / m);
    for &count in counts[1..LARGEST].iter().rev() {
        z = 0.5 * (z + f64::from(count));
    }
    z += m * sigma(f64::from(counts[0]) / m);
    m * m / (2.0 * core::f64::consts::LN_2 * z)
}

/// `x + Σ x^(2^k) 2^(k-1)`: what the registers without a position stand for.
fn sigma(mut x: f64) -> f64 {
    let (mut sum, mut power) = (x, 1.0);
    loop {
        x *= x;
        let before = sum;
        sum += x * power;
        power += power;
        if sum == before || sum.is_infinite() {
            return sum;
        }
    }
}

/// `(1 - x - Σ (1 - x^(2^-k))² 2^-k) / 3`: what the registers at their largest value stand for.
fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut sum, mut power) = (1.0 - x, 1.0);
    loop {
        x = x.sqrt();
        let before = sum;
        power *= 0.5;
        sum -= (1.0 - x) * (1.0 - x) * power;
        if sum == before {
            return sum / 3.0;
        }
    }
}

impl Default for Distinct {
    fn default() -> Self {
        Distinct(Sketch::Few(HashSet::default()))
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
    #[test]
    fn hash_of_a_word_is_stable() {
        let word: Word = core::array::from_fn(|index| index as u8 * 7);
        // Computed by another program.
        assert_eq!(hash(&word), 0x9599_0c56_e406_3c5b);
    }

    #[test]
    fn few_positions_are_counted_exactly() {
        for count in [0, 1, 100, 10_000, FEW as u32] {
            let mut distinct = sketch(0..count);
            distinct.merge(&sketch(count / 2..count));
            let count = f64::from(count);
            assert_eq!(distinct.estimate(), Estimate { count, bounds: (count, count) });
        }
    }

    /// One position more than are kept, and as many as fill all registers, from the same registers however they came there.
    #[test]
    fn sketch_switches_from_hashes_to_registers() {
        for count in [FEW as u32 + 1, 1_000_000] {
            let whole = sketch(0..count).estimate();
            let mut merged = sketch(0..100);
            merged.merge(&sketch(50..count));
            assert_eq!(merged.estimate(), whole);
            let mut other = sketch(50..count);
            other.merge(&sketch(0..100));
            assert_eq!(other.estimate(), whole);
            assert!(
                (whole.count / f64::from(count) - 1.0).abs() < 4.0 * Distinct::ERROR,
                "{count}: {whole:?}"
            );
        }
    }

    #[test]
    fn the_estimate_does_not_depend_on_the_order() {
        for count in [100, 20_000, 40_000, 300_000] {
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

    #[test]
    fn invalid_sketches_are_refused() {
        let registers = [1].into_iter().chain([LARGEST as u8 + 1; REGISTERS]).collect::<Vec<u8>>();
        let hashes = [0; 1 + 8 * (FEW + 1)];
        for bytes in [&[][..], &[2], &[0, 1], &[1, 1], &registers[..], &hashes] {
            assert_eq!(Distinct::default().merge_bytes(bytes), None);
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

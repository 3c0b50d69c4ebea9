//! [`Distinct`]: an estimate of the number of distinct positions, in constant memory.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashSet;

use komabako_codec::Word;

use crate::order;

/// The logarithm of the number of registers, which determines size (256 KiB) and error.
const LOG_REGISTERS: u32 = 18;
const REGISTERS: usize = 1 << LOG_REGISTERS;

/// The largest value of a register: one more than the number of hash bits that do not select the register.
const MAX_REGISTER: usize = 64 - LOG_REGISTERS as usize + 1;

/// Up to this many hashes are stored individually. They take about as much memory as the registers.
const MAX_HASHES: usize = 1 << 15;

/// A sketch (`HyperLogLog`) of positions: board, hands and side to move.
///
/// The relative standard error is about 0.2 %, due to 2^18 registers. Up to 32,768 positions the sketch stores their
/// hashes and is exact, unless two 64-bit hashes collide. Merging sketches gives the same result as one sketch of all
/// positions.
#[derive(Clone)]
pub struct Distinct(Sketch);

#[derive(Clone)]
enum Sketch {
    Hashes(HashSet<u64, BuildHasherDefault<IdentityHasher>>),
    /// For each value of the upper bits of a hash, the maximum number of leading zeros of the lower bits, plus one.
    Registers(Box<[u8]>),
}

/// A hasher of hashes: returns them unchanged.
#[derive(Clone, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
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

/// A sketch's estimate of the number of distinct positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The most likely number.
    pub count: f64,
    /// The bounds of the number with a probability of about 95 %: two standard errors.
    pub bounds: (f64, f64),
}

impl Distinct {
    /// The relative standard error for many positions.
    pub const ERROR: f64 = 1.04 / (1 << (LOG_REGISTERS / 2)) as f64;

    /// Adds a position, given as its canonical word.
    #[inline]
    pub(super) fn add(&mut self, word: &Word) {
        self.0.add(hash(word));
    }

    pub(super) fn merge(&mut self, other: &Distinct) {
        match (&mut self.0, &other.0) {
            (_, Sketch::Hashes(hashes)) => hashes.iter().for_each(|&hash| self.0.add(hash)),
            (Sketch::Hashes(_), Sketch::Registers(registers)) => {
                let hashes = core::mem::replace(self, Distinct(Sketch::Registers(registers.clone())));
                self.merge(&hashes);
            }
            (Sketch::Registers(registers), Sketch::Registers(others)) => {
                for (register, &other) in registers.iter_mut().zip(others) {
                    *register = (*register).max(other);
                }
            }
        }
    }

    /// The sketch as bytes: 0 and the sorted hashes, or 1 and the registers.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match &self.0 {
            Sketch::Hashes(hashes) => {
                let mut hashes: Vec<u64> = hashes.iter().copied().collect();
                hashes.sort_unstable();
                let bytes = hashes.into_iter().flat_map(u64::to_le_bytes);
                [0].into_iter().chain(bytes).collect()
            }
            Sketch::Registers(registers) => [&[1], &registers[..]].concat(),
        }
    }

    /// Merges a sketch from its [bytes](Self::to_bytes); `None` if they are not valid.
    pub(super) fn merge_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        let (&kind, bytes) = bytes.split_first()?;
        let (hashes, rest) = bytes.as_chunks::<8>();
        let sketch = match kind {
            0 if rest.is_empty() && hashes.len() <= MAX_HASHES => {
                Sketch::Hashes(hashes.iter().map(|&hash| u64::from_le_bytes(hash)).collect())
            }
            1 if bytes.len() == REGISTERS
                && bytes.iter().all(|&register| usize::from(register) <= MAX_REGISTER) =>
            {
                Sketch::Registers(bytes.into())
            }
            _ => return None,
        };
        self.merge(&Distinct(sketch));
        Some(())
    }

    /// The number of distinct positions. It does not depend on the order in which positions were added and sketches
    /// merged.
    pub fn estimate(&self) -> Estimate {
        match &self.0 {
            Sketch::Hashes(hashes) => {
                let count = hashes.len() as f64;
                Estimate { count, bounds: (count, count) }
            }
            Sketch::Registers(registers) => {
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
            Sketch::Hashes(hashes) => {
                hashes.insert(hash);
                if hashes.len() > MAX_HASHES {
                    self.keep_registers();
                }
            }
            Sketch::Registers(registers) => raise_register(registers, hash),
        }
    }

    #[cold]
    fn keep_registers(&mut self) {
        let Sketch::Hashes(hashes) = self else { return };
        let mut registers = vec![0; REGISTERS].into_boxed_slice();
        hashes.iter().for_each(|&hash| raise_register(&mut registers, hash));
        *self = Sketch::Registers(registers);
    }
}

/// The hash of a word, the same on every machine: its four 64-bit numbers, mixed with the function of [`random`].
#[inline]
fn hash(word: &Word) -> u64 {
    let (numbers, _) = word.as_chunks::<8>();
    numbers
        .iter()
        .fold(0, |hash: u64, &number| order::mix(hash.wrapping_add(order::STEP) ^ u64::from_le_bytes(number)))
}

#[inline]
fn raise_register(registers: &mut [u8], hash: u64) {
    let register = (hash >> (64 - LOG_REGISTERS)) as usize;
    // A bit set below the remaining hash bits bounds the value.
    let rest = hash << LOG_REGISTERS | 1 << (LOG_REGISTERS - 1);
    registers[register] = registers[register].max(rest.leading_zeros() as u8 + 1);
}

/// The improved raw estimator of Ertl (*New cardinality estimation algorithms for `HyperLogLog` sketches*, 2017, algorithm 6):
/// without bias at any number, and without tables.
fn estimate(registers: &[u8]) -> f64 {
    let mut counts = [0u32; MAX_REGISTER + 1];
    for &register in registers {
        counts[usize::from(register)] += 1;
    }
    let m = REGISTERS as f64;
    let mut z = m * tau(1.0 - f64::from(counts[MAX_REGISTER]) / m);
    for &count in counts[1..MAX_REGISTER].iter().rev() {
        z = 0.5 * (z + f64::from(count));
    }
    z += m * sigma(f64::from(counts[0]) / m);
    m * m / (2.0 * core::f64::consts::LN_2 * z)
}

/// `x + Σ x^(2^k) 2^(k-1)`: the contribution of the empty registers.
fn sigma(mut x: f64) -> f64 {
    let mut sum = x;
    let mut power = 1.0;
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

/// `(1 - x - Σ (1 - x^(2^-k))² 2^-k) / 3`: the contribution of the registers at their largest value.
fn tau(mut x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let mut sum = 1.0 - x;
    let mut power = 1.0;
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
        Distinct(Sketch::Hashes(HashSet::default()))
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

    /// Estimates in reports of other builds must stay comparable.
    #[test]
    fn hash_of_a_word_is_stable() {
        let word: Word = core::array::from_fn(|index| index as u8 * 7);
        // Computed with another program.
        assert_eq!(hash(&word), 0x9599_0c56_e406_3c5b);
    }

    #[test]
    fn few_positions_are_counted_exactly() {
        for count in [0, 1, 100, 10_000, MAX_HASHES as u32] {
            let mut distinct = sketch(0..count);
            distinct.merge(&sketch(count / 2..count));
            let count = f64::from(count);
            assert_eq!(distinct.estimate(), Estimate { count, bounds: (count, count) });
        }
    }

    /// The estimate does not depend on how the registers were filled: tested with one position more than are stored
    /// individually, and with enough to fill all registers.
    #[test]
    fn sketch_switches_from_hashes_to_registers() {
        for count in [MAX_HASHES as u32 + 1, 1_000_000] {
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
    fn estimate_is_independent_of_order() {
        for count in [100, 20_000, 40_000, 300_000] {
            let whole = sketch(0..count).estimate();
            let third = count / 3;
            for order in [[0, 1, 2], [2, 0, 1]] {
                let mut merged = Distinct::default();
                for part in order {
                    let part = sketch(part * third..if part == 2 { count } else { (part + 2) * third });
                    merged.merge_bytes(&part.to_bytes()).unwrap();
                }
                assert_eq!(merged.estimate(), whole, "{count}");
            }
        }
    }

    #[test]
    fn invalid_sketches_are_refused() {
        let registers = [1].into_iter().chain([MAX_REGISTER as u8 + 1; REGISTERS]).collect::<Vec<u8>>();
        let hashes = [0; 1 + 8 * (MAX_HASHES + 1)];
        for bytes in [&[][..], &[2], &[0, 1], &[1, 1], &registers[..], &hashes] {
            assert_eq!(Distinct::default().merge_bytes(bytes), None);
        }
    }

    /// A quarter of a million words in overlapping parts: the estimate is within four standard errors, and within the
    /// bounds.
    #[test]
    fn estimate_of_many_positions_is_within_the_error() {
        let mut merged = Distinct::default();
        for part in 0..16 {
            merged.merge(&sketch(part * 15_000..part * 15_000 + 25_000));
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

//! [`Chance`]: a probability as a threshold of 32 bits.

use komabako_record::order::Random;

/// A probability with which records are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    threshold: u64,
}

impl Chance {
    /// Every record is kept.
    pub const CERTAIN: Chance = Chance { threshold: 1 << 32 };

    /// A probability from 0 to 1; `None` for any other number.
    pub fn new(probability: f64) -> Option<Chance> {
        if !(0.0..=1.0).contains(&probability) {
            return None;
        }
        Some(Chance { threshold: (probability * (1_u64 << 32) as f64 + 0.5).floor() as u64 })
    }
}

/// The draws of a source in an epoch, one a record.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    random: Random,
}

impl Draws {
    /// The draws of a source in an epoch. They depend on nothing else.
    ///
    /// ```
    /// use komabako_loader::order::{Chance, Draws};
    /// let draws = Draws::new(7, 0, 0);
    /// let half = Chance::new(0.5).unwrap();
    /// let kept = (0..10_000).filter(|&record| draws.keeps(half, record)).count();
    /// assert!((4_800..5_200).contains(&kept));
    /// ```
    pub fn new(seed: u64, epoch: u64, source: u64) -> Draws {
        Draws { random: Random::keyed(&[seed, epoch, source, 5]) }
    }

    /// Whether a record, given by its number in the source, is kept.
    #[inline]
    pub fn keeps(self, chance: Chance, record: u64) -> bool {
        self.random.at(record) >> 32 < chance.threshold
    }
}

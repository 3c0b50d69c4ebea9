//! Weights (`spec/archive.md` §5): what a feature of a move, or a context of a bit, adds to a logarithm, learnt as it goes.

use super::coder::Coder;

/// The contexts that predict a bit.
const CONTEXTS: usize = 4;

/// A weight, 65536 to the nat, in the upper 24 bits; in the lower 8 how often it was learnt from.
#[derive(Clone, Copy)]
pub(super) struct Weight(i32);

/// The probabilities of a 1 in 1/65536, by the logarithm of the odds in 1/64 nat, from −512: 65536 / (1 + e^(−i/64)), rounded.
static PROBABILITIES: [u16; 1024] = {
    /// e^(1/64) and e^(−8)
    const STEP: f64 = 1.015_747_708_586_685_7;
    const FIRST: f64 = 0.000_335_462_627_902_511_84;
    let mut probabilities = [0; 1024];
    let mut odds = FIRST;
    let mut i = 0;
    while i < 1024 {
        probabilities[i] = (65_536.0 * odds / (1.0 + odds) + 0.5) as u16;
        odds *= STEP;
        i += 1;
    }
    probabilities
};

impl Weight {
    /// Nothing is known.
    pub const NEW: Weight = Weight(0);

    #[inline(always)]
    pub fn value(self) -> i32 {
        self.0 >> 8
    }

    /// Learns from an error in 1/65536, at most 1.
    #[inline(always)]
    pub fn learn(&mut self, error: i32, rates: &Rates, counts: bool) {
        let (rate, grows) = rates[(self.0 & 0xff) as usize];
        // The step in 1/65536 nat, in the upper 24 bits. What exceeds these is lost.
        self.0 = self.0.wrapping_add(((error * rate) & !0xff) + if counts { grows } else { 0 });
    }
}

/// By how often a weight was learnt from: 256 times how fast it is learnt, and 1 if the number still grows.
pub(super) type Rates = [(i32, i32); 256];

/// Some sixteenths of 1/√(n + 1) after n times.
pub(super) const fn rates(sixteenths: i32) -> Rates {
    let mut rates = [(0, 1); 256];
    let mut n = 0;
    while n < 256 {
        let root = (65_536 * (n as i32 + 1)).isqrt();
        rates[n].0 = 65_536 / root * sixteenths / 16;
        n += 1;
    }
    rates[255].1 = 0;
    rates
}

/// Codes a bit whose odds have a weight from each context.
#[inline(always)]
pub(super) fn code_bit<C: Coder>(
    coder: &mut C,
    [a, b, c, d]: [&mut Weight; CONTEXTS],
    rates: &Rates,
    bit: bool,
) -> bool {
    let sum = a.value() + b.value() + c.value() + d.value();
    let probability = PROBABILITIES[((sum >> 10) + 512).clamp(0, 1023) as usize];
    let bit = coder.code(probability, bit);
    let error = if bit { 65_536 } else { 0 } - i32::from(probability);
    a.learn(error, rates, true);
    b.learn(error, rates, true);
    c.learn(error, rates, true);
    d.learn(error, rates, true);
    bit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_arithmetic_are_those_of_the_specification() {
        for (index, &probability) in PROBABILITIES.iter().enumerate() {
            let exact = (65_536.0 / (1.0 + (-(index as f64 - 512.0) / 64.0).exp())).round();
            assert_eq!(f64::from(probability), exact, "{index}");
        }
        let [once, twice] = [rates(16), rates(24)];
        assert_eq!((once[0], once[1], once[255]), ((256, 1), (181, 1), (16, 0)));
        assert_eq!((twice[1], rates(6)[255]), ((271, 1), (6, 0)));
    }
}

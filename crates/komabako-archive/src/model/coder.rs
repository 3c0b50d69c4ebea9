//! The range coder (`spec/archive.md` §5): adaptive bits, raw bits and intervals. Carry by cache, as in LZMA.

use alloc::vec::Vec;

/// The probability of a bit, learnt from the bits before it.
#[derive(Clone, Copy)]
pub(super) struct Bit {
    /// Of a 1, in 1/65536.
    probability: u16,
    /// The bits seen, up to a limit: how slowly the probability changes.
    count: u8,
}

/// What a bit learns from each value, by the number of values before: about 1/(n + 1.6), in 1/65536.
const RATES: [u16; 256] = {
    let mut rates = [0; 256];
    let mut n = 0;
    while n < 256 {
        rates[n] = (655_360 / (10 * n + 16)) as u16;
        n += 1;
    }
    rates
};
const MOST_SEEN: u8 = 250;
const PROBABILITIES: core::ops::RangeInclusive<i32> = 24..=65_511;

impl Bit {
    /// Nothing is known.
    pub const NEW: Bit = Bit { probability: 1 << 15, count: 0 };

    #[inline(always)]
    fn learn(&mut self, bit: bool) {
        let probability = i32::from(self.probability);
        let error = if bit { 65_535 } else { 0 } - probability;
        let step = ((i64::from(error) * i64::from(RATES[usize::from(self.count)])) >> 16) as i32;
        self.probability = (probability + step).clamp(*PROBABILITIES.start(), *PROBABILITIES.end()) as u16;
        self.count += u8::from(self.count < MOST_SEEN);
    }
}

/// A side of the coder. The model is written once for both: each call takes the value, which the decoder ignores, and returns it.
pub(super) trait Coder {
    /// Whether values come from the code.
    const DECODES: bool;

    /// Codes a bit that is 1 with a probability in 1/65536.
    fn code(&mut self, probability: u16, bit: bool) -> bool;

    /// Codes a number of up to 16 bits, all equally likely.
    fn raw(&mut self, bits: u32, value: u32) -> u32;

    /// Codes the index of one of some shares of a total.
    fn choose(&mut self, shares: &[u32], total: u32, chosen: usize) -> usize;

    /// Whether the decoder has read far past its end: the code is no encoder's.
    fn is_exhausted(&self) -> bool;

    /// Codes an adaptive bit.
    #[inline(always)]
    fn bit(&mut self, bit: &mut Bit, value: bool) -> bool {
        let value = self.code(bit.probability, value);
        bit.learn(value);
        value
    }

    /// Codes a number below `N`, a power of two, high bit first: a bit for each prefix.
    #[inline(always)]
    fn tree<const N: usize>(&mut self, tree: &mut [Bit; N], value: u32) -> u32 {
        let mut node = 1;
        for place in (0..N.ilog2()).rev() {
            let bit = self.bit(&mut tree[node % N], value >> place & 1 == 1);
            node = node * 2 + usize::from(bit);
        }
        (node % N) as u32
    }
}

/// The range is kept above this.
const LEAST_RANGE: u32 = 1 << 24;

/// Encodes.
pub(super) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte, which a carry may still change, and the number of bytes that wait for it.
    cache: u8,
    waiting: u64,
    code: Vec<u8>,
}

impl Encoder {
    /// Appends to some bytes.
    pub fn new(code: Vec<u8>) -> Encoder {
        Encoder { low: 0, range: u32::MAX, cache: 0, waiting: 1, code }
    }

    #[inline(always)]
    fn normalize(&mut self) {
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if carry > 0 || self.low < 0xff00_0000 {
            self.code.push(self.cache.wrapping_add(carry));
            for _ in 1..self.waiting {
                self.code.push(0xff_u8.wrapping_add(carry));
            }
            self.waiting = 0;
            self.cache = (self.low >> 24) as u8;
        }
        self.waiting += 1;
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// The code.
    pub fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.code
    }
}

impl Coder for Encoder {
    const DECODES: bool = false;

    #[inline(always)]
    fn code(&mut self, probability: u16, bit: bool) -> bool {
        let bound = (self.range >> 16) * u32::from(probability);
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        self.normalize();
        bit
    }

    fn raw(&mut self, bits: u32, value: u32) -> u32 {
        self.range >>= bits;
        self.low += u64::from(value) * u64::from(self.range);
        self.normalize();
        value
    }

    #[inline]
    fn choose(&mut self, shares: &[u32], total: u32, chosen: usize) -> usize {
        let unit = self.range / total;
        let before: u32 = shares[..chosen].iter().sum();
        self.low += u64::from(before) * u64::from(unit);
        self.range = unit * shares[chosen];
        self.normalize();
        chosen
    }

    fn is_exhausted(&self) -> bool {
        false
    }
}

/// The bytes that a decoder may read past the end of its code.
const MOST_PAST_END: usize = 8;

/// Decodes.
pub(super) struct Decoder<'a> {
    offset: u32,
    range: u32,
    code: &'a [u8],
    place: usize,
}

impl<'a> Decoder<'a> {
    pub fn new(code: &'a [u8]) -> Decoder<'a> {
        // The first byte is the encoder's first cache, 0.
        let mut decoder = Decoder { offset: 0, range: u32::MAX, code, place: 1 };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    #[inline(always)]
    fn shift(&mut self) {
        let byte = self.code.get(self.place).copied().unwrap_or(0);
        self.offset = self.offset << 8 | u32::from(byte);
        self.place += 1;
    }

    #[inline(always)]
    fn normalize(&mut self) {
        while self.range < LEAST_RANGE {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Whether all of the code was read, and no more.
    pub fn is_at_end(&self) -> bool {
        self.place == self.code.len()
    }
}

impl Coder for Decoder<'_> {
    const DECODES: bool = true;

    #[inline(always)]
    fn code(&mut self, probability: u16, _: bool) -> bool {
        let bound = (self.range >> 16) * u32::from(probability);
        let bit = self.offset < bound;
        if bit {
            self.range = bound;
        } else {
            self.offset -= bound;
            self.range -= bound;
        }
        self.normalize();
        bit
    }

    fn raw(&mut self, bits: u32, _: u32) -> u32 {
        self.range >>= bits;
        let value = (self.offset / self.range).min((1 << bits) - 1);
        self.offset -= value * self.range;
        self.normalize();
        value
    }

    #[inline]
    fn choose(&mut self, shares: &[u32], total: u32, _: usize) -> usize {
        let unit = self.range / total;
        let target = (self.offset / unit).min(total - 1);
        let mut before = 0;
        let mut chosen = 0;
        while before + shares[chosen] <= target {
            before += shares[chosen];
            chosen += 1;
        }
        self.offset -= before * unit;
        self.range = unit * shares[chosen];
        self.normalize();
        chosen
    }

    fn is_exhausted(&self) -> bool {
        self.place >= self.code.len() + MOST_PAST_END
    }
}

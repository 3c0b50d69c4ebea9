//! [`Payload`]: the six bits of a C250 word that belong to the user.

use core::fmt;

/// Six bits for the user, 0..=63. The codec gives them no meaning; the views [`Repetition`] and [`Scored`] are optional.
///
/// ```
/// use komabako_variants::c250::{Outcome, Payload, Repetition, Scored};
/// let payload = Payload::from(Repetition { count: 3, losing: true });
/// assert_eq!(payload.get(), 0b000_111);
/// assert_eq!(Repetition::from(payload).count, 3);
///
/// let scored = Scored { outcome: Outcome::WhiteWins, bucket: 9 };
/// assert_eq!(Scored::from(Payload::from(scored)), scored);
/// assert_eq!(Payload::new(64), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Payload(u8);

impl Payload {
    /// No bit set: the payload of words packed by [`PositionCodec`](komabako_codec::PositionCodec).
    pub const ZERO: Payload = Payload(0);

    /// The payload with this number, or `None` from 64 up.
    #[inline(always)]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 64 { Some(Self(number)) } else { None }
    }

    /// The number, 0..=63.
    #[inline(always)]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The payload in the last byte of a word.
    #[inline(always)]
    pub(super) const fn of_byte(byte: u8) -> Self {
        Self(byte >> 2)
    }
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A view of the payload for searches: bits 0–1 the count, bit 2 the sign; bits 3–5 are free, written as zero and ignored
/// when read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Repetition {
    /// The number of earlier occurrences of the position, 0..=3; more are written as 3.
    pub count: u8,
    /// Whether the evaluation is negative.
    pub losing: bool,
}

impl From<Repetition> for Payload {
    fn from(view: Repetition) -> Self {
        Self(view.count.min(3) | u8::from(view.losing) << 2)
    }
}

impl From<Payload> for Repetition {
    fn from(payload: Payload) -> Self {
        Self { count: payload.0 & 3, losing: payload.0 & 4 != 0 }
    }
}

/// A view of the payload for training: bits 0–1 the outcome, bits 2–5 the bucket.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scored {
    /// The outcome of the game.
    pub outcome: Outcome,
    /// The evaluation's bucket on a scale of your own, 0..=15; more are written as 15.
    pub bucket: u8,
}

/// The outcome of a game; the numbers are the same as in `hcpe`, and 3 for unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Outcome {
    /// 引き分け
    Draw,
    /// 先手勝ち
    BlackWins,
    /// 後手勝ち
    WhiteWins,
    /// The game did not end, or its outcome was not recorded.
    Unknown,
}

impl From<Scored> for Payload {
    fn from(view: Scored) -> Self {
        Self(view.outcome as u8 | view.bucket.min(15) << 2)
    }
}

impl From<Payload> for Scored {
    fn from(payload: Payload) -> Self {
        let outcome = match payload.0 & 3 {
            0 => Outcome::Draw,
            1 => Outcome::BlackWins,
            2 => Outcome::WhiteWins,
            _ => Outcome::Unknown,
        };
        Self { outcome, bucket: payload.0 >> 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payload_views_use_their_own_bits() {
        for payload in (0..=63).filter_map(Payload::new) {
            assert_eq!(Payload::from(Scored::from(payload)), payload);
            assert_eq!(Payload::from(Repetition::from(payload)).get(), payload.get() & 7);
        }
        assert_eq!(Payload::from(Repetition { count: 200, losing: false }).get(), 3);
        assert_eq!(Payload::from(Scored { outcome: Outcome::Draw, bucket: 200 }).get(), 15 << 2);
    }
}

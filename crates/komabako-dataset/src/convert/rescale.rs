//! [`Rescale`]: a change of the scale of scores.

use std::ops::AddAssign;

use crate::io::score_column::{MATE, UNKNOWN};

/// A change of scores. Scores of 30000 and more mean mate, smaller ones are evaluations. 32002 and
/// −32768, which mean no score, are left alone.
///
/// ```
/// use komabako_dataset::convert::Rescale;
/// let rescale = Rescale { scale: 0.5, clamp: Some(2000), mate: Some(3000) };
/// assert_eq!([101, -9000, 31_990].map(|score| rescale.apply(score).0), [51, -2000, 3000]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rescale {
    /// The factor for evaluations; results are rounded half away from zero, so that both sides' views stay opposite. Mates
    /// are not scaled.
    pub scale: f64,
    /// The bound on either side, at most [`Rescale::LARGEST`]. Mates beyond it are clamped too, unless `mate` is set.
    pub clamp: Option<u16>,
    /// The new value of mates, which keep their sign.
    pub mate: Option<u16>,
}

/// The number of scores that were changed, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Rescaled {
    /// Scores that have changed.
    pub changed: u64,
    /// Scores that were clamped.
    pub clamped: u64,
    /// Scores that mean mate, changed or not.
    pub mates: u64,
}

impl Rescale {
    /// The largest evaluation: scaled evaluations are clamped to it, since anything larger would mean mate.
    pub const LARGEST: u16 = MATE as u16 - 1;

    /// The new score, and its contribution to the counts.
    pub fn apply(&self, score: i16) -> (i16, Rescaled) {
        // Both mean no score: scaled, they would become scores.
        if matches!(score, UNKNOWN | i16::MIN) {
            return (score, Rescaled::default());
        }
        let bound = f64::from(self.clamp.unwrap_or(Rescale::LARGEST).min(Rescale::LARGEST));
        let is_mate = score.unsigned_abs() >= MATE as u16;
        let (wanted, is_bounded) = match (is_mate, self.mate) {
            (false, _) => ((f64::from(score) * self.scale).round(), true),
            (true, Some(mate)) => (f64::from(mate).copysign(score.into()), false),
            (true, None) => (score.into(), self.clamp.is_some()),
        };
        let kept = if is_bounded { wanted.clamp(-bound, bound) } else { wanted };
        // Saturates if `mate` is larger than an `i16`.
        let new = kept as i16;
        let counts = Rescaled {
            changed: u64::from(new != score),
            clamped: u64::from(kept != wanted),
            mates: u64::from(is_mate),
        };
        (new, counts)
    }
}

impl AddAssign for Rescaled {
    fn add_assign(&mut self, other: Rescaled) {
        let Rescaled { changed, clamped, mates } = other;
        self.changed += changed;
        self.clamped += clamped;
        self.mates += mates;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAME: Rescale = Rescale { scale: 1.0, clamp: None, mate: None };

    fn applied(rescale: Rescale, score: i16) -> (i16, u64, u64, u64) {
        let (new, Rescaled { changed, clamped, mates }) = rescale.apply(score);
        (new, changed, clamped, mates)
    }

    #[test]
    fn default_rescale_changes_nothing() {
        for score in i16::MIN..=i16::MAX {
            assert_eq!(SAME.apply(score).0, score);
        }
    }

    #[test]
    fn evaluations_are_scaled_and_never_become_mates() {
        let twice = Rescale { scale: 2.0, ..SAME };
        assert_eq!(applied(twice, -7), (-14, 1, 0, 0));
        assert_eq!(applied(twice, 20_000), (29_999, 1, 1, 0));
        assert_eq!(applied(twice, -31_990), (-31_990, 0, 0, 1));
        let half = Rescale { scale: 0.5, ..SAME };
        assert_eq!([applied(half, 3).0, applied(half, -3).0], [2, -2]);
    }

    #[test]
    fn bounds_hold_for_mates_unless_they_have_a_value() {
        let bounded = Rescale { clamp: Some(2000), ..SAME };
        assert_eq!(applied(bounded, 2001), (2000, 1, 1, 0));
        assert_eq!(applied(bounded, -30_000), (-2000, 1, 1, 1));
        assert_eq!(applied(Rescale { mate: Some(3000), ..bounded }, -32_767), (-3000, 1, 0, 1));
        assert_eq!(applied(bounded, UNKNOWN), (UNKNOWN, 0, 0, 0));
        assert_eq!(applied(bounded, i16::MIN), (i16::MIN, 0, 0, 0));
    }
}

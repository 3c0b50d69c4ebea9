//! [`Prediction`]: a score, predicted from those before it in its chain (`spec/archive.md` §3).

/// Scores beyond this are mates.
const MATE: i32 = 30_000;

/// The classes of [`Predicted::spread`].
pub(crate) const SPREADS: usize = 12;

/// The scores before a record of a chain, each as its side to move then saw it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Prediction {
    /// One ply before.
    last: Option<i32>,
    /// Two plies before.
    earlier: Option<i32>,
}

/// A predicted score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Predicted {
    pub score: i32,
    /// How far what it was predicted from differs, as a class: the [size](size_class) of the difference, or 9 and 10 for mates, 11
    /// for a single score.
    pub spread: usize,
}

/// The size of a score as a class, 0 to 11.
pub(crate) fn size_class(score: i32) -> usize {
    let eighths = score.unsigned_abs() / 8;
    ((u32::BITS - eighths.leading_zeros()) as usize).min(SPREADS - 1)
}

impl Prediction {
    /// The next score, as the side to move then sees it.
    pub fn next(&self) -> Predicted {
        let of_last = -self.last.unwrap_or(0);
        let Some(earlier) = self.earlier else { return Predicted { score: of_last, spread: 11 } };
        let is_mate = |score: i32| score.abs() > MATE;
        if is_mate(earlier) {
            Predicted { score: of_last, spread: 9 }
        } else if is_mate(of_last) {
            Predicted { score: of_last, spread: 10 }
        } else {
            Predicted { score: (of_last + earlier) / 2, spread: size_class(of_last - earlier) }
        }
    }

    /// A record's score becomes known.
    pub fn push(&mut self, score: i16) {
        *self = Prediction { last: Some(score.into()), earlier: self.last };
    }

    /// A ply passes whose score is not known.
    pub fn pass(&mut self) {
        *self = Prediction { last: self.last.map(|score| -score), earlier: None };
    }
}

//! [`Prediction`]: a score, predicted from those before it in its chain (`spec/archive.md` §3).

/// Scores beyond this are mates.
const MATE: i32 = 30_000;

fn is_mate(score: i32) -> bool {
    score.abs() > MATE
}

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
    #[inline]
    pub fn score(&self) -> i32 {
        let of_last = -self.last.unwrap_or(0);
        match self.earlier {
            Some(earlier) if !is_mate(earlier) && !is_mate(of_last) => (of_last + earlier) / 2,
            _ => of_last,
        }
    }

    /// The same, and its spread.
    pub fn next(&self) -> Predicted {
        let of_last = -self.last.unwrap_or(0);
        let spread = match self.earlier {
            None => 11,
            Some(earlier) if is_mate(earlier) => 9,
            Some(_) if is_mate(of_last) => 10,
            Some(earlier) => size_class(of_last - earlier),
        };
        Predicted { score: self.score(), spread }
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

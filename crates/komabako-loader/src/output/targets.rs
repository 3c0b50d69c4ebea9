//! [`Targets`]: what a score and a result are worth.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use komabako_dataset::Field;

use crate::LoaderError;
use crate::error::Conflict;

/// What a network learns to predict: λ · value(score) + (1 − λ) · (result + 1) / 2, from the side to move's view.
///
/// ```
/// use komabako_loader::Targets;
/// let targets = Targets::logistic(600.0).lambda(0.5);
/// assert_eq!(targets.value(0), 0.5);
/// ```
#[derive(Clone, Debug)]
pub struct Targets {
    curve: Curve,
    lambda: Lambda,
    /// Whether a batch also has the result as three numbers: loss, draw, win.
    pub wdl: bool,
    /// The largest score, without its sign; larger ones count as it.
    pub score_clip: Option<u16>,
    /// Records whose score, without its sign, is at least this have weight 0.
    pub score_drop_abs: Option<u16>,
    /// Whether those are left out instead.
    pub drop: bool,
}

/// The value of a score.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Curve {
    /// 1 / (1 + e^(−s / scale)), and with `mate` 1 from that score up and 0 from its opposite down.
    Logistic { scale: f64, mate: Option<i16> },
    /// The win-rate model ½ (1 + σ((s − o) / c) − σ((−s − o) / c)).
    Wrm { offset: f64, scaling: f64 },
}

/// A function of epoch and step, from 0.
type Schedule = Arc<dyn Fn(u64, u64) -> f64 + Send + Sync>;

/// The share of the score in a target.
#[derive(Clone)]
enum Lambda {
    Fixed(f64),
    By(Schedule),
}

impl fmt::Debug for Lambda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lambda::Fixed(lambda) => lambda.fmt(f),
            Lambda::By(_) => f.write_str("a function of epoch and step"),
        }
    }
}

impl Targets {
    const fn new(curve: Curve) -> Targets {
        Targets {
            curve,
            lambda: Lambda::Fixed(1.0),
            wdl: false,
            score_clip: None,
            score_drop_abs: None,
            drop: false,
        }
    }

    /// The logistic function of the score.
    pub const fn logistic(scale: f64) -> Targets {
        Targets::new(Curve::Logistic { scale, mate: None })
    }

    /// The same, but for scores that mean mate, which are certain: 1 from `mate` up.
    pub const fn logistic_with_mates(scale: f64, mate: i16) -> Targets {
        Targets::new(Curve::Logistic { scale, mate: Some(mate) })
    }

    /// The win-rate model with an offset and a scaling, commonly 270 and 380.
    pub const fn wrm(offset: f64, scaling: f64) -> Targets {
        Targets::new(Curve::Wrm { offset, scaling })
    }

    /// The same with a share of the score, from 0 (only results) to 1 (only scores). bullet's `blend` is 1 − λ.
    pub fn lambda(self, lambda: f64) -> Targets {
        Targets { lambda: Lambda::Fixed(lambda), ..self }
    }

    /// The same with a share of the score that is a function of epoch and step, both from 0. A batch for which it panics, or returns
    /// a number that is not from 0 to 1, is an error.
    pub fn lambda_by(self, lambda: impl Fn(u64, u64) -> f64 + Send + Sync + 'static) -> Targets {
        Targets { lambda: Lambda::By(Arc::new(lambda)), ..self }
    }

    /// The value of a score, computed in 64 bits and rounded once.
    pub fn value(&self, score: i16) -> f32 {
        let clip = self.score_clip.map_or(i32::MAX, i32::from);
        let wide = i32::from(score).clamp(-clip, clip);
        let s = f64::from(wide);
        let sigma = |x: f64| 1.0 / (1.0 + (-x).exp());
        let value = match self.curve {
            Curve::Logistic { mate: Some(mate), .. } if wide >= i32::from(mate) => 1.0,
            Curve::Logistic { mate: Some(mate), .. } if wide <= -i32::from(mate) => 0.0,
            Curve::Logistic { scale, .. } => sigma(s / scale),
            Curve::Wrm { offset, scaling } => {
                0.5 * (1.0 + sigma((s - offset) / scaling) - sigma((-s - offset) / scaling))
            }
        };
        value as f32
    }

    /// The fields that they need: with a λ of 0 no score, with 1 no result.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        if !matches!(self.lambda, Lambda::Fixed(0.0)) || self.score_drop_abs.is_some() {
            fields.push(Field::Score);
        }
        if !matches!(self.lambda, Lambda::Fixed(1.0)) || self.wdl {
            fields.push(Field::Result);
        }
        fields
    }

    /// The share of the score at a step.
    pub(crate) fn lambda_at(&self, epoch: u64, step: u64) -> Result<f32, Conflict> {
        match &self.lambda {
            Lambda::Fixed(lambda) => Ok(*lambda as f32),
            Lambda::By(lambda) => match catch_unwind(AssertUnwindSafe(|| lambda(epoch, step))) {
                Ok(lambda) if (0.0..=1.0).contains(&lambda) => Ok(lambda as f32),
                _ => Err(Conflict::Lambda { epoch, step }),
            },
        }
    }

    /// The values of all scores.
    pub(crate) fn table(&self) -> Result<Table, LoaderError> {
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        let is_good = match self.curve {
            Curve::Logistic { scale, .. } => is_positive(scale),
            Curve::Wrm { offset, scaling } => offset.is_finite() && is_positive(scaling),
        };
        if !is_good {
            return Err(Conflict::Scale("scale").into());
        }
        if let Curve::Logistic { mate: Some(mate), .. } = self.curve
            && let Some(score_clip) = self.score_clip
            && i32::from(score_clip) < i32::from(mate)
        {
            return Err(Conflict::Clip { score_clip, mate }.into());
        }
        if let Lambda::Fixed(lambda) = self.lambda
            && !(0.0..=1.0).contains(&lambda)
        {
            return Err(Conflict::Chance("lambda").into());
        }
        Ok(Table { values: (i16::MIN..=i16::MAX).map(|score| self.value(score)).collect() })
    }
}

/// The values of all scores, from the lowest.
pub(crate) struct Table {
    values: Box<[f32]>,
}

impl Table {
    /// The value of a score.
    #[inline]
    pub fn value(&self, score: i16) -> f32 {
        self.values[usize::from(score.cast_unsigned() ^ 0x8000)]
    }
}

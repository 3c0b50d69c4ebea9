//! [`Fit`]: the logistic curve from score to win rate.

use alloc::vec::Vec;

/// A logistic fit: in a position with score s, the side to move wins with probability 1 / (1 + exp(−s / a)).
///
/// The slope 1 / a has maximum likelihood; a draw counts as half a win and half a loss. Trainers commonly assume a = 600;
/// dlshogi uses 756.0865.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// 1 / a. Negative if the higher score loses: then results or scores are probably from the other side's view.
    pub slope: f64,
    /// The standard error of the slope, by the sandwich estimator, as if every record were from a different game. Records
    /// of one game share its result, so the true error is larger.
    pub slope_error: f64,
    /// The number of records behind the fit.
    pub records: u64,
}

/// The steepest slope in the search: a score of 1 would decide a game.
const STEEPEST: f64 = 1.0;

/// A safeguarded Newton step at least halves the bracket or the error, so only rounding can exhaust the steps.
const STEPS: usize = 200;

impl Fit {
    /// Fits counts of wins, draws and losses by score. `None` without counts, or if they do not bound the slope: all
    /// scores are 0, or every higher score won.
    pub(super) fn from_counts(counts: impl Iterator<Item = (f64, [u64; 3])>) -> Option<Fit> {
        let counts: Vec<(f64, [f64; 3])> = counts
            .filter(|(_, counts)| counts.iter().sum::<u64>() > 0)
            .map(|(score, counts)| (score, counts.map(|count| count as f64)))
            .collect();
        let slope = steepest_ascent(&counts)?;
        let Curve { bend, noise, .. } = Curve::at(slope, &counts);
        let records = counts.iter().flat_map(|(_, counts)| counts).sum::<f64>() as u64;
        Some(Fit { slope, slope_error: noise.sqrt() / bend, records })
    }

    /// a, in the unit of the scores.
    pub fn scale(&self) -> f64 {
        self.slope.recip()
    }

    /// The standard error of a, derived from `slope_error`.
    pub fn scale_error(&self) -> f64 {
        self.slope_error / self.slope.powi(2)
    }

    /// The probability that the side to move wins.
    pub fn win_rate(&self, score: f64) -> f64 {
        logistic(self.slope * score)
    }

    /// Whether the slope differs from 0 by more than two standard errors. Otherwise scores do not predict results.
    pub fn is_significant(&self) -> bool {
        self.slope.abs() > 2.0 * self.slope_error
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The derivatives of the log-likelihood at a slope.
struct Curve {
    /// The first derivative.
    rise: f64,
    /// The negated second derivative: the information on the slope.
    bend: f64,
    /// The empirical variance of the first derivative.
    noise: f64,
}

impl Curve {
    fn at(slope: f64, counts: &[(f64, [f64; 3])]) -> Curve {
        let mut curve = Curve { rise: 0.0, bend: 0.0, noise: 0.0 };
        for &(score, [wins, draws, losses]) in counts {
            let p = logistic(slope * score);
            let total = wins + draws + losses;
            curve.rise += score * (wins + draws / 2.0 - total * p);
            curve.bend += score * score * total * p * (1.0 - p);
            let squares = wins * (1.0 - p).powi(2) + draws * (0.5 - p).powi(2) + losses * p.powi(2);
            curve.noise += score * score * squares;
        }
        curve
    }
}

/// The slope of maximum likelihood, if it is within bounds. Uses Newton's method while it stays in the bracket, otherwise
/// bisection. The likelihood has one maximum, since its first derivative is decreasing.
fn steepest_ascent(counts: &[(f64, [f64; 3])]) -> Option<f64> {
    let mut low = -STEEPEST;
    let mut high = STEEPEST;
    // Without a change of sign the maximum is outside: every higher score won, or none did.
    if Curve::at(low, counts).rise <= 0.0 || Curve::at(high, counts).rise >= 0.0 {
        return None;
    }
    let mut slope = 0.0;
    for _ in 0..STEPS {
        let curve = Curve::at(slope, counts);
        if curve.rise > 0.0 {
            low = slope;
        } else {
            high = slope;
        }
        // Far from the maximum the curve is nearly flat, and a Newton step would leave the bracket.
        let newton = slope + curve.rise / curve.bend;
        let next = if low <= newton && newton <= high { newton } else { f64::midpoint(low, high) };
        if (next - slope).abs() <= 1e-12 * next.abs() || next == slope {
            return Some(next);
        }
        slope = next;
    }
    Some(slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts that follow the curve of a scale.
    fn exact(scale: f64, each: f64, draws: f64) -> Vec<(f64, [u64; 3])> {
        (-300..=300)
            .map(|step| {
                let score = f64::from(step) * 10.0;
                let wins = each * logistic(score / scale) - draws / 2.0;
                (
                    score,
                    [
                        wins.max(0.0).round() as u64,
                        draws as u64,
                        (each - wins - draws).max(0.0).round() as u64,
                    ],
                )
            })
            .collect()
    }

    #[test]
    fn fit_recovers_the_scale_of_an_exact_curve() {
        for scale in [-600.0, 100.0, 600.0, 756.0865, 5000.0] {
            let fit = Fit::from_counts(exact(scale, 1e6, 0.0).into_iter()).unwrap();
            assert!((fit.scale() / scale - 1.0).abs() < 1e-4, "{fit:?}");
            assert!(
                fit.is_significant() && fit.scale_error() > 0.0 && fit.scale_error() < 0.01 * scale.abs()
            );
        }
    }

    /// If every record is a win or a loss distributed as the curve, the sandwich equals the inverse of the information;
    /// draws are nearer to the curve and reduce the error.
    #[test]
    fn slope_error_comes_from_the_information() {
        let counts = exact(600.0, 1e6, 0.0);
        let fit = Fit::from_counts(counts.iter().copied()).unwrap();
        let weighed: Vec<_> =
            counts.into_iter().map(|(s, counts)| (s, counts.map(|count| count as f64))).collect();
        let information = Curve::at(fit.slope, &weighed).bend;
        assert!((fit.slope_error / information.sqrt().recip() - 1.0).abs() < 1e-3);
        let drawn = Fit::from_counts(exact(600.0, 1e6, 4000.0).into_iter()).unwrap();
        assert!(drawn.slope_error < fit.slope_error && (drawn.scale() - 600.0).abs() < 1.0, "{drawn:?}");
    }

    #[test]
    fn unbounded_slopes_have_no_fit() {
        assert_eq!(Fit::from_counts([].into_iter()), None);
        assert_eq!(Fit::from_counts([(0.0, [5, 0, 5])].into_iter()), None);
        assert_eq!(Fit::from_counts([(100.0, [5, 0, 0]), (-100.0, [0, 0, 5])].into_iter()), None);
        let flat = Fit::from_counts([(100.0, [5, 0, 5]), (-100.0, [5, 0, 5])].into_iter()).unwrap();
        assert!(!flat.is_significant() && flat.win_rate(1000.0) == 0.5 && flat.records == 20);
    }
}

//! Scores and results as numbers from 0 to 1 (`spec/features.md` §4).

/// The scale of dlshogi's scores: a score of this much is a win rate of 1 / (1 + 1/e), 73 %.
pub const SCALE: f32 = 756.086_5;

/// Scores of this and more are mates.
pub const MATE: i16 = 30_000;

#[cfg(feature = "std")]
const MATED: i16 = -MATE;

/// The expected result of a score: `1 / (1 + exp(−score / scale))`; mates are 1 and 0.
///
/// ```
/// use komabako_features::target::{SCALE, value};
/// assert_eq!((value(0, SCALE), value(31_995, SCALE), value(-30_000, SCALE)), (0.5, 1.0, 0.0));
/// ```
#[cfg(feature = "std")]
pub fn value(score: i16, scale: f32) -> f32 {
    match score {
        MATE.. => 1.0,
        ..=MATED => 0.0,
        _ => 1.0 / (1.0 + (-f32::from(score) / scale).exp()),
    }
}

/// The result of a game for the side to move: 1 won, ½ drawn, 0 lost.
pub const fn result(won: Option<bool>) -> f32 {
    match won {
        Some(true) => 1.0,
        None => 0.5,
        Some(false) => 0.0,
    }
}

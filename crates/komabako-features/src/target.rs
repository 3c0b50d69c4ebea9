//! Scores and results as numbers from 0 to 1 (`spec/features.md` §4).

/// The scale of dlshogi's scores: a score of this value is a win rate of 1 / (1 + 1/e), 73 %.
pub const SCALE: f32 = 756.086_5;

/// The least mate score in most programs.
pub const MATE: i16 = 30_000;

/// The expected result of a score: `1 / (1 + exp(−score / scale))`; 1 from `mate` up and 0 from `-mate` down.
///
/// ```
/// use komabako_features::target::{MATE, SCALE, value};
/// let value = |score| value(score, SCALE, MATE);
/// assert_eq!((value(0), value(31_995), value(-30_000)), (0.5, 1.0, 0.0));
/// ```
#[cfg(feature = "std")]
pub fn value(score: i16, scale: f32, mate: i16) -> f32 {
    // In 32 bits even the smallest `i16` can be negated.
    let wide = i32::from(score);
    let mate = i32::from(mate);
    if wide >= mate {
        1.0
    } else if wide <= -mate {
        0.0
    } else {
        1.0 / (1.0 + (-f32::from(score) / scale).exp())
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

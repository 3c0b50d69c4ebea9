//! [`Convention`]: whether scores and results agree on who stands better.
//!
//! Score and result are both from the side to move's view once they are read as their format says. Where a file was
//! written otherwise, they contradict each other: always, if one has the wrong sign; only with White to move, if one is
//! from Black's view. The material on the board shows which of the two it is.

use alloc::vec;

use komabako_board::{BaseKind, Color, Setup};

use crate::record::Labels;

/// How scores and results go together, by the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Convention([Side; 2]);

/// The records of one side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Side {
    score_and_result: Pairs,
    score_and_material: Pairs,
    result_and_material: Pairs,
}

/// A contradiction between scores and results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The side to move of the records that contradict; `None` for both.
    pub side: Option<Color>,
    /// The field that the material speaks against, if it does against one.
    pub wrong_field: Option<WrongField>,
}

/// A field whose sign is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongField {
    /// The score.
    Score,
    /// The result.
    Result,
}

/// Scores and results that agree, with the material against both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mirror {
    /// The side to move of the records of which both are the other side's; `None` for both.
    pub side: Option<Color>,
}

/// From how many records of a side on a correlation says something. Those of one game are not independent.
const ENOUGH: u64 = 200;

/// What a correlation of scores and results is at least, either way, to be taken for one. In files in order it is
/// above 0.3.
const MARKED: f64 = 0.15;

/// The same for correlations with the material, which says less of who stands better.
const NOTICEABLE: f64 = 0.05;

/// How many positions must be weighed, and what the correlation of the score with the material is then at most, for both
/// fields to be taken for the other side's. In files in order it is above 0.6.
const ENOUGH_WEIGHED: u64 = 100;
const OPPOSITE: f64 = -0.3;

/// Scores beyond it count as this: who wins is clear, and a mate is not worth ten times as much.
const SCORE_LIMIT: i64 = 3000;

/// One record in this many is weighed: weighing takes longer than all the other checks.
const WEIGHED: u64 = 8;

impl Convention {
    /// Takes a record into account, by its number in the file.
    pub fn add(&mut self, number: u64, setup: &Setup, labels: &Labels) {
        let (Some(score), Some(result)) = (labels.score, labels.result) else { return };
        // Unclamped, a few mates would outweigh all evaluations in the correlation.
        let score = i64::from(score).clamp(-SCORE_LIMIT, SCORE_LIMIT);
        let result = i64::from(result.to_relative(setup.side_to_move()));
        let side = &mut self.0[setup.side_to_move().array_index()];
        side.score_and_result.add(score, result);
        if number.is_multiple_of(WEIGHED) {
            let material = material(setup);
            side.score_and_material.add(score, material);
            side.result_and_material.add(result, material);
        }
    }

    /// Takes all the records of another into account.
    pub fn merge(&mut self, other: &Convention) {
        for (side, other) in self.0.iter_mut().zip(&other.0) {
            side.score_and_result.merge(&other.score_and_result);
            side.score_and_material.merge(&other.score_and_material);
            side.result_and_material.merge(&other.result_and_material);
        }
    }

    /// The correlation of score and result with a side to move, −1 to 1; `None` if all scores or all results are equal.
    pub fn correlation(&self, side: Color) -> Option<f64> {
        self.side(side).score_and_result.correlation()
    }

    /// How many records with a score and a result there are with a side to move.
    pub fn records(&self, side: Color) -> u64 {
        self.side(side).score_and_result.count
    }

    /// Whether scores and results contradict each other.
    pub fn contradiction(&self) -> Option<Contradiction> {
        let contradicts = |side| {
            let enough = self.records(side) >= ENOUGH;
            enough && self.correlation(side).is_some_and(|correlation| correlation <= -MARKED)
        };
        let (sides, side) = match [Color::Black, Color::White].map(contradicts) {
            [true, true] => (vec![Color::Black, Color::White], None),
            [true, false] => (vec![Color::Black], Some(Color::Black)),
            [false, true] => (vec![Color::White], Some(Color::White)),
            [false, false] => return None,
        };
        // Only the records that contradict are asked: the others are in order, and would hide the wrong sign.
        let mut score = Pairs::default();
        let mut result = Pairs::default();
        for side in sides {
            score.merge(&self.side(side).score_and_material);
            result.merge(&self.side(side).result_and_material);
        }
        let wrong_field = match (score.correlation(), result.correlation()) {
            (Some(score), Some(result)) if score <= -NOTICEABLE && result > 0.0 => Some(WrongField::Score),
            (Some(score), Some(result)) if result <= -NOTICEABLE && score > 0.0 => Some(WrongField::Result),
            _ => None,
        };
        Some(Contradiction { side, wrong_field })
    }

    /// Whether scores and results agree with each other, and the material speaks against both: they are from the view of the
    /// side that is not to move.
    pub fn mirrored(&self) -> Option<Mirror> {
        let is_mirrored = |color| {
            let Side { score_and_material, result_and_material, .. } = self.side(color);
            let at_most = |pairs: &Pairs, limit| pairs.correlation().is_some_and(|it| it <= limit);
            score_and_material.count >= ENOUGH_WEIGHED
                && self.correlation(color).is_some_and(|correlation| correlation >= MARKED)
                && at_most(score_and_material, OPPOSITE)
                && at_most(result_and_material, -NOTICEABLE)
        };
        match [Color::Black, Color::White].map(is_mirrored) {
            [true, true] => Some(Mirror { side: None }),
            [true, false] => Some(Mirror { side: Some(Color::Black) }),
            [false, true] => Some(Mirror { side: Some(Color::White) }),
            [false, false] => None,
        }
    }

    fn side(&self, side: Color) -> &Side {
        &self.0[side.array_index()]
    }
}

/// Sums over pairs of numbers. Integers: they do not depend on the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Pairs {
    count: u64,
    x: i64,
    y: i64,
    xx: i64,
    yy: i64,
    xy: i64,
}

impl Pairs {
    fn add(&mut self, x: i64, y: i64) {
        self.merge(&Pairs { count: 1, x, y, xx: x * x, yy: y * y, xy: x * y });
    }

    fn merge(&mut self, other: &Pairs) {
        self.count += other.count;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.yy += other.yy;
        self.xy += other.xy;
    }

    /// Pearson's coefficient.
    fn correlation(&self) -> Option<f64> {
        let count = self.count as f64;
        // Times the square of the count: divisions cancel out in the quotient.
        let covariance = |xy: i64, x: i64, y: i64| count * xy as f64 - x as f64 * y as f64;
        let spread = covariance(self.xx, self.x, self.x) * covariance(self.yy, self.y, self.y);
        (spread > 0.0).then(|| covariance(self.xy, self.x, self.y) / spread.sqrt())
    }
}

/// By how much the side to move has more material, in pawns.
fn material(setup: &Setup) -> i64 {
    let value = |kind| match kind {
        BaseKind::Pawn => 1,
        BaseKind::Lance | BaseKind::Knight => 3,
        BaseKind::Silver => 5,
        BaseKind::Gold => 6,
        BaseKind::Bishop => 8,
        BaseKind::Rook => 10,
        BaseKind::King => 0,
    };
    let of = |color| -> i64 {
        let count =
            |kind| (setup.kind(kind) & setup.color(color)).len() + u32::from(setup.hand(color).count(kind));
        BaseKind::IN_HAND.into_iter().map(|kind| value(kind) * i64::from(count(kind))).sum()
    };
    let ahead = of(Color::Black) - of(Color::White);
    match setup.side_to_move() {
        Color::Black => ahead,
        Color::White => -ahead,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;

    #[test]
    fn correlations_have_known_values() {
        let correlation = |pairs: &[(i64, i64)]| {
            let mut sums = Pairs::default();
            pairs.iter().for_each(|&(x, y)| sums.add(x, y));
            sums.correlation()
        };
        assert_eq!(correlation(&[(1, 2), (2, 4), (3, 6)]), Some(1.0));
        assert_eq!(correlation(&[(1, 1), (2, 1)]), None);
        assert_eq!(correlation(&[]), None);
        let known = correlation(&[(1, 1), (2, 3), (3, 2)]).unwrap();
        assert!((known - 0.5).abs() < 1e-12, "{known}");
    }

    /// Each way to be wrong is distinguished from the others.
    #[test]
    fn convention_findings_name_side_and_field() {
        let ahead: [Setup; 2] =
            ["4k4/9/9/9/9/9/9/9/4K4 b R", "4k4/9/9/9/9/9/9/9/4K4 w r"].map(|sfen| sfen.parse().unwrap());
        let judge = |change: fn(Color, &mut i16, &mut i8)| {
            let mut convention = Convention::default();
            for number in 0..8 * 1000 {
                let mut setup = ahead[number as usize / 8 % 2];
                let side = setup.side_to_move();
                let is_ahead = number / 16 % 3 > 0;
                if !is_ahead {
                    setup.set_hand_count(side, BaseKind::Rook, 0).unwrap();
                }
                let (mut score, mut result) = if is_ahead { (1000, 1) } else { (-500, -1) };
                change(side, &mut score, &mut result);
                let result = GameResult::from_relative(result, side);
                convention.add(number, &setup, &Labels { score: Some(score), result, ..Labels::default() });
            }
            convention.contradiction()
        };
        let found = |side, wrong_field| Some(Contradiction { side, wrong_field: Some(wrong_field) });
        assert_eq!(judge(|_, _, _| {}), None);
        assert_eq!(judge(|_, score, _| *score = -*score), found(None, WrongField::Score));
        assert_eq!(judge(|_, _, result| *result = -*result), found(None, WrongField::Result));
        let from_black = judge(|side, score, _| {
            if side == Color::White {
                *score = -*score;
            }
        });
        assert_eq!(from_black, found(Some(Color::White), WrongField::Score));
    }
}

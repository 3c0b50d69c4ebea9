//! The progress of a game, from 0 to 255, as a table of weights estimates it.

use komabako_board::{Color, PieceKind, Setup};

use super::BucketError;
use crate::nnue::{for_each_piece, square_seen_by};

/// The numbers of pieces.
const NUMBERS: usize = 1548;

/// The number of weights: one for each square of a king and number of a piece.
pub const PROGRESS_WEIGHTS: usize = 81 * NUMBERS;

/// The weights from which the progress of a game is estimated, in units of 1/65536.
#[derive(Clone, Copy, Debug)]
pub struct ProgressTable<'t> {
    weights: &'t [i32],
    bias: i32,
}

impl<'t> ProgressTable<'t> {
    /// A table of a trainer: `weights[1548 · k + p]` for a king's square k and a piece's number p.
    ///
    /// ```
    /// use komabako_board::Setup;
    /// use komabako_features::bucket::{Buckets, PROGRESS_WEIGHTS, ProgressTable};
    /// let weights = vec![0; PROGRESS_WEIGHTS];
    /// let table = ProgressTable::new(&weights, -90_000)?;
    /// let buckets: Buckets = "progress8".parse()?;
    /// assert_eq!(buckets.indexer(Some(table))?.index(&Setup::START), Some(1));
    /// # Ok::<(), komabako_features::bucket::BucketError>(())
    /// ```
    ///
    /// # Errors
    /// [`BucketError::TableSize`] if there are not [`PROGRESS_WEIGHTS`] weights.
    pub fn new(weights: &'t [i32], bias: i32) -> Result<ProgressTable<'t>, BucketError> {
        if weights.len() != PROGRESS_WEIGHTS {
            return Err(BucketError::TableSize(weights.len()));
        }
        Ok(ProgressTable { weights, bias })
    }

    /// The progress from 0 to 255: 256 times the logistic function of the sum of weights. None if a king is missing.
    pub(super) fn value(&self, setup: &Setup) -> Option<u8> {
        let mut sum = i64::from(self.bias);
        for color in [Color::Black, Color::White] {
            let king = square_seen_by(setup.king(color)?.array_index(), color);
            let weights = &self.weights[NUMBERS * king..][..NUMBERS];
            for_each_piece(setup, color, |kind, place| {
                if kind != Some(PieceKind::King) {
                    sum += i64::from(weights[place.number() as usize]);
                }
            });
        }
        Some(progress(sum))
    }
}

/// The number of thresholds that a sum reaches. That of value i is ln(i / (256 − i)); those below 128 are negated those above.
fn progress(sum: i64) -> u8 {
    if sum >= 0 {
        128 + THRESHOLDS.partition_point(|&threshold| i64::from(threshold) <= sum) as u8
    } else {
        127 - THRESHOLDS.partition_point(|&threshold| i64::from(threshold) < -sum) as u8
    }
}

/// round(65536 · ln(i / (256 − i))) for i from 129 to 255.
#[rustfmt::skip]
static THRESHOLDS: [i32; 127] = [
    1_024, 2_048, 3_073, 4_097, 5_123, 6_149, 7_175, 8_203, 9_231, 10_261, 11_292, 12_324, 13_358, 14_394,
    15_431, 16_470, 17_511, 18_555, 19_601, 20_649, 21_700, 22_754, 23_811, 24_870, 25_933, 27_000, 28_069,
    29_143, 30_220, 31_302, 32_387, 33_477, 34_572, 35_671, 36_776, 37_885, 39_000, 40_120, 41_246, 42_377,
    43_515, 44_660, 45_810, 46_968, 48_133, 49_305, 50_485, 51_672, 52_868, 54_072, 55_285, 56_507, 57_738,
    58_979, 60_229, 61_490, 62_762, 64_045, 65_340, 66_646, 67_964, 69_296, 70_640, 71_999, 73_371, 74_758,
    76_161, 77_580, 79_015, 80_467, 81_937, 83_425, 84_933, 86_461, 88_009, 89_580, 91_173, 92_789, 94_431,
    96_098, 97_792, 99_514, 101_266, 103_049, 104_864, 106_713, 108_597, 110_520, 112_482, 114_485, 116_533,
    118_627, 120_771, 122_966, 125_217, 127_527, 129_900, 132_339, 134_850, 137_438, 140_108, 142_867,
    145_722, 148_680, 151_752, 154_945, 158_274, 161_749, 165_388, 169_207, 173_228, 177_475, 181_977,
    186_770, 191_897, 197_412, 203_382, 209_895, 217_066, 225_050, 234_065, 244_430, 256_640, 271_524,
    290_638, 317_469, 363_152,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_those_of_the_definition() {
        let threshold = |value: i64| {
            let value = value as f64;
            (65536.0 * (value / (256.0 - value)).ln()).round() as i64
        };
        for (number, &written) in THRESHOLDS.iter().enumerate() {
            assert_eq!(i64::from(written), threshold(number as i64 + 129));
        }
        for value in 1..=255 {
            for sum in [threshold(value) - 1, threshold(value)] {
                let reached = (1..=255).filter(|&value| threshold(value) <= sum).count();
                assert_eq!(usize::from(progress(sum)), reached, "{sum}");
            }
        }
        assert_eq!((progress(i64::MIN + 1), progress(0), progress(i64::MAX)), (0, 128, 255));
    }

    #[test]
    fn tables_of_other_sizes_are_refused() {
        assert_eq!(ProgressTable::new(&[0; 7], 0).unwrap_err(), BucketError::TableSize(7));
    }
}

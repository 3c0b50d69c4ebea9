//! The inputs of one position and one colour, from their definitions.

use core::ops::Deref;

use komabako_board::{Color, PieceKind, Setup, color};

use super::number::{ENEMY_KING, PIECES, Place, for_each_piece, mirrored, square_seen_by};
use super::{EFFECTS, FeatureSet, Missing};
use crate::dlshogi::Planes;

/// Up to 42 indices of active inputs: pieces in hand first (Black's, then White's, P L N S G B R), then pieces on the
/// board in the order of squares, then inputs of another kind.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    indices: [i32; 42],
    count: usize,
}

impl Active {
    const EMPTY: Active = Active { indices: [0; 42], count: 0 };

    fn push(&mut self, index: i32) {
        self.indices[self.count] = index;
        self.count += 1;
    }

    /// The indices, padded with −1. `N` is [`FeatureSet::active`], e.g. 38 for `HalfKP` and 40 for `HalfKA_hm`.
    ///
    /// # Panics
    /// If there are more than `N`.
    pub fn padded<const N: usize>(&self) -> [i32; N] {
        assert!(self.count <= N, "a row of {N} cannot hold {} inputs", self.count);
        core::array::from_fn(|place| self.get(place).copied().unwrap_or(-1))
    }
}

impl Deref for Active {
    type Target = [i32];

    fn deref(&self) -> &[i32] {
        &self.indices[..self.count]
    }
}

/// The perspective's king is not on the board: these inputs are relative to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingMissing;

impl core::fmt::Display for KingMissing {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the king of this side is not on the board, and the inputs are relative to it; leave the position out")
    }
}

impl core::error::Error for KingMissing {}

/// `HalfKP` for a colour: one index for each piece except kings, combining the square of the colour's king with the place
/// of the piece. For many positions [`write_half_kp`](super::write_half_kp) is faster.
///
/// # Errors
/// [`KingMissing`] if the colour has no king.
pub fn half_kp(setup: &Setup, perspective: Color) -> Result<Active, KingMissing> {
    FeatureSet::HalfKp.indices(setup, perspective, Missing::Omit)
}

/// `HalfKA_hm` with merged kings: every piece including kings, with the board mirrored so that the colour's king is on
/// files 1 to 5.
///
/// # Errors
/// [`KingMissing`] if the colour has no king.
pub fn half_ka_hm(setup: &Setup, perspective: Color) -> Result<Active, KingMissing> {
    FeatureSet::HalfKaHm2.indices(setup, perspective, Missing::Omit)
}

/// Whether both kings are on the board. Positions without them have no inputs.
pub fn has_both_kings(setup: &Setup) -> bool {
    setup.king(Color::Black).is_some() && setup.king(Color::White).is_some()
}

/// The squares of a colour's own and the enemy's king, as seen by the colour; none if one is missing.
///
/// ```
/// use komabako_board::{Color, Setup};
/// use komabako_features::nnue::kings;
/// assert_eq!(kings(&Setup::START, Color::White), Some([44, 36]));
/// ```
pub fn kings(setup: &Setup, perspective: Color) -> Option<[u8; 2]> {
    let own = setup.king(perspective)?;
    let enemy = setup.king(color::opponent(perspective))?;
    Some([own, enemy].map(|king| square_seen_by(king.array_index(), perspective) as u8))
}

impl FeatureSet {
    /// The active inputs for a colour, computed from their definition. For many positions
    /// [`write_rows`](super::write_rows) is many times faster.
    ///
    /// ```
    /// use komabako_board::{Color, Setup};
    /// use komabako_features::nnue::{FeatureSet, Missing};
    /// let set: FeatureSet = "halfka_hm2".parse()?;
    /// let active = set.indices(&Setup::START, Color::Black, Missing::Omit)?;
    /// assert_eq!((active.len(), set.inputs()), (40, 73_305));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`KingMissing`] if the colour has no king. A missing king of the enemy is no input.
    pub fn indices(self, setup: &Setup, perspective: Color, missing: Missing) -> Result<Active, KingMissing> {
        let shape = self.shape();
        let king = setup.king(perspective).ok_or(KingMissing)?;
        let king = square_seen_by(king.array_index(), perspective);
        let mirrors = shape.mirrors && king >= 45;
        let king = if mirrors { mirrored(king) } else { king };
        let bucket = shape.per_king * king as i32;
        let attackers = shape.has_attackers.then(|| Attackers::new(setup, perspective));
        let mut active = Active::EMPTY;
        let mut pieces = 0;
        for_each_piece(setup, perspective, |kind, place| {
            pieces += u32::from(kind != Some(PieceKind::King));
            let seen = if mirrors { place.mirrored() } else { place };
            let number = match (kind, shape.kings) {
                (Some(PieceKind::King), None) => return,
                (Some(PieceKind::King), Some([_, enemy])) if seen.number() >= ENEMY_KING => {
                    seen.number() - ENEMY_KING + enemy
                }
                _ => seen.number(),
            };
            let effect = match (&attackers, place) {
                (Some(attackers), Place::Board { square, .. }) => EFFECTS * attackers.combination(square),
                _ => 0,
            };
            active.push(bucket + number + effect);
        });
        if missing == Missing::Zero {
            for _ in pieces..PIECES {
                active.push(bucket);
            }
        }
        if let Some(first) = shape.king_squares {
            active.push(first + king as i32);
            if let Some([_, enemy]) = kings(setup, perspective) {
                active.push(first + 81 + i32::from(enemy));
            }
        }
        if shape.is_ascending {
            active.indices[..active.count].sort_unstable();
        }
        Ok(active)
    }
}

/// The squares that more than 0, 1 and 2 own pieces attack, and the enemy's.
struct Attackers {
    own: [u128; 3],
    enemy: [u128; 3],
}

impl Attackers {
    fn new(setup: &Setup, perspective: Color) -> Attackers {
        // The planes are as the side to move sees them.
        let mut seen = *setup;
        seen.set_side_to_move(perspective);
        let planes = Planes::new(&seen);
        let [own, enemy] = planes.attackers();
        Attackers { own, enemy }
    }

    /// 3 · own + enemy attackers, each up to 2.
    fn combination(&self, square: usize) -> i32 {
        let count = |sets: [u128; 3]| (sets[0] >> square & 1) as i32 + (sets[1] >> square & 1) as i32;
        3 * count(self.own) + count(self.enemy)
    }
}

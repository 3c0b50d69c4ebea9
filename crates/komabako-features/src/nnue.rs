//! Active inputs of NNUE networks, as indices (`spec/features.md` §2).
//!
//! A [`FeatureSet`] has, for each colour's view of a position, up to [`FeatureSet::active`] active inputs. [`write_rows`]
//! computes them for many positions, [`FeatureSet::indices`] for one.

mod ascending;
mod batch;
mod number;
mod set;
mod single;

pub use batch::{Rows, write_half_ka_hm, write_half_kp, write_rows};
pub(crate) use number::{for_each_piece, square_seen_by};
pub use set::{FeatureSet, UnknownSet};
pub use single::{Active, KingMissing, half_ka_hm, half_kp, has_both_kings, kings};

/// The number of inputs of `HalfKP`: 81 squares of the king times 1,548 places of other pieces.
pub const HALF_KP_INPUTS: usize = FeatureSet::HalfKp.inputs();
/// The number of inputs of `HalfKA_hm`: 45 squares of the king, on files 1 to 5, times 1,629 places of pieces.
pub const HALF_KA_HM_INPUTS: usize = FeatureSet::HalfKaHm2.inputs();

/// The distance between the indices of a piece with neighbouring numbers of attackers, in `halfkpe9`.
const EFFECTS: i32 = HALF_KP_INPUTS as i32;

/// The colour whose inputs come first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum First {
    /// The side to move.
    #[default]
    SideToMove,
    /// Black.
    Black,
}

/// What stands for pieces that are not in the position, as in handicap games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Missing {
    /// Nothing: the row has fewer indices.
    #[default]
    Omit,
    /// An index with p = 0 for each of them.
    Zero,
}

/// What [`write_rows`] writes. The default is the side to move first, without missing pieces, in the order of squares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RowOptions {
    /// The colour whose row comes first.
    pub first: First,
    /// What stands for missing pieces.
    pub missing: Missing,
    /// Whether the indices of each row ascend. A network's sums do not depend on their order.
    pub sorted: bool,
}

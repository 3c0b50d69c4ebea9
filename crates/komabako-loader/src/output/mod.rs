//! [`Output`]: what a batch consists of; [`Batch`]: its arrays.

mod batch;
mod finish;
mod policy;
mod targets;

use serde::Deserialize;
use std::sync::Arc;

pub use batch::{Arrays, Batch};
pub(crate) use batch::{Home, Progress};
pub(crate) use finish::{Finisher, Scratch, Unfinished, unpack_fault, word_of};
pub(crate) use policy::Visits;
pub use policy::{Policy, PolicyLayout, probabilities};
pub use targets::Targets;

use komabako_features::bucket::{BucketError, Buckets, Indexer, ProgressTable};
pub use komabako_features::nnue::{FeatureSet, First, Missing};

/// The bytes of a record: PSV.
pub type Record = [u8; 40];

/// What a batch has beside its records and their weights.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The indices of active inputs, in the order of the rows and layout.
    pub features: Option<(FeatureSet, Layout, First)>,
    /// Whether the indices of each row ascend. Those of [`Layout::Coo`] always do.
    pub sorted: bool,
    /// What stands for the pieces of a handicap.
    pub missing: Option<Missing>,
    /// The numbers of layer stacks.
    pub buckets: Option<Buckets>,
    /// The table of buckets by progress.
    pub progress: Option<Progress16>,
    /// What scores and results are worth.
    pub targets: Option<Targets>,
    /// The moves to learn.
    pub policy: Option<Policy>,
    /// dlshogi's planes.
    pub planes: Option<Planes>,
}

impl Output {
    /// Records alone.
    pub fn none() -> Output {
        Output::default()
    }

    /// Whether positions are needed.
    pub(crate) fn needs_positions(&self) -> bool {
        self.features.is_some() || self.buckets.is_some() || self.planes.is_some()
    }

    /// The function of the buckets.
    pub(crate) fn indexer(&self) -> Result<Option<Indexer<'_>>, BucketError> {
        let Some(buckets) = self.buckets else { return Ok(None) };
        let table = match &self.progress {
            Some(Progress16 { weights, bias }) => Some(ProgressTable::new(weights, *bias)?),
            None => None,
        };
        buckets.indexer(table).map(Some)
    }
}

/// The weights from which progress is computed, in units of 2⁻¹⁶.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress16 {
    /// 81 × 1548 weights, by king and piece.
    pub weights: Arc<[i32]>,
    /// What is added to their sum.
    pub bias: i32,
}

/// How rows of indices are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Rows of equal length, each padded with −1.
    Padded,
    /// Pairs of row and index, ascending.
    Coo,
    /// The indices of all rows one after another, and where each row starts.
    Offsets,
}

/// The type of dlshogi's planes: of 62 planes and of 57, 81 values each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Planes {
    /// 32-bit numbers.
    F32,
    /// 16-bit numbers, as their bits.
    F16,
    /// Bytes.
    U8,
    /// Bits, as `komabako_features::dlshogi` packs them.
    Bits,
}

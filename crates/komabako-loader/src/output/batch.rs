//! [`Batch`]: arrays that return to their loader.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Record, Visits};

/// The arrays of a batch of n records. Those that the plan does not ask for are empty.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Arrays {
    /// The records, as PSV.
    pub records: Vec<Record>,
    /// Their weights.
    pub weights: Vec<f32>,
    /// The indices of active inputs of the side to move, or of Black: n rows, or as the layout says.
    pub stm: Vec<i32>,
    /// The same of the other side.
    pub nstm: Vec<i32>,
    /// With `Layout::Offsets`: where each row of `stm` starts, and the end.
    pub stm_offsets: Vec<i64>,
    /// The same of `nstm`.
    pub nstm_offsets: Vec<i64>,
    /// The numbers of layer stacks.
    pub buckets: Vec<i32>,
    /// What the positions are worth, from 0 to 1.
    pub targets: Vec<f32>,
    /// With `Targets::wdl`: 1 at loss, draw or win of each record, else 0.
    pub wdl: Vec<f32>,
    /// The classes of the moves; −1 for none.
    pub moves: Vec<i64>,
    /// The probabilities of candidates: n rows of 2,187, or those of all candidates one after another.
    pub probabilities: Vec<f32>,
    /// With `PolicyLayout::Csr`: the class of each.
    pub classes: Vec<i16>,
    /// With `PolicyLayout::Csr`: where those of each record start, and the end.
    pub class_offsets: Vec<i64>,
    /// The candidates of the records.
    pub(crate) visits: Visits,
    /// dlshogi's 62 planes, as 32-bit numbers.
    pub planes1: Vec<f32>,
    /// dlshogi's 57 planes.
    pub planes2: Vec<f32>,
    /// The same as 16-bit numbers.
    pub planes1_f16: Vec<u16>,
    /// The same as 16-bit numbers.
    pub planes2_f16: Vec<u16>,
    /// The same as bytes or bits.
    pub planes1_bytes: Vec<u8>,
    /// The same as bytes or bits.
    pub planes2_bytes: Vec<u8>,
    /// The epoch, from 0.
    pub epoch: u64,
    /// The step in the epoch, from 0.
    pub step: u64,
}

/// A batch. When it is dropped, its arrays are used again.
#[derive(Debug)]
pub struct Batch {
    /// `None` once it is dropped.
    content: Option<Box<Content>>,
    home: Arc<Home>,
}

#[derive(Default, Debug)]
struct Content {
    arrays: Arrays,
    after: Progress,
}

/// How far a rank's streams are.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Progress {
    pub epoch: u64,
    pub step: u64,
    /// Of each stream's sources, in order: the inner epoch and the number of places consumed.
    pub lanes: Vec<(u64, u64)>,
    /// The credits of each stream's rotation, in order; `None` of a source that has ended.
    pub credits: Vec<Option<i128>>,
    /// The places of each stream that were consumed in the epoch, in order.
    pub used: Vec<u64>,
    /// Streams whose places are not known.
    pub absent: Vec<u64>,
    /// The records that were left out because they lack a king, and because they are bad.
    pub counts: [u64; 2],
}

/// Arrays that are not in use.
#[derive(Default, Debug)]
pub(crate) struct Home {
    #[expect(clippy::vec_box, reason = "a batch has the box, which is used again")]
    idle: Mutex<Vec<Box<Content>>>,
}

impl Batch {
    /// An empty batch.
    pub(crate) fn new(home: &Arc<Home>) -> Batch {
        let idle = home.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut batch = Batch { content: Some(idle.unwrap_or_default()), home: Arc::clone(home) };
        batch.records.clear();
        batch.weights.clear();
        batch.visits.clear();
        batch
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it has no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The arrays, for good.
    pub fn into_arrays(mut self) -> Arrays {
        self.content.take().map(|content| content.arrays).unwrap_or_default()
    }

    /// The place after it.
    pub(crate) fn after(&mut self) -> &mut Progress {
        &mut self.content.as_mut().expect(PRESENT).after
    }
}

const PRESENT: &str = "a batch has its arrays until it is dropped";

impl Deref for Batch {
    type Target = Arrays;

    fn deref(&self) -> &Arrays {
        &self.content.as_ref().expect(PRESENT).arrays
    }
}

impl DerefMut for Batch {
    fn deref_mut(&mut self) -> &mut Arrays {
        &mut self.content.as_mut().expect(PRESENT).arrays
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        if let Some(content) = self.content.take() {
            self.home.idle.lock().unwrap_or_else(PoisonError::into_inner).push(content);
        }
    }
}

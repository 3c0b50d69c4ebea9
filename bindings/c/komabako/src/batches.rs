//! The loader, and its batches as C reads them.

use std::ptr::null;
use std::sync::{Mutex, MutexGuard, PoisonError};

use komabako::loader::error::Conflict;
use komabako::loader::{self, LoaderError, Plan, Policy};

use crate::failure::{Failure, write_text};

/// A loader. It is locked for each call, so that calls of several threads at once are one after the other.
#[derive(Debug)]
pub struct Loader(Mutex<Locked>);

struct Locked(loader::Loader);

impl std::fmt::Debug for Locked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Loader").field(&self.0.epoch()).field(&self.0.step()).finish()
    }
}

impl Loader {
    /// Opens the files of a plan.
    pub fn open(plan: &str) -> Result<Loader, Failure> {
        let plan = Plan::from_json(plan)?;
        if matches!(plan.output.policy, Some(Policy::Visits { .. })) {
            let text = "`policy`: visits have no member of komabako_batch; take moves or compact_moves";
            return Err(LoaderError::from(Conflict::Json(text.to_owned())).into());
        }
        let loader = plan.start()?;
        Ok(Loader(Mutex::new(Locked(loader))))
    }

    fn lock(&self) -> MutexGuard<'_, Locked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next batch; `None` at the end of an epoch.
    pub fn next(&self) -> Result<Option<Batch>, Failure> {
        Ok(self.lock().0.next()?.map(Batch::new))
    }

    /// Writes the place after the last batch, as JSON, to a buffer if there is one, and what it takes with its final 0.
    pub fn write_state(
        &self,
        buffer: Option<Result<&mut [u8], String>>,
        size: &mut usize,
    ) -> Result<i32, Failure> {
        let buffer = buffer.transpose()?;
        let state = self.lock().0.state();
        *size = state.len() + 1;
        let Some(buffer) = buffer else { return Ok(0) };
        if buffer.len() < *size {
            let text = format!("a buffer of {} bytes for a state of {size}", buffer.len());
            return Err(Failure::Argument(text));
        }
        write_text(&state, Ok(buffer));
        Ok(0)
    }

    /// Goes to a place.
    pub fn resume(&self, state: &str) -> Result<i32, Failure> {
        self.lock().0.resume(state)?;
        Ok(0)
    }
}

/// A `komabako_batch`, and the arrays to which it points.
#[repr(C)]
#[derive(Debug)]
pub struct Batch {
    size: usize,
    records: usize,
    epoch: u64,
    step: u64,
    psv: *const [u8; 40],
    weights: *const f32,
    stm: *const i32,
    nstm: *const i32,
    stm_length: usize,
    nstm_length: usize,
    stm_offsets: *const i64,
    nstm_offsets: *const i64,
    buckets: *const i32,
    targets: *const f32,
    wdl: *const f32,
    moves: *const i64,
    planes1: *const f32,
    planes2: *const f32,
    planes1_f16: *const u16,
    planes2_f16: *const u16,
    planes1_bytes: *const u8,
    planes2_bytes: *const u8,
    arrays: loader::Batch,
}

/// An array, or null if it is empty.
fn start<T>(array: &[T]) -> *const T {
    if array.is_empty() { null() } else { array.as_ptr() }
}

impl Batch {
    /// A batch with pointers to its arrays, which do not move with it.
    fn new(arrays: loader::Batch) -> Batch {
        Batch {
            size: std::mem::offset_of!(Batch, arrays),
            records: arrays.records.len(),
            epoch: arrays.epoch,
            step: arrays.step,
            psv: start(&arrays.records),
            weights: start(&arrays.weights),
            stm: start(&arrays.stm),
            nstm: start(&arrays.nstm),
            stm_length: arrays.stm.len(),
            nstm_length: arrays.nstm.len(),
            stm_offsets: start(&arrays.stm_offsets),
            nstm_offsets: start(&arrays.nstm_offsets),
            buckets: start(&arrays.buckets),
            targets: start(&arrays.targets),
            wdl: start(&arrays.wdl),
            moves: start(&arrays.moves),
            planes1: start(&arrays.planes1),
            planes2: start(&arrays.planes2),
            planes1_f16: start(&arrays.planes1_f16),
            planes2_f16: start(&arrays.planes2_f16),
            planes1_bytes: start(&arrays.planes1_bytes),
            planes2_bytes: start(&arrays.planes2_bytes),
            arrays,
        }
    }
}

//! The loader, and its batches as C reads them.

use std::fmt;
use std::mem;
use std::process;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, PoisonError};

use komabako::loader::error::{Conflict, FeatureFault};
use komabako::loader::{self, LoaderError, Plan, Policy};
use komabako_c_pointers::ffi::give;

use crate::failure::{Failure, write_text};

/// A loader. It is locked for each call, so that calls of several threads at once are one after the other.
pub struct Loader {
    /// Always there until it is dropped.
    loader: Mutex<Option<loader::Loader>>,
    /// A child after a fork has none of the threads: it would wait for ever.
    process: u32,
}

impl fmt::Debug for Loader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loader").field("process", &self.process).finish_non_exhaustive()
    }
}

/// A `komabako_counts`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    kingless: u64,
    bad: u64,
}

impl Loader {
    /// Opens the files of a plan.
    pub fn open(plan: &str, out: &mut *mut Loader) -> Result<i32, Failure> {
        *out = null_mut();
        let plan = Plan::from_json(plan)?;
        if matches!(plan.output.policy, Some(Policy::Visits { .. })) {
            let text = "`policy`: visits have no member of komabako_batch; take moves or compact_moves";
            return Err(LoaderError::from(Conflict::Json(text.to_owned())).into());
        }
        let loader = plan.start().map_err(|error| match error {
            LoaderError::Feature(FeatureFault::Buckets(text)) => {
                let text = format!("{text}; only the Rust crate and the Python package take a table");
                LoaderError::Feature(FeatureFault::Buckets(text))
            }
            error => error,
        })?;
        *out = give(Loader { loader: Mutex::new(Some(loader)), process: process::id() });
        Ok(0)
    }

    /// Calls a function with the loader, in the process that opened it.
    fn with<R>(&self, call: impl FnOnce(&mut loader::Loader) -> R) -> Result<R, Failure> {
        if self.process != process::id() {
            let text = "the loader was opened in another process, before a fork: open another one";
            return Err(Failure::Argument(text.to_owned()));
        }
        let mut loader = self.loader.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(call(loader.as_mut().expect("it is not being dropped")))
    }

    /// The next batch: 1, or 0 at the end of an epoch.
    pub fn next(&self, out: &mut *mut Batch) -> Result<i32, Failure> {
        *out = null_mut();
        let Some(batch) = self.with(loader::Loader::next)?? else { return Ok(0) };
        *out = give(Batch::new(batch));
        Ok(1)
    }

    /// Writes the numbers of records without a place in the batches so far.
    pub fn write_counts(&self, out: &mut Counts) -> Result<i32, Failure> {
        let loader::Counts { kingless, bad } = self.with(|loader| loader.counts())?;
        *out = Counts { kingless, bad };
        Ok(0)
    }

    /// Writes the place after the last batch, as JSON, to a buffer if there is one, and what it takes with its final 0.
    pub fn write_state(
        &self,
        buffer: Option<Result<&mut [u8], String>>,
        size: &mut usize,
    ) -> Result<i32, Failure> {
        let buffer = buffer.transpose()?;
        let state = self.with(|loader| loader.state())?;
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
        self.with(|loader| loader.resume(state))??;
        Ok(0)
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        if self.process != process::id() {
            // Dropping would wait for the threads.
            mem::forget(self.loader.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
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

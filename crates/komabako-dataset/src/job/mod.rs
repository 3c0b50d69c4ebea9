//! What the jobs share: options, what becomes of bad records, and what a job needs before it starts.

mod options;
pub mod preflight;
mod rejects;

pub use self::options::{Limits, OnError};
pub use self::preflight::Preflight;
pub(crate) use self::rejects::{Rejected, Rejects, SAMPLES};

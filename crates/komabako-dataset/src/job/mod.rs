//! Shared by all jobs: options, the policy for bad records, and the check of resources before a job starts.

mod options;
pub mod preflight;
mod rejects;

pub use self::options::{Limits, OnError};
pub use self::preflight::Preflight;
pub(crate) use self::rejects::{Rejected, Rejects, SAMPLES};

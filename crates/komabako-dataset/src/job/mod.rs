//! Shared by all jobs: options, the policy for bad records, and the check of resources before a job starts.

mod losses;
mod options;
pub mod preflight;
mod rejects;

pub(crate) use self::losses::LossCounts;
pub use self::losses::Lost;
pub use self::options::{Limits, OnBadRecord};
pub use self::preflight::Preflight;
pub(crate) use self::rejects::{Rejected, Rejects, SAMPLES};

//! Common to all jobs: options, the policy for bad records, and the check of resources before a job starts.

mod counts;
mod losses;
mod note;
mod options;
mod plan;
pub mod preflight;
mod rejects;

pub use self::counts::Counts;
pub(crate) use self::losses::LossCounts;
pub use self::losses::Lost;
pub use self::note::Note;
pub use self::options::{JobOptions, Limits, MoveReading, OnBadRecord};
pub use self::plan::{Plan, Request};
pub use self::preflight::Preflight;
pub(crate) use self::rejects::Rejects;

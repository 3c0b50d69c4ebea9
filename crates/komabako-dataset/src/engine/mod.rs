//! The machinery of all jobs: a pipeline of blocks through workers and back into order, temporary files, progress.

pub(crate) mod background_writer;
pub(crate) mod census;
pub(crate) mod in_order;
pub(crate) mod parallel;
pub(crate) mod pipeline;
pub(crate) mod progress;
pub(crate) mod temporary;
pub(crate) mod threads;

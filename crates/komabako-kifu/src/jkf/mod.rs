//! JKF, JSON Kifu Format 1.0 (`spec/kifu.md` §3).

mod json;
mod moves;
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

//! The integration tests of the crate, in one program: every further program would link everything again.

mod batches;
mod buckets;
mod goldens;
mod nnue;

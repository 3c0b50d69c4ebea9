//! Batches for training shogi networks, from files larger than memory: shuffled on the fly, selected, weighted, the same on every
//! machine, and resumable at every step.
//!
//! * [`Plan`]: the files, the order, the selection and the output; [`Plan::start`] gives a [`Loader`].
//! * [`Loader::next`]: the next [`Batch`] of the epoch; [`Loader::state`] and [`Loader::resume`]: interruption at any step.
//! * [`Output`]: features, buckets, targets, policy and planes of a batch.
//! * [`Select`]: expressions and chances.
//! * [`order`]: the orders, as pure functions.
//! * [`error`]: what can be wrong.
//!
//! ```no_run
//! use komabako_loader::{FeatureSet, First, Layout, Output, Plan, Select, Source, Targets};
//!
//! let plan = Plan {
//!     sources: vec![Source::new("a.kmb").weight(3), Source::new("b.psv").weight(1)],
//!     seed: 7,
//!     select: Select { where_: Some("not in_check and abs(score) < 3000".parse()?), keep: vec![] },
//!     output: Output {
//!         features: Some((FeatureSet::HalfKaHm2, Layout::Padded, First::SideToMove)),
//!         buckets: Some("hand64z_k3k3".parse()?),
//!         targets: Some(Targets::wrm(270.0, 380.0).lambda(0.7)),
//!         ..Output::none()
//!     },
//!     ..Plan::new()
//! };
//! let mut loader = plan.start()?;
//! println!("{:?}", loader.quality(101.0));
//! while let Some(batch) = loader.next()? {
//!     println!("step {}: {} records, {} indices", batch.step, batch.len(), batch.stm.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod error;
mod json;
mod loader;
pub mod order;
mod output;
mod plan;
mod select;
mod source;
mod state;
mod window;
mod work;

pub use error::LoaderError;
pub use komabako_dataset::select::expression::Expression;
pub use komabako_features::bucket::Buckets;
pub use loader::{Counts, Loader};
pub use output::{
    Arrays, Batch, FeatureSet, First, Layout, Missing, Output, Planes, Policy, PolicyLayout, Progress16,
    Record, Targets, probabilities,
};
pub use plan::{OnBadRecord, OnKingless, Order, Plan, Quality, Ranks, Source};
pub use select::{Rule, RuleChance, Select};
pub use state::merge_states;

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! The fuzz targets of all crates, for the programs in `fuzz_targets/`.

pub use komabako_testkit::fuzz as codec;

#[path = "../../crates/komabako-archive/tests/all/fuzz/targets.rs"]
pub mod archive;
#[path = "../../crates/komabako-dataset/tests/all/fuzz/targets.rs"]
pub mod dataset;
#[path = "../../crates/komabako-kifu/tests/all/fuzz/targets.rs"]
pub mod kifu;
#[path = "../../crates/komabako-loader/tests/all/fuzz/targets.rs"]
pub mod loader;
#[path = "../../crates/komabako-rules/tests/all/fuzz/targets.rs"]
pub mod rules;

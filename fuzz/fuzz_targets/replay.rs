//! Any bytes as games of hcpe3 and `.pack`: see `replay`.

#![no_main]

#[path = "../../crates/komabako-dataset/tests/common/fuzz.rs"]
mod fuzz;

libfuzzer_sys::fuzz_target!(|input: &[u8]| fuzz::replay(input));

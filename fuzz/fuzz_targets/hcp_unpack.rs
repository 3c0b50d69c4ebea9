//! Any bytes as an HCP word: see `komabako_testkit::fuzz::hcp_unpack`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::hcp_unpack(input));

//! Any bytes as an SSPFv1 word: see `komabako_testkit::fuzz::sspf_unpack`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::sspf_unpack(input));

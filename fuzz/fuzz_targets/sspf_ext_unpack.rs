//! Any bytes as a word of SSPFv1's extension: see `komabako_testkit::fuzz::sspf_ext_unpack`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::sspf_ext_unpack(input));

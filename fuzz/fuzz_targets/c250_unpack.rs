//! Any bytes as a C250 word: see `komabako_testkit::fuzz::c250_unpack`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::c250_unpack(input));

//! Any bytes as a PSV word: see `komabako_testkit::fuzz::psv_unpack`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::psv_unpack(input));

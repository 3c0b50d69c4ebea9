//! A setup in every format: see `komabako_testkit::fuzz::codec_round_trip`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::codec_round_trip(input));

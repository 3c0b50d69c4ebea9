//! Any bytes as an SFEN: see `komabako_testkit::fuzz::sfen_parse`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::sfen_parse(input));

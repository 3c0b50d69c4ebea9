//! Any bytes as an nshogi word: see `komabako_testkit::fuzz::nshogi_unpack`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::nshogi_unpack(input));

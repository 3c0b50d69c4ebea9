//! Any bytes as an R238 rank: see `komabako_testkit::fuzz::r238_unrank`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_testkit::fuzz::r238_unrank(input));

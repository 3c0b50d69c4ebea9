#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_fuzz::loader::LOADER_PLAN.fuzz(input));

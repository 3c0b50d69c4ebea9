#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_fuzz::dataset::READ_CSV.fuzz(input));

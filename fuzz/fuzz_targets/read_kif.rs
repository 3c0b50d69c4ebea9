#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_fuzz::kifu::READ_KIF.fuzz(input));

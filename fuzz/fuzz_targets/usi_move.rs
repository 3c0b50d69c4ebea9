#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_fuzz::rules::USI_MOVE.fuzz(input));

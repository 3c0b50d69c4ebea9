#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_fuzz::codec::SFEN_PARSE.fuzz(input));

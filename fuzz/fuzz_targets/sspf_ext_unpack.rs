#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_fuzz::codec::SSPF_EXT_UNPACK.fuzz(input));

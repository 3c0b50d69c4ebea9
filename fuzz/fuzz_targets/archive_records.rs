#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| komabako_fuzz::archive::ARCHIVE_RECORDS.fuzz(input));

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hazard_fuzz::protocol(data));

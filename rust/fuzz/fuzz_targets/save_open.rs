//! Fuzzes opening save files whose checksums and hash fit. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::saves::check_open(bytes));

//! However an input is cut, pieces give what the whole gives; a beginning is incomplete and nothing else. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::chunks(bytes));

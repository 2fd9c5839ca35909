//! What is accepted comes back when it is written, and each strictness is within the laxer one. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::roundtrip(bytes));

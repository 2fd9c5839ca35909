//! Fuzzes the round trip: accepted values come back when they are written. Each strictness is within the
//! laxer one. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::roundtrip(bytes));

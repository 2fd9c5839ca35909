//! Fuzzes a schema and a value near it: two checkers find the same violations. The properties are in the
//! testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::schema::check(bytes));

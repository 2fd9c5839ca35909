//! A schema and a value near it: two checkers find the same. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::schema::check(bytes));

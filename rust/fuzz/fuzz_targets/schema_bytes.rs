//! Fuzzes a schema and arbitrary bytes: the verdict on the bytes is that on their value. The properties are
//! in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::schema::check_bytes(bytes));

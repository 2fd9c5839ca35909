//! Fuzzes JSON: JSON of a value is written, shown and read to the same bytes. The properties are in the
//! testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::json(bytes));

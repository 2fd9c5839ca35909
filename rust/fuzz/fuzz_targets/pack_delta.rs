//! Fuzzes a schema and differences between values of it, and any bits as one: the library and a naive packer agree. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::packed::check_delta(bytes));

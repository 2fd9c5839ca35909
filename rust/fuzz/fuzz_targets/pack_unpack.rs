//! Fuzzes a schema, a value of it and any bits: the library and a naive packer agree, and accepted bits pack again to
//! themselves. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::packed::check(bytes));

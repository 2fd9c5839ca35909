//! A schema and any bytes: one verdict by the walk and by the value. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::schema::check_bytes(bytes));

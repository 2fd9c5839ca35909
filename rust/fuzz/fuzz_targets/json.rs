//! What JSON says is written, shown and read to the same bytes. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::json(bytes));

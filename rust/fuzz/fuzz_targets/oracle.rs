//! Fuzzes the core against the oracle: it reads and refuses what the oracle does. The properties are in the
//! testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::oracle(bytes));

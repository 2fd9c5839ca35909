//! Fuzzes decoding: every sink answers alike under every set of rules, on used walkers too. The properties
//! are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::decode(bytes));

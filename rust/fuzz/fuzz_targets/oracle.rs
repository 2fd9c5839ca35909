//! The core reads what the oracle reads and refuses what it refuses. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::oracle(bytes));

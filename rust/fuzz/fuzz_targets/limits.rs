//! Fuzzes limits: small ones bound the value and change nothing else. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::limits(bytes));

//! Small limits bound what they are about and change nothing else. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::limits(bytes));

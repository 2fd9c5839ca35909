//! Fuzzes a sink that takes every fast path of a walk against one that takes none. The properties are in the
//! testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::build_check(bytes));

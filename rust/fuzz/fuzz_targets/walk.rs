//! Fuzzes the walk: two used walkers give one verdict, and CANONICAL is what is written. This is the fastest
//! target. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::walk(bytes));

//! A sink that takes every short cut of a walk gives what a plain one gives. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::quick(bytes));

//! Two used walkers give one verdict, and CANONICAL is what is written: the fastest target. The properties stand in the
//! testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::walk(bytes));

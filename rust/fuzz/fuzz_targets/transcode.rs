//! Bytes written anew for another dialect are what a tree in between gives. The property stands in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::transcode(bytes));

//! Fuzzes transcoding: bytes for another dialect are those that a tree in between gives. The property is in
//! the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::transcode(bytes));

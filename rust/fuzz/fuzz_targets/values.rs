//! Fuzzes trees: a tree grown from the input comes back when it is written, and its bytes are canonical. The
//! properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::values(bytes));

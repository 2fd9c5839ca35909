//! However a stream is cut, each message gives what it gives alone, and its entries one by one. The properties stand in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::framing(bytes));

//! Fuzzes framing: each message of a stream gives what it gives alone, however the stream is cut. So do its
//! entries, one by one. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::framing(bytes));

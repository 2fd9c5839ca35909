//! Fuzzes push decoding: pieces give what the whole gives, however an input is cut. A prefix is refused as
//! incomplete. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::chunks(bytes));

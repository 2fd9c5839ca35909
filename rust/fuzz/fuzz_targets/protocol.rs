//! Fuzzes a server and a client: bytes become packets, losses and time. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::protocols::check_receive(bytes));

//! Fuzzes what the engine writes with objects against the classes of a game. The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::objects::check_engine(bytes));

//! Fuzzes reading into types that derive serde: bytes get the codec's verdict, and a value grown from them comes back.
//! The properties are in the testkit.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| variant_testkit::targets::typed(bytes));

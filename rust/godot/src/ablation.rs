//! Switches off the fast paths that the environment names, in a build for `cargo xtask bench --without NAME`. It is read once, before
//! anything else of the library runs.

use std::env;

use variant_core::Trick;

/// The environment variable with the names of the tricks, separated by commas; `Trick::ALL` has them.
const VARIABLE: &str = "VARIANT_STREAM_WITHOUT";

pub(crate) fn read() {
    let text = env::var(VARIABLE).unwrap_or_default();
    for name in text.split(',').filter(|name| !name.is_empty()) {
        if !Trick::switch_off(name) {
            eprintln!("{VARIABLE}: there is no trick {name}");
        }
    }
}

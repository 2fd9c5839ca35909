//! Lets tests pretend that the engine lacks some methods and calls. It is read only while the library probes
//! the engine.

use std::env;
use std::sync::OnceLock;

/// The environment variable with the missing features, separated by commas: a method such as
/// `Dictionary.is_typed`, a type or a class for all of its methods, or an official call of `layout/asked.rs`, which then
/// returns null.
const VARIABLE: &str = "VARIANT_STREAM_PRETEND";

static LACKING: OnceLock<Vec<String>> = OnceLock::new();

/// Tells whether the engine is to be treated as one without this feature.
pub(crate) fn lacks(what: &str) -> bool {
    let words = LACKING.get_or_init(|| {
        let text = env::var(VARIABLE).unwrap_or_default();
        text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    });
    words.iter().any(|word| word == what)
}

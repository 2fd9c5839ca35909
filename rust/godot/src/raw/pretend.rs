//! Pretend: for tests, an engine that lacks what this one has. Read once, asked only where the library looks around.

use std::env;
use std::sync::OnceLock;

/// Words, by commas: a method as `Dictionary.is_typed`, a type for all of its methods, an official call of
/// `layout/asked.rs`, which then answers null.
const VARIABLE: &str = "VARIANT_STREAM_PRETEND";

static LACKING: OnceLock<Vec<String>> = OnceLock::new();

/// Whether the engine is taken as one without this.
pub(crate) fn lacks(what: &str) -> bool {
    let words = LACKING.get_or_init(|| {
        let text = env::var(VARIABLE).unwrap_or_default();
        text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    });
    words.iter().any(|word| word == what)
}

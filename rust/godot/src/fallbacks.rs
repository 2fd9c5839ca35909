//! Collects the fallbacks that the library uses in this engine, in words for people.

use std::sync::OnceLock;

use crate::key_hashes;
use crate::raw::layout;

/// The reason why the fast paths are off although the probes found everything, if there is one.
static WITHDRAWN: OnceLock<String> = OnceLock::new();

/// Turns the fast paths off for good, for this reason.
pub(crate) fn withdraw(reason: String) {
    layout::withdraw();
    WITHDRAWN.get_or_init(|| reason);
}

/// Returns everything that is done in a slower way, the most important first; empty in an engine without
/// fallbacks.
pub(crate) fn told() -> Vec<String> {
    let mut all: Vec<String> = WITHDRAWN.get().cloned().into_iter().collect();
    if all.is_empty() {
        all.extend(layout::missing().into_iter().map(|what| format!("official calls for {what}")));
    }
    let asked = key_hashes::asked();
    if !asked.is_empty() {
        all.push(format!("the engine's own hashes for keys of {}", asked.join(", ")));
    }
    all
}

//! Fallbacks: what this engine does not let the library do in its fast way, in words for people.

use std::sync::OnceLock;

use crate::key_hashes;
use crate::raw::layout;

/// Why nothing is read or written in place though the probes found all, if there is such a reason.
static WITHDRAWN: OnceLock<String> = OnceLock::new();

/// Takes the plain way from now on, for this reason.
pub(crate) fn withdraw(reason: String) {
    layout::withdraw();
    WITHDRAWN.get_or_init(|| reason);
}

/// All that is done in a slower way, most of it first; empty in an engine in which nothing is.
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

//! Compares the verdict of `BuildCheck`, after which a builder comes that fills tables, with that of `Skip`. The core's own tests
//! compile this file too.

use variant_core::{BuildCheck, ErrorKind, Rules, Skip, Walker};

/// Checks that a walk which leaves equal keys to a builder, and bounds the steps in tables, stops where one stops that builds
/// nothing, except for these two. Tells whether the input was accepted. The walker may be a used one.
///
/// # Panics
/// When it stops elsewhere.
#[track_caller]
pub fn build_check_agrees(bytes: &[u8], rules: &Rules, walker: &mut Walker<()>) -> bool {
    let judged = walker.decode(bytes, rules, &mut BuildCheck);
    let skipped = Walker::new().decode(bytes, rules, &mut Skip);
    let is_of = |kind: fn(&ErrorKind) -> bool, outcome: &Result<_, variant_core::Error>| {
        outcome.as_ref().is_err_and(|error| kind(&error.kind()))
    };
    let is_passed = is_of(|kind| matches!(kind, ErrorKind::TooManyProbes { .. }), &judged);
    let is_left = rules.is_safe() && is_of(|kind| *kind == ErrorKind::DuplicateKey, &skipped);
    assert!(judged == skipped || is_passed || is_left, "{judged:?} {skipped:?} {bytes:02x?} {rules:?}");
    judged.is_ok()
}

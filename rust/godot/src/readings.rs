//! Counts how often readers went over inputs, for the test that no input is gone over more than twice.
//!
//! It counts only where the environment asks for it when the library loads. The engine's own monitors tell the number.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use godot::builtin::{Callable, Variant};
use godot::classes::{Engine, Object};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};

/// For tests: if it is set, readings are counted.
const VARIABLE: &str = "VARIANT_STREAM_READINGS";
/// The custom monitor that tells how many there were.
const MONITOR: &str = "variant_stream/readings";

static ARE_COUNTED: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Offers the count as a monitor, if it is asked for.
pub(crate) fn offer() {
    if std::env::var_os(VARIABLE).is_some() {
        ARE_COUNTED.store(true, Ordering::Relaxed);
        let told = |_: &[&Variant]| COUNT.load(Ordering::Relaxed).to_variant();
        monitors(
            "add_custom_monitor",
            &[MONITOR.to_variant(), Callable::from_fn("readings", told).to_variant()],
        );
    }
}

/// Takes the monitor away: what it calls ends with this library.
pub(crate) fn withdraw() {
    if ARE_COUNTED.load(Ordering::Relaxed) {
        monitors("remove_custom_monitor", &[MONITOR.to_variant()]);
    }
}

fn monitors(method: &str, arguments: &[Variant]) {
    let performance: Option<Gd<Object>> = Engine::singleton().get_singleton("Performance");
    performance.into_iter().for_each(|mut performance| drop(performance.call(method, arguments)));
}

/// A reader begins to go over an input.
#[inline(always)]
pub(crate) fn begin() {
    if ARE_COUNTED.load(Ordering::Relaxed) {
        COUNT.fetch_add(1, Ordering::Relaxed);
    }
}

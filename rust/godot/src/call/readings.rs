//! Counts how often inputs are read, for the test that no input is read more than twice.
//!
//! It counts only if an environment variable is set when the library loads. A custom monitor of the engine
//! shows the number.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use godot::builtin::{Callable, Variant};
use godot::classes::{Engine, Object};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};

/// The environment variable that turns counting on, for tests.
const VARIABLE: &str = "VARIANT_STREAM_READINGS";
/// The custom monitor that shows the count.
const MONITOR: &str = "variant_stream/readings";

static ARE_COUNTED: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU32 = AtomicU32::new(0);

/// Adds the monitor, if counting is on.
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

/// Removes the monitor: its function ends with this library.
pub(crate) fn withdraw() {
    if ARE_COUNTED.load(Ordering::Relaxed) {
        monitors("remove_custom_monitor", &[MONITOR.to_variant()]);
    }
}

fn monitors(method: &str, arguments: &[Variant]) {
    let performance: Option<Gd<Object>> = Engine::singleton().get_singleton("Performance");
    performance.into_iter().for_each(|mut performance| drop(performance.call(method, arguments)));
}

/// Counts a reader that begins to read an input.
#[inline]
pub(crate) fn begin() {
    if ARE_COUNTED.load(Ordering::Relaxed) {
        COUNT.fetch_add(1, Ordering::Relaxed);
    }
}

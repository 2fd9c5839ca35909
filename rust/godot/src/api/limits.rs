//! `VariantLimits`: a resource of upper bounds, editable in the inspector, that codecs share.
//!
//! The meaning of the bounds and the figures of the presets are the core's.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use godot::classes::{IResource, Resource};
use godot::obj::{Base, Gd, WithBaseField};
use godot::register::{GodotClass, godot_api};

use super::number::saturated;
use super::property_argument::{PropertyArgument, properties};
use crate::call::codec::{Limits, TypeSet};

/// The numbers of one resource. The resource changes them in place while codecs read them.
#[derive(Debug)]
pub(super) struct SharedLimits {
    numbers: Mutex<Limits>,
    /// How often they were changed, so that a codec need not copy them at every call.
    changes: AtomicU64,
}

impl SharedLimits {
    fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Self { numbers: Mutex::new(limits), changes: AtomicU64::new(0) })
    }

    /// Another number than before: they were changed in between.
    #[inline]
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    pub(super) fn get(&self) -> Limits {
        // Only plain moves happen under this lock, so even after a panic what is inside is whole.
        *self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Limits)) {
        change(&mut self.numbers.lock().unwrap_or_else(PoisonError::into_inner));
        self.changes.fetch_add(1, Ordering::Release);
    }
}

/// Upper bounds for decoding and encoding.
#[derive(GodotClass)]
#[class(tool, base = Resource)]
pub struct VariantLimits {
    limits: Arc<SharedLimits>,
    base: Base<Resource>,
}

#[godot_api]
impl IResource for VariantLimits {
    fn init(base: Base<Resource>) -> Self {
        Self { limits: SharedLimits::new(Limits::save_file()), base }
    }
}

#[godot_api]
impl VariantLimits {
    #[func]
    fn engine() -> Gd<Self> {
        Self::preset(Limits::engine())
    }

    #[func]
    fn save_file() -> Gd<Self> {
        Self::preset(Limits::save_file())
    }

    #[func]
    fn network() -> Gd<Self> {
        Self::preset(Limits::network())
    }
}

properties! {
    VariantLimits;
    numbers, change {
        get_max_bytes, set_max_bytes, "max_bytes": i64 = i64, |limits| saturated(limits.max_bytes),
            |limits, value| limits.max_bytes = at_least_none(value);
        get_max_depth, set_max_depth, "max_depth": i64 = i64, |limits| saturated(limits.max_depth),
            |limits, value| limits.max_depth = clamped(value, Limits::engine().max_depth);
        get_max_values, set_max_values, "max_values": i64 = i64, |limits| saturated(limits.max_values),
            |limits, value| limits.max_values = at_least_none(value);
        get_max_entries, set_max_entries, "max_entries": i64 = i64, |limits| saturated(limits.max_entries),
            |limits, value| limits.max_entries = at_least_none(value);
        get_max_string_bytes, set_max_string_bytes, "max_string_bytes": i64 = i64, |limits| saturated(limits.max_string_bytes),
            |limits, value| limits.max_string_bytes = at_least_none(value);
        get_max_path_segments, set_max_path_segments, "max_path_segments": i64 = i64, |limits| saturated(limits.max_path_segments),
            |limits, value| limits.max_path_segments = at_least_none(value);
        get_max_heap_bytes, set_max_heap_bytes, "max_heap_bytes": i64 = i64, |limits| saturated(limits.max_heap_bytes),
            |limits, value| limits.max_heap_bytes = at_least_none(value);
        get_max_key_probes, set_max_key_probes, "max_key_probes": i64 = i64, |limits| saturated(limits.max_key_probes),
            |limits, value| limits.max_key_probes = at_least_none(value);
        get_max_objects, set_max_objects, "max_objects": i64 = i64, |limits| saturated(limits.max_objects),
            |limits, value| limits.max_objects = at_least_none(value);
        get_max_object_depth, set_max_object_depth, "max_object_depth": i64 = i64, |limits| saturated(limits.max_object_depth),
            |limits, value| limits.max_object_depth = at_least_none(value);
        get_max_output_bytes, set_max_output_bytes, "max_output_bytes": i64 = i64, |limits| saturated(limits.max_output_bytes),
            |limits, value| limits.max_output_bytes = clamped(value, Limits::engine().max_output_bytes);
        get_allowed_types, set_allowed_types, "allowed_types": i64 = i64, |limits| saturated(limits.allowed_types.0),
            |limits, value| limits.allowed_types.0 = type_bits(value);
        get_allowed_key_types, set_allowed_key_types, "allowed_key_types": i64 = i64, |limits| saturated(limits.allowed_key_types.0),
            |limits, value| limits.allowed_key_types.0 = type_bits(value);
        get_live_references, set_live_references, "live_references": bool = bool,
            |limits| limits.live_references, |limits, value| limits.live_references = value;
        get_circles, set_circles, "circles": bool = bool, |limits| limits.circles,
            |limits, value| limits.circles = value;
    }
}

impl VariantLimits {
    fn numbers<R>(&self, read: impl FnOnce(&Limits) -> R) -> R {
        read(&self.limits.get())
    }

    /// The numbers themselves, for a codec to read at every call.
    pub(super) fn shared(&self) -> Arc<SharedLimits> {
        Arc::clone(&self.limits)
    }

    fn preset(limits: Limits) -> Gd<Self> {
        Gd::from_init_fn(|base| Self { limits: SharedLimits::new(limits), base })
    }

    /// Changes the numbers and tells who listens to the resource.
    fn change(&self, change: impl FnOnce(&mut Limits)) {
        self.limits.change(change);
        self.to_gd().emit_changed();
    }
}

/// In the order the inspector shows them.
pub(super) fn register_properties() {
    VariantLimits::register_table();
}

/// A number outside the range becomes the nearest one inside: no setting can fail, and none can mean
/// "unlimited" by accident.
fn clamped(value: i64, most: u64) -> u64 {
    u64::try_from(value).unwrap_or(0).min(most)
}

fn at_least_none(value: i64) -> u64 {
    clamped(value, u64::MAX)
}

/// Those bits that stand for a type: a mask may be written as `~(1 << TYPE_OBJECT)`, which is a negative number.
fn type_bits(value: i64) -> u64 {
    value.cast_unsigned() & TypeSet::ALL.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_becomes_the_nearest_sense() {
        assert_eq!(clamped(-1, 1025), 0);
        assert_eq!(clamped(5000, 1025), 1025);
        assert_eq!(at_least_none(i64::MIN), 0);
        assert_eq!(at_least_none(i64::MAX), i64::MAX as u64);
    }

    #[test]
    fn masks_keep_the_bits_of_types() {
        assert_eq!(type_bits(-1), TypeSet::ALL.0);
        assert_eq!(type_bits(!(1 << 24)), TypeSet::ALL.0 & !(1 << 24));
        assert_eq!(type_bits(1 << 39), 0);
        assert_eq!(type_bits(i64::MAX), TypeSet::ALL.0);
        assert_eq!(type_bits(i64::MIN | 2), 2);
    }
}

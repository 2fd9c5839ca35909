//! Options: the properties of a codec as they were set. The settings that a call makes of them, and the lock,
//! are in `state.rs`.

use std::sync::Arc;

use godot::obj::bounds::DeclUser;
use godot::obj::{Bounds, Gd, GodotClass};
use variant_pack::Tagging;

use super::class_set::{SharedSet, VariantClassSet};
use super::limits::{SharedLimits, VariantLimits};
use super::packed_form::PackedForm;
use super::schema::VariantSchema;
use crate::call::codec::{Dialect, Limits, Rules, Strictness, Target};
use crate::call::form::{KeptBases, KeptPacking};
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::raw::any_thread::AnyThread;

/// The properties of a codec.
#[derive(Default)]
pub(super) struct Options {
    pub(super) strictness: Strictness,
    pub(super) full_objects: bool,
    pub(super) sorts_keys: bool,
    pub(super) dialect: Dialect,
    /// As it was set: what it means is asked when something is encoded.
    pub(super) target: String,
    pub(super) limits: Option<SharedResource<VariantLimits, SharedLimits>>,
    pub(super) schema: Option<SharedResource<VariantSchema, BoundSchema>>,
    pub(super) form: PackedForm,
    pub(super) tagging: Tagging,
    /// The packed values that differences are from.
    pub(super) baseline: Option<KeptBases<Arc<[u8]>>>,
    pub(super) classes: Option<SharedResource<VariantClassSet, SharedSet>>,
    pub(super) reads_engine_objects: bool,
}

/// A resource, and what it shares with those that use it: numbers that are read at every call, or what it held when it was set.
pub(super) struct SharedResource<T: GodotClass, S> {
    resource: AnyThread<Gd<T>>,
    pub(super) shared: Arc<S>,
}

impl<T: GodotClass + Bounds<Declarer = DeclUser>, S> SharedResource<T, S> {
    pub(super) fn of(resource: Gd<T>, share: impl FnOnce(&T) -> Arc<S>) -> SharedResource<T, S> {
        let shared = share(&resource.bind());
        SharedResource { resource: AnyThread(resource), shared }
    }

    pub(super) fn resource(&self) -> Gd<T> {
        self.resource.0.clone()
    }
}

impl Options {
    /// Only Godot 4 comes in versions.
    fn target(&self) -> Option<Target> {
        let target = Target::godot_4(&self.target);
        if self.dialect == Dialect::Godot4 { target } else { target.map(|_| Target::newest(self.dialect)) }
    }

    /// How values are packed, if they are.
    pub(super) fn packing(&self) -> Option<KeptPacking> {
        let packing = || KeptPacking { tagging: self.tagging, baseline: self.baseline.clone() };
        (self.form == PackedForm::Packed).then(packing)
    }

    /// Returns the settings that a call obeys under these options, with these limits.
    pub(super) fn settings(&self, limits: Limits) -> Settings {
        let (strictness, dialect) = (self.strictness, self.dialect);
        let mut settings = Settings::new(Rules { strictness, dialect, ..Rules::safe(limits) });
        settings.target = self.target();
        (settings.full_objects, settings.sorts_keys) = (self.full_objects, self.sorts_keys);
        settings
    }
}

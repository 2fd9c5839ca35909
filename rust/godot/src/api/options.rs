//! Options: the properties of a codec as they were set. The settings that a call makes of them, and the lock,
//! are in `state.rs`.

use std::sync::Arc;

use godot::obj::Gd;
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
pub(super) struct Options {
    pub(super) strictness: Strictness,
    pub(super) full_objects: bool,
    pub(super) sorts_keys: bool,
    pub(super) dialect: Dialect,
    /// As it was set: what it means is asked when something is encoded.
    pub(super) target: String,
    pub(super) limits: Option<Source>,
    pub(super) schema: Option<Checks>,
    pub(super) form: PackedForm,
    pub(super) tagging: Tagging,
    /// The packed values that differences are from.
    pub(super) baseline: Option<KeptBases<Arc<[u8]>>>,
    pub(super) classes: Option<Classes>,
    pub(super) reads_engine_objects: bool,
}

/// A class set, and what it shares with those that use it.
pub(super) struct Classes {
    pub(super) resource: AnyThread<Gd<VariantClassSet>>,
    pub(super) shared: Arc<SharedSet>,
}

impl Classes {
    pub(super) fn of(classes: Gd<VariantClassSet>) -> Classes {
        let shared = classes.bind().shared();
        Classes { resource: AnyThread(classes), shared }
    }
}

/// A schema resource, and what it held when it was set: schemas do not change under a codec.
pub(super) struct Checks {
    pub(super) resource: AnyThread<Gd<VariantSchema>>,
    pub(super) held: Arc<BoundSchema>,
}

/// A limits resource, and the numbers in it, which are read at every call.
pub(super) struct Source {
    pub(super) resource: AnyThread<Gd<VariantLimits>>,
    pub(super) numbers: Arc<SharedLimits>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strictness: Strictness::Safe,
            full_objects: false,
            sorts_keys: false,
            dialect: Dialect::default(),
            target: String::new(),
            limits: None,
            schema: None,
            form: PackedForm::Variant,
            tagging: Tagging::Short,
            baseline: None,
            classes: None,
            reads_engine_objects: false,
        }
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

//! The settings that a call obeys.

use variant_core::{Dialect, Limits, Rules, Strictness, Target, TypeSet, VariantType};

use crate::engine::build::{REALS, ToVariant};
use crate::engine::read;
use crate::raw::in_place::Bounds;

/// The types that come out as plain data unless the limits ask for live references.
const REFERENCES: TypeSet = TypeSet::of(&[VariantType::Object, VariantType::Signal]);

/// The types that point into the running game.
const HANDLES: TypeSet =
    TypeSet::of(&[VariantType::Rid, VariantType::Object, VariantType::Callable, VariantType::Signal]);

/// Everything that one call obeys, ready for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The rules for bytes that are read. Their limits are those of writing too.
    rules: Rules,
    /// For encoding only: decoding into objects goes by a VariantClassSet.
    pub(crate) full_objects: bool,
    /// Handles that are not written, though they could be.
    pub(crate) withheld: TypeSet,
    /// Whether nobody asked for the instance ids that are written of objects.
    pub(crate) warns_of_ids: bool,
    /// The engine that is to read what is written; `None` when it names no version there is.
    pub(crate) target: Option<Target>,
    /// Whether the entries of dictionaries are written in the order of their keys' bytes.
    pub(crate) sorts_keys: bool,
    /// Whether what is accepted is what is built: nothing is converted, dropped, read in another dialect's way or put in
    /// a reference's place.
    pub(crate) builds_what_it_reads: bool,
}

impl Settings {
    /// Returns the bounds of an encoding in place; `None` where another reader than the newest Godot 4 wants
    /// other bytes.
    #[inline]
    pub(crate) fn in_place(&self) -> Option<Bounds> {
        let Limits { max_depth, max_output_bytes, .. } = *self.limits();
        let bounds = Bounds {
            max_depth,
            max_output_bytes,
            full_objects: self.full_objects,
            write_leaf: match self.withheld {
                TypeSet::NONE if self.warns_of_ids => read::known_leaf_alone,
                TypeSet::NONE => read::leaf_alone,
                _ => read::plain_leaf_alone,
            },
        };
        let is_usual = self.target.is_some_and(Target::is_newest_godot_4) && !self.sorts_keys;
        is_usual.then_some(bounds)
    }

    /// Returns the settings of a call that reads by these rules, in this build of the engine.
    pub(crate) const fn new(rules: Rules) -> Settings {
        let Rules { strictness, mut limits, dialect, .. } = rules;
        let has_stand_ins = !limits.live_references && limits.allowed_types.intersects(REFERENCES);
        if !limits.live_references {
            // As plain data, two keys that differ could become one.
            limits.allowed_key_types = limits.allowed_key_types.without(REFERENCES);
        }
        let is_engine = matches!(strictness, Strictness::Engine);
        let is_todays = matches!(dialect, Dialect::Godot4);
        Settings {
            rules: Rules { strictness, limits, dialect, full_objects: false, reals: REALS },
            full_objects: false,
            withheld: TypeSet::NONE,
            warns_of_ids: !limits.allowed_types.contains(VariantType::Object),
            target: Some(Target::newest(dialect)),
            sorts_keys: false,
            builds_what_it_reads: !is_engine && is_todays && !has_stand_ins,
        }
    }

    /// Returns the settings for another reader of what is written.
    pub(crate) const fn for_target(self, target: Option<Target>) -> Settings {
        Settings { target, ..self }
    }

    /// Returns the settings of a caller who did not say what may be written.
    pub(crate) const fn warning_of_ids(self) -> Settings {
        Settings { warns_of_ids: true, ..self }
    }

    /// Returns the settings of a caller who writes nothing that somebody could miss.
    pub(crate) const fn warning_of_no_ids(self) -> Settings {
        Settings { warns_of_ids: false, ..self }
    }

    /// Returns the settings for a file: handles that its readers would refuse are not written. A caller who
    /// asks for full objects wants what the engine writes of them.
    pub(crate) const fn into_file(self) -> Settings {
        let allowed = if self.full_objects { TypeSet::ALL } else { self.rules.limits.allowed_types };
        Settings { withheld: HANDLES.without(allowed), ..self }
    }

    /// Returns the settings for a document of objects: its references are RIDs.
    pub(crate) const fn for_document(&self) -> Settings {
        Settings { full_objects: false, withheld: TypeSet::NONE, ..*self }
    }

    /// Returns the settings for reading documents of objects: references are RIDs, and nothing is lost
    /// silently.
    pub(crate) fn reading_documents(self) -> Settings {
        Settings { rules: variant_objects::rules_of(&self.rules), builds_what_it_reads: false, ..self }
    }

    /// Returns the settings of a reader that also reads what the engine wrote with objects: its frames may hold such.
    pub(crate) fn framing_engine_objects(self) -> Settings {
        let mut rules = variant_objects::engine_rules_of(&self.rules);
        rules.limits.allowed_types.0 |= self.rules.limits.allowed_types.0;
        Settings { rules, ..self }
    }

    /// Fewer levels are left.
    pub(crate) const fn within(mut self, levels: u64) -> Settings {
        self.rules.limits.max_depth = self.rules.limits.max_depth.saturating_sub(levels);
        self
    }

    /// The sink that builds under them.
    pub(crate) fn building(&self) -> ToVariant {
        ToVariant::by(self.rules())
    }

    pub(crate) const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) const fn limits(&self) -> &Limits {
        &self.rules.limits
    }
}

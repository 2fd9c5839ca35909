//! The settings that a call obeys, the rooms that are kept between calls, and the encoding of Variants.
//! Decoding is in `decode.rs`.
//!
//! It knows no class of the extension, keeps no outcome and takes no lock; that is `api/`'s part.

pub(crate) use crate::problem::Problem;
use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use variant_core::token::{Count, Output};
pub(crate) use variant_core::{Dialect, Extent, Limits, Rules, Strictness, Target, TypeSet, guess_dialect};
use variant_core::{Encoder, VariantType, Walker, sort_keys};
use variant_pack::Packer;

use crate::build::{Partial, REALS, ToVariant};
use crate::decode::{Misses, Refusals, build_one, refused};
use crate::into::UpdatedContainer;
use crate::raw::in_place::{self, Bounds, EncodeRoom, KeyCache};
use crate::read::{self, Allowed, Telling};

/// Scratch kept between calls; what a giant value needed beyond it is given back.
const KEPT_SCRATCH: usize = 1 << 20;

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
    withheld: TypeSet,
    /// Whether nobody asked for the instance ids that are written of objects.
    warns_of_ids: bool,
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
    fn in_place(&self) -> Option<Bounds> {
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
        ToVariant::new(self.is_coercing(), self.limits().live_references)
    }

    /// The function that builds the parts that a walk in place leaves to the plain one.
    pub(crate) fn build_one(&self) -> in_place::BuildOne {
        if self.limits().live_references { build_one::<true> } else { build_one::<false> }
    }

    pub(crate) const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) const fn limits(&self) -> &Limits {
        &self.rules.limits
    }

    /// Whether typed containers convert and drop, as the engine's do.
    pub(crate) fn is_coercing(&self) -> bool {
        self.rules.strictness == Strictness::Engine
    }
}

/// Reusable scratch of an encoder and decoder.
///
/// At the start of a cache line, wherever the linker puts what holds one: two words that are written together lay across two
/// pages in some builds, and a packet took 20 ns longer.
#[repr(align(64))]
#[derive(Default)]
pub(crate) struct Codec {
    pub(crate) building: Walker<Partial>,
    pub(crate) checking: Walker<()>,
    pub(crate) updating: Walker<UpdatedContainer>,
    /// The memory of a check by a schema.
    pub(crate) schema: variant_schema::Scratch,
    /// The memory of a check of a document.
    pub(crate) objects: variant_objects::Scratch,
    /// The bytes that a schema makes of others.
    pub(crate) reshaped: variant_schema::FilledBytes,
    pub(crate) refusals: Refusals,
    /// Values under schemas that only a walk could judge.
    pub(crate) walked: Misses,
    /// For the next refusal to be noted in.
    pub(crate) spare: Option<Problem>,
    /// Packs; there is none before something is packed.
    pub(crate) packer: Option<Box<Packer>>,
    scratch: Vec<u8>,
    encoding: EncodeRoom,
    pub(crate) keys: KeyCache,
}

impl Codec {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Makes `answer` a PackedByteArray with the bytes of a value.
    pub(crate) fn encode(
        &mut self,
        s: &Settings,
        value: &Variant,
        answer: &mut Variant,
    ) -> Result<(), Problem> {
        if let Some(bounds) = s.in_place()
            && in_place::encode(value, &bounds, &mut self.encoding, answer).is_some()
        {
            return Ok(());
        }
        self.encode_plainly(s, value, answer)
    }

    #[inline(never)]
    pub(crate) fn encode_plainly(
        &mut self,
        s: &Settings,
        value: &Variant,
        answer: &mut Variant,
    ) -> Result<(), Problem> {
        self.scratch.clear();
        let outcome = write(s, value, &mut self.scratch).and_then(|_| match s.sorts_keys {
            true => sorted(s, &self.scratch).map(|bytes| self.scratch = bytes),
            false => Ok(()),
        });
        let outcome = outcome.map(|_| *answer = PackedByteArray::from(self.scratch.as_slice()).to_variant());
        self.scratch.clear();
        self.scratch.shrink_to(KEPT_SCRATCH);
        outcome
    }

    /// The bytes of the document of a value, with the objects that it leads to.
    pub(crate) fn document_of(
        &mut self,
        set: &crate::objects::ClassSet,
        s: &Settings,
        value: &Variant,
    ) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::new();
        crate::objects::document(set, s, value, &mut self.encoding, &mut bytes)?;
        Ok(bytes)
    }

    /// Makes a call with scratch, which it finds empty.
    pub(crate) fn with_scratch<R>(&mut self, call: impl FnOnce(&mut Codec, &mut Vec<u8>) -> R) -> R {
        let mut scratch = std::mem::take(&mut self.scratch);
        let outcome = call(self, &mut scratch);
        scratch.clear();
        scratch.shrink_to(KEPT_SCRATCH);
        self.scratch = scratch;
        outcome
    }

    pub(crate) const fn room(&mut self) -> &mut EncodeRoom {
        &mut self.encoding
    }

    pub(crate) fn encoded_size(&mut self, s: &Settings, value: &Variant) -> Result<u64, Problem> {
        // Nothing is written that somebody could miss.
        write(&Settings { warns_of_ids: false, ..*s }, value, &mut Count::default())
    }

    /// Bytes of the settings' dialect as bytes for their target, without a value in between.
    pub(crate) fn transcode(s: &Settings, bytes: &PackedByteArray) -> Result<PackedByteArray, Problem> {
        let target = s.target.ok_or_else(Problem::unknown_target)?;
        let outcome = variant_core::transcode(bytes.as_slice(), s.rules(), target);
        outcome.map(PackedByteArray::from).map_err(|error| refused(error, s, bytes.as_slice()))
    }
}

/// Adds the bytes of a value to others. After a refusal some may be there already.
pub(crate) fn append(
    s: &Settings,
    value: &Variant,
    room: &mut EncodeRoom,
    bytes: &mut Vec<u8>,
) -> Result<u64, Problem> {
    if let Some(bounds) = s.in_place()
        && let Some(added) = in_place::append(value, &bounds, room, bytes)
    {
        return Ok(u64::try_from(added).unwrap_or(u64::MAX));
    }
    write(s, value, bytes)
}

/// Brings the entries of dictionaries into the order of their keys' bytes, of what was written under these settings.
pub(crate) fn sorted(s: &Settings, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
    let target = s.target.ok_or_else(Problem::unknown_target)?;
    let limits = Limits { max_output_bytes: s.limits().max_output_bytes, ..Limits::engine() };
    let rules = Rules { strictness: Strictness::Engine, limits, full_objects: true, ..*s.rules() };
    sort_keys(bytes, &rules, target).map_err(Problem::of_value)
}

fn write<O: Output>(s: &Settings, value: &Variant, output: &mut O) -> Result<u64, Problem> {
    let (target, full_objects) = (s.target.ok_or_else(Problem::unknown_target)?, s.full_objects);
    let mut encoder = Encoder::new(output, s.limits()).for_target(target);
    if s.withheld == TypeSet::NONE && !s.warns_of_ids {
        read::encode(value, Telling { listener: &mut encoder, full_objects }).map_err(Problem::of_value)?;
        return finished(encoder);
    }
    let mut allowed = Allowed::new(&mut encoder, TypeSet::ALL.without(s.withheld));
    let told = read::encode(value, Telling { listener: &mut allowed, full_objects });
    let Allowed { passed, refused, .. } = allowed;
    told.map_err(|error| match refused.and_then(read::class_of_id) {
        Some(class) => Problem::of_object(error, &class),
        None => Problem::of_value(error),
    })?;
    let written = finished(encoder)?;
    passed.warn();
    Ok(written)
}

fn finished<O: Output>(encoder: Encoder<'_, O>) -> Result<u64, Problem> {
    encoder.finish().map_err(|fault| {
        let error = variant_core::Error::new(fault, variant_core::Path::default());
        Problem::of_value(error)
    })
}

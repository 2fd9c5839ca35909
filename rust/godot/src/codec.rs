//! The engine room: turns Variants into bytes and back under given settings, and refusals into problems.
//!
//! It knows no class of the extension, keeps no outcome and takes no lock; that is `api/`'s part.

pub(crate) use crate::problem::Problem;
use godot::builtin::{PackedByteArray, Variant};
use godot::global::bytes_to_var;
use godot::meta::ToGodot;
use variant_core::token::{Count, Output};
pub(crate) use variant_core::{Dialect, Extent, Limits, Strictness, Target, TypeSet, guess_dialect};
use variant_core::{Encoder, ErrorKind, Rules, Skip, VariantType, Walker, peek_type};

use crate::build::{Partial, ToVariant};
use crate::into::{InPlace, Place, check_target};
use crate::key_hashes;
use crate::raw::in_place::{self, Bounds, EncodeRoom, KeyCache};
use crate::raw::variant::type_of;
use crate::read;

/// Scratch kept between calls; what a giant value needed beyond it is given back.
const KEPT_SCRATCH: usize = 1 << 20;

/// What comes out as plain data unless the limits ask for live references.
const REFERENCES: TypeSet = TypeSet::of(&[VariantType::Object, VariantType::Signal]);

/// Everything that one call obeys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) strictness: Strictness,
    /// Of encoding only: full objects are not decoded yet.
    pub(crate) full_objects: bool,
    pub(crate) limits: Limits,
    /// Of the bytes that are read.
    pub(crate) dialect: Dialect,
    /// Who is to read what is written; `None` when it names no version there is.
    pub(crate) target: Option<Target>,
}

impl Settings {
    /// The sink that builds under them.
    pub(crate) fn building(&self) -> ToVariant {
        ToVariant::new(self.strictness == Strictness::Engine, self.limits.live_references)
    }

    /// What bounds an encoding in place; `None` where another reader than the newest Godot 4 wants other bytes.
    #[inline]
    fn in_place(&self) -> Option<Bounds> {
        let Limits { max_depth, max_output_bytes, .. } = self.limits;
        let bounds = Bounds {
            max_depth,
            max_output_bytes,
            full_objects: self.full_objects,
            write_leaf: read::leaf_alone,
        };
        self.target.is_some_and(Target::is_newest_godot_4).then_some(bounds)
    }

    pub(crate) fn rules(&self) -> Rules {
        let mut limits = self.limits;
        if !limits.live_references {
            // As plain data, two keys that differ could become one.
            limits.allowed_key_types = limits.allowed_key_types.without(REFERENCES);
        }
        Rules {
            strictness: self.strictness,
            limits,
            dialect: self.dialect,
            full_objects: false,
            double_precision: cfg!(feature = "double-precision"),
        }
    }
}

/// Reusable scratch of an encoder and decoder.
#[derive(Default)]
pub(crate) struct Codec {
    pub(crate) building: Walker<Partial>,
    placing: Walker<in_place::Frame>,
    pub(crate) checking: Walker<()>,
    pub(crate) updating: Walker<Place>,
    /// What a check by a schema remembers.
    pub(crate) schema: variant_schema::Scratch,
    /// What a schema makes of bytes.
    pub(crate) reshaped: variant_schema::Reshaped,
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
    fn encode_plainly(&mut self, s: &Settings, value: &Variant, answer: &mut Variant) -> Result<(), Problem> {
        self.scratch.clear();
        let outcome = write(s, value, &mut self.scratch);
        let outcome = outcome.map(|_| *answer = PackedByteArray::from(self.scratch.as_slice()).to_variant());
        self.scratch.clear();
        self.scratch.shrink_to(KEPT_SCRATCH);
        outcome
    }

    pub(crate) fn encoded_size(&mut self, s: &Settings, value: &Variant) -> Result<u64, Problem> {
        write(s, value, &mut Count::default())
    }

    pub(crate) fn decode(
        &mut self,
        s: &Settings,
        bytes: &PackedByteArray,
    ) -> Result<(Variant, Extent), Problem> {
        if Self::is_plain(s) && in_place::is_for_the_engine(bytes.as_slice()) {
            let extent = self.validate(s, bytes)?;
            return Ok((bytes_to_var(bytes), extent));
        }
        if let Some(decoded) = self.decode_in_place(s, bytes.as_slice()) {
            return decoded;
        }
        self.build(s, bytes.as_slice())
    }

    /// The plain walk, which checks and builds in one.
    fn build(&mut self, s: &Settings, bytes: &[u8]) -> Result<(Variant, Extent), Problem> {
        let outcome = self.building.decode(bytes, &s.rules(), &mut s.building());
        outcome.map_err(|error| Problem::of_bytes(&error, s))
    }

    /// Whether what is accepted is what is built: nothing is converted, dropped, read in another
    /// dialect's way or put in a reference's place.
    pub(crate) fn is_plain(s: &Settings) -> bool {
        let has_stand_ins = !s.limits.live_references && s.limits.allowed_types.intersects(REFERENCES);
        s.strictness != Strictness::Engine
            && s.dialect == Dialect::Godot4
            && !has_stand_ins
            && !key_hashes::are_asked()
            && in_place::is_possible()
    }

    /// Checks and builds in one walk, each value where it will stay. `None`: it takes the plain walk.
    #[inline]
    pub(crate) fn decode_in_place(
        &mut self,
        s: &Settings,
        bytes: &[u8],
    ) -> Option<Result<(Variant, Extent), Problem>> {
        if !Self::is_plain(s) {
            return None;
        }
        let decoded = in_place::decode(bytes, &s.rules(), &mut self.placing, &mut self.keys)?;
        Some(decoded.map_err(|error| Problem::of_bytes(&error, s)))
    }

    /// Checks without building anything.
    pub(crate) fn validate(&mut self, s: &Settings, bytes: &PackedByteArray) -> Result<Extent, Problem> {
        self.check(s, bytes.as_slice())
    }

    /// The same of bytes that are only lent. On an engine whose hashes the core does not know, keys are built.
    pub(crate) fn check(&mut self, s: &Settings, bytes: &[u8]) -> Result<Extent, Problem> {
        if key_hashes::are_asked() {
            return self.build(s, bytes).map(|(_, extent)| extent);
        }
        let outcome = self.checking.decode(bytes, &s.rules(), &mut Skip);
        outcome.map(|((), extent)| extent).map_err(|error| Problem::of_bytes(&error, s))
    }

    /// Bytes of the settings' dialect as bytes for their target, without a value in between.
    pub(crate) fn transcode(s: &Settings, bytes: &PackedByteArray) -> Result<PackedByteArray, Problem> {
        let target = s.target.ok_or_else(Problem::unknown_target)?;
        let outcome = variant_core::transcode(bytes.as_slice(), &s.rules(), target);
        outcome.map(PackedByteArray::from).map_err(|error| Problem::of_bytes(&error, s))
    }

    /// Brings `target` to the value of the bytes, keeping what fits. Nothing of it is touched before all of the
    /// bytes are checked. `lent` are the bytes where they lie, if that is known: as long as nothing but numbers and
    /// texts is let go, no script can take them away. `own` gives a handle to them.
    pub(crate) fn decode_into(
        &mut self,
        s: &Settings,
        target: &Variant,
        lent: Option<&[u8]>,
        own: impl FnOnce() -> Result<PackedByteArray, Problem>,
    ) -> Result<Extent, Problem> {
        let checked = match lent {
            Some(lent) => match self.check(s, lent) {
                Ok(extent) if Self::is_plain(s) && self.update(target, lent) => return Ok(extent),
                checked => Some(checked),
            },
            None => None,
        };
        let bytes = own()?;
        check_target(target)?;
        let extent = checked.unwrap_or_else(|| self.validate(s, &bytes))?;
        let mut sink = InPlace::new(target, s.building());
        match self.updating.decode(bytes.as_slice(), &s.rules(), &mut sink) {
            Ok(_) => Ok(extent),
            Err(error) if error.kind() == ErrorKind::InvalidArgument => Err(wrong_target(target, &bytes)),
            Err(error) => Err(Problem::of_bytes(&error, s)),
        }
    }

    /// Whether checked bytes could be put where the old values lie.
    pub(crate) fn update(&mut self, target: &Variant, bytes: &[u8]) -> bool {
        in_place::update(target, bytes, &mut self.keys, build_one).is_some()
    }
}

/// One value that has been checked, at the beginning of bytes: what a walk in place leaves to the plain one.
pub(crate) fn build_one(bytes: &[u8]) -> Option<(Variant, usize)> {
    let rules = Rules {
        strictness: Strictness::Engine,
        limits: Limits::engine(),
        double_precision: cfg!(feature = "double-precision"),
        ..Rules::default()
    };
    let (value, extent) = Walker::new().decode(bytes, &rules, &mut ToVariant::new(false, true)).ok()?;
    Some((value, usize::try_from(extent.consumed).ok()?))
}

/// The bytes hold something that the target cannot become: another type, or a container of other element types.
#[cold]
pub(crate) fn wrong_target(target: &Variant, bytes: &PackedByteArray) -> Problem {
    let held = peek_type(bytes.as_slice()).map_or("another type", |ty| ty.name());
    let got = type_of(target).name();
    let typed = format!("{held} of the types in the bytes");
    Problem::wrong_type("target", if held == got { &typed } else { held }, got)
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

fn write<O: Output>(s: &Settings, value: &Variant, output: &mut O) -> Result<u64, Problem> {
    let target = s.target.ok_or_else(Problem::unknown_target)?;
    let mut encoder = Encoder::new(output, &s.limits).for_target(target);
    read::encode(value, s.full_objects, &mut encoder).map_err(|error| Problem::of_value(&error))?;
    encoder.finish().map_err(|fault| {
        let error = variant_core::Error::new(fault, variant_core::Path::default());
        Problem::of_value(&error)
    })
}

//! The engine room: turns Variants into bytes and back under given settings, and refusals into problems.
//!
//! It knows no class of the extension, keeps no outcome and takes no lock; that is `api/`'s part.

pub(crate) use crate::problem::Problem;
use godot::builtin::{PackedByteArray, Variant};
use godot::global::bytes_to_var;
use godot::meta::ToGodot;
use variant_core::token::{Count, Output};
pub(crate) use variant_core::{Dialect, Extent, Limits, Strictness, Target, TypeSet, guess_dialect};
use variant_core::{Encoder, ErrorKind, Rules, Skip, VariantType, Walker, lone, peek_type};

use crate::build::{Partial, ToVariant};
use crate::declared::type_name;
use crate::into::{InPlace, Place, check_target};
use crate::key_hashes;
use crate::raw::in_place::{self, Bounds, Bout, Decoded, EncodeRoom, KeyCache, Lent, Moulds, Rival, Rivals};
use crate::raw::variant::type_of;
use crate::read::{self, Allowed};
use crate::readings;

/// Scratch kept between calls; what a giant value needed beyond it is given back.
const KEPT_SCRATCH: usize = 1 << 20;
/// Bytes of values that are looked at alone. What is longer costs more than the call.
const SHORT: usize = 4096;

/// What comes out as plain data unless the limits ask for live references.
const REFERENCES: TypeSet = TypeSet::of(&[VariantType::Object, VariantType::Signal]);

/// What points into the running game.
const HANDLES: TypeSet =
    TypeSet::of(&[VariantType::Rid, VariantType::Object, VariantType::Callable, VariantType::Signal]);

/// Everything that one call obeys, ready for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Of the bytes that are read. Their limits are those of writing too.
    rules: Rules,
    /// Of encoding only: full objects are not decoded yet.
    pub(crate) full_objects: bool,
    /// Handles that are not written, though they could be.
    withheld: TypeSet,
    /// Who is to read what is written; `None` when it names no version there is.
    pub(crate) target: Option<Target>,
    /// Whether what is accepted is what is built: nothing is converted, dropped, read in another dialect's way or put in
    /// a reference's place.
    builds_what_it_reads: bool,
}

impl Settings {
    /// What bounds an encoding in place; `None` where another reader than the newest Godot 4 wants other bytes.
    #[inline]
    fn in_place(&self) -> Option<Bounds> {
        let Limits { max_depth, max_output_bytes, .. } = *self.limits();
        let bounds = Bounds {
            max_depth,
            max_output_bytes,
            full_objects: self.full_objects,
            write_leaf: if self.withheld == TypeSet::NONE {
                read::leaf_alone
            } else {
                read::plain_leaf_alone
            },
        };
        self.target.is_some_and(Target::is_newest_godot_4).then_some(bounds)
    }

    pub(crate) const fn new(strictness: Strictness, mut limits: Limits, dialect: Dialect) -> Settings {
        let has_stand_ins = !limits.live_references && limits.allowed_types.intersects(REFERENCES);
        if !limits.live_references {
            // As plain data, two keys that differ could become one.
            limits.allowed_key_types = limits.allowed_key_types.without(REFERENCES);
        }
        let double_precision = cfg!(feature = "double-precision");
        let is_engine = matches!(strictness, Strictness::Engine);
        let is_todays = matches!(dialect, Dialect::Godot4);
        Settings {
            rules: Rules { strictness, limits, dialect, full_objects: false, double_precision },
            full_objects: false,
            withheld: TypeSet::NONE,
            target: Some(Target::newest(dialect)),
            builds_what_it_reads: !is_engine && is_todays && !has_stand_ins,
        }
    }

    /// Those of a value that a frame reader has read.
    pub(crate) const fn of(rules: &Rules) -> Settings {
        Settings::new(rules.strictness, rules.limits, rules.dialect)
    }

    /// The same for another writer.
    pub(crate) const fn writing(self, target: Option<Target>, full_objects: bool) -> Settings {
        Settings { target, full_objects, ..self }
    }

    /// The same for a file: handles that its readers would refuse are not written. Who asks for full objects wants what the
    /// engine writes of them.
    pub(crate) const fn into_file(self) -> Settings {
        let allowed = if self.full_objects { TypeSet::ALL } else { self.rules.limits.allowed_types };
        Settings { withheld: HANDLES.without(allowed), ..self }
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

    /// What a walk in place leaves to the plain one.
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

/// How often bytes were refused lately. What is refused at its end was built until there, and let go: while most bytes
/// are no good they are only checked at first, which takes a third of the time.
#[derive(Debug, Default)]
struct Refusals(u8);

impl Refusals {
    #[inline]
    const fn are_usual(&self) -> bool {
        self.0 > 2
    }

    #[inline]
    fn note(&mut self, is_refused: bool) {
        self.0 = if is_refused { (self.0 + 2).min(8) } else { self.0.saturating_sub(1) };
    }
}

/// How often the fast path gave values up lately. After a few in a row, only one of eight is tried there first.
#[derive(Debug, Default)]
struct Unflat(u8);

impl Unflat {
    const FEW: u8 = 8;

    #[inline]
    const fn is_worth_a_look(&mut self) -> bool {
        if self.0 < Self::FEW {
            return true;
        }
        self.0 = if self.0 == 2 * Self::FEW { Self::FEW } else { self.0 + 1 };
        self.0 == Self::FEW
    }

    #[inline]
    fn note(&mut self, is_flat: bool) {
        let next = (self.0 + 1).min(Self::FEW);
        self.0 = if is_flat { 0 } else { self.0.max(next) };
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
    placing: Walker<in_place::Frame>,
    pub(crate) checking: Walker<()>,
    pub(crate) updating: Walker<Place>,
    /// What a check by a schema remembers.
    pub(crate) schema: variant_schema::Scratch,
    /// What a schema makes of bytes.
    pub(crate) reshaped: variant_schema::Reshaped,
    refusals: Refusals,
    unflat: Unflat,
    /// For the next refusal to be noted in.
    pub(crate) spare: Option<Problem>,
    scratch: Vec<u8>,
    encoding: EncodeRoom,
    pub(crate) keys: KeyCache,
    /// Who decodes large packed arrays.
    rivals: Rivals,
    /// Dictionaries of schemas.
    pub(crate) moulds: Moulds,
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

    /// Decodes into the place of a null.
    pub(crate) fn decode(
        &mut self,
        s: &Settings,
        bytes: &PackedByteArray,
        place: &mut Variant,
    ) -> Result<Extent, Problem> {
        let bout = self.bout(s, bytes.as_slice());
        if bout.is_some_and(|bout| bout.rival == Rival::Engine) {
            let extent = self.validate(s, bytes)?;
            *place = bytes_to_var(bytes);
            bout.into_iter().for_each(|bout| self.rivals.end(bout));
            return Ok(extent);
        }
        let extent = self.decode_by_ours(s, bytes, place)?;
        bout.into_iter().for_each(|bout| self.rivals.end(bout));
        Ok(extent)
    }

    /// Whose turn it is with the packed array that the bytes may be, if it is a large one.
    fn bout(&mut self, s: &Settings, bytes: &[u8]) -> Option<Bout> {
        let header = bytes.first_chunk().filter(|_| Self::is_plain(s) && in_place::is_contested(bytes))?;
        self.rivals.begin(u32::from_le_bytes(*header), bytes.len())
    }

    /// The same without the engine's decoder.
    fn decode_by_ours(
        &mut self,
        s: &Settings,
        bytes: &PackedByteArray,
        place: &mut Variant,
    ) -> Result<Extent, Problem> {
        let mut extent = Extent::default();
        if let Some(decoded) = self.decode_in_place(s, &bytes.as_slice().into(), place, &mut extent) {
            return decoded.map(|()| extent);
        }
        self.decode_plainly(s, bytes, place)
    }

    /// Decodes by the plain walk alone, which checks and builds in one.
    pub(crate) fn decode_plainly(
        &mut self,
        s: &Settings,
        bytes: &PackedByteArray,
        place: &mut Variant,
    ) -> Result<Extent, Problem> {
        let (value, extent) = self.build(s, bytes.as_slice())?;
        *place = value;
        Ok(extent)
    }

    fn build(&mut self, s: &Settings, bytes: &[u8]) -> Result<(Variant, Extent), Problem> {
        readings::begin();
        let outcome = self.building.decode(bytes, s.rules(), &mut s.building());
        outcome.map_err(|error| Problem::of_bytes(error, s))
    }

    /// Whether values may be built where they will stay: what is accepted is what is built, and nobody is asked for
    /// hashes of keys.
    #[inline]
    pub(crate) fn is_plain(s: &Settings) -> bool {
        s.builds_what_it_reads && !key_hashes::are_asked() && in_place::is_possible()
    }

    /// Makes the value of bytes that are one number, one short text or the like, in the place of a null. Whether it is
    /// there.
    #[inline(always)]
    pub(crate) fn decode_lone(s: &Settings, bytes: &[u8], place: &mut Variant) -> bool {
        bytes.len() <= SHORT && Self::is_plain(s) && in_place::decode_lone(bytes, s.rules(), place)
    }

    /// Checks and builds in one walk, each value where it will stay, the first in the place of a null. `None`: it takes
    /// the plain walk. How far it got is told in `extent`, since an answer with it would be moved once more.
    #[inline]
    pub(crate) fn decode_in_place(
        &mut self,
        s: &Settings,
        lent: &Lent<'_>,
        place: &mut Variant,
        extent: &mut Extent,
    ) -> Option<Result<(), Problem>> {
        let bytes = lent.bytes;
        if !Self::is_plain(s) {
            return None;
        }
        // The bytes are read twice at most: by the walk that builds, and by one other reader before it.
        if self.refusals.are_usual() {
            readings::begin();
            let spot = &mut self.spare.get_or_insert_default().spot;
            if self.checking.judged(bytes, s.rules(), &mut Skip, spot).is_none() {
                return Some(Err(self.noted(s)));
            }
        } else if self.unflat.is_worth_a_look() {
            readings::begin();
            let is_flat = in_place::decode_flat(bytes, s.rules(), &mut self.keys, place);
            self.unflat.note(is_flat);
            if is_flat {
                self.refusals.note(false);
                extent.consumed = bytes.len() as u64;
                return Some(Ok(()));
            }
        }
        readings::begin();
        let spot = &mut self.spare.get_or_insert_default().spot;
        let room = (&mut self.placing, &mut self.keys, spot);
        match in_place::decode(lent, s.rules(), room, place, extent) {
            Decoded::Built => {
                self.refusals.note(false);
                Some(Ok(()))
            }
            Decoded::Refused => {
                self.refusals.note(true);
                Some(Err(self.noted(s)))
            }
            Decoded::ByTwin => None,
        }
    }

    /// The problem that a walk has just noted in the spare one's spot.
    #[cold]
    fn noted(&mut self, s: &Settings) -> Problem {
        let mut problem = self.spare.take().unwrap_or_default();
        problem.note(s);
        problem
    }

    /// Takes a problem that is over, for the next one.
    #[inline]
    pub(crate) fn reuse(&mut self, over: Option<Problem>) {
        if self.spare.is_none() {
            self.spare = over;
        }
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
        let is_plain = lone(bytes, s.rules()).is_some() || self.is_flat(s, bytes);
        if is_plain {
            return Ok(Extent { consumed: u64::try_from(bytes.len()).unwrap_or(u64::MAX), trailing: 0 });
        }
        readings::begin();
        let spot = &mut self.spare.get_or_insert_default().spot;
        match self.checking.judged(bytes, s.rules(), &mut Skip, spot) {
            Some(((), extent)) => Ok(extent),
            None => Err(self.noted(s)),
        }
    }

    /// Whether a look is enough to let the bytes in.
    #[inline]
    fn is_flat(&mut self, s: &Settings, bytes: &[u8]) -> bool {
        if !Self::is_plain(s) || !self.unflat.is_worth_a_look() {
            return false;
        }
        readings::begin();
        let is_flat = in_place::is_flat(bytes, s.rules(), &self.keys);
        self.unflat.note(is_flat);
        is_flat
    }

    /// Bytes of the settings' dialect as bytes for their target, without a value in between.
    pub(crate) fn transcode(s: &Settings, bytes: &PackedByteArray) -> Result<PackedByteArray, Problem> {
        let target = s.target.ok_or_else(Problem::unknown_target)?;
        let outcome = variant_core::transcode(bytes.as_slice(), s.rules(), target);
        outcome.map(PackedByteArray::from).map_err(|error| Problem::of_bytes(error, s))
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
                Ok(extent) if Self::is_plain(s) && self.update(s, target, lent) => return Ok(extent),
                checked => Some(checked),
            },
            None => None,
        };
        let bytes = own()?;
        check_target(target)?;
        let extent = checked.unwrap_or_else(|| self.validate(s, &bytes))?;
        let mut sink = InPlace::new(target, s.building());
        readings::begin();
        match self.updating.decode(bytes.as_slice(), s.rules(), &mut sink) {
            Ok(_) => Ok(extent),
            Err(error) if error.kind() == ErrorKind::InvalidArgument => Err(wrong_target(target, &bytes)),
            Err(error) => Err(Problem::of_bytes(error, s)),
        }
    }

    /// Whether checked bytes could be put where the old values lie.
    pub(crate) fn update(&mut self, s: &Settings, target: &Variant, bytes: &[u8]) -> bool {
        readings::begin();
        let by_twin = (s.build_one(), s.limits().live_references);
        in_place::update(target, bytes, &mut self.keys, by_twin).is_some()
    }
}

/// One value that has been checked, at the beginning of bytes.
fn build_one<const IS_LIVE: bool>(bytes: &[u8]) -> Option<(Variant, usize)> {
    let rules = Rules {
        strictness: Strictness::Engine,
        limits: Limits::engine(),
        double_precision: cfg!(feature = "double-precision"),
        ..Rules::default()
    };
    let (value, extent) = Walker::new().decode(bytes, &rules, &mut ToVariant::new(false, IS_LIVE)).ok()?;
    Some((value, usize::try_from(extent.consumed).ok()?))
}

/// The bytes hold something that the target cannot become: no container, the other one, or one of other element types.
#[cold]
pub(crate) fn wrong_target(target: &Variant, bytes: &PackedByteArray) -> Problem {
    match peek_type(bytes.as_slice()) {
        Some(held) if held == type_of(target) => {
            let typed = format!("{held} of the types in the bytes");
            Problem::wrong_type("target", &typed, &type_name(target))
        }
        Some(held @ (VariantType::Array | VariantType::Dictionary)) => {
            Problem::wrong_type("target", held.name(), type_of(target).name())
        }
        held => {
            Problem::wrong_type("bytes", "Dictionary or Array", held.map_or("another type", |ty| ty.name()))
        }
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

fn write<O: Output>(s: &Settings, value: &Variant, output: &mut O) -> Result<u64, Problem> {
    let target = s.target.ok_or_else(Problem::unknown_target)?;
    let mut encoder = Encoder::new(output, s.limits()).for_target(target);
    let told = match s.withheld {
        TypeSet::NONE => read::encode(value, s.full_objects, &mut encoder),
        withheld => {
            let mut allowed = Allowed::new(&mut encoder, TypeSet::ALL.without(withheld));
            read::encode(value, s.full_objects, &mut allowed)
        }
    };
    told.map_err(Problem::of_value)?;
    encoder.finish().map_err(|fault| {
        let error = variant_core::Error::new(fault, variant_core::Path::default());
        Problem::of_value(error)
    })
}

//! Decides which reader goes over the bytes of a decoding: each call that reads bytes under settings comes
//! through here. The order is: a single plain value, the fast path, which asks a walk where it cannot judge itself, the walk
//! through official calls.
//!
//! It knows no class of the extension, keeps no outcome and takes no lock. Schemas are in front of it, in `checked.rs`.

use godot::builtin::{PackedByteArray, Variant, VariantType as GodotType};
use godot::global::bytes_to_var;
use variant_core::{
    BuildCheck, CheckBy, ErrorKind, ErrorLocation, Limits, Rules, Sink, Skip, VariantType, Walker,
    free_levels, is_flat, peek_type, single,
};

use crate::call::codec::{Codec, Extent};
use crate::call::declared::type_name;
use crate::call::problem::{Problem, refused};
use crate::call::readings;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::engine::into::{InPlace, is_changeable};
use crate::engine::key_hashes::AsksEngine;
use crate::raw::in_place::{self, BorrowedBytes};
use crate::raw::variant::type_of;

/// The bytes of a value up to which it is tried as a single plain one first. A longer one costs more than the
/// call.
const SHORT: usize = 4096;

/// Takes the argument `bytes` of a decoding method.
pub(crate) fn bytes_argument(value: &Variant) -> Result<PackedByteArray, Problem> {
    // Asked first, since the conversion itself makes an empty PackedByteArray of whatever else it is given.
    match value.get_type() {
        GodotType::PACKED_BYTE_ARRAY => Ok(value.to()),
        other => Err(Problem::wrong_type("bytes", "PackedByteArray", other.godot_type_name())),
    }
}

/// Decodes the argument `bytes` into the place of a null, if it is one plain value. `None` says nothing.
#[inline]
pub(crate) fn decode_single(settings: &Settings, bytes: &Variant, place: &mut Variant) -> Option<Extent> {
    let bytes = in_place::bytes(bytes)?;
    let consumed = u64::try_from(bytes.len()).ok()?;
    Codec::decode_single(settings, bytes, place).then_some(Extent { consumed, trailing: 0 })
}

/// Decodes the argument `bytes` into the place of a null: where the bytes lie, if that is known, else through
/// a handle of our own.
#[inline]
pub(crate) fn decode_argument(
    codec: &mut Codec,
    settings: &Settings,
    bytes: &Variant,
    place: &mut Variant,
) -> Result<Extent, Problem> {
    let mut extent = Extent::default();
    if let Some(lent) = in_place::BorrowedBytes::by(bytes)
        && !in_place::is_large_numbers(lent.bytes)
    {
        return match codec.decode_in_place(settings, &lent, place, &mut extent) {
            Some(decoded) => decoded.map(|()| extent),
            None => codec.decode_by_calls(settings, &bytes_argument(bytes)?, place),
        };
    }
    codec.decode(settings, &bytes_argument(bytes)?, place)
}

/// Checks that the target is a container that can be changed, before anything is decoded.
pub(crate) fn check_target(target: &Variant) -> Result<(), Problem> {
    match is_changeable(target) {
        Some(true) => Ok(()),
        Some(false) => Err(Problem::locked()),
        None => Err(Problem::wrong_type("target", "Dictionary or Array", type_of(target).name())),
    }
}

/// Lends the argument `bytes` for the length of a call: where the bytes lie, if that is known.
pub(crate) fn with_bytes<R>(
    bytes: &Variant,
    call: impl FnOnce(&[u8]) -> Result<R, Problem>,
) -> Result<R, Problem> {
    match in_place::bytes(bytes) {
        Some(lent) => call(lent),
        None => call(bytes_argument(bytes)?.as_slice()),
    }
}

/// Lends the argument `bytes` under a schema, as [`with_bytes`] does without one. Its checks may be the game's own: a script that runs between could change the bytes, or let
/// go of them.
pub(crate) fn with_checked_bytes<R>(
    bytes: &Variant,
    held: &BoundSchema,
    call: impl FnOnce(&[u8]) -> Result<R, Problem>,
) -> Result<R, Problem> {
    // Objects are made by scripts, too.
    if held.classes.is_some() || held.program()?.has_checks() {
        call(bytes_argument(bytes)?.as_slice())
    } else {
        with_bytes(bytes, call)
    }
}

/// Checks the argument `bytes`.
pub(crate) fn check_argument(
    codec: &mut Codec,
    settings: &Settings,
    bytes: &Variant,
) -> Result<Extent, Problem> {
    match in_place::bytes(bytes) {
        Some(lent) => codec.check(settings, lent),
        None => codec.check(settings, bytes_argument(bytes)?.as_slice()),
    }
}

/// Bytes that a value is updated from.
pub(crate) struct UpdateBytes<'b, Own> {
    /// Where they lie, if that is known: as long as nothing but numbers and texts is let go, no script can take them away.
    pub(crate) lent: Option<&'b [u8]>,
    /// Gives a handle to them.
    pub(crate) own: Own,
}

impl Codec {
    /// Decodes into the place of a null.
    pub(crate) fn decode(
        &mut self,
        s: &Settings,
        bytes: &PackedByteArray,
        place: &mut Variant,
    ) -> Result<Extent, Problem> {
        if Self::may_build_in_place(s) && in_place::is_large_numbers(bytes.as_slice()) {
            let extent = self.check(s, bytes.as_slice())?;
            *place = bytes_to_var(bytes);
            return Ok(extent);
        }
        let mut extent = Extent::default();
        if let Some(decoded) = self.decode_in_place(s, &bytes.as_slice().into(), place, &mut extent) {
            return decoded.map(|()| extent);
        }
        self.decode_by_calls(s, bytes, place)
    }

    /// Decodes by a walk that checks and builds through official calls: the fallback of all other ways.
    pub(crate) fn decode_by_calls(
        &mut self,
        s: &Settings,
        bytes: &PackedByteArray,
        place: &mut Variant,
    ) -> Result<Extent, Problem> {
        let built = self.build(s, bytes.as_slice());
        self.refusals.note(built.is_err());
        let (value, extent) = built?;
        *place = value;
        Ok(extent)
    }

    pub(crate) fn build(&mut self, s: &Settings, bytes: &[u8]) -> Result<(Variant, Extent), Problem> {
        readings::begin();
        let outcome = self.building.decode(bytes, s.rules(), &mut s.building());
        outcome.map_err(|error| refused(error, s, bytes))
    }

    /// Tells whether values may be built where they will stay: only if nothing of what is accepted is
    /// converted or dropped.
    #[inline]
    pub(crate) fn may_build_in_place(s: &Settings) -> bool {
        s.builds_what_it_reads && in_place::is_possible()
    }

    /// Makes the value of bytes that are one number, one short text or the like, in the place of a null.
    /// Tells whether it did.
    #[inline]
    pub(crate) fn decode_single(s: &Settings, bytes: &[u8], place: &mut Variant) -> bool {
        bytes.len() <= SHORT
            && Self::may_build_in_place(s)
            && in_place::decode_single(bytes, s.rules(), place)
    }

    /// Checks and builds in one reading, each value where it will stay, the first in the place of a null. Where something is to
    /// be counted or a limit may refuse, a walk judges the bytes, once. `None`: the value takes official calls, which judge it
    /// anew. It puts how far it got into `extent`, since an answer with it would be moved once more.
    #[inline]
    pub(crate) fn decode_in_place(
        &mut self,
        s: &Settings,
        lent: &BorrowedBytes<'_>,
        place: &mut Variant,
        extent: &mut Extent,
    ) -> Option<Result<(), Problem>> {
        let (bytes, rules) = (lent.bytes, s.rules());
        if !Self::may_build_in_place(s) {
            return None;
        }
        let levels = free_levels(bytes.len() as u64, rules);
        if levels == 0 || self.refusals.are_usual() {
            return self.decode_after_check(s, lent, place, extent);
        }
        let Codec { keys, checking, spare, .. } = self;
        let mut judged = None;
        let mut is_accepted = || {
            let spot = &mut spare.get_or_insert_default().spot;
            judged.insert(walked(checking, BuildCheck, bytes, rules, spot)).is_some()
        };
        readings::begin();
        let check = CheckBy::Walk { levels, is_accepted: &mut is_accepted };
        if in_place::make(lent, rules, keys, place, check) {
            self.refusals.note(false);
            extent.consumed = bytes.len() as u64;
            return Some(Ok(()));
        }
        self.refused_in_place(s, bytes, judged).map(Err)
    }

    /// Tells what is wrong with bytes that were given up, of which `judged` is the verdict on all, if that was asked. `None`:
    /// they take official calls.
    #[cold]
    fn refused_in_place(
        &mut self,
        s: &Settings,
        bytes: &[u8],
        judged: Option<Option<Extent>>,
    ) -> Option<Problem> {
        let is_refused = match judged {
            // Official calls find equal keys, and count what is only bounded.
            Some(Some(_)) => false,
            Some(None) if self.is_bound_passed() => false,
            // Before the fault there may be equal keys.
            _ => self.judged(bytes, s.rules()).is_none(),
        };
        self.refusals.note(is_refused);
        is_refused.then(|| self.noted(s, bytes))
    }

    /// Builds what a walk has accepted.
    fn decode_after_check(
        &mut self,
        s: &Settings,
        lent: &BorrowedBytes<'_>,
        place: &mut Variant,
        extent: &mut Extent,
    ) -> Option<Result<(), Problem>> {
        let (bytes, rules) = (lent.bytes, s.rules());
        let fills_tables = !self.refusals.are_usual();
        let mut judged = None;
        if fills_tables {
            let spot = &mut self.spare.get_or_insert_default().spot;
            judged = walked(&mut self.checking, BuildCheck, bytes, rules, spot);
            if judged.is_none() && self.is_bound_passed() {
                return None;
            }
        }
        // Before a fault there may be equal keys.
        let Some(judged) = judged.or_else(|| self.judged(bytes, rules)) else {
            self.refusals.note(true);
            return Some(Err(self.noted(s, bytes)));
        };
        self.refusals.note(false);
        *extent = judged;
        readings::begin();
        let check = CheckBy::Caller { fills_tables };
        in_place::make(lent, rules, &mut self.keys, place, check).then_some(Ok(()))
    }

    /// Tells whether a walk has refused for steps that are only bounded.
    fn is_bound_passed(&self) -> bool {
        let kind = self.spare.as_ref().map(|problem| problem.spot.kind());
        matches!(kind, Some(ErrorKind::TooManyProbes { .. }))
    }

    /// Builds the value of bytes that a check has accepted, limits and all, in the place of a null, in one reading. Tells
    /// whether it did; else the value takes official calls.
    pub(crate) fn build_judged(
        &mut self,
        s: &Settings,
        lent: &BorrowedBytes<'_>,
        place: &mut Variant,
    ) -> bool {
        let limits = Limits { live_references: s.limits().live_references, ..Limits::engine() };
        let rules = Rules { reals: s.rules().reals, ..Rules::safe(limits) };
        readings::begin();
        in_place::make(lent, &rules, &mut self.keys, place, CheckBy::Caller { fills_tables: false })
    }

    /// Takes the problem that a walk has just noted in the spot of the spare one.
    #[cold]
    fn noted(&mut self, s: &Settings, bytes: &[u8]) -> Problem {
        let mut problem = self.spare.take().unwrap_or_default();
        problem.note(s, bytes);
        problem
    }

    /// Keeps a problem that is over, for the next one to use its memory.
    #[inline]
    pub(crate) fn reuse(&mut self, over: Option<Problem>) {
        if self.spare.is_none() {
            self.spare = over;
        }
    }

    /// Checks without building anything.
    pub(crate) fn check(&mut self, s: &Settings, bytes: &[u8]) -> Result<Extent, Problem> {
        let rules = s.rules();
        let is_short = single(bytes, rules).is_some();
        if !is_short {
            readings::begin();
        }
        if is_short || is_flat(bytes, rules) {
            return Ok(Extent { consumed: u64::try_from(bytes.len()).unwrap_or(u64::MAX), trailing: 0 });
        }
        self.judged(bytes, rules).ok_or_else(|| self.noted(s, bytes))
    }

    /// Walks over the bytes. `None`: the fault is in the spot of the spare problem.
    fn judged(&mut self, bytes: &[u8], rules: &Rules) -> Option<Extent> {
        walked(&mut self.checking, Skip, bytes, rules, &mut self.spare.get_or_insert_default().spot)
    }

    /// Brings `target` to the value of the bytes, keeping its parts that fit. It touches nothing before all
    /// of the bytes are checked.
    pub(crate) fn decode_into(
        &mut self,
        s: &Settings,
        target: &Variant,
        bytes: UpdateBytes<'_, impl FnOnce() -> Result<PackedByteArray, Problem>>,
    ) -> Result<Extent, Problem> {
        let checked = match bytes.lent {
            Some(lent) => match self.check(s, lent) {
                Ok(extent) if Self::may_build_in_place(s) && self.update(s, target, lent) => {
                    return Ok(extent);
                }
                checked => Some(checked),
            },
            None => None,
        };
        let bytes = (bytes.own)()?;
        check_target(target)?;
        let extent = checked.unwrap_or_else(|| self.check(s, bytes.as_slice()))?;
        let mut sink = InPlace::new(target, s.building());
        readings::begin();
        match self.updating.decode(bytes.as_slice(), s.rules(), &mut sink) {
            Ok(_) => Ok(extent),
            Err(error) if error.kind() == ErrorKind::InvalidArgument => Err(wrong_target(target, &bytes)),
            Err(error) => Err(refused(error, s, bytes.as_slice())),
        }
    }

    /// Whether checked bytes could be put where the old values lie.
    pub(crate) fn update(&mut self, s: &Settings, target: &Variant, bytes: &[u8]) -> bool {
        readings::begin();
        let by_fallback = (s.build_one(), s.limits().live_references);
        in_place::update(target, bytes, &mut self.keys, by_fallback).is_some()
    }
}

/// Walks over the bytes with a sink that builds nothing, and asks the engine for hashes where they differ. `None`: the fault
/// is in the spot.
fn walked(
    walker: &mut Walker<()>,
    sink: impl Sink<Output = (), Frame = ()>,
    bytes: &[u8],
    rules: &Rules,
    spot: &mut ErrorLocation,
) -> Option<Extent> {
    readings::begin();
    let walked = match AsksEngine::around(sink, bytes, rules) {
        Ok(mut asking) => walker.judged(bytes, rules, &mut asking, spot),
        Err(mut sink) => walker.judged(bytes, rules, &mut sink, spot),
    };
    walked.map(|((), extent)| extent)
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

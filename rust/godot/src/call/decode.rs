//! The door of all decoding: one function decodes, one validates, one updates, whatever the form of the bytes. The form judges
//! them; the fast path builds what was judged, or what no limit can refuse; official calls build the rest.
//!
//! It knows no class of the extension, keeps no outcome and takes no lock.

use godot::builtin::{PackedByteArray, Variant, VariantType as GodotType};
use godot::global::bytes_to_var;
use variant_core::{
    BuildCheck, CheckBy, ErrorKind, ErrorLocation, Limits, Rules, Sink, Skip, Walker, free_levels, is_flat,
    single,
};
use variant_schema::{DefaultingSink, Program, Validator};

use crate::call::checks;
use crate::call::codec::{Codec, Extent};
use crate::call::form::{Call, CallForm};
use crate::call::judge::{BuiltOf, brief, whole};
use crate::call::problem::Problem;
use crate::call::readings;
use crate::call::settings::Settings;
use crate::engine::key_hashes::AsksEngine;
use crate::raw::in_place::{self, BorrowedBytes};

/// The bytes of a value up to which it is tried as a single plain one first. A longer one costs more than the
/// call.
const SHORT: usize = 4096;

/// Takes the argument `bytes` of a decoding method.
pub(crate) fn bytes_argument(value: &Variant) -> Result<PackedByteArray, Problem> {
    bytes_named("bytes", value)
}

/// Takes an argument of this name that holds bytes.
pub(crate) fn bytes_named(name: &str, value: &Variant) -> Result<PackedByteArray, Problem> {
    // Asked first, since the conversion itself makes an empty PackedByteArray of whatever else it is given.
    match value.get_type() {
        GodotType::PACKED_BYTE_ARRAY => Ok(value.to()),
        other => Err(Problem::wrong_type(name, "PackedByteArray", other.godot_type_name())),
    }
}

/// Lends the argument `bytes` for the length of a call: where the bytes lie, if that is known and no script runs meanwhile.
#[inline]
pub(crate) fn with_bytes<R>(
    call: &Call<'_>,
    bytes: &Variant,
    read: impl FnOnce(BorrowedBytes<'_>) -> Result<R, Problem>,
) -> Result<R, Problem> {
    match BorrowedBytes::by(bytes) {
        Some(lent) if !call.form.asks_scripts()? => read(lent),
        _ => read(bytes_argument(bytes)?.as_slice().into()),
    }
}

impl Codec {
    /// Decodes into the place of a null. A value that is left there after a refusal counts for nothing.
    #[inline]
    pub(crate) fn decode(
        &mut self,
        call: &Call<'_>,
        bytes: BorrowedBytes<'_>,
        place: &mut Variant,
    ) -> Result<Extent, Problem> {
        let s = call.settings;
        let built = match call.form {
            CallForm::Plain => {
                return match self.decode_plain(s, &bytes, place)? {
                    Some(extent) => Ok(extent),
                    None => self.decode_by_calls(call, &bytes, place),
                };
            }
            CallForm::Schema(_) | CallForm::Judged(_) => self.decode_judged(call, &bytes, place)?,
            CallForm::Packed(packing) => {
                return self.unpacked(s, packing, bytes.bytes, None, |codec, call, bytes| {
                    codec.decode(call, bytes.into(), place)
                });
            }
            CallForm::Document(document) => return self.decode_document(s, document, bytes.bytes, place),
        };
        let extent = match built {
            Some(extent) => extent,
            None => self.decode_by_calls(call, &bytes, place)?,
        };
        // Scripts run from here on.
        if let Some(held) = call.form.schema()
            && held.program()?.has_checks()
        {
            checks::run(held, place)?;
        }
        Ok(extent)
    }

    /// Decodes a value, and puts a refusal into words at once.
    pub(crate) fn value(&mut self, call: &Call<'_>, bytes: &[u8]) -> Result<Variant, Problem> {
        let mut value = Variant::nil();
        let decoded = self.decode(call, bytes.into(), &mut value);
        decoded.map(|_| value).map_err(|problem| call.explained(bytes, problem))
    }

    /// Gives the verdict of [`Codec::decode`].
    #[inline]
    pub(crate) fn validate(&mut self, call: &Call<'_>, bytes: &[u8]) -> Result<Extent, Problem> {
        match call.form {
            CallForm::Plain => self.check(call.settings, bytes),
            CallForm::Packed(packing) => self.unpacked(call.settings, packing, bytes, None, Codec::validate),
            CallForm::Document(document) => self.validate_document(call.settings, document, bytes),
            CallForm::Schema(held) | CallForm::Judged(held) => {
                let program = held.program()?;
                if program.has_checks() {
                    // A check of the game's own wants the value.
                    let mut value = Variant::nil();
                    let told = self.decode(call, bytes.into(), &mut value);
                    self.ended.push(value);
                    return told;
                }
                if let CallForm::Judged(_) = call.form {
                    return Ok(whole(bytes));
                }
                let judged = self.judge(call.settings, program, bytes, |program, bytes, rules, _| {
                    program.straight(bytes, rules)
                });
                judged.map(|(extent, _)| extent)
            }
        }
    }

    /// Gives the verdict of [`Codec::value`].
    pub(crate) fn verdict(&mut self, call: &Call<'_>, bytes: &[u8]) -> Result<(), Problem> {
        self.validate(call, bytes).map(drop).map_err(|problem| call.explained(bytes, problem))
    }

    /// Builds what the form has judged, in one more reading. `None`: it takes official calls.
    fn decode_judged(
        &mut self,
        call: &Call<'_>,
        bytes: &BorrowedBytes<'_>,
        place: &mut Variant,
    ) -> Result<Option<Extent>, Problem> {
        if !Self::may_build_in_place(call.settings) {
            return Ok(None);
        }
        let (extent, built_of) = self.judge_form(call, bytes.bytes)?;
        let is_built = self
            .with_built_of(&built_of, bytes, |codec, bytes| codec.build_judged(call.settings, bytes, place));
        Ok(is_built.then_some(extent))
    }

    /// Judges bytes by the form, and says what the value is to be built of.
    #[inline]
    pub(crate) fn judge_form(&mut self, call: &Call<'_>, bytes: &[u8]) -> Result<(Extent, BuiltOf), Problem> {
        match call.form {
            CallForm::Schema(held) => self.judge(call.settings, held.program()?, bytes, Program::reshape),
            CallForm::Judged(_) => Ok((whole(bytes), BuiltOf::Bytes)),
            _ => Ok((self.validate(call, bytes)?, BuiltOf::Bytes)),
        }
    }

    /// Makes a call with the bytes that the value is to be built of. False: there are none, or the call could not.
    pub(crate) fn with_built_of(
        &mut self,
        built_of: &BuiltOf,
        bytes: &BorrowedBytes<'_>,
        call: impl FnOnce(&mut Codec, &BorrowedBytes<'_>) -> bool,
    ) -> bool {
        match built_of {
            BuiltOf::Bytes => call(self, bytes),
            BuiltOf::FilledBytes => {
                let filled = std::mem::take(&mut self.reshaped);
                let is_done = call(self, &filled.bytes().into());
                self.reshaped = filled;
                is_done
            }
            BuiltOf::Walk => false,
        }
    }

    /// Decodes by a walk that checks, fills in defaults and builds through official calls: the fallback of all other ways.
    #[inline(never)]
    pub(crate) fn decode_by_calls(
        &mut self,
        call: &Call<'_>,
        lent: &BorrowedBytes<'_>,
        place: &mut Variant,
    ) -> Result<Extent, Problem> {
        let own = lent.own();
        let bytes = own.as_ref().map_or(lent.bytes, PackedByteArray::as_slice);
        let (s, rules) = (call.settings, call.settings.rules());
        readings::begin();
        let built = match call.form.program()? {
            None => self.building.decode(bytes, rules, &mut s.building()),
            Some(program) => {
                let validator = Validator::new(program, &mut self.schema, bytes, rules);
                self.building.decode(bytes, rules, &mut DefaultingSink::new(validator, s.building()))
            }
        };
        match built {
            Ok((value, extent)) => {
                self.refusals.note_accepted();
                *place = value;
                Ok(extent)
            }
            Err(error) => {
                self.refusals.note_refused();
                Err(brief(s, error, bytes))
            }
        }
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
    /// anew.
    #[inline]
    fn decode_plain(
        &mut self,
        s: &Settings,
        lent: &BorrowedBytes<'_>,
        place: &mut Variant,
    ) -> Result<Option<Extent>, Problem> {
        let (bytes, rules) = (lent.bytes, s.rules());
        if !Self::may_build_in_place(s) {
            return Ok(None);
        }
        if in_place::is_large_numbers(bytes)
            && let Some(own) = lent.own()
        {
            let extent = self.check(s, bytes)?;
            *place = bytes_to_var(&own);
            return Ok(Some(extent));
        }
        let levels = free_levels(bytes.len() as u64, rules);
        if levels == 0 || self.refusals.are_usual() {
            return self.decode_after_check(s, lent, place);
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
            self.refusals.note_accepted();
            return Ok(Some(whole(bytes)));
        }
        self.refused_in_place(s, bytes, judged).map_or(Ok(None), Err)
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
        if is_refused {
            self.refusals.note_refused();
            return Some(self.noted(s, bytes));
        }
        self.refusals.note_accepted();
        None
    }

    /// Builds what a walk has accepted.
    fn decode_after_check(
        &mut self,
        s: &Settings,
        lent: &BorrowedBytes<'_>,
        place: &mut Variant,
    ) -> Result<Option<Extent>, Problem> {
        let (bytes, rules) = (lent.bytes, s.rules());
        let fills_tables = !self.refusals.are_usual();
        let mut judged = None;
        if fills_tables {
            let spot = &mut self.spare.get_or_insert_default().spot;
            judged = walked(&mut self.checking, BuildCheck, bytes, rules, spot);
            if judged.is_none() && self.is_bound_passed() {
                return Ok(None);
            }
        }
        // Before a fault there may be equal keys.
        let Some(judged) = judged.or_else(|| self.judged(bytes, rules)) else {
            self.refusals.note_refused();
            return Err(self.noted(s, bytes));
        };
        self.refusals.note_accepted();
        readings::begin();
        let check = CheckBy::Caller { fills_tables };
        Ok(in_place::make(lent, rules, &mut self.keys, place, check).then_some(judged))
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

    /// Checks plain bytes without building anything.
    fn check(&mut self, s: &Settings, bytes: &[u8]) -> Result<Extent, Problem> {
        let rules = s.rules();
        let is_short = single(bytes, rules).is_some();
        if !is_short {
            readings::begin();
        }
        if is_short || is_flat(bytes, rules) {
            return Ok(whole(bytes));
        }
        self.judged(bytes, rules).ok_or_else(|| self.noted(s, bytes))
    }

    /// Walks over the bytes. `None`: the fault is in the spot of the spare problem.
    fn judged(&mut self, bytes: &[u8], rules: &Rules) -> Option<Extent> {
        walked(&mut self.checking, Skip, bytes, rules, &mut self.spare.get_or_insert_default().spot)
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

//! The packed form: values on their way into bits and out of them, under a schema.
//!
//! The bits are the crate `variant-pack`'s. It makes bytes of Godot's format of them, and a value is built of those as of any
//! others, so that schemas, limits and updates in place are the same code.

use godot::builtin::{PackedByteArray, Variant};
use variant_core::{Place, Rejection};
use variant_pack::{Bases, Layout, Packer, made_rules};

use crate::call::codec::{Codec, Dialect, Extent, append};
use crate::call::form::{Call, CallForm, Packing};
use crate::call::problem::Problem;
use crate::call::settings::Settings;

impl Settings {
    /// Settings for the bytes that bits are made of, and for those that come out of them.
    pub(crate) fn for_packing(&self) -> Settings {
        let rules = made_rules(self.rules());
        Settings::new(rules.of_dialect(Dialect::Godot4))
    }
}

impl Codec {
    /// Lends the packed bytes of a value, or of its difference from the baseline.
    pub(crate) fn with_packed<R>(
        &mut self,
        s: &Settings,
        packing: Packing<'_>,
        value: &Variant,
        take: impl FnOnce(&[u8]) -> R,
    ) -> Result<R, Problem> {
        let layout = packing.held.layout()?;
        self.with_packer(packing, |codec, packer| {
            let made = s.for_packing();
            let taken = codec.with_scratch(|codec, bytes| {
                append(&made, value, codec.room(), bytes)?;
                let packed = match packing.baseline() {
                    None => packer.pack(layout, bytes, s.rules()),
                    Some(base) => packer.pack_delta(layout, base, bytes, s.rules()),
                };
                Ok::<_, Problem>(take(packed.map_err(|problem| Problem::of_packing(&problem))?))
            })?;
            // What the receiver gets is what the game's own checks are asked about.
            if packing.held.program()?.has_checks() {
                let call = Call { settings: &made, form: CallForm::Schema(packing.held) };
                codec.decode(&call, packer.made().into(), &mut Variant::nil())?;
            }
            Ok(taken)
        })
    }

    /// The baseline that a difference makes of the one before: packed bytes again, and no value in between.
    pub(crate) fn apply_packed(
        &mut self,
        s: &Settings,
        packing: Packing<'_>,
        delta: &[u8],
    ) -> Result<PackedByteArray, Problem> {
        let layout = packing.held.layout()?;
        self.with_packer(packing, |_, packer| {
            let next = packer.apply(layout, packing.baseline().unwrap_or(Bases::one(&[])), delta, s.rules());
            next.map(PackedByteArray::from).map_err(|problem| Problem::of_packing(&problem))
        })
    }

    /// Makes a call with the bytes that the bits make, whose form says whether the bits have proven all that the schema asks.
    /// None is made where the value can be put into the target at once.
    #[expect(clippy::too_many_arguments, reason = "those of a call, and what becomes of the value")]
    #[inline(never)]
    pub(crate) fn unpacked(
        &mut self,
        s: &Settings,
        packing: Packing<'_>,
        bytes: &[u8],
        target: Option<&Variant>,
        call: impl FnOnce(&mut Codec, &Call<'_>, &[u8]) -> Result<Extent, Problem>,
    ) -> Result<Extent, Problem> {
        let (layout, rules, made) = (packing.held.layout()?, s.rules(), s.for_packing());
        let has_checks = packing.held.program()?.has_checks();
        let target = target.filter(|_| Self::may_build_in_place(&made) && !has_checks);
        self.with_packer(packing, |codec, packer| {
            (packer.is_followed, packer.fills) = (!rules.is_safe(), true);
            let read = packer.read_codes(layout, packing.baseline(), bytes, rules);
            let target = target.filter(|_| read.is_ok() && packer.may_put(layout, rules));
            if !target.is_some_and(|target| codec.put(&made, target, layout, packer)) {
                let all =
                    read.and_then(|()| packer.make_read(layout, packing.baseline(), bytes, rules).map(drop));
                if let Err(kind) = all.map_err(|rejection| rejection.kind) {
                    return Err(codec.refused(kind));
                }
                let is_judged = packer.is_complete();
                let form = if is_judged { CallForm::Judged } else { CallForm::Schema }(packing.held);
                call(codec, &Call { settings: &made, form }, packer.made())
                    .map_err(Problem::without_place)?;
            }
            let consumed = packer.consumed();
            let all = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            Ok(Extent { consumed, trailing: all.saturating_sub(consumed) })
        })
    }

    fn with_packer<R>(
        &mut self,
        packing: Packing<'_>,
        call: impl FnOnce(&mut Codec, &mut Packer) -> Result<R, Problem>,
    ) -> Result<R, Problem> {
        let mut packer = self.packer.take().unwrap_or_default();
        (packer.tagging, packer.is_followed, packer.fills) = (packing.kept.tagging, false, false);
        let outcome = call(self, &mut packer);
        self.packer = Some(packer);
        outcome
    }
}

pub(crate) fn transcoded<'p>(
    packer: &'p mut Packer,
    layout: &Layout,
    packing: Packing<'_>,
    bytes: &[u8],
    s: &Settings,
) -> Result<&'p [u8], Box<Rejection>> {
    match packing.baseline() {
        None => packer.transcode(layout, bytes, s.rules()),
        Some(base) => packer.transcode_delta(layout, base, bytes, s.rules()),
    }
}

impl Problem {
    /// Bits are not what the schema makes, or a value cannot be packed: then there are no bytes to point at.
    #[cold]
    pub(crate) fn of_packing(rejection: &Rejection) -> Problem {
        match rejection.place {
            Place::Bit(_) => Problem::of_rejection(rejection),
            Place::Byte(_) | Place::None => Problem::of_live(rejection),
        }
    }
}

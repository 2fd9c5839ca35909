//! The packed form: values on their way into bits and out of them, under a schema.
//!
//! The bits are the crate `variant-pack`'s. It makes bytes of Godot's format of them, and a value is built of those as of any
//! others, so that schemas, limits and updates in place are the same code.

use std::num::NonZeroU16;
use std::sync::Arc;

use godot::builtin::{PackedByteArray, Variant};
use variant_core::{Place, Rejection};
use variant_pack::{Bases, Layout, Packer, Tagging, made_rules};

use crate::call::codec::{Codec, Dialect, Extent, append};
use crate::call::decode::UpdateBytes;
use crate::call::problem::Problem;
use crate::call::schema::{BoundSchema, violations};
use crate::call::settings::Settings;

/// How packed values stand in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing<'b> {
    pub(crate) held: &'b BoundSchema,
    pub(crate) tagging: Tagging,
    /// The packed values that differences are from; without one, values stand there in full.
    pub(crate) baseline: Option<Bases<'b>>,
    /// Whether a refusal is told in words at once, instead of when somebody asks.
    pub(crate) tells: bool,
}

/// A form of packed values that is kept, for whatever schema.
#[derive(Clone, Debug)]
pub(crate) struct KeptPacking {
    pub(crate) tagging: Tagging,
    pub(crate) baseline: Option<KeptBases<Arc<[u8]>>>,
}

/// Packed values that differences are from: one, or a newer and an older, and how many states lie from the newer to what is
/// told, and between both.
#[derive(Clone, Debug)]
pub(crate) struct KeptBases<B> {
    pub(crate) newer: B,
    pub(crate) older: Option<(B, [NonZeroU16; 2])>,
}

impl<B: std::ops::Deref<Target = [u8]>> KeptBases<B> {
    pub(crate) fn lent(&self) -> Bases<'_> {
        match &self.older {
            None => Bases::one(&self.newer),
            Some((older, [ahead, gap])) => Bases::apart(&self.newer, older, *ahead, *gap),
        }
    }
}

impl KeptPacking {
    pub(crate) fn lent<'b>(&'b self, held: &'b BoundSchema) -> Packing<'b> {
        Packing {
            held,
            tagging: self.tagging,
            baseline: self.baseline.as_ref().map(KeptBases::lent),
            tells: false,
        }
    }

    /// Lends it with a schema that may be missing; packed values are nothing without one.
    pub(crate) fn required<'b>(&'b self, held: Option<&'b BoundSchema>) -> Result<Packing<'b>, Problem> {
        match held {
            None => Err(Problem::wrong_type("schema", "a VariantSchema for packed values", "null")),
            Some(held) if held.classes.is_some() => {
                Err(Problem::wrong_type("classes", "null: objects are not packed", "a VariantClassSet"))
            }
            Some(held) => Ok(self.lent(held)),
        }
    }
}

impl Settings {
    /// Settings for the bytes that bits are made of, and for those that come out of them.
    fn for_packing(&self) -> Settings {
        let rules = made_rules(self.rules());
        Settings::new(rules.of_dialect(Dialect::Godot4))
    }
}

impl Codec {
    /// The packed bytes of a value, or of its difference from the baseline.
    pub(crate) fn packed(
        &mut self,
        s: &Settings,
        packing: Packing<'_>,
        value: &Variant,
    ) -> Result<PackedByteArray, Problem> {
        self.with_packed(s, packing, value, |packed| PackedByteArray::from(packed))
    }

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
                let packed = match packing.baseline {
                    None => packer.pack(layout, bytes, s.rules()),
                    Some(base) => packer.pack_delta(layout, base, bytes, s.rules()),
                };
                Ok(take(packed.map_err(|problem| Problem::of_packing(&problem))?))
            })?;
            // What the receiver gets is what the game's own checks are asked about.
            if packing.held.program()?.has_checks() {
                codec.decode_checked(&made, packing.held, packer.made(), &mut Variant::nil())?;
            }
            Ok(taken)
        })
    }

    /// Puts the value of packed bytes into `value`, which is null.
    pub(crate) fn decode_packed(
        &mut self,
        s: &Settings,
        packing: Packing<'_>,
        bytes: &[u8],
        value: &mut Variant,
    ) -> Result<Extent, Problem> {
        self.unpacked(s, packing, bytes, |codec, made, bytes, is_complete| match is_complete {
            true => codec.decode_accepted(made, packing.held, bytes, value),
            false => codec.decode_checked(made, packing.held, bytes, value),
        })
    }

    /// Gives the verdict of [`Codec::decode_packed`].
    pub(crate) fn validate_packed(
        &mut self,
        s: &Settings,
        packing: Packing<'_>,
        bytes: &[u8],
    ) -> Result<Extent, Problem> {
        let has_checks = packing.held.program()?.has_checks();
        self.unpacked(s, packing, bytes, |codec, made, bytes, is_complete| match is_complete && !has_checks {
            true => Ok(Extent::default()),
            false => codec.validate_checked(made, packing.held, bytes),
        })
    }

    /// Brings a container to the value of packed bytes, or leaves it as it was.
    pub(crate) fn decode_into_packed(
        &mut self,
        s: &Settings,
        packing: Packing<'_>,
        target: &Variant,
        bytes: &[u8],
    ) -> Result<Extent, Problem> {
        let is_judged_by_bits = !packing.held.program()?.has_checks() && packing.held.classes.is_none();
        self.unpacked(s, packing, bytes, |codec, made, bytes, is_complete| {
            // The bits have proven all that the schema asks.
            let may_update = is_complete && is_judged_by_bits && Codec::may_build_in_place(made);
            if may_update && codec.update(made, target, bytes) {
                return Ok(Extent::default());
            }
            let bytes = UpdateBytes { lent: Some(bytes), own: || Ok(PackedByteArray::from(bytes)) };
            codec.decode_into_checked(made, packing.held, target, bytes)
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
            let next = packer.apply(layout, packing.baseline.unwrap_or(Bases::one(&[])), delta, s.rules());
            next.map(PackedByteArray::from).map_err(|problem| Problem::of_packing(&problem))
        })
    }

    /// Calls with the bytes that the bits make, the settings for those, and whether they are all that the schema asks for.
    fn unpacked(
        &mut self,
        s: &Settings,
        packing: Packing<'_>,
        bytes: &[u8],
        call: impl FnOnce(&mut Codec, &Settings, &[u8], bool) -> Result<Extent, Problem>,
    ) -> Result<Extent, Problem> {
        let layout = packing.held.layout()?;
        self.with_packer(packing, |codec, packer| {
            (packer.is_followed, packer.fills) = (!s.rules().is_safe(), true);
            if let Err(problem) = transcoded(packer, layout, packing, bytes, s) {
                return Err(match packing.tells {
                    true => Problem::of_packing(&problem),
                    false => codec.refused(problem.kind),
                });
            }
            let is_complete = packer.is_complete();
            let called = call(codec, &s.for_packing(), packer.made(), is_complete);
            called.map_err(Problem::without_place)?;
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
        (packer.tagging, packer.is_followed, packer.fills) = (packing.tagging, false, false);
        let outcome = call(self, &mut packer);
        self.packer = Some(packer);
        outcome
    }
}

fn transcoded<'p>(
    packer: &'p mut Packer,
    layout: &Layout,
    packing: Packing<'_>,
    bytes: &[u8],
    s: &Settings,
) -> Result<&'p [u8], Box<Rejection>> {
    match packing.baseline {
        None => packer.transcode(layout, bytes, s.rules()),
        Some(base) => packer.transcode_delta(layout, base, bytes, s.rules()),
    }
}

/// A brief problem in full: the bits are read once more, and stop at the same value.
#[cold]
pub(crate) fn explained(s: &Settings, packing: Packing<'_>, bytes: &[u8], problem: Problem) -> Problem {
    all(s, packing, bytes, 1).ok().and_then(|found| found.into_iter().next()).unwrap_or(problem)
}

/// The value of a packed frame, or why there is none, in words.
pub(crate) fn told(
    codec: &mut Codec,
    s: &Settings,
    packing: Packing<'_>,
    bytes: &[u8],
) -> Result<Variant, Problem> {
    let mut value = Variant::nil();
    let packing = Packing { tells: true, ..packing };
    let decoded = codec.decode_packed(s, packing, bytes, &mut value);
    in_words(decoded, s, packing, bytes).map(|()| value)
}

fn in_words(
    outcome: Result<Extent, Problem>,
    s: &Settings,
    packing: Packing<'_>,
    bytes: &[u8],
) -> Result<(), Problem> {
    match outcome {
        Err(problem) if problem.is_brief() => Err(explained(s, packing, bytes, problem)),
        outcome => outcome.map(drop),
    }
}

/// Why a packed frame holds no value, in words, if it holds none.
pub(crate) fn checked(
    codec: &mut Codec,
    s: &Settings,
    packing: Packing<'_>,
    bytes: &[u8],
) -> Result<(), Problem> {
    let packing = Packing { tells: true, ..packing };
    in_words(codec.validate_packed(s, packing, bytes), s, packing, bytes)
}

/// All that is wrong with packed bytes, up to `most`, in the order of the value.
#[cold]
pub(crate) fn all(
    s: &Settings,
    packing: Packing<'_>,
    bytes: &[u8],
    most: usize,
) -> Result<Vec<Problem>, Problem> {
    let layout = packing.held.layout()?;
    let mut packer = Packer::tagged(packing.tagging);
    packer.is_followed = !s.rules().is_safe();
    let made = match transcoded(&mut packer, layout, packing, bytes, s) {
        Ok(made) => made.to_vec(),
        Err(problem) => return Ok(vec![Problem::of_packing(&problem)]),
    };
    let found = violations(packing.held, &made, s.for_packing().rules(), most)?;
    let problems = found.into_iter().map(|found| {
        // The bits of a difference are no bits of the value.
        let bit = match packing.baseline {
            None => packer.bit_of(layout, bytes, found.offset()),
            Some(_) => 0,
        };
        Problem::of_rejection(&found.at(Place::Bit(bit)))
    });
    Ok(problems.collect())
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

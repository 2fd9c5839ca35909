//! The memory that is kept between calls, and the encoding of plain Variants. The doors are `decode.rs` and `encode.rs`.
//!
//! It knows no class of the extension, keeps no outcome and takes no lock; that is `api/`'s part.

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use variant_core::token::{Count, Output};
pub(crate) use variant_core::{Dialect, Extent, Limits, Rules, Strictness, Target, TypeSet, guess_dialect};
use variant_core::{Encoder, Walker, sort_keys};
use variant_pack::Packer;

use crate::call::attempts::{Misses, Refusals};
use crate::call::problem::{Problem, refused};
use crate::call::settings::Settings;
use crate::engine::build::Partial;
use crate::engine::read::{self, ListenerFilter, Telling};
use crate::raw::in_place::{self, EncodeRoom, KeyCache};

/// Scratch kept between calls; what a giant value needed beyond it is given back.
const KEPT_SCRATCH: usize = 1 << 20;

/// Reusable scratch of an encoder and decoder.
///
/// At the start of a cache line, wherever the linker puts what holds one: two words that are written together lay across two
/// pages in some builds, and a packet took 20 ns longer.
#[repr(align(64))]
#[derive(Default)]
pub(crate) struct Codec {
    pub(crate) building: Walker<Partial>,
    pub(crate) checking: Walker<()>,
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
    /// Values that a call made for checks or replaced. Scripts may run when they end: a caller with a lock takes them out.
    pub(crate) ended: Vec<Variant>,
    scratch: Vec<u8>,
    encoding: EncodeRoom,
    pub(crate) keys: KeyCache,
}

impl Codec {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Makes `answer` a PackedByteArray with the bytes of a value.
    #[inline]
    pub(crate) fn encode_plain(
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
        self.encode_by_calls(s, value, answer)
    }

    #[inline(never)]
    pub(crate) fn encode_by_calls(
        &mut self,
        s: &Settings,
        value: &Variant,
        answer: &mut Variant,
    ) -> Result<(), Problem> {
        self.with_scratch(|_, scratch| {
            write(s, value, scratch)?;
            if s.sorts_keys {
                *scratch = sorted(s, scratch)?;
            }
            *answer = PackedByteArray::from(scratch.as_slice()).to_variant();
            Ok(())
        })
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
        write(&s.warning_of_no_ids(), value, &mut Count::default())
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
    let mut allowed = ListenerFilter::of_types(&mut encoder, TypeSet::ALL.without(s.withheld));
    let told = read::encode(value, Telling { listener: &mut allowed, full_objects });
    let ListenerFilter { passed, refused, .. } = allowed;
    told.map_err(|error| match refused.and_then(read::class_of_id) {
        Some(class) => Problem::of_object(error, &class),
        None => Problem::of_value(error),
    })?;
    let written = finished(encoder)?;
    if let Some(passed) = passed {
        passed.warn();
    }
    Ok(written)
}

fn finished<O: Output>(encoder: Encoder<'_, O>) -> Result<u64, Problem> {
    encoder.finish().map_err(|fault| {
        let error = variant_core::Error::new(fault, variant_core::Path::default());
        Problem::of_value(error)
    })
}

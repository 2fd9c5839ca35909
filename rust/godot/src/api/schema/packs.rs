//! Packs values by a schema, and makes values of packed bytes and of differences between them.

use std::cell::RefCell;

use godot::builtin::{PackedByteArray, VarDictionary, Variant, vdict};
use godot::meta::ToGodot;
use godot::register::godot_api;
use variant_core::{Dialect, Limits, Strictness};
use variant_pack::{Layout, Packer, Tagging};

use super::{VariantSchema, uses};
use crate::codec::{Codec, Problem, Settings};
use crate::decode::bytes_argument;
use crate::raw::optional::Optional;
use crate::schema::Held;

/// Memory for packing.
#[derive(Default)]
struct Bench {
    packer: Packer,
    codec: Codec,
}

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::default();
}

type Given<T> = Result<T, Problem>;

/// Settings of packing: strict, and within the limits of a packet.
fn settings() -> Settings {
    Settings::new(Strictness::Safe, Limits::network(), Dialect::Godot4)
}

/// Settings for the bytes that come out of bits, which `max_output_bytes` bounds.
fn made_settings() -> Settings {
    let limits = Limits::network();
    Settings::new(Strictness::Safe, Limits { max_bytes: limits.max_output_bytes, ..limits }, Dialect::Godot4)
}

fn tagging(tagging: &Variant) -> Given<Tagging> {
    match tagging.try_to::<i64>() {
        Ok(0) => Ok(Tagging::Bare),
        Ok(1) => Ok(Tagging::Short),
        Ok(2) => Ok(Tagging::Long),
        _ => {
            Err(Problem::wrong_type("tagging", "VariantSchema.BARE, TAGGED or TAGGED_LONG", "another value"))
        }
    }
}

fn default_tagging() -> Optional {
    Optional(1_i64.to_variant())
}

/// Runs a call with this thread's memory; its outcome is what `get_error()` tells.
fn run<T>(
    schema: &VariantSchema,
    tags: &Variant,
    call: impl FnOnce(&Held, &Layout, &mut Bench) -> Given<T>,
) -> Option<T> {
    let held = schema.held();
    // A check of the game's own may pack something itself: it gets a bench of its own.
    let mut bench =
        BENCH.with(|bench| bench.try_borrow_mut().map(|mut it| std::mem::take(&mut *it))).unwrap_or_default();
    let outcome = tagging(tags).and_then(|tagging| {
        bench.packer.tagging = tagging;
        call(&held, held.layout()?, &mut bench)
    });
    BENCH.with_borrow_mut(|kept| *kept = bench);
    match outcome {
        Ok(answer) => {
            uses::note(None);
            Some(answer)
        }
        Err(problem) => {
            uses::note(Some(problem));
            None
        }
    }
}

fn encoded(bench: &mut Bench, value: &Variant) -> Given<PackedByteArray> {
    let mut answer = Variant::nil();
    bench.codec.encode(&settings(), value, &mut answer)?;
    bytes_argument(&answer)
}

fn packed(packed: Result<&[u8], Box<variant_pack::Problem>>) -> Given<PackedByteArray> {
    packed.map(PackedByteArray::from).map_err(|problem| Problem::of_packing(&problem))
}

/// The value of bytes that were made of bits, judged while it is built.
fn built(held: &Held, codec: &mut Codec, made: &[u8]) -> Given<Variant> {
    let mut value = Variant::nil();
    codec.decode_checked(&made_settings(), held, made, &mut value)?;
    Ok(value)
}

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn pack(&self, value: Variant, #[opt(default = default_tagging())] tagging: Optional) -> PackedByteArray {
        let done = run(self, &tagging.0, |_, layout, bench| {
            let bytes = encoded(bench, &value)?;
            packed(bench.packer.pack(layout, bytes.as_slice(), settings().rules()))
        });
        done.unwrap_or_default()
    }

    #[func]
    fn unpack(
        &self,
        bytes: Variant,
        #[opt(default = Optional::null())] fallback: Optional,
        #[opt(default = default_tagging())] tagging: Optional,
    ) -> Variant {
        let done = run(self, &tagging.0, |held, layout, Bench { packer, codec }| {
            let bytes = bytes_argument(&bytes)?;
            let made = packer.transcode(layout, bytes.as_slice(), settings().rules());
            let made = made.map_err(|problem| Problem::of_packing(&problem))?;
            match built(held, codec, made) {
                Ok(value) => Ok(value),
                // Once more for the bit and the words, unless it is a check of the game's own.
                Err(problem) => match packer.unpack(layout, bytes.as_slice(), settings().rules()) {
                    Err(found) => Err(Problem::of_packing(&found)),
                    Ok(_) => Err(problem),
                },
            }
        });
        done.unwrap_or(fallback.0)
    }

    #[func]
    fn pack_delta(
        &self,
        baseline: Variant,
        value: Variant,
        #[opt(default = default_tagging())] tagging: Optional,
    ) -> PackedByteArray {
        let done = run(self, &tagging.0, |_, layout, bench| {
            let (base, bytes) = (bytes_argument(&baseline)?, encoded(bench, &value)?);
            packed(bench.packer.pack_delta(layout, base.as_slice(), bytes.as_slice(), settings().rules()))
        });
        done.unwrap_or_default()
    }

    #[func]
    fn apply_delta(
        &self,
        baseline: Variant,
        delta: Variant,
        #[opt(default = default_tagging())] tagging: Optional,
    ) -> PackedByteArray {
        let done = run(self, &tagging.0, |_, layout, bench| {
            let (base, delta) = (bytes_argument(&baseline)?, bytes_argument(&delta)?);
            packed(bench.packer.apply(layout, base.as_slice(), delta.as_slice(), settings().rules()))
        });
        done.unwrap_or_default()
    }

    #[func]
    fn is_packable(&self) -> bool {
        self.held().layout().is_ok()
    }

    #[func]
    fn get_pack_hash(&self) -> i64 {
        self.held().layout().map_or(0, |layout| layout.hash().cast_signed())
    }

    #[func]
    fn get_packed_size(&self) -> VarDictionary {
        let held = self.held();
        let Ok(layout) = held.layout() else { return VarDictionary::new() };
        let size = layout.size();
        let bits = |bits: u64| i64::try_from(bits).unwrap_or(i64::MAX);
        vdict! {
            "min_bits" => bits(size.min_bits),
            "max_bits" => size.max_bits.map_or(-1, bits),
            "is_fixed" => size.is_fixed(),
        }
    }
}

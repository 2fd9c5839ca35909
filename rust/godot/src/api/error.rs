//! A refusal as GDScript sees it: the error Dictionary, the enum of kinds, and the check of a `bytes` argument.

use godot::builtin::{GString, PackedByteArray, VarDictionary, Variant, VariantType, vdict};
use godot::meta::ToGodot;
use variant_core::ErrorKind;

use crate::codec::{Codec, Extent, Problem, Settings};
use crate::raw::in_place;
use crate::schema::Held;

/// `VariantCodec.ErrorKind`: name and number of every kind of refusal.
pub(super) fn error_kinds() -> Vec<(&'static str, i64)> {
    ErrorKind::TABLE.iter().map(|(name, code, _)| (*name, *code)).collect()
}

impl Problem {
    /// What `get_error()` returns.
    pub(super) fn to_dictionary(&self) -> VarDictionary {
        vdict! {
            "code" => i64::from(self.kind),
            "path" => self.path().as_ref(),
            "byte_offset" => self.byte_offset,
            "expected" => self.expected().as_ref(),
            "got" => self.got().as_ref(),
            "message" => self.message().as_ref(),
            "fatal" => self.fatal,
        }
    }

    /// What `get_error_message()` returns.
    pub(super) fn to_text(&self) -> GString {
        self.message().as_ref().into()
    }
}

/// The argument `bytes` of every decoding method.
pub(super) fn bytes_argument(value: &Variant) -> Result<PackedByteArray, Problem> {
    // Asked first, since the conversion itself makes an empty PackedByteArray of whatever else it is given.
    match value.get_type() {
        VariantType::PACKED_BYTE_ARRAY => Ok(value.to()),
        other => Err(Problem::wrong_type("bytes", "PackedByteArray", other.godot_type_name())),
    }
}

/// Decodes the argument `bytes` into the place of a null, if it is one plain value. `None` says nothing.
#[inline(always)]
pub(super) fn decode_lone(settings: &Settings, bytes: &Variant, place: &mut Variant) -> Option<Extent> {
    let bytes = in_place::bytes(bytes)?;
    let consumed = u64::try_from(bytes.len()).ok()?;
    Codec::decode_lone(settings, bytes, place).then_some(Extent { consumed, trailing: 0 })
}

/// Decodes the argument `bytes` into the place of a null: where it lies, if that can be, else through a handle of our
/// own.
#[inline(always)]
pub(super) fn decode_argument(
    codec: &mut Codec,
    settings: &Settings,
    bytes: &Variant,
    place: &mut Variant,
) -> Result<Extent, Problem> {
    let mut extent = Extent::default();
    if let Some(lent) = in_place::Lent::by(bytes)
        && !in_place::is_contested(lent.bytes)
    {
        return match codec.decode_in_place(settings, &lent, place, &mut extent) {
            Some(decoded) => decoded.map(|()| extent),
            None => codec.decode_plainly(settings, &bytes_argument(bytes)?, place),
        };
    }
    codec.decode(settings, &bytes_argument(bytes)?, place)
}

/// The argument `bytes` for the length of a call: where it lies, if that can be.
pub(super) fn with_bytes<R>(
    bytes: &Variant,
    call: impl FnOnce(&[u8]) -> Result<R, Problem>,
) -> Result<R, Problem> {
    match in_place::bytes(bytes) {
        Some(lent) => call(lent),
        None => call(bytes_argument(bytes)?.as_slice()),
    }
}

/// The same under a schema. Its checks may be the game's own: a script that runs between could change the bytes, or let
/// go of them.
pub(super) fn with_checked_bytes<R>(
    bytes: &Variant,
    held: &Held,
    call: impl FnOnce(&[u8]) -> Result<R, Problem>,
) -> Result<R, Problem> {
    if held.program()?.has_checks() {
        call(bytes_argument(bytes)?.as_slice())
    } else {
        with_bytes(bytes, call)
    }
}

/// What a call answers that has no bytes to give.
#[cold]
pub(super) fn no_bytes(answer: &mut Variant) {
    *answer = PackedByteArray::new().to_variant();
}

/// Checks the argument `bytes`.
pub(super) fn check_argument(
    codec: &mut Codec,
    settings: &Settings,
    bytes: &Variant,
) -> Result<Extent, Problem> {
    match in_place::bytes(bytes) {
        Some(lent) => codec.check(settings, lent),
        None => codec.check(settings, bytes_argument(bytes)?.as_slice()),
    }
}

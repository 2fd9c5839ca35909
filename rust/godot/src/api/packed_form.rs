//! Names the forms of values for scripts, and the tags in front of packed ones.

use std::num::NonZeroU16;
use std::sync::Arc;

use godot::builtin::{AnyArray, PackedByteArray, VarArray, Variant, VariantType};
use godot::meta::ToGodot;
use variant_pack::Tagging;

use super::number::choices;
use super::property_argument::PropertyValue;
use crate::call::form::KeptBases;

/// How values stand in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PackedForm {
    /// As the engine writes them.
    #[default]
    Variant,
    /// In bits, by a schema.
    Packed,
}

choices! {
    PackedForm, "VariantCodec.Form", "Variant:0,Packed:1" {
        PackedForm::Variant, 0, "FORM_VARIANT";
        PackedForm::Packed, 1, "FORM_PACKED";
    }
    Tagging, "VariantSchema.Tagging", "Bare:0,Tagged:1,Tagged long:2" {
        Tagging::Bare, 0, "BARE";
        Tagging::Short, 1, "TAGGED";
        Tagging::Long, 2, "TAGGED_LONG";
    }
}

/// The form of a baseline, for the error about another.
const BASELINE: &str = "a PackedByteArray, or an Array [newer, older] or [newer, older, ahead, gap] of two and of distances from 1 to 65535";

/// EngineBytes as the engine keeps them.
#[derive(Debug)]
pub(super) struct EngineBytes(PackedByteArray);

impl std::ops::Deref for EngineBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_slice()
    }
}

impl PropertyValue for KeptBases<EngineBytes> {
    fn of(value: &Variant) -> Result<Self, String> {
        if let Some(newer) = bytes_of(value) {
            return Ok(KeptBases { newer, older: None });
        }
        let wrong = |got: &str| format!("expected {BASELINE}, got {got}");
        if value.get_type() != VariantType::ARRAY {
            return Err(wrong(value.get_type().godot_type_name()));
        }
        let list: AnyArray = value.try_to().map_err(|_| wrong("another Array"))?;
        let states = |at: usize| {
            let states: i64 = list.get(at).filter(|item| item.get_type() == VariantType::INT)?.to();
            NonZeroU16::new(u16::try_from(states).ok()?)
        };
        let apart = match list.len() {
            2 => Some([NonZeroU16::MIN; 2]),
            4 => states(2).zip(states(3)).map(|(ahead, gap)| [ahead, gap]),
            _ => None,
        };
        let bytes = |at: usize| list.get(at).and_then(|item| bytes_of(&item));
        match (bytes(0), bytes(1), apart) {
            (Some(newer), Some(older), Some(apart)) => Ok(KeptBases { newer, older: Some((older, apart)) }),
            _ => Err(wrong("another Array")),
        }
    }
}

/// Bytes as they are: conversions would make bytes of other values.
fn bytes_of(given: &Variant) -> Option<EngineBytes> {
    (given.get_type() == VariantType::PACKED_BYTE_ARRAY).then(|| EngineBytes(given.to()))
}

/// Keeps packed bytes that differences are from; none where they are empty.
pub(super) fn kept(baseline: &KeptBases<EngineBytes>) -> Option<KeptBases<Arc<[u8]>>> {
    let keep = |bytes: &EngineBytes| Arc::from(&**bytes);
    let older = baseline.older.as_ref().map(|(older, apart)| (keep(older), *apart));
    (!baseline.newer.is_empty()).then(|| KeptBases { newer: keep(&baseline.newer), older })
}

/// Returns the baseline as a script sees it.
pub(super) fn shown(baseline: Option<&KeptBases<Arc<[u8]>>>) -> Variant {
    let bytes = |bytes: &[u8]| PackedByteArray::from(bytes).to_variant();
    match baseline {
        None => PackedByteArray::new().to_variant(),
        Some(KeptBases { newer, older: None }) => bytes(newer),
        Some(KeptBases { newer, older: Some((older, apart)) }) => {
            let [ahead, gap] = apart.map(|states| i64::from(states.get()).to_variant());
            VarArray::from(&[bytes(newer), bytes(older), ahead, gap]).to_variant()
        }
    }
}

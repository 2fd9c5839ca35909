//! Names the forms of values for scripts, and the tags in front of packed ones.

use std::sync::Arc;

use godot::builtin::PackedByteArray;
use variant_pack::Tagging;

use super::number::Choice;

/// `VariantCodec.Form`.
pub(super) const FORMS: [(&str, i64); 2] = [("FORM_VARIANT", 0), ("FORM_PACKED", 1)];
/// `VariantSchema.Tagging`.
pub(super) const TAGGINGS: [(&str, i64); 3] = [("BARE", 0), ("TAGGED", 1), ("TAGGED_LONG", 2)];

/// How values stand in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// As the engine writes them.
    #[default]
    Variant,
    /// In bits, by a schema.
    Packed,
}

impl Choice for Form {
    const ENUM: &'static str = "VariantCodec.Form";
    const HINT: &'static str = "Variant:0,Packed:1";
    const CONSTANTS: &'static [(&'static str, i64)] = &FORMS;

    fn number(self) -> i64 {
        match self {
            Form::Variant => 0,
            Form::Packed => 1,
        }
    }

    fn of(number: i64) -> Option<Self> {
        [Form::Variant, Form::Packed].into_iter().find(|form| form.number() == number)
    }
}

impl Choice for Tagging {
    const ENUM: &'static str = "VariantSchema.Tagging";
    const HINT: &'static str = "Bare:0,Tagged:1,Tagged long:2";
    const CONSTANTS: &'static [(&'static str, i64)] = &TAGGINGS;

    fn number(self) -> i64 {
        match self {
            Tagging::Bare => 0,
            Tagging::Short => 1,
            Tagging::Long => 2,
        }
    }

    fn of(number: i64) -> Option<Self> {
        [Tagging::Bare, Tagging::Short, Tagging::Long].into_iter().find(|tagging| tagging.number() == number)
    }
}

/// Packed bytes that differences are from; none where they are empty.
pub(super) fn kept(baseline: &PackedByteArray) -> Option<Arc<[u8]>> {
    let bytes = baseline.as_slice();
    if bytes.is_empty() { None } else { Some(bytes.into()) }
}

/// Returns the baseline as a script sees it.
pub(super) fn shown(baseline: Option<&[u8]>) -> PackedByteArray {
    baseline.map(PackedByteArray::from).unwrap_or_default()
}

//! A refusal as GDScript sees it: the error Dictionary and the enum of kinds.

use godot::builtin::{Array, GString, PackedByteArray, VarDictionary, Variant, vdict};
use godot::meta::ToGodot;
use variant_core::{ErrorKind, Mistakes};

use crate::call::problem::Problem;

/// `VariantCodec.ErrorKind`: name and number of every kind of refusal.
pub(super) fn error_kinds() -> Vec<(&'static str, i64)> {
    ErrorKind::TABLE.iter().map(|(name, code, _)| (*name, *code)).collect()
}

/// Returns the answer of `get_build_errors()`: a Dictionary for each mistake of a declaration.
pub(super) fn build_errors(mistakes: Option<&Mistakes>) -> Array<VarDictionary> {
    let each = mistakes.into_iter().flat_map(Mistakes::iter);
    each.map(|it| vdict! { "path" => it.path.as_str(), "message" => it.message.as_str() }).collect()
}

impl Problem {
    /// Returns the Dictionary for `get_error()`.
    pub(super) fn to_dictionary(&self) -> VarDictionary {
        let mut told = vdict! {
            "code" => i64::from(self.kind),
            "path" => self.path().as_ref(),
            "byte_offset" => self.byte_offset,
            "expected" => self.expected().as_ref(),
            "got" => self.got().as_ref(),
            "message" => self.message().as_ref(),
            "fatal" => self.fatal,
        };
        if self.bit_offset >= 0 {
            told.set("bit_offset", self.bit_offset);
        }
        told
    }

    /// Returns the text for `get_error_message()`.
    pub(super) fn to_text(&self) -> GString {
        self.message().as_ref().into()
    }
}

/// Answers a call that has no bytes to give.
#[cold]
pub(super) fn no_bytes(answer: &mut Variant) {
    *answer = PackedByteArray::new().to_variant();
}

//! Brings an element to the type that a typed container declares, in ENGINE strictness, as the engine does:
//! kept, converted or dropped.
//!
//! The core holds the table of conversions; the engine's own constructors convert. A few of those print when
//! the value makes no sense ("Invalid color name"), which bytes must never cause, so for them the result is
//! computed here.

use godot::builtin::{AnyArray, Color, GString, NodePath, Quaternion, VarArray, Variant};
use godot::classes::Os;
use godot::meta::ToGodot;
use godot::obj::Singleton;
use godot::sys::GdextBuild;
use variant_core::VariantType;
use variant_core::wire::{Coercion, coercion};

use crate::engine::names::{DETERMINANT, IS_CONFORMAL};
use crate::engine::quiet::quietly;
use crate::raw::variant::{convert, type_of};

/// Returns the value as a container of the declared type takes it: itself, converted, or `None` if it is
/// dropped.
pub(crate) fn coerced(declared: Option<VariantType>, value: Variant) -> Option<Variant> {
    let Some(declared) = declared else { return Some(value) };
    let actual = type_of(&value);
    match coercion(declared, actual) {
        Coercion::Same => Some(value),
        Coercion::Convert if is_known_to_engine(declared, actual) => converted(declared, &value),
        Coercion::Convert | Coercion::Drop => None,
    }
}

/// Tells whether this engine converts between these types. Engines before 4.6 have only these conversions and
/// drop other values (FORMAT.md section 4).
fn is_known_to_engine(declared: VariantType, actual: VariantType) -> bool {
    use VariantType as T;
    let old = matches!(
        (declared, actual),
        (T::String, T::StringName) | (T::StringName, T::String) | (T::Float, T::Int)
    );
    old || GdextBuild::since_api("4.6")
}

fn converted(declared: VariantType, value: &Variant) -> Option<Variant> {
    use VariantType as T;
    match (declared, type_of(value)) {
        (T::Color, T::String) => Some(color(value).to_variant()),
        (T::NodePath, T::String) if has_empty_subname(&value.stringify()) => {
            Some(NodePath::default().to_variant())
        }
        (T::Quaternion, T::Basis) if prints_for(value) => Some(Quaternion::default().to_variant()),
        (T::PackedColorArray, T::Array) => convert(declared, &with_colors(value)?.to_variant()),
        // The engine prints when it writes elements nested over 100 levels as text.
        (T::PackedStringArray, T::Array) => quietly(|| convert(declared, value)),
        _ => convert(declared, value),
    }
}

/// Does what `Color(text)` does: text that names no color gives opaque black.
fn color(text: &Variant) -> Color {
    Color::from_string(&text.stringify()).unwrap_or(Color::from_rgba(0.0, 0.0, 0.0, 1.0))
}

fn with_colors(array: &Variant) -> Option<VarArray> {
    let array: AnyArray = array.try_to().ok()?;
    let quiet = |element: Variant| match type_of(&element) {
        VariantType::String => color(&element).to_variant(),
        _ => element,
    };
    Some(array.iter_shared().map(quiet).collect())
}

/// Tells whether `NodePath(text)` refuses a text for an empty sub-name in the middle; the path is empty then.
fn has_empty_subname(text: &GString) -> bool {
    let text = text.to_string();
    text.split_once(':').is_some_and(|(_, subnames)| subnames.starts_with(':') || subnames.contains("::"))
}

/// Tells whether the engine would print. Its debug builds refuse to make a Quaternion of a Basis that is no
/// rotation (`Basis::is_rotation`).
fn prints_for(basis: &Variant) -> bool {
    const UNIT_EPSILON: f64 = 0.001;
    let conformal = basis.call(&*IS_CONFORMAL, &[]).booleanize();
    let determinant = basis.call(&*DETERMINANT, &[]).try_to::<f64>().unwrap_or_default();
    !(conformal && (determinant - 1.0).abs() < UNIT_EPSILON) && Os::singleton().is_debug_build()
}

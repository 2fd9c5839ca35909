//! Blame: which element keeps an Array from becoming the packed array that a schema wants. It looks only at what was refused.

use variant_core::{Array, Path, RealWidth, Rejection, Step, Value, VariantType};

use crate::describe;
use crate::from_json::to_packed;
use crate::schema::Schema;

/// The violation as that of the first such element, where there is one.
pub(crate) fn blamed(violation: Rejection, value: &Value, width: RealWidth) -> Rejection {
    let found = part(value, &violation.path).and_then(|part| {
        let Value::Array(array) = part else { return None };
        // A refusal of this kind begins with the type that was wanted.
        let wanted = violation.expected.split(' ').next()?;
        let (ty, element) = ELEMENTS.iter().find(|(ty, _)| ty.name() == wanted)?;
        let stays = |item: &&Value| {
            let alone = Array { items: vec![(*item).clone()], ..Array::default() };
            matches!(to_packed(*ty, Value::Array(Box::new(alone)), width), Value::Array(_))
        };
        let at = array.items.iter().position(|item| stays(&item))?;
        Some((at, *element, got(violation.kind, array.items.get(at)?)))
    });
    match found {
        Some((at, element, got)) => {
            let mut path = violation.path;
            path.0.push(Step::Index(u64::try_from(at).unwrap_or(u64::MAX)));
            Rejection { path, expected: element.to_owned(), got, ..violation }
        }
        None => violation,
    }
}

/// Lists what an element of each packed array has to be.
const ELEMENTS: [(VariantType, &str); 10] = [
    (VariantType::PackedByteArray, "int 0..255"),
    (VariantType::PackedInt32Array, "int -2147483648..2147483647"),
    (VariantType::PackedInt64Array, "int"),
    (VariantType::PackedFloat32Array, "float of 32 bits"),
    (VariantType::PackedFloat64Array, "float"),
    (VariantType::PackedStringArray, "String"),
    (VariantType::PackedVector2Array, "Vector2"),
    (VariantType::PackedVector3Array, "Vector3"),
    (VariantType::PackedVector4Array, "Vector4"),
    (VariantType::PackedColorArray, "Color"),
];

/// The part of a value that a path leads to, where its steps say enough.
fn part<'v>(value: &'v Value, path: &Path) -> Option<&'v Value> {
    path.0.iter().try_fold(value, |value, step| match (value, step) {
        (Value::Array(array), Step::Index(at)) => array.items.get(usize::try_from(*at).ok()?),
        (Value::Dictionary(dictionary), step) => {
            let is_it = |key: &Value| match (key, step) {
                (Value::String(key) | Value::StringName(key), Step::Key(name)) => key == name,
                (key, step) => key.key_step().as_ref() == Some(step),
            };
            dictionary.entries.iter().find(|(key, _)| is_it(key)).map(|(_, value)| value)
        }
        _ => None,
    })
}

fn got(kind: variant_core::ErrorKind, value: &Value) -> String {
    match value.as_leaf() {
        Some(leaf) => describe::got(kind, &Schema::any(), &leaf),
        None => value.ty().name().to_owned(),
    }
}

//! Says whether a schema that the game states of a property accepts only values of the type that the variable is declared
//! with: a setter never sees a converted value.

use variant_core::VariantType;
use variant_schema::{Schema, Shape};

/// The one type of the values that a schema accepts, null aside; none where it is no one type.
pub(super) fn type_of(schema: &Schema) -> Option<VariantType> {
    match schema.shape() {
        Shape::Type(ty) => Some(*ty),
        Shape::Enum(values) => same(values.iter().map(|value| Some(value.ty()))),
        Shape::Union(parts) => same(parts.iter().map(type_of)),
        Shape::Array(_) | Shape::Tuple(_) => Some(VariantType::Array),
        Shape::Dict { .. } | Shape::Map(..) | Shape::Discriminated { .. } => Some(VariantType::Dictionary),
        // A reference is to an object, unless the schema defines it itself.
        Shape::Ref(name) => match schema.definitions().get(name) {
            Some(schema) => type_of(schema),
            None => Some(VariantType::Object),
        },
        _ => None,
    }
}

/// The type that all of them are.
fn same(mut types: impl Iterator<Item = Option<VariantType>>) -> Option<VariantType> {
    let first = types.next()??;
    types.all(|ty| ty == Some(first)).then_some(first)
}

/// Whether null is accepted somewhere.
fn takes_null(schema: &Schema) -> bool {
    match schema.shape() {
        _ if schema.is_nullable() => true,
        Shape::Union(parts) => parts.iter().any(takes_null),
        _ => false,
    }
}

/// Why a schema does not agree with a variable that is declared with this type and these element types, if it does not.
pub(super) fn disagreement(
    schema: &Schema,
    declared: VariantType,
    key: Option<VariantType>,
    item: Option<VariantType>,
) -> Option<String> {
    if declared == VariantType::Nil {
        return None;
    }
    if type_of(schema) != Some(declared) {
        return Some(format!("the variable is declared {declared}, and the schema accepts other types"));
    }
    if takes_null(schema) && declared != VariantType::Object {
        return Some(format!("the variable is declared {declared}, which is never null"));
    }
    let differs = |declared: Option<VariantType>, part: Option<&Schema>| {
        declared.is_some()
            && part.map(|part| (type_of(part), takes_null(part))) != declared.map(|ty| (Some(ty), false))
    };
    let (of_key, of_item) = match schema.shape() {
        Shape::Array(item) => (None, Some(item)),
        Shape::Map(key, item) => (Some(key), Some(item)),
        _ => (None, None),
    };
    let is_object = |ty: Option<VariantType>| ty == Some(VariantType::Object);
    let item_differs = match of_item {
        // Elements of a class may be null.
        Some(part) if is_object(item) => type_of(part) != item,
        part => differs(item, part),
    };
    (differs(key, of_key) || item_differs).then(|| {
        "the variable is a typed container, and the schema accepts elements of other types".to_owned()
    })
}

/// Whether objects may be somewhere in a value that the schema accepts.
pub(super) fn holds(schema: &Schema) -> bool {
    match schema.shape() {
        Shape::Any | Shape::Ref(_) => true,
        Shape::Type(ty) => matches!(ty, VariantType::Array | VariantType::Dictionary),
        // Objects cannot be keys.
        Shape::Map(_, item) => holds(item),
        Shape::Dict { open: true, .. } => true,
        shape => shape.parts().into_iter().any(holds) || schema.demands().open,
    }
}

//! Says whether a schema that the game states of a property accepts only values of the type that the variable is declared
//! with: a setter never sees a converted value. It asks the compiled schema, in which references are followed.

use variant_core::VariantType;
use variant_objects::with_objects_as;
use variant_schema::{Schema, Shape};

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
    // What is wrong with the schema itself is told by the table of classes.
    let program = with_objects_as(schema, VariantType::Object).compile().ok()?;
    let (null, types): (Vec<_>, Vec<_>) = program.types().into_iter().partition(|ty| *ty == VariantType::Nil);
    if types != [declared] {
        return Some(format!("the variable is declared {declared}, and the schema accepts other types"));
    }
    if !null.is_empty() && declared != VariantType::Object {
        return Some(format!("the variable is declared {declared}, which is never null"));
    }
    // Elements of a class may be null.
    let agrees = |declared: Option<VariantType>, types: Option<Vec<VariantType>>| match (declared, types) {
        (None, _) => true,
        (Some(VariantType::Object), Some(types)) if types == [VariantType::Nil, VariantType::Object] => true,
        (Some(declared), types) => types == Some(vec![declared]),
    };
    let (of_key, of_item) = program.part_types();
    (!agrees(key, of_key) || !agrees(item, of_item)).then(|| {
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

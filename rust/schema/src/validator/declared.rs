//! Refuses a container that declares keys or elements of a type that none of them may have. While it is empty nothing in it is
//! wrong, but nothing that the schema accepts could ever be put into it.

use variant_core::VariantType;
use variant_core::token::Container;

use super::open::OpenContainer;
use crate::describe;
use crate::program::{Declared, Program, ShapeRules};

/// Whether the keys and elements that a container declares may be what the node wants of them. Objects are declared by
/// their class, of which a schema knows nothing.
pub(super) fn fits(program: &Program, node: usize, container: &Container<'_>) -> bool {
    let (of_key, of_item) = match &program.node(node).what {
        ShapeRules::Array { item, .. } => (None, *item),
        ShapeRules::Map { key, value, .. } => (Some(*key), *value),
        _ => return true,
    };
    let takes = |part: usize, declared: Option<VariantType>| match declared {
        None | Some(VariantType::Object) => true,
        Some(ty) => program.node(part).takes(ty),
    };
    let (key, item) = OpenContainer::declared_by(container);
    takes(of_item, item) && of_key.is_none_or(|of_key| takes(of_key, key))
}

/// Says what such a container should be, and what it is.
#[cold]
pub(super) fn words(program: &Program, node: usize, container: &Container<'_>) -> (String, String) {
    let types = |part: usize| describe::types(&program.node(part).types());
    let expected = match &program.node(node).what {
        ShapeRules::Map { key, value, .. } => {
            format!("Dictionary of {} keys and {} values", types(*key), types(*value))
        }
        ShapeRules::Array { item, .. } => format!("Array of {}", types(*item)),
        _ => "any value".to_owned(),
    };
    (expected, name(container))
}

/// As GDScript writes it: `Dictionary[int, Variant]`.
fn name(container: &Container<'_>) -> String {
    let (key, item): Declared = OpenContainer::declared_by(container);
    let word = |ty: Option<VariantType>| ty.map_or("Variant", VariantType::name);
    let ty = container.ty().name();
    match container {
        Container::Dictionary { .. } => format!("{ty}[{}, {}]", word(key), word(item)),
        _ => format!("{ty}[{}]", word(item)),
    }
}

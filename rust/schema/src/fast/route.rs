//! Tells whether a program can be followed without a walk, and what that will meet. It looks at no value.

use variant_core::{Contents, TypeSet, VariantType};

use super::SMALL;
use crate::program::{Node, ShapeRules};

/// Keys of one Dictionary: one bit each.
const MAX_KEYS: usize = 64;

/// `None` when some value that the program accepts needs a walk: names of an enum, what has to be unique. Values of the type
/// of references are judged later.
pub(crate) fn contents(nodes: &[Node], root: usize, references: Option<VariantType>) -> Option<Contents> {
    let mut met = vec![false; nodes.len()];
    let mut next = vec![root];
    let mut contents = Contents::NONE;
    while let Some(at) = next.pop() {
        if std::mem::replace(met.get_mut(at)?, true) {
            continue;
        }
        let node = nodes.get(at)?;
        match node.what {
            ShapeRules::Plain(ty) if Some(ty) == references => contents.add(TypeSet::of(&[ty])),
            _ => enter(&mut contents, node, &mut next)?,
        }
    }
    Some(contents)
}

fn enter(contents: &mut Contents, node: &Node, next: &mut Vec<usize>) -> Option<()> {
    match &node.what {
        // Its types are those that the limits allow, value by value.
        ShapeRules::Any => {
            contents.most_entries = contents.most_entries.max(u64::from(SMALL));
            return Some(());
        }
        _ if needs_walk(node) => return None,
        ShapeRules::Array { item, .. } => next.push(*item),
        ShapeRules::Tuple(tuple) => next.extend(&tuple.items),
        ShapeRules::Dict(dict) => {
            let longest = dict.keys.iter().map(|key| key.name.len()).max().unwrap_or(0);
            contents.add_dictionary(dict.keys.len(), longest);
            next.extend(dict.keys.iter().map(|key| key.node));
        }
        ShapeRules::Kinds(kinds) => next.extend(&kinds.cases),
        ShapeRules::Tuples(tuples) => next.extend(&tuples.cases),
        ShapeRules::Union(alternatives) => {
            next.extend(alternatives.iter().flat_map(|alternative| &alternative.nodes));
        }
        _ => {}
    }
    contents.add(TypeSet::of(&node.types()));
    Some(())
}

/// Tells whether some value of a node needs a walk, whatever its parts are.
fn needs_walk(node: &Node) -> bool {
    match &node.what {
        ShapeRules::Pending | ShapeRules::Map { .. } | ShapeRules::PackedStrings(_) => true,
        ShapeRules::Plain(ty) => !matches!(ty, VariantType::Nil | VariantType::Bool),
        ShapeRules::Enum(listed) => listed.has_type(VariantType::StringName),
        ShapeRules::Array { .. } => node.schema.demands().unique,
        // Anything may follow.
        ShapeRules::Tuple(tuple) => tuple.open,
        ShapeRules::Dict(dict) => dict.keys.len() > MAX_KEYS,
        _ => false,
    }
}

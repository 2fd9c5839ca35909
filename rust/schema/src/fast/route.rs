//! Route: whether a program can be followed straight, and what it will meet. It looks at no value.

use variant_core::{TypeSet, VariantType};

use crate::program::{FastProgram, Node, ShapeRules};

/// Keys of one Dictionary: one bit each.
const MAX_KEYS: usize = 64;

impl FastProgram {
    /// `None` when some value that the program accepts needs a walk: names of an enum, what has to be unique. Values of the type
    /// of references are judged later.
    pub(crate) fn of(nodes: &[Node], root: usize, references: Option<VariantType>) -> Option<FastProgram> {
        let mut met = vec![false; nodes.len()];
        let mut next = vec![root];
        let mut route = FastProgram { types: TypeSet::NONE, has_keys: false };
        while let Some(at) = next.pop() {
            if std::mem::replace(met.get_mut(at)?, true) {
                continue;
            }
            let node = nodes.get(at)?;
            match node.what {
                ShapeRules::Plain(ty) if Some(ty) == references => {
                    route.types = TypeSet(route.types.0 | TypeSet::of(&[ty]).0);
                }
                _ => route.enter(node, &mut next)?,
            }
        }
        Some(route)
    }

    fn enter(&mut self, node: &Node, next: &mut Vec<usize>) -> Option<()> {
        match &node.what {
            // Its types are those that the limits allow, value by value.
            ShapeRules::Any => return Some(()),
            _ if needs_walk(node) => return None,
            ShapeRules::Array { item, .. } => next.push(*item),
            ShapeRules::Tuple(tuple) => next.extend(&tuple.items),
            ShapeRules::Dict(dict) => {
                self.has_keys = true;
                // Keys are values too.
                self.types = TypeSet(self.types.0 | TypeSet::of(&[VariantType::String]).0);
                next.extend(dict.keys.iter().map(|key| key.node));
            }
            ShapeRules::Kinds(kinds) => next.extend(&kinds.cases),
            ShapeRules::Tuples(tuples) => next.extend(&tuples.cases),
            ShapeRules::Union(alternatives) => {
                next.extend(alternatives.iter().flat_map(|alternative| &alternative.nodes));
            }
            _ => {}
        }
        let types =
            node.types().into_iter().fold(0, |bits, ty| bits | 1_u64.wrapping_shl(u32::from(ty.id())));
        self.types = TypeSet(self.types.0 | types);
        Some(())
    }
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

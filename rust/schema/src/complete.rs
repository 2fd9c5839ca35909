//! Completes the nodes that depend on what others accept, unions and typed containers, once every node is there. It looks at
//! no value.

use std::collections::HashMap;

use variant_core::VariantType;

use crate::compiler::{Compiler, Union};
use crate::kinds;
use crate::program::{Alternative, Node, ShapeRules};
use crate::schema::{Schema, Shape};
use crate::size::MAX_LEVELS;

/// Alternatives of a union after nested ones are taken apart: a bound on what one value can cost.
const MAX_ALTERNATIVES: usize = 256;
/// The largest number of parts of all types together.
const MAX_PARTS: usize = MAX_ALTERNATIVES * VariantType::ALL.len();
/// Alternatives of all unions together, those that are shared once for each: a bound on what compiling costs.
const MAX_LOOKS: usize = 1 << 18;
const TOO_MANY: &str = "too many alternatives";

impl Compiler {
    pub(crate) fn complete(&mut self) {
        let unions = std::mem::take(&mut self.unions);
        let nodes: HashMap<usize, &[usize]> = unions.iter().map(|it| (it.at, it.nodes.as_slice())).collect();
        let mut looked_at = 0_usize;
        for Union { at, path, .. } in &unions {
            if self.is_over() {
                return;
            }
            let mut parts = Vec::new();
            let mut around = Vec::new();
            let is_flat = flatten(&nodes, *at, &mut around, &mut parts);
            looked_at = looked_at.saturating_add(parts.len());
            if looked_at > MAX_LOOKS {
                return self.note(path, Err(TOO_MANY));
            }
            if is_flat.is_err() {
                self.note(path, is_flat);
                continue;
            }
            let made = self.union(&parts, &around).map(|what| {
                if let Some(node) = self.nodes.get_mut(*at) {
                    node.what = what;
                }
            });
            self.note(path, made);
        }
        for (at, path) in std::mem::take(&mut self.typed) {
            let made = self.make_typed(at);
            self.note(&path, made);
        }
    }

    /// Alternatives by the type of the value, so that one look at a header rules most of them out. `around` are the unions that
    /// the parts are in.
    fn union(&mut self, parts: &[usize], around: &[usize]) -> Result<ShapeRules, String> {
        let mut alternatives: Vec<Alternative> = Vec::new();
        for part in parts {
            let Some(node) = self.nodes.get(*part) else { continue };
            if matches!(node.what, ShapeRules::Any) {
                if parts.len() > 1 {
                    return Err("any() beside other alternatives makes them pointless".to_owned());
                }
                return Ok(ShapeRules::Any);
            }
            for ty in node.types() {
                match alternatives.iter_mut().find(|alternative| alternative.ty == ty) {
                    Some(known) => known.nodes.push(*part),
                    None => alternatives.push(Alternative { ty, nodes: vec![*part] }),
                }
            }
        }
        // This union accepts null where a union inside of it does.
        let is_nullable = around.iter().any(|at| self.nodes.get(*at).is_some_and(|node| node.nullable));
        if is_nullable && !alternatives.iter().any(|alternative| alternative.ty == VariantType::Nil) {
            alternatives.push(Alternative { ty: VariantType::Nil, nodes: Vec::new() });
        }
        for alternative in &mut alternatives {
            if alternative.nodes.len() > MAX_ALTERNATIVES {
                return Err(format!("more than {MAX_ALTERNATIVES} alternatives of one type"));
            }
            self.forget_twins(&mut alternative.nodes);
            kinds::settle(self, alternative)?;
        }
        Ok(ShapeRules::Union(alternatives))
    }

    /// An alternative that is written twice counts once, so that a violation tells what it says of the value,
    /// and not that there was another one. Two shapes with parts are only one if they are the same node,
    /// since equal references may lead to different schemas.
    fn forget_twins(&self, nodes: &mut Vec<usize>) {
        let part = |at: usize| self.nodes.get(at).map(|node| &node.schema);
        let is_alone = |schema: &Schema| matches!(schema.shape(), Shape::Type(_) | Shape::Enum(_));
        let same =
            |a: &Schema, b: &Schema| is_alone(a) && a.shape() == b.shape() && a.demands() == b.demands();
        let mut kept: Vec<usize> = Vec::new();
        for at in nodes.drain(..) {
            let is_twin = kept.iter().any(|known| match (part(*known), part(at)) {
                (Some(known), Some(other)) => same(known, other),
                _ => false,
            });
            if !is_twin {
                kept.push(at);
            }
        }
        *nodes = kept;
    }

    fn make_typed(&mut self, at: usize) -> Result<(), &'static str> {
        let types = |part: usize| self.nodes.get(part).map_or_else(Vec::new, Node::types);
        let one = |part: usize| match types(part).as_slice() {
            [VariantType::Object] | [] => Err("typed() is not for objects"),
            [ty] => Ok(Some(*ty)),
            all if all.len() == VariantType::ALL.len() => Ok(None),
            _ => Err("typed() needs elements of one type, and null is another one"),
        };
        let what = match self.nodes.get(at).map(|node| &node.what) {
            Some(ShapeRules::Array { item, .. }) => ShapeRules::Array { item: *item, typed: one(*item)? },
            Some(ShapeRules::Map { key, value, .. }) => {
                ShapeRules::Map { key: *key, value: *value, typed: (one(*key)?, one(*value)?) }
            }
            _ => return Ok(()),
        };
        if let Some(node) = self.nodes.get_mut(at) {
            node.what = what;
        }
        Ok(())
    }
}

/// The alternatives of a union, with those of unions in it. `met` gets all these unions.
fn flatten(
    unions: &HashMap<usize, &[usize]>,
    at: usize,
    met: &mut Vec<usize>,
    parts: &mut Vec<usize>,
) -> Result<(), &'static str> {
    let Some(nodes) = unions.get(&at) else {
        if !parts.contains(&at) {
            parts.push(at);
        }
        return if parts.len() > MAX_PARTS { Err(TOO_MANY) } else { Ok(()) };
    };
    if met.contains(&at) {
        return Err("the union has itself as an alternative, or another one twice");
    }
    if parts.len() > MAX_ALTERNATIVES || met.len() > MAX_LEVELS {
        return Err(TOO_MANY);
    }
    met.push(at);
    nodes.iter().try_for_each(|node| flatten(unions, *node, met, parts))
}

//! Possible: parts of a program that no value could ever be: definitions that need themselves again, and containers that
//! want more different things than there are. It looks at no value, and takes time that grows with the nodes.

use std::collections::HashMap;

use crate::compiler::Compiler;
use crate::lint::multiples;
use crate::program::{Node, ShapeRules};

impl Compiler {
    pub(crate) fn check_possible(&mut self) {
        let ends = Ends::of(&self.nodes);
        for (at, path) in std::mem::take(&mut self.defined) {
            if !ends.has(at) {
                self.note(&path, Err("the definition always contains itself: make a part optional"));
            }
        }
        // Of a part that many share, once: a union may be large.
        let mut counts = HashMap::new();
        for (at, path) in std::mem::take(&mut self.sized) {
            let checked = self.check_size(at, &mut counts);
            self.note(&path, checked);
        }
    }

    /// Keys differ, and so do elements that are to be unique.
    fn check_size(&self, at: usize, counts: &mut HashMap<usize, Option<i128>>) -> Result<(), String> {
        let Some(node) = self.nodes.get(at) else { return Ok(()) };
        let demands = node.schema.demands();
        let (what, part) = match &node.what {
            ShapeRules::Array { item, .. } if demands.unique => ("unique elements", *item),
            ShapeRules::Map { key, .. } => ("keys", *key),
            _ => return Ok(()),
        };
        let most = *counts.entry(part).or_insert_with(|| count(&self.nodes, part));
        match (demands.min_size, most) {
            (Some(least), Some(count)) if i128::from(least) > count => {
                Err(format!("size: at least {least} {what}, and only {count} could differ"))
            }
            _ => Ok(()),
        }
    }
}

/// How many values that differ a node may have at most; `None` for too many to be counted.
fn count(nodes: &[Node], at: usize) -> Option<i128> {
    let node = nodes.get(at)?;
    let most_size = node.schema.demands().max_size;
    let of_what = match &node.what {
        ShapeRules::Plain(variant_core::VariantType::Nil) => 1,
        ShapeRules::Plain(variant_core::VariantType::Bool) => 2,
        ShapeRules::Int { min, max, multiple } => multiples(*min, *max, *multiple),
        ShapeRules::Text { texts, .. } if texts.max_chars == 0 => 1,
        ShapeRules::Enum(listed) => i128::try_from(listed.all().len()).ok()?,
        ShapeRules::Array { .. }
        | ShapeRules::Map { .. }
        | ShapeRules::Packed { .. }
        | ShapeRules::PackedStrings(_)
            if most_size == Some(0) =>
        {
            1
        }
        ShapeRules::Tuple(tuple) if tuple.items.is_empty() && !tuple.open => 1,
        ShapeRules::Dict(dict) if dict.keys.is_empty() && !dict.open => 1,
        ShapeRules::Union(alternatives) => {
            // Null of a union stands there without a node.
            let of_null = i128::from(alternatives.iter().any(|alternative| alternative.nodes.is_empty()));
            let mut parts: Vec<usize> = alternatives.iter().flat_map(|it| it.nodes.iter().copied()).collect();
            parts.sort_unstable();
            parts.dedup();
            let is_union =
                |at: &usize| matches!(nodes.get(*at).map(|node| &node.what), Some(ShapeRules::Union(_)));
            if parts.iter().any(is_union) {
                return None;
            }
            parts.iter().try_fold(of_null, |sum, part| sum.checked_add(count(nodes, *part)?))?
        }
        _ => return None,
    };
    of_what.checked_add(i128::from(node.nullable))
}

/// Which nodes some value is accepted by that has an end.
struct Ends(Vec<bool>);

impl Ends {
    /// Nodes with nothing in them have values at once; from these on, what waited for them.
    fn of(nodes: &[Node]) -> Ends {
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        let mut lacking: Vec<usize> = Vec::with_capacity(nodes.len());
        for (at, node) in nodes.iter().enumerate() {
            let (parts, lacks) = needs(node);
            for part in parts {
                if let Some(waiting) = waiting.get_mut(part) {
                    waiting.push(at);
                }
            }
            lacking.push(lacks);
        }
        let mut ends = vec![false; nodes.len()];
        let mut found: Vec<usize> = (0..nodes.len()).filter(|at| lacking.get(*at) == Some(&0)).collect();
        while let Some(at) = found.pop() {
            match ends.get_mut(at) {
                Some(end) if !*end => *end = true,
                _ => continue,
            }
            for other in waiting.get(at).into_iter().flatten() {
                let Some(lacks) = lacking.get_mut(*other) else { continue };
                *lacks = lacks.saturating_sub(1);
                if *lacks == 0 {
                    found.push(*other);
                }
            }
        }
        Ends(ends)
    }

    fn has(&self, at: usize) -> bool {
        self.0.get(at).copied().unwrap_or(true)
    }
}

/// The parts whose values a node is made of, and how many of them it needs: all, or one that may be any of them.
fn needs(node: &Node) -> (Vec<usize>, usize) {
    let all = |parts: Vec<usize>| {
        let count = parts.len();
        (parts, count)
    };
    let any = |parts: Vec<usize>| (parts, 1);
    let is_empty = node.schema.demands().min_size.unwrap_or(0) == 0;
    match &node.what {
        _ if node.nullable => all(Vec::new()),
        ShapeRules::Array { item, .. } if !is_empty => all(vec![*item]),
        ShapeRules::Map { key, value, .. } if !is_empty => all(vec![*key, *value]),
        ShapeRules::Tuple(tuple) => all(tuple.items.iter().take(tuple.least).copied().collect()),
        ShapeRules::Dict(dict) => {
            all(dict.keys.iter().filter(|key| key.is_required).map(|key| key.node).collect())
        }
        ShapeRules::Union(alternatives) if alternatives.iter().all(|it| !it.nodes.is_empty()) => {
            any(alternatives.iter().flat_map(|it| it.nodes.iter().copied()).collect())
        }
        ShapeRules::Kinds(kinds) => any(kinds.cases.clone()),
        ShapeRules::Tuples(tuples) => any(tuples.cases.clone()),
        _ => all(Vec::new()),
    }
}

//! Tells which alternative of a union a value is, by a look at leaves only: never by taking whole containers, which could be
//! nested so that each level takes them twice.

use variant_core::cursor::Cursor;
use variant_core::token::{self, Container, Leaf, TextForm, Token};
use variant_schema::BuildError;

use crate::fault::Outcome;
use crate::layout::{Dict, Layout, Tuple, Wire};
use crate::leaf::{RULES, fingerprint, leaf_codes, same_for_equal};
use crate::ledger::MOST_LEVELS;

/// The first alternative that takes the value at the cursor: its number and its node.
pub(crate) fn choose(
    layout: &Layout,
    alternatives: &[usize],
    tell: Option<&str>,
    cursor: Cursor<'_>,
) -> Option<(u64, usize)> {
    let each = (0..).zip(alternatives.iter().copied());
    each.into_iter().find(|(_, node)| takes(layout, *node, tell, cursor, 0))
}

fn takes(layout: &Layout, node: usize, tell: Option<&str>, cursor: Cursor<'_>, level: u32) -> bool {
    let mut ahead = cursor;
    let Some(node) = layout.node(node) else { return false };
    let Ok(token) = token::read(&mut ahead, &RULES) else { return false };
    if node.nullable && matches!(token, Token::Leaf(Leaf::Nil)) {
        return true;
    }
    let level = level.saturating_add(1);
    match (&node.wire, &token) {
        (Wire::Any, _) => true,
        (Wire::Same(node), _) => level < MOST_LEVELS && takes(layout, *node, tell, cursor, level),
        (Wire::Union { alternatives, .. }, _) => {
            let mut each = alternatives.iter();
            level < MOST_LEVELS && each.any(|node| takes(layout, *node, tell, cursor, level))
        }
        (wire, Token::Leaf(leaf)) => leaf_codes(wire, leaf, &mut Vec::new()).is_ok(),
        (Wire::Dict(dict), Token::Open(Container::Dictionary { count, .. })) => match tell {
            Some(name) => under(ahead, *count, name).is_some_and(|told| is_told(layout, dict, name, &told)),
            None => true,
        },
        (Wire::Cases { name, values, .. }, Token::Open(Container::Dictionary { count, .. })) => match tell {
            Some(_) => under(ahead, *count, name).is_some_and(|told| values.numbers.contains_key(&told)),
            None => true,
        },
        (Wire::Tuple(tuple), Token::Open(Container::Array { count, .. })) => {
            takes_first(layout, tuple, ahead, *count)
        }
        (wire, Token::Open(container)) => matches!(
            (wire, container),
            (Wire::Array { .. } | Wire::Keyed { .. }, Container::Array { .. })
                | (Wire::Map { .. } | Wire::KeyedMap { .. }, Container::Dictionary { .. })
                | (Wire::NodePath, Container::NodePath { .. })
                | (Wire::Strings { .. }, Container::PackedStrings { .. })
        ),
    }
}

fn takes_first(layout: &Layout, tuple: &Tuple, mut ahead: Cursor<'_>, count: u32) -> bool {
    let first = tuple.items.first().and_then(|node| layout.node(*node));
    let token = token::read(&mut ahead, &RULES);
    if count > 0 && first.is_some_and(|first| first.nullable) && matches!(token, Ok(Token::Leaf(Leaf::Nil))) {
        return true;
    }
    match (first.map(|first| &first.wire), token) {
        (Some(wire @ (Wire::Nothing(_) | Wire::Enum(_))), Ok(Token::Leaf(leaf))) if count > 0 => {
            leaf_codes(wire, &leaf, &mut Vec::new()).is_ok()
        }
        (Some(Wire::Nothing(_) | Wire::Enum(_)), _) => count == 0 && tuple.least == 0,
        _ => true,
    }
}

fn is_told(layout: &Layout, dict: &Dict, name: &str, told: &[u8]) -> bool {
    let key = dict.by_name.get(name).and_then(|part| dict.keys.get(*part));
    match key.and_then(|key| layout.node(key.node)).map(|node| &node.wire) {
        Some(Wire::Nothing(bytes)) => same_for_equal(bytes) == told,
        Some(Wire::Enum(values)) => values.numbers.contains_key(told),
        _ => false,
    }
}

/// Returns what stands under this key, among `count` entries that come next, if it is a leaf.
pub(crate) fn under(mut cursor: Cursor<'_>, count: u32, name: &str) -> Option<Vec<u8>> {
    for _ in 0..count {
        let mut ahead = cursor;
        let is_it = match token::read(&mut ahead, &RULES).ok()? {
            Token::Leaf(Leaf::Text(_, text)) => text.as_str() == name,
            _ => false,
        };
        skip(&mut cursor).ok()?;
        if is_it {
            return match token::read(&mut cursor, &RULES).ok()? {
                Token::Leaf(leaf) => Some(fingerprint(&leaf)),
                Token::Open(_) => None,
            };
        }
        skip(&mut cursor).ok()?;
    }
    None
}

/// Goes behind the value that comes next.
pub(crate) fn skip(cursor: &mut Cursor<'_>) -> Outcome<()> {
    let mut left = 1_u64;
    while left > 0 {
        left = left.saturating_sub(1);
        match token::read(cursor, &RULES)? {
            Token::Leaf(_) => {}
            Token::Open(Container::Array { count, .. }) => left = left.saturating_add(u64::from(count)),
            Token::Open(Container::Dictionary { count, .. }) => {
                left = left.saturating_add(u64::from(count).saturating_mul(2));
            }
            Token::Open(Container::NodePath { names, subnames, .. }) => {
                for _ in 0..names.saturating_add(subnames) {
                    token::read_text(cursor, TextForm::PathName, &RULES)?;
                }
            }
            Token::Open(Container::PackedStrings { count }) => {
                for _ in 0..count {
                    token::read_text(cursor, TextForm::Terminated, &RULES)?;
                }
            }
            // Never read under these rules.
            Token::Open(Container::Object { .. }) => {}
        }
    }
    Ok(())
}

/// Finds the key that tells the dictionaries of each union apart.
pub(crate) fn complete(layout: &mut Layout) -> Result<(), BuildError> {
    for at in 0..layout.nodes.len() {
        let Some(Wire::Union { alternatives, .. }) = layout.node(at).map(|node| &node.wire) else { continue };
        let mut names: Vec<Vec<String>> = Vec::new();
        alternatives.iter().for_each(|node| told_by(layout, *node, &mut names, 0));
        let (first, others) = match names.split_first() {
            Some((first, others)) if !others.is_empty() => (first, others),
            _ => continue,
        };
        let told = first.iter().find(|name| others.iter().all(|names| names.contains(name))).cloned();
        let Some(node) = layout.nodes.get_mut(at) else { continue };
        match (&mut node.wire, told) {
            (Wire::Union { tell, .. }, Some(name)) => *tell = Some(name),
            _ => {
                let message = "no key tells these dictionaries apart".to_owned();
                return Err(BuildError { path: node.path.clone(), message });
            }
        }
    }
    Ok(())
}

/// Collects, for each Dictionary that a union may be, the keys that may tell it.
fn told_by(layout: &Layout, node: usize, names: &mut Vec<Vec<String>>, level: u32) {
    if level > MOST_LEVELS {
        return;
    }
    let level = level.saturating_add(1);
    match layout.node(node).map(|node| &node.wire) {
        Some(Wire::Same(node)) => told_by(layout, *node, names, level),
        Some(Wire::Union { alternatives, .. }) => {
            alternatives.iter().for_each(|node| told_by(layout, *node, names, level));
        }
        Some(Wire::Dict(dict)) => {
            let tells = dict.keys.iter().filter(|key| !key.is_optional).filter(|key| {
                let node = layout.node(key.node);
                node.is_some_and(|node| {
                    !node.nullable && matches!(node.wire, Wire::Nothing(_) | Wire::Enum(_))
                })
            });
            names.push(tells.map(|key| key.name.clone()).collect());
        }
        Some(Wire::Cases { name, .. }) => names.push(vec![name.clone()]),
        _ => {}
    }
}

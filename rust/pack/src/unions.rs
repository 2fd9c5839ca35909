//! Tells which alternative of a union a value is, by a look at leaves only: never by taking whole containers, which could be
//! nested so that each level takes them twice.

use std::collections::HashSet;

use variant_core::cursor::Cursor;
use variant_core::token::{self, Container, Leaf, Token};
use variant_core::{Mistake, Refusal, Sink, Walker};

use crate::fault::{Fault, Outcome};
use crate::layout::{Dict, KeyedEntries, Layout, Tell, Tuple, Wire};
use crate::leaf::{RULES, fingerprint, leaf_codes, same_for_equal};
use crate::ledger::MOST_LEVELS;
use crate::text::size;

impl Tell {
    /// The first alternative for a Dictionary of so many entries that come next. Its key is looked for once.
    fn choose(&self, cursor: Cursor<'_>, count: u32, ends: &mut Ends) -> Option<u64> {
        let told = self.name.as_ref().and_then(|name| ends.under(cursor, count, name));
        let by_value = told.and_then(|told| self.by_value.get(&told)).copied();
        by_value.into_iter().chain(self.any).min()
    }

    /// Whether a Dictionary of this alternative is one of no other.
    pub(crate) fn is_alone(&self, alternative: u64) -> bool {
        self.alone.get(size(alternative)).copied().unwrap_or(false)
    }

    /// Notes what Dictionaries a part of an alternative takes; false: some that another has already.
    fn claim(&mut self, layout: &Layout, node: usize, number: u64, level: u32) -> bool {
        let Some(node) = layout.node(node).filter(|_| level < MOST_LEVELS) else { return true };
        let level = level.saturating_add(1);
        match (&node.wire, self.name.clone()) {
            (Wire::Same(node), _) => self.claim(layout, *node, number, level),
            (Wire::Union { alternatives, .. }, _) => {
                let others = alternatives.iter().filter(|node| !self.claim(layout, **node, number, level));
                others.count() == 0
            }
            (Wire::Any | Wire::Map { .. } | Wire::Keyed(KeyedEntries { key: Some(_), .. }), _)
            | (Wire::Dict(_) | Wire::Cases { .. }, None) => {
                let is_first = self.any.is_none() && self.by_value.values().all(|first| *first == number);
                *self.any.get_or_insert(number) == number && is_first
            }
            (Wire::Dict(dict), Some(name)) => self.claim_values(told(layout, dict, &name), number),
            (Wire::Cases { values, .. }, Some(_)) => {
                self.claim_values(values.numbers.keys().cloned().collect(), number)
            }
            _ => true,
        }
    }

    fn claim_values(&mut self, values: Vec<Vec<u8>>, number: u64) -> bool {
        let is_first = self.any.is_none_or(|any| any == number);
        let others = values
            .into_iter()
            .filter(|value| *self.by_value.entry(value.clone()).or_insert(number) != number);
        others.count() == 0 && is_first
    }
}

/// The values that a key of a Dictionary may have, if it tells what that is.
fn told(layout: &Layout, dict: &Dict, name: &str) -> Vec<Vec<u8>> {
    let key = dict.by_name.get(name).and_then(|part| dict.keys.get(*part));
    match key.and_then(|key| layout.node(key.node)).map(|node| &node.wire) {
        Some(Wire::Nothing(bytes)) => vec![same_for_equal(bytes)],
        Some(Wire::Enum(values)) => values.numbers.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

/// The first alternative that takes the value at the cursor: its number and its node.
pub(crate) fn choose(
    layout: &Layout,
    alternatives: &[usize],
    tell: &Tell,
    cursor: Cursor<'_>,
    ends: &mut Ends,
) -> Option<(u64, usize)> {
    let mut ahead = cursor;
    if let Token::Open(Container::Dictionary { count, .. }) = token::read(&mut ahead, &RULES).ok()? {
        let number = tell.choose(ahead, count, ends)?;
        return Some((number, alternatives.get(size(number)).copied()?));
    }
    let each = (0..).zip(alternatives.iter().copied());
    each.into_iter().find(|(_, node)| takes(layout, *node, cursor, 0))
}

/// Whether a part takes a value that is no Dictionary.
fn takes(layout: &Layout, node: usize, cursor: Cursor<'_>, level: u32) -> bool {
    let mut ahead = cursor;
    let Some(node) = layout.node(node) else { return false };
    let Ok(token) = token::read(&mut ahead, &RULES) else { return false };
    if node.nullable && matches!(token, Token::Leaf(Leaf::Nil)) {
        return true;
    }
    let level = level.saturating_add(1);
    match (&node.wire, &token) {
        (Wire::Any, _) => true,
        (Wire::Same(node), _) => level < MOST_LEVELS && takes(layout, *node, cursor, level),
        (Wire::Union { alternatives, .. }, _) => {
            let mut each = alternatives.iter();
            level < MOST_LEVELS && each.any(|node| takes(layout, *node, cursor, level))
        }
        (wire, Token::Leaf(leaf)) => leaf_codes(wire, leaf, &mut Vec::new()).is_ok(),
        (Wire::Tuple(tuple), Token::Open(Container::Array { count, .. })) => {
            takes_first(layout, tuple, ahead, *count)
        }
        (wire, Token::Open(container)) => matches!(
            (wire, container),
            (Wire::Array { .. } | Wire::Keyed(KeyedEntries { key: None, .. }), Container::Array { .. })
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

/// Where containers end that were passed over, in the order of their beginnings: what a key was looked for in is not read
/// again at each level.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    all: Vec<(u64, u64)>,
    /// The byte at which the walk begins that is under way.
    start: u64,
    /// Numbers of containers that are complete, and whose ends are not noted yet.
    closed: Vec<usize>,
    /// Made when the first container is passed over.
    walker: Option<Box<Walker<usize>>>,
}

impl Ends {
    /// Returns what stands under this key, among `count` entries that come next, if it is a leaf.
    pub(crate) fn under(&mut self, mut cursor: Cursor<'_>, count: u32, name: &str) -> Option<Vec<u8>> {
        for _ in 0..count {
            let mut ahead = cursor;
            let is_it = match token::read(&mut ahead, &RULES).ok()? {
                Token::Leaf(Leaf::Text(_, text)) => text.as_str() == name,
                _ => false,
            };
            self.skip(&mut cursor).ok()?;
            if is_it {
                return match token::read(&mut cursor, &RULES).ok()? {
                    Token::Leaf(leaf) => Some(fingerprint(&leaf)),
                    Token::Open(_) => None,
                };
            }
            self.skip(&mut cursor).ok()?;
        }
        None
    }

    pub(crate) fn skip(&mut self, cursor: &mut Cursor<'_>) -> Outcome<()> {
        let mut ahead = *cursor;
        if let Token::Leaf(_) = token::read(&mut ahead, &RULES)? {
            *cursor = ahead;
            return Ok(());
        }
        let start = cursor.at();
        let known = self.all.binary_search_by_key(&start, |(start, _)| *start).ok();
        let length = match known.and_then(|known| self.all.get(known)) {
            Some((_, end)) => end.saturating_sub(start),
            None => self.walk(cursor.rest(), start)?,
        };
        if cursor.take(length).is_err() {
            // The last padding of a byte array counts even where it is missing.
            *cursor = Cursor::last_piece(&[], start.saturating_add(length));
        }
        Ok(())
    }

    /// Notes the ends of the container at this byte and of all in it; returns how many bytes it has.
    fn walk(&mut self, bytes: &[u8], start: u64) -> Outcome<u64> {
        self.start = start;
        let before = self.all.len();
        let mut walker = self.walker.take().unwrap_or_default();
        let walked = walker.decode(bytes, &RULES, self);
        self.walker = Some(walker);
        match walked {
            Ok(((), extent)) => {
                self.reach(extent.consumed);
                Ok(extent.consumed)
            }
            Err(error) => {
                self.all.truncate(before);
                self.closed.clear();
                Err(Fault::new(error.kind(), start.saturating_add(error.offset())))
            }
        }
    }

    /// Notes where the containers end that are complete: what follows them begins at this byte.
    fn reach(&mut self, at: u64) {
        for number in self.closed.drain(..) {
            if let Some((_, end)) = self.all.get_mut(number) {
                *end = self.start.saturating_add(at);
            }
        }
    }
}

impl Sink for Ends {
    type Output = ();
    type Frame = usize;

    fn leaf(&mut self, at: u64, _: Leaf<'_>) -> Result<(), Refusal> {
        self.reach(at);
        Ok(())
    }

    fn open(&mut self, at: u64, _: Container<'_>, _: usize) -> Result<usize, Refusal> {
        self.reach(at);
        let at = self.start.saturating_add(at);
        self.all.push((at, at));
        Ok(self.all.len().saturating_sub(1))
    }

    fn close(&mut self, frame: usize) -> Result<(), Refusal> {
        self.closed.push(frame);
        Ok(())
    }
}

/// A key of a Dictionary, and the values that it may have.
type TagCandidate = (String, Vec<Vec<u8>>);

/// Finds the key that tells the dictionaries of each union apart.
pub(crate) fn complete(layout: &mut Layout) -> Result<(), Mistake> {
    for at in 0..layout.nodes.len() {
        let Some(Wire::Union { alternatives, .. }) = layout.node(at).map(|node| &node.wire) else { continue };
        let mut names: Vec<Vec<TagCandidate>> = Vec::new();
        alternatives.iter().for_each(|node| told_by(layout, *node, &mut names, 0));
        let mut found = Tell::default();
        if let Some(first) = names.first().filter(|_| names.len() > 1) {
            let values = |name: &String| {
                let each = names.iter().map(|keys| keys.iter().find(|key| key.0 == *name));
                Some(each.map(|key| Some(&key?.1)).collect::<Option<Vec<_>>>()?.into_iter().flatten())
            };
            let is_shared = |name: &&String| values(name).is_some();
            // A value that several have tells nothing.
            let is_telling = |name: &&String| {
                let mut met = HashSet::new();
                values(name).is_some_and(|mut values| values.all(|value| met.insert(value)))
            };
            let keys = || first.iter().map(|key| &key.0);
            found.name = keys().find(is_telling).or_else(|| keys().find(is_shared)).cloned();
            if found.name.is_none() {
                let path = layout.node(at).map(|node| node.path.clone()).unwrap_or_default();
                let message = "no key tells these dictionaries apart".to_owned();
                return Err(Mistake::new(path, message));
            }
        }
        let each = (0..).zip(alternatives);
        found.alone = each.map(|(number, node)| found.claim(layout, *node, number, 0)).collect();
        if let Some(Wire::Union { tell, .. }) = layout.nodes.get_mut(at).map(|node| &mut node.wire) {
            *tell = found;
        }
    }
    Ok(())
}

/// Collects, for each Dictionary that a union may be, the keys that may tell it.
fn told_by(layout: &Layout, node: usize, names: &mut Vec<Vec<TagCandidate>>, level: u32) {
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
            names.push(tells.map(|key| (key.name.clone(), told(layout, dict, &key.name))).collect());
        }
        Some(Wire::Cases { name, values, .. }) => {
            names.push(vec![(name.clone(), values.numbers.keys().cloned().collect())]);
        }
        _ => {}
    }
}

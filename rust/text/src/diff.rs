//! Diff: what became of a value, by path. Both values are held; children are compared in place, without
//! recursion.
//!
//! Entries of dictionaries are matched by key, whatever their order. Elements of arrays are matched from both
//! ends, so that one that was put in or taken out is told as that.

use std::collections::HashMap;

use variant_core::{Array, Dictionary, Limits, Path, Step, Value};

use crate::json;

/// Characters of a key that are kept for a path: one more than a path shows.
const KEPT_CHARS: usize = 65;

/// What happened at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is only in the second value.
    Added,
    /// It is only in the first value.
    Removed,
    /// It is another value.
    Changed,
}

impl Change {
    /// One word for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
        }
    }
}

/// One difference. Values stand as JSON on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The place: in the second value, or in the first for what was removed.
    pub path: String,
    /// What happened.
    pub change: Change,
    /// The value before; `None` when it was added.
    pub before: Option<String>,
    /// The value after; `None` when it was removed.
    pub after: Option<String>,
}

/// Tells every difference between two values, in the order of the places.
pub fn diff<E>(
    before: &Value,
    after: &Value,
    found: &mut dyn FnMut(Difference) -> Result<(), E>,
) -> Result<(), E> {
    // Last in, first out: children are put in backwards.
    let mut tasks = vec![(Vec::new(), Some(before), Some(after))];
    if same(before, after) {
        tasks.clear();
    }
    while let Some((path, before, after)) = tasks.pop() {
        let change = match (before, after) {
            (Some(before), Some(after)) => {
                if let Some(children) = children(before, after) {
                    let below = children.into_iter().rev().filter(|(_, a, b)| differ(*a, *b));
                    tasks.extend(below.map(|(step, a, b)| ([path.clone(), vec![step]].concat(), a, b)));
                    continue;
                }
                Change::Changed
            }
            (None, _) => Change::Added,
            (Some(_), None) => Change::Removed,
        };
        let path = Path(path).to_string();
        found(Difference { path, change, before: before.map(text), after: after.map(text) })?;
    }
    Ok(())
}

type Child<'v> = (Step, Option<&'v Value>, Option<&'v Value>);

/// The children of two containers of one kind, matched. `None`: the values differ as wholes.
fn children<'v>(before: &'v Value, after: &'v Value) -> Option<Vec<Child<'v>>> {
    match (before, after) {
        (Value::Array(a), Value::Array(b)) if a.element == b.element => Some(elements(a, b)),
        (Value::Dictionary(a), Value::Dictionary(b)) if a.key == b.key && a.value == b.value => {
            Some(entries(a, b))
        }
        (Value::Object(a), Value::Object(b)) if a.class == b.class => {
            let owned = |object: &'v variant_core::Object| {
                object.properties.iter().map(|(name, value)| (name.as_bytes().to_vec(), name, value))
            };
            Some(matched(owned(a), owned(b), |name, _| Step::Property(kept(name))))
        }
        _ => None,
    }
}

fn elements<'v>(before: &'v Array, after: &'v Array) -> Vec<Child<'v>> {
    let (mut a, mut b) = (before.items.as_slice(), after.items.as_slice());
    let index = |at: usize| Step::Index(at as u64);
    let start = a.iter().zip(b).take_while(|(a, b)| same(a, b)).count();
    (a, b) = (&a[start..], &b[start..]);
    if a.len() != b.len() {
        let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| same(a, b)).count();
        (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    }
    (0..a.len().max(b.len())).map(|at| (index(start + at), a.get(at), b.get(at))).collect()
}

fn entries<'v>(before: &'v Dictionary, after: &'v Dictionary) -> Vec<Child<'v>> {
    let keyed =
        |dictionary: &'v Dictionary| dictionary.entries.iter().map(|(key, value)| (bytes(key), key, value));
    matched(keyed(before), keyed(after), |key, at| match key {
        Value::String(key) | Value::StringName(key) => Step::Key(kept(key)),
        Value::Int(key) => Step::IntKey(*key),
        _ => Step::Entry(at),
    })
}

/// What both have, and what only the first has, in its order; then what only the second has.
fn matched<'v, K: 'v>(
    before: impl Iterator<Item = (Vec<u8>, &'v K, &'v Value)>,
    after: impl Iterator<Item = (Vec<u8>, &'v K, &'v Value)>,
    step: impl Fn(&K, u64) -> Step,
) -> Vec<Child<'v>> {
    let after: Vec<_> = after.collect();
    let by_key: HashMap<&[u8], usize> =
        after.iter().enumerate().map(|(at, (id, ..))| (id.as_slice(), at)).collect();
    let mut is_matched = vec![false; after.len()];
    let mut children = Vec::new();
    for (at, (id, key, value)) in before.enumerate() {
        let partner =
            by_key.get(id.as_slice()).copied().filter(|at| !std::mem::replace(&mut is_matched[*at], true));
        children.push((step(key, at as u64), Some(value), partner.map(|at| after[at].2)));
    }
    for (at, (_, key, value)) in after.iter().enumerate().filter(|(at, _)| !is_matched[*at]) {
        children.push((step(key, at as u64), None, Some(*value)));
    }
    children
}

fn kept(key: &str) -> String {
    key.chars().take(KEPT_CHARS).collect()
}

/// Whether two children have to be looked at: containers of one type are, and their own children tell. So no
/// child is compared once for each container around it.
fn differ(before: Option<&Value>, after: Option<&Value>) -> bool {
    match (before, after) {
        (Some(Value::Array(_)), Some(Value::Array(_)))
        | (Some(Value::Dictionary(_)), Some(Value::Dictionary(_)))
        | (Some(Value::Object(_)), Some(Value::Object(_))) => true,
        (Some(before), Some(after)) => !same(before, after),
        _ => true,
    }
}

/// Equal to the last bit: NaN is NaN, and 0.0 is not -0.0.
fn same(a: &Value, b: &Value) -> bool {
    a.ty() == b.ty() && bytes(a) == bytes(b)
}

/// Godot's bytes of a value; what cannot be written is compared by what it is made of.
fn bytes(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    if value.encode_into(&mut bytes, &Limits::engine()).is_err() {
        bytes.extend(format!("{value:?}").into_bytes());
    }
    bytes
}

fn text(value: &Value) -> String {
    let bytes = bytes(value);
    let mut output = Vec::new();
    let form = json::Form { compact: true, plain: false };
    // A Vec takes everything, and what was just encoded is valid.
    let _ = json::write(&bytes, &crate::looking(), form, &mut output);
    String::from_utf8_lossy(&output).into_owned()
}

//! Finds the differences between two values, by path. Both values are in memory; children are compared in
//! place, without recursion.
//!
//! Entries of dictionaries are matched by key; common keys in another order are a difference of their own.
//! Elements of arrays are matched from both ends, so that an inserted or removed element is reported as such.

use std::collections::{HashMap, VecDeque};

use variant_core::{Array, Dictionary, Path, Step, Value};

use crate::digest::{Digests, bytes};
use crate::document::Document;
use crate::json;
use crate::trail::kept;

/// Says what happened at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is only in the second value.
    Added,
    /// It is only in the first value.
    Removed,
    /// It is another value.
    Changed,
    /// Common keys stand in another order: the bytes differ, and so does the order of a loop.
    Reordered,
    /// It is an equal value in another form: wider than it needs, or with bytes that have no meaning.
    Rewritten,
}

impl Change {
    /// Returns a name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
            Change::Reordered => "reordered",
            Change::Rewritten => "rewritten",
        }
    }
}

/// Holds one difference. Values are JSON on one line; those of `Reordered` are the keys as an array, those of
/// `Rewritten` the bytes as an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The place: in the second value, or in the first for a removed one.
    pub path: String,
    /// The kind of the change.
    pub change: Change,
    /// The value before; `None` when it was added.
    pub before: Option<String>,
    /// The value after; `None` when it was removed.
    pub after: Option<String>,
}

/// Reports every difference between two values, in the order of the places.
pub fn diff<E>(
    before: &Value,
    after: &Value,
    found: &mut dyn FnMut(Difference) -> Result<(), E>,
) -> Result<(), E> {
    diff_named(before, after, [None, None], found)
}

/// Reports the differences of values that may be documents of objects, whose parts have names.
pub(crate) fn diff_named<E>(
    before: &Value,
    after: &Value,
    documents: [Option<&Document>; 2],
    found: &mut dyn FnMut(Difference) -> Result<(), E>,
) -> Result<(), E> {
    let [first, second] = documents;
    let told = |path: Path, of: Option<&Document>| of.map_or(path.clone(), |of| of.path(&path)).to_string();
    let mut digests = Digests::default();
    let mut places = ComparedPlaces(Vec::new());
    // This is a stack: children are pushed backwards.
    let mut tasks = vec![(None, Some(before), Some(after))];
    if before.ty() == after.ty() && bytes(before) == bytes(after) {
        tasks.clear();
    }
    while let Some((place, before, after)) = tasks.pop() {
        let change = match (before, after) {
            (Some(before), Some(after)) => {
                if let Some(Children { all, order }) = children(before, after, &mut digests) {
                    if let Some((before, after)) = order {
                        let (change, path) = (Change::Reordered, told(places.path(place), second));
                        found(Difference { path, change, before: Some(before), after: Some(after) })?;
                    }
                    let below = all.into_iter().rev().filter(|(_, a, b)| differ(*a, *b, &mut digests));
                    tasks.extend(below.map(|(step, a, b)| (places.below(place, step), a, b)));
                    continue;
                }
                Change::Changed
            }
            (None, _) => Change::Added,
            (Some(_), None) => Change::Removed,
        };
        let path = told(places.path(place), if after.is_none() { first } else { second });
        let (before, after) = (before.map(|it| text_in(it, first)), after.map(|it| text_in(it, second)));
        found(Difference { path, change, before, after })?;
    }
    Ok(())
}

/// Holds the places that were visited: the last step to each, and which place is above it. The root is not
/// among them.
struct ComparedPlaces(Vec<(Option<usize>, Step)>);

impl ComparedPlaces {
    fn below(&mut self, above: Option<usize>, step: Step) -> Option<usize> {
        self.0.push((above, step));
        Some(self.0.len() - 1)
    }

    fn path(&self, mut place: Option<usize>) -> Path {
        let mut steps = Vec::new();
        while let Some((above, step)) = place.and_then(|place| self.0.get(place)) {
            steps.push(step.clone());
            place = *above;
        }
        steps.reverse();
        Path(steps)
    }
}

type Child<'v> = (Step, Option<&'v Value>, Option<&'v Value>);

struct Children<'v> {
    all: Vec<Child<'v>>,
    /// The common keys, as JSON, where their order differs.
    order: Option<(String, String)>,
}

/// Matches the children of two containers of one kind, or returns `None` if the values differ as wholes.
fn children<'v>(before: &'v Value, after: &'v Value, digests: &mut Digests) -> Option<Children<'v>> {
    match (before, after) {
        (Value::Array(a), Value::Array(b)) if a.element == b.element => {
            Some(Children { all: elements(a, b, digests), order: None })
        }
        (Value::Dictionary(a), Value::Dictionary(b)) if a.key == b.key && a.value == b.value => {
            Some(entries(a, b))
        }
        (Value::Object(a), Value::Object(b)) if a.class == b.class => {
            let owned = |object: &'v variant_core::Object| {
                object.properties.iter().map(|(name, value)| (name.as_bytes().to_vec(), name, value))
            };
            let shown = |name: &String| text(&Value::String(name.clone()));
            Some(matched(owned(a), owned(b), |name, _| Step::Property(kept(name)), shown))
        }
        _ => None,
    }
}

fn elements<'v>(before: &'v Array, after: &'v Array, digests: &mut Digests) -> Vec<Child<'v>> {
    let (mut a, mut b) = (before.items.as_slice(), after.items.as_slice());
    let index = |at: usize| Step::Index(at as u64);
    let start = a.iter().zip(b).take_while(|(a, b)| digests.are_same(a, b)).count();
    (a, b) = (&a[start..], &b[start..]);
    if a.len() != b.len() {
        let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| digests.are_same(a, b)).count();
        (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    }
    (0..a.len().max(b.len())).map(|at| (index(start + at), a.get(at), b.get(at))).collect()
}

fn entries<'v>(before: &'v Dictionary, after: &'v Dictionary) -> Children<'v> {
    let keyed =
        |dictionary: &'v Dictionary| dictionary.entries.iter().map(|(key, value)| (bytes(key), key, value));
    let step = |key: &Value, at| key.key_step().unwrap_or(Step::Entry(at));
    matched(keyed(before), keyed(after), step, text)
}

/// Matches entries: first those that both have or only the first has, in its order, then those that only the
/// second has. If a key comes more than once, its first entry is matched with the first, and so on.
fn matched<'v, K: 'v>(
    before: impl Iterator<Item = (Vec<u8>, &'v K, &'v Value)>,
    after: impl Iterator<Item = (Vec<u8>, &'v K, &'v Value)>,
    step: impl Fn(&K, u64) -> Step,
    shown: impl Fn(&K) -> String,
) -> Children<'v> {
    let after: Vec<_> = after.collect();
    let mut by_key: HashMap<&[u8], VecDeque<usize>> = HashMap::new();
    for (at, (id, ..)) in after.iter().enumerate() {
        by_key.entry(id).or_default().push_back(at);
    }
    let mut all = Vec::new();
    let mut in_both = Vec::new();
    for (at, (id, key, value)) in before.enumerate() {
        let partner = by_key.get_mut(id.as_slice()).and_then(VecDeque::pop_front);
        in_both.extend(partner);
        all.push((step(key, at as u64), Some(value), partner.map(|at| after[at].2)));
    }
    let order = (!in_both.is_sorted()).then(|| {
        let listed = |places: &[usize]| {
            let keys: Vec<String> = places.iter().map(|at| shown(after[*at].1)).collect();
            format!("[{}]", keys.join(","))
        };
        let before = listed(&in_both);
        in_both.sort_unstable();
        (before, listed(&in_both))
    });
    let mut left: Vec<usize> = by_key.into_values().flatten().collect();
    left.sort_unstable();
    for at in left {
        all.push((step(after[at].1, at as u64), None, Some(after[at].2)));
    }
    Children { all, order }
}

/// Tells whether two children have to be compared: containers of one type are, by their own children.
fn differ(before: Option<&Value>, after: Option<&Value>, digests: &mut Digests) -> bool {
    match (before, after) {
        (Some(Value::Array(_)), Some(Value::Array(_)))
        | (Some(Value::Dictionary(_)), Some(Value::Dictionary(_)))
        | (Some(Value::Object(_)), Some(Value::Object(_))) => true,
        (Some(before), Some(after)) => !digests.are_same(before, after),
        _ => true,
    }
}

fn text(value: &Value) -> String {
    text_in(value, None)
}

/// The value as JSON, with the objects of a document in the places of references.
fn text_in(value: &Value, document: Option<&Document>) -> String {
    let bytes = bytes(value);
    let mut output = Vec::new();
    let form = json::JsonForm { compact: true, plain: false, tags_floats: false };
    // A Vec takes everything, and bytes that were just encoded are valid.
    let _ = json::write_in(&bytes, &crate::looking(), form, document, &mut output);
    String::from_utf8_lossy(&output).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// Makes two arrays of ints that differ at their end, below `levels` arrays; an element more in each of
    /// the outer ones makes both ends of them work.
    fn below(levels: usize) -> (Value, Value) {
        let ints = |last: i64| Value::from((0..20_000).chain([last]).collect::<Array>());
        let within = |inner: Value| Value::from(vec![inner, Value::Nil]);
        let longer = |inner: Value| Value::from(vec![inner, Value::Nil, Value::Nil]);
        let wrap =
            |value: Value, around: &dyn Fn(Value) -> Value| (0..levels).fold(value, |inner, _| around(inner));
        (wrap(ints(-1), &within), wrap(ints(-2), &longer))
    }

    fn compared(levels: usize) -> (usize, Duration) {
        let (before, after) = below(levels);
        let mut count = 0;
        let begin = Instant::now();
        let told: Result<(), ()> = diff(&before, &after, &mut |_| {
            count += 1;
            Ok(())
        });
        assert_eq!(told, Ok(()));
        (count, begin.elapsed())
    }

    /// Tests that depth is cheap: comparing each level by its bytes would take a hundred times as long.
    #[test]
    fn depth_costs_no_second_look_at_what_is_below() {
        let best = |levels| {
            let runs = [compared(levels), compared(levels), compared(levels)];
            assert!(runs.iter().all(|(count, _)| *count == levels + 1), "{runs:?}");
            runs.into_iter().map(|(_, time)| time).min().unwrap_or_default()
        };
        let (shallow, deep) = (best(10), best(1000));
        assert!(deep < shallow * 15, "{deep:?} for 1000 levels, {shallow:?} for 10");
    }
}

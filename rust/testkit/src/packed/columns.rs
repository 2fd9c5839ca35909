//! Reads differences by columns from docs/PACKED_FORMAT.md alone, with one base or two: slow and obvious.

mod column;

use variant_core::Value;
use variant_schema::{Presence, Schema, Shape};

use self::column::{Column, Own, codes, column, take_marks, take_numbers, take_own};
use super::applied::{apply, apply_dict, apply_part, copy, copy_entry, put_sorted};
use super::bits::{Bits, Source, take_gaps};
use super::delta::{has_bits, items, number};
use super::naive::{
    Place, entries, entry, fixed, present, put, put_entry, put_tail, ranged, set, sorted, sorted_map,
};
use super::number::{Kind, Num};
use super::parts;
use super::solid::{Solid, put_one};
use super::turn;

/// The older base, the distance from the newer to the new state, and that between the bases.
#[derive(Clone, Copy)]
pub(super) struct Older<'v>(pub(super) &'v Value, pub(super) i128, pub(super) i128);

/// The names on the way to a leaf.
type Way = Vec<String>;
type Run<'r, R> = &'r mut dyn FnMut(&Place<'_>) -> Option<R>;

/// Reads a difference and appends the full form of the new value.
pub(super) fn root(
    place: &Place<'_>,
    base: &Value,
    older: Option<Older<'_>>,
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    if !source.bit()? {
        return put(place, base, out);
    }
    let is_by_columns = source.bit()?;
    if !is_by_columns || !is_dict(place) {
        return apply(place, base, source, out);
    }
    resolved(place, &mut |place| root_dict(place, base, older, source, out))
}

/// Runs with what a reference stands for that may not be null.
fn resolved<R>(place: &Place<'_>, run: Run<'_, R>) -> Option<R> {
    if place.schema.is_nullable() {
        return run(place);
    }
    place.inside(|place| match place.schema.shape() {
        Shape::Ref(name) => resolved(&place.target(name)?, run),
        _ => run(&place),
    })
}

fn is_dict(place: &Place<'_>) -> bool {
    let found = resolved(place, &mut |place| {
        Some(!place.schema.is_nullable() && matches!(place.schema.shape(), Shape::Dict { .. }))
    });
    found == Some(true)
}

fn keys_of<'k>(schema: &'k Schema, without: Option<&str>) -> Option<Vec<&'k (String, Schema)>> {
    let Shape::Dict { keys, .. } = schema.shape() else { return None };
    Some(sorted(schema, keys, without))
}

/// The ways to all leaves of a dict, which dicts that are always there are no part of.
fn leaves(place: &Place<'_>, without: Option<&str>, way: &mut Way, all: &mut Vec<Way>) -> Option<()> {
    if !is_dict(place) {
        all.push(way.clone());
        return Some(());
    }
    resolved(place, &mut |place| {
        for (name, part) in keys_of(place.schema, without)? {
            way.push(name.clone());
            if *part.presence() == Presence::Required && way.len() < 16 {
                leaves(&place.below(part), None, way, all)?;
            } else {
                all.push(way.clone());
            }
            way.pop();
        }
        Some(())
    })
}

/// Runs with the schema of a leaf.
fn leaf<R>(place: &Place<'_>, way: &[String], run: Run<'_, R>) -> Option<R> {
    let Some((name, rest)) = way.split_first() else { return run(place) };
    resolved(place, &mut |place| {
        let keys = keys_of(place.schema, None)?;
        let (_, part) = keys.into_iter().find(|(key, _)| key == name)?;
        leaf(&place.below(part), rest, run)
    })
}

/// The value of a leaf, if it is there.
fn there<'v>(place: &Place<'_>, way: &[String], value: &'v Value) -> Option<&'v Value> {
    let Some((name, rest)) = way.split_first() else { return Some(value) };
    resolved(place, &mut |place| {
        let keys = keys_of(place.schema, None)?;
        let (_, part) = keys.into_iter().find(|(key, _)| key == name)?;
        there(&place.below(part), rest, present(place, part, entry(value, name))?)
    })
}

fn root_dict(
    place: &Place<'_>,
    base: &Value,
    older: Option<Older<'_>>,
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    let mut likely = base.clone();
    if let Some(older) = older {
        predict_root(place, base, older, source, &mut likely)?;
    }
    let keys = keys_of(place.schema, None)?;
    let before = |name: &str| {
        let (_, part) = keys.iter().find(|(key, _)| key == name)?;
        older.and_then(|older| present(place, part, entry(older.0, name)))
    };
    apply_dict((place, &keys), &likely, source, out, &mut |part, name, was, source, out| {
        if !is_set(part) || !source.bit()? {
            return apply(part, was, source, out);
        }
        let older = older.map(|Older(_, k, g)| (before(name), k, g));
        resolved(part, &mut |part| columns(part, was, older, source, out))
    })
}

/// Puts what is predicted into the root.
fn predict_root(
    place: &Place<'_>,
    base: &Value,
    older: Older<'_>,
    source: &mut Source<'_>,
    likely: &mut Value,
) -> Option<()> {
    let mut all = Vec::new();
    leaves(place, None, &mut Vec::new(), &mut all)?;
    for way in all {
        let (Some(was), Some(before)) = (there(place, &way, base), there(place, &way, older.0)) else {
            continue;
        };
        let Some(column) = leaf(place, &way, &mut column) else { continue };
        if !source.bit()? {
            continue;
        }
        let of = |value| leaf(place, &way, &mut |place| codes(place, value));
        let (a, b) = (of(was)?, of(before)?);
        let found = column.likely(&a, Some((&b, older)), |_| true)?;
        let value = leaf(place, &way, &mut |place| made(place, &found))?;
        replace(likely, &way, value.clone())?;
        // Values say less than codes: a default is none, and a rotation by its basis may be another.
        let again = there(place, &way, likely).and_then(|_| of(&value));
        source.is_odd |= again != Some(found);
    }
    Some(())
}

/// The value of a column's codes.
fn made(place: &Place<'_>, codes: &[u128]) -> Option<Value> {
    resolved(place, &mut |place| {
        let Shape::Type(ty) = place.schema.shape() else { return None };
        if let Some(kind) = number(*ty, place.schema) {
            return Some(match kind.number(codes[0])? {
                Num::Int(number) => Value::Int(number),
                Num::Real(number) => Value::Float(number),
            });
        }
        let (solid, is_wide) = Solid::of(*ty, place.schema)?;
        parts::value(*ty, &solid.made(codes)?, is_wide)
    })
}

fn replace(value: &mut Value, way: &[String], new: Value) -> Option<()> {
    let Some((name, rest)) = way.split_first() else {
        *value = new;
        return Some(());
    };
    let Value::Dictionary(dictionary) = value else { return None };
    let named = |key: &Value| matches!(key, Value::String(key) | Value::StringName(key) if key == name);
    replace(&mut dictionary.entries.iter_mut().find(|(key, _)| named(key))?.1, rest, new)
}

fn is_set(place: &Place<'_>) -> bool {
    let found = resolved(place, &mut |place| {
        let is_keyed = place.schema.demands().packing.keyed.is_some();
        let is_list = matches!(place.schema.shape(), Shape::Array(_) | Shape::Map(..));
        Some(is_keyed && is_list && !place.schema.is_nullable())
    });
    found == Some(true)
}

/// Entries by their keys.
type Entries<'v> = Vec<(u64, &'v Value)>;

/// A keyed array, or a keyed map, whose entries have no key of their own.
struct Set<'s> {
    item: Place<'s>,
    key: Option<&'s str>,
    kind: Kind,
    all: u64,
}

impl<'s> Set<'s> {
    fn of<'p: 's>(place: &'s Place<'p>) -> Option<Set<'s>> {
        match (place.schema.shape(), &place.schema.demands().packing.keyed) {
            (Shape::Array(item), Some(key)) => {
                let (kind, all, _) = set(item, key)?;
                Some(Set { item: place.below(item), key: Some(key), kind, all })
            }
            (Shape::Map(key, value), Some(_)) => {
                let (kind, all) = ranged(key)?;
                Some(Set { item: place.below(value), key: None, kind, all })
            }
            _ => None,
        }
    }

    fn entries<'v>(&self, value: &'v Value) -> Option<Entries<'v>> {
        match (self.key, value) {
            (Some(key), value) => entries(self.kind, key, items(value)?),
            (None, Value::Dictionary(dictionary)) => sorted_map(self.kind, &dictionary.entries),
            _ => None,
        }
    }

    fn keys(&self) -> Option<Vec<&'s (String, Schema)>> {
        keys_of(self.item.schema, self.key)
    }

    /// The full form of an entry.
    fn full(&self, value: &Value) -> Option<Bits> {
        let mut bits = Bits::default();
        match self.key {
            Some(key) => put_entry(&self.item, key, &self.keys()?, value, &mut bits)?,
            None => put(&self.item, value, &mut bits)?,
        }
        Some(bits)
    }

    fn take_new(&self, source: &mut Source<'_>) -> Option<Bits> {
        let mut bits = Bits::default();
        match self.key {
            Some(key) => copy_entry(&self.item, key, source, &mut bits)?,
            None => {
                source.budget = source.budget.checked_sub(1)?;
                copy(&self.item, source, &mut bits)?;
            }
        }
        Some(bits)
    }
}

/// An entry that stays.
struct Kept<'v> {
    key: u64,
    was: &'v Value,
    before: Option<&'v Value>,
    is_moving: bool,
    is_written: bool,
}

/// A leaf of the entries.
struct Leaf {
    way: Way,
    column: Option<(Column, Own)>,
    is_marked: bool,
    /// Whose rotation is not as predicted, by the key.
    charts: Vec<u64>,
}

fn columns(
    place: &Place<'_>,
    base: &Value,
    older: Option<(Option<&Value>, i128, i128)>,
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    let set = Set::of(place)?;
    let mut all = take_table(&set, older.is_some(), source)?;
    let mut kept = take_kept(&set, base, older, source)?;
    for is_moving in [true, false] {
        let some: Vec<&mut Kept<'_>> = kept.iter_mut().filter(|kept| kept.is_moving == is_moving).collect();
        let marks = take_marks(some.len(), source)?;
        some.into_iter().zip(marks).for_each(|(kept, mark)| kept.is_written = mark);
    }
    for leaf in &mut all {
        if leaf.column.as_ref().is_none_or(|(column, _)| column.turn_bits().is_none()) {
            continue;
        }
        let has =
            |kept: &&Kept<'_>| kept.is_written && bases(&set, &leaf.way, kept, older.is_some()).is_some();
        let some: Vec<u64> = kept.iter().filter(has).map(|kept| kept.key).collect();
        let marks = take_marks(some.len(), source)?;
        leaf.charts = some.into_iter().zip(marks).filter(|(_, mark)| *mark).map(|(key, _)| key).collect();
    }
    let mut found = Vec::new();
    for kept in &kept {
        found.push((kept.key, take_entry(&set, &all, kept, older.map(|(_, k, g)| (k, g)), source)?));
    }
    for key in take_gaps(set.all, source)? {
        found.push((key, set.take_new(source)?));
    }
    put_sorted(place, found, set.all, out)
}

fn take_table(set: &Set<'_>, is_double: bool, source: &mut Source<'_>) -> Option<Vec<Leaf>> {
    let mut ways = Vec::new();
    leaves(&set.item, set.key, &mut Vec::new(), &mut ways)?;
    let mut all = Vec::new();
    for way in ways {
        let column = match leaf(&set.item, &way, &mut column) {
            Some(column) if source.bit()? => {
                let own = take_own(&column, is_double, source)?;
                Some((column, own))
            }
            _ => None,
        };
        let is_marked = column.is_some()
            || (leaf(&set.item, &way, &mut |place| Some(has_bits(place)))? && source.bit()?);
        all.push(Leaf { way, column, is_marked, charts: Vec::new() });
    }
    Some(all)
}

fn take_kept<'v>(
    set: &Set<'_>,
    base: &'v Value,
    older: Option<(Option<&'v Value>, i128, i128)>,
    source: &mut Source<'_>,
) -> Option<Vec<Kept<'v>>> {
    let base = set.entries(base)?;
    let before = match older {
        Some((Some(value), ..)) => set.entries(value)?,
        _ => Vec::new(),
    };
    let gone = if source.bit()? { take_marks(base.len(), source)? } else { vec![false; base.len()] };
    let mut kept = Vec::new();
    for ((key, was), _) in base.into_iter().zip(gone).filter(|(_, gone)| !gone) {
        let before = before.iter().find(|(other, _)| *other == key).map(|(_, value)| *value);
        let is_still = before.is_some_and(|before| set.full(before) == set.full(was));
        kept.push(Kept { key, was, before, is_moving: older.is_none() || !is_still, is_written: false });
    }
    Some(kept)
}

/// The values of a leaf in the bases, if both have it.
fn bases<'v>(
    set: &Set<'_>,
    way: &[String],
    kept: &Kept<'v>,
    is_double: bool,
) -> Option<(&'v Value, Option<&'v Value>)> {
    let was = there(&set.item, way, kept.was)?;
    if !is_double {
        return Some((was, None));
    }
    Some((was, Some(there(&set.item, way, kept.before?)?)))
}

fn take_entry(
    set: &Set<'_>,
    all: &[Leaf],
    kept: &Kept<'_>,
    distances: Option<(i128, i128)>,
    source: &mut Source<'_>,
) -> Option<Bits> {
    let mut out = Bits::default();
    if kept.is_written && distances.is_some() && kept.before.is_none() {
        match set.key {
            Some(_) => set.item.inside(|item| {
                let keys = keys_of(item.schema, set.key)?;
                apply_dict((&item, &keys), kept.was, source, &mut out, &mut apply_part)
            })?,
            None => apply(&set.item, kept.was, source, &mut out)?,
        }
        return Some(out);
    }
    let told = take_told(set, all, kept, distances.is_some(), source)?;
    let mut parts = Vec::new();
    for (one, (is, is_own, differs)) in all.iter().zip(told) {
        let mut bits = Bits::default();
        if is {
            leaf(&set.item, &one.way, &mut |place| {
                take_leaf(place, (set, one, kept, distances), (is_own, differs), source, &mut bits)
            })?;
        }
        parts.push((one.way.clone(), is.then_some(bits)));
    }
    assemble(&set.item, set.key, &mut Vec::new(), &parts, &mut out)?;
    Some(out)
}

/// Whether each leaf is there, is told by its column, and is another.
fn take_told(
    set: &Set<'_>,
    all: &[Leaf],
    kept: &Kept<'_>,
    is_double: bool,
    source: &mut Source<'_>,
) -> Option<Vec<(bool, bool, bool)>> {
    let mut told = Vec::new();
    for one in all {
        let is_optional = one.way.split_last().is_some_and(|(name, way)| {
            leaf(&set.item, way, &mut |place| {
                resolved(place, &mut |place| {
                    let keys = keys_of(place.schema, None)?;
                    let (_, part) = keys.into_iter().find(|(key, _)| key == name)?;
                    Some(*part.presence() != Presence::Required)
                })
            }) == Some(true)
        });
        let was = there(&set.item, &one.way, kept.was);
        let is = if !kept.is_written { was.is_some() } else { !is_optional || source.bit()? };
        let has_bases = bases(set, &one.way, kept, is_double).is_some();
        let is_own = one.column.is_some() && has_bases;
        let differs = match was {
            _ if !is || was.is_none() || !kept.is_written => false,
            _ if leaf(&set.item, &one.way, &mut |place| Some(has_bits(place))) != Some(true) => false,
            _ if is_own && one.column.as_ref().is_some_and(|(_, own)| own.dense) => true,
            _ if is_own && one.charts.contains(&kept.key) => true,
            _ => one.is_marked && source.bit()?,
        };
        told.push((is, is_own, differs));
    }
    Some(told)
}

fn take_leaf(
    place: &Place<'_>,
    (set, one, kept, distances): (&Set<'_>, &Leaf, &Kept<'_>, Option<(i128, i128)>),
    (is_own, differs): (bool, bool),
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    let Some(was) = there(&set.item, &one.way, kept.was) else { return copy(place, source, out) };
    let Some((column, own)) = one.column.as_ref().filter(|_| is_own) else {
        return if differs { apply(place, was, source, out) } else { put(place, was, out) };
    };
    let a = codes(place, was)?;
    let (_, before) = bases(set, &one.way, kept, distances.is_some())?;
    let b = before.map_or(Some(Vec::new()), |before| codes(place, before))?;
    let older = distances.map(|(k, g)| (&*b, Older(was, k, g)));
    let mut codes = column.likely(&a, older, |at| own.two.get(at) == Some(&true))?;
    if differs {
        let is_other = one.charts.contains(&kept.key);
        if let (Some(bits), true) = (column.turn_bits(), is_other) {
            let turned = column.turned(&a, older.filter(|_| own.two[column.turn]), bits)?;
            let chart = source.take(2)?;
            codes.truncate(column.turn);
            codes.push(chart);
            codes.extend(turn::without(turned, chart as usize, bits));
        }
        take_numbers(column, own, &mut codes, source)?;
    }
    column.forms.iter().zip(codes).try_for_each(|(form, code)| put_one(form, code, out))
}

/// Writes an entry of its leaves.
fn assemble(
    place: &Place<'_>,
    without: Option<&str>,
    way: &mut Way,
    parts: &[(Way, Option<Bits>)],
    out: &mut Bits,
) -> Option<()> {
    if let Some((_, bits)) = parts.iter().find(|(other, _)| other == way) {
        out.0.extend(bits.iter().flat_map(|bits| &bits.0));
        return Some(());
    }
    resolved(place, &mut |place| {
        let keys = keys_of(place.schema, without)?;
        let (count, may_grow) = fixed(place.schema, &keys);
        let mut all = Vec::new();
        for (name, part) in &keys {
            way.push(name.clone());
            let is = parts
                .iter()
                .any(|(other, bits)| other.starts_with(way) && (other.len() > way.len() || bits.is_some()));
            let mut bits = Bits::default();
            if is {
                assemble(&place.below(part), None, way, parts, &mut bits)?;
            }
            way.pop();
            all.push((*part.presence() != Presence::Required, is.then_some(bits)));
        }
        for (_, bits) in all.iter().take(count).filter(|(is_optional, _)| *is_optional) {
            out.put(u128::from(bits.is_some()), 1);
        }
        let (fixed, grown) = all.split_at(count);
        fixed.iter().for_each(|(_, bits)| out.0.extend(bits.iter().flat_map(|bits| &bits.0)));
        let tail: Vec<_> = grown.iter().map(|(_, bits)| bits.clone()).collect();
        if may_grow { put_tail(&tail, out) } else { Some(()) }
    })
}

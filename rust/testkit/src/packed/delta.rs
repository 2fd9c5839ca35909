//! Writes differences by docs/PACKED_FORMAT.md alone. Differences are told by comparing full forms, again and again: slow and
//! obvious.

use variant_core::{Dictionary, Value, VariantType as T};
use variant_schema::{Presence, Schema, Shape};

use super::bits::{Bits, Count, bits_of, put_gaps, put_mask, zigzag};
use super::naive::{
    Place, bounds, case, choice, entries, entry, of_value, present, put, put_entry, put_there, ranged, set,
    sorted, sorted_map,
};
use super::number::{Kind, Num};
use super::parts;
use super::solid::{Solid, put_one};
use crate::schema::same;

/// The bits of the three nearer distances.
pub(super) fn reaches(width: u32) -> [u32; 3] {
    [(3 * width).div_ceil(8), width.div_ceil(2), (3 * width).div_ceil(4)]
}

fn put_relative(code: u128, base: u128, width: u32, bits: &mut Bits) {
    if width <= 4 {
        return bits.put(code, width);
    }
    let mut distance = zigzag(code.cast_signed() - base.cast_signed());
    for (at, reach) in (0..).zip(reaches(width)) {
        if distance < 1 << reach {
            (0..at).for_each(|_| bits.put(1, 1));
            bits.put(0, 1);
            return bits.put(distance, reach);
        }
        distance -= 1 << reach;
    }
    bits.put(0b111, 3);
    bits.put(code, width);
}

/// Whether a part has bits or counts at all: not null, a literal, or a dict of only such.
pub(super) fn has_bits(place: &Place<'_>) -> bool {
    let schema = place.schema;
    if schema.is_nullable() {
        return true;
    }
    let found = place.inside(|place| {
        Some(match place.schema.shape() {
            Shape::Type(ty) => *ty != T::Nil,
            Shape::Enum(values) => values.len() > 1 || choice(values.len(), place.schema) > 0,
            Shape::Dict { keys, .. } => keys
                .iter()
                .any(|(_, part)| *part.presence() != Presence::Required || has_bits(&place.below(part))),
            Shape::Ref(name) => has_bits(&place.target(name)?),
            _ => true,
        })
    });
    found.unwrap_or(true)
}

/// Writes the difference between two values, without columns.
pub(super) fn root(place: &Place<'_>, base: &Value, new: &Value, bits: &mut Bits) -> Option<()> {
    let has_changed = of_value(place, base)? != of_value(place, new)?;
    bits.put(u128::from(has_changed), 1);
    if has_changed {
        bits.put(0, 1);
        differ(place, base, new, bits)?;
    }
    Some(())
}

/// A bit, and what changed.
fn maybe(place: &Place<'_>, base: &Value, new: &Value, bits: &mut Bits) -> Option<()> {
    if !has_bits(place) {
        return Some(());
    }
    let has_changed = of_value(place, base)? != of_value(place, new)?;
    bits.put(u128::from(has_changed), 1);
    if has_changed { differ(place, base, new, bits) } else { Some(()) }
}

fn differ(place: &Place<'_>, base: &Value, new: &Value, bits: &mut Bits) -> Option<()> {
    if place.schema.is_nullable() {
        bits.put(u128::from(*new != Value::Nil), 1);
        match (base, new) {
            (_, Value::Nil) => return Some(()),
            (Value::Nil, _) => return place.inside(|place| put_there(&place, new, bits)),
            _ => {}
        }
    }
    place.inside(|place| differ_there(&place, base, new, bits))
}

pub(super) fn items(value: &Value) -> Option<&[Value]> {
    if let Value::Array(array) = value { Some(&array.items) } else { None }
}

pub(super) fn dictionary(value: &Value) -> Option<&Dictionary> {
    if let Value::Dictionary(dictionary) = value { Some(dictionary) } else { None }
}

/// Which alternative of a union a value is.
pub(super) fn alternative(place: &Place<'_>, parts: &[Schema], value: &Value) -> Option<usize> {
    parts.iter().position(|part| of_value(&place.below(part), value).is_some())
}

fn differ_there(place: &Place<'_>, base: &Value, new: &Value, bits: &mut Bits) -> Option<()> {
    let schema = place.schema;
    match schema.shape() {
        Shape::Type(ty) => differ_type(place, *ty, (base, new), bits),
        Shape::Ref(name) => differ(&place.target(name)?, base, new, bits),
        Shape::Union(parts) => {
            let (was, is) = (alternative(place, parts, base)?, alternative(place, parts, new)?);
            bits.put(is as u128, choice(parts.len(), schema));
            let part = place.below(&parts[is]);
            if was == is { maybe(&part, base, new, bits) } else { put(&part, new, bits) }
        }
        Shape::Array(item) => match &schema.demands().packing.keyed {
            Some(key) => differ_set(place, (item, key), (items(base)?, items(new)?), bits),
            None => {
                let (base, new) = (items(base)?, items(new)?);
                put_count(place.size(), base.len(), new.len(), bits)?;
                let item = place.below(item);
                differ_rows(base.len(), new.len(), bits, |at, bits, is_new| match is_new {
                    None => Some(of_value(&item, &base[at])? != of_value(&item, &new[at])?),
                    Some(false) => differ(&item, &base[at], &new[at], bits).map(|()| true),
                    Some(true) => put(&item, &new[at], bits).map(|()| true),
                })
            }
        },
        Shape::Map(key, value) if schema.demands().packing.keyed.is_some() => {
            differ_sorted_map(place, (key, value), (base, new), bits)
        }
        Shape::Map(key, value) => differ_map(place, (key, value), (base, new), bits),
        Shape::Tuple(parts) => differ_tuple(place, parts, (items(base)?, items(new)?), bits),
        Shape::Dict { keys, .. } => differ_dict(place, &sorted(place.schema, keys, None), base, new, bits),
        Shape::Discriminated { key, cases } => differ_case(place, (key, cases), (base, new), bits),
        _ => put_there(place, new, bits),
    }
}

fn differ_map(
    place: &Place<'_>,
    (key, value): (&Schema, &Schema),
    (base, new): (&Value, &Value),
    bits: &mut Bits,
) -> Option<()> {
    let (base, new) = (&dictionary(base)?.entries, &dictionary(new)?.entries);
    put_count(place.size(), base.len(), new.len(), bits)?;
    let (key, value) = (place.below(key), place.below(value));
    differ_rows(base.len(), new.len(), bits, |at, bits, is_new| match is_new {
        None => Some(
            of_value(&key, &base[at].0)? != of_value(&key, &new[at].0)?
                || of_value(&value, &base[at].1)? != of_value(&value, &new[at].1)?,
        ),
        Some(false) => {
            maybe(&key, &base[at].0, &new[at].0, bits)?;
            maybe(&value, &base[at].1, &new[at].1, bits).map(|()| true)
        }
        Some(true) => {
            put(&key, &new[at].0, bits)?;
            put(&value, &new[at].1, bits).map(|()| true)
        }
    })
}

fn differ_sorted_map(
    place: &Place<'_>,
    (key, value): (&Schema, &Schema),
    (base, new): (&Value, &Value),
    bits: &mut Bits,
) -> Option<()> {
    let kind = ranged(key)?.0;
    let base = sorted_map(kind, &dictionary(base)?.entries)?;
    let new = sorted_map(kind, &dictionary(new)?.entries)?;
    let part = place.below(value);
    let mut marked = Vec::new();
    for (at, (number, was)) in (0..).zip(&base) {
        let is = new.iter().find(|(other, _)| other == number).map(|(_, value)| *value);
        if is.is_none_or(|is| of_value(&part, was) != of_value(&part, is)) {
            marked.push((at, *was, is));
        }
    }
    put_mask(&marked.iter().map(|(at, ..)| *at).collect::<Vec<_>>(), base.len() as u64, bits)?;
    for (_, was, is) in marked {
        bits.put(u128::from(is.is_none()), 1);
        if let Some(is) = is {
            differ(&part, was, is, bits)?;
        }
    }
    let added = new.iter().filter(|(number, _)| base.iter().all(|(other, _)| other != number));
    let added: Vec<_> = added.collect();
    put_gaps(&added.iter().map(|(number, _)| *number).collect::<Vec<_>>(), bits)?;
    added.iter().try_for_each(|(_, value)| put(&part, value, bits))
}

fn differ_tuple(
    place: &Place<'_>,
    parts: &[Schema],
    (base, new): (&[Value], &[Value]),
    bits: &mut Bits,
) -> Option<()> {
    let least = bounds(parts).0;
    put_count(Count(least as u64, Some(parts.len() as u64)), base.len(), new.len(), bits)?;
    for (at, (part, new)) in parts.iter().zip(new).enumerate() {
        match base.get(at) {
            Some(base) => maybe(&place.below(part), base, new, bits)?,
            None => put(&place.below(part), new, bits)?,
        }
    }
    Some(())
}

fn differ_case(
    place: &Place<'_>,
    (key, cases): (&str, &[(Value, Schema)]),
    (base, new): (&Value, &Value),
    bits: &mut Bits,
) -> Option<()> {
    let at =
        |value| cases.iter().position(|(case, _)| entry(value, key).is_some_and(|told| same(case, told)));
    let (was, is) = (at(base)?, at(new)?);
    bits.put(is as u128, bits_of(cases.len() as u128 - 1));
    let part = &cases[is].1;
    case(place, part, &mut |place, keys| {
        let keys = sorted(place.schema, keys, Some(key));
        if was != is {
            return put_entry(&place, key, &keys, new, bits);
        }
        let full = |value| {
            let mut bits = Bits::default();
            put_entry(&place, key, &keys, value, &mut bits).map(|()| bits)
        };
        let can_change = keys
            .iter()
            .any(|(_, part)| *part.presence() != Presence::Required || has_bits(&place.below(part)));
        let has_changed = full(base)? != full(new)?;
        if can_change {
            bits.put(u128::from(has_changed), 1);
        }
        if has_changed { differ_dict(&place, &keys, base, new, bits) } else { Some(()) }
    })
}

/// A bit "another count", and the count.
fn put_count(count: Count, was: usize, is: usize, bits: &mut Bits) -> Option<()> {
    bits.put(u128::from(was != is), 1);
    if was == is { Some(()) } else { count.put(is, bits) }
}

/// A mask of the common rows that changed, those, and new ones in full. `row` tells whether a row changed, writes what
/// changed of it, or writes all of it.
fn differ_rows(
    was: usize,
    is: usize,
    bits: &mut Bits,
    row: impl Fn(usize, &mut Bits, Option<bool>) -> Option<bool>,
) -> Option<()> {
    let common = was.min(is);
    let mut changed = Vec::new();
    for at in 0..common {
        if row(at, &mut Bits::default(), None)? {
            changed.push(at as u64);
        }
    }
    put_mask(&changed, common as u64, bits)?;
    for at in changed {
        row(at as usize, bits, Some(false))?;
    }
    (common..is).try_for_each(|at| row(at, bits, Some(true)).map(drop))
}

fn differ_dict(
    place: &Place<'_>,
    keys: &[&(String, Schema)],
    base: &Value,
    new: &Value,
    bits: &mut Bits,
) -> Option<()> {
    let (base, new) = (without_defaults(place, keys, base), without_defaults(place, keys, new));
    let mut due = Vec::new();
    for (at, (_, part)) in keys.iter().enumerate() {
        let part = place.below(part);
        let (was, is) = (base[at], new[at]);
        if *part.schema.presence() != Presence::Required {
            bits.put(u128::from(is.is_some()), 1);
        }
        match (was, is) {
            (Some(was), Some(is)) if has_bits(&part) => {
                let has_changed = of_value(&part, was)? != of_value(&part, is)?;
                bits.put(u128::from(has_changed), 1);
                if has_changed {
                    due.push((part, Some(was), is));
                }
            }
            (None, Some(is)) => due.push((part, None, is)),
            _ => {}
        }
    }
    due.into_iter().try_for_each(|(part, was, is)| match was {
        Some(was) => differ(&part, was, is, bits),
        None => put(&part, is, bits),
    })
}

/// Returns what stands under each key, but for defaults.
pub(super) fn without_defaults<'v>(
    place: &Place<'_>,
    keys: &[&(String, Schema)],
    value: &'v Value,
) -> Vec<Option<&'v Value>> {
    keys.iter().map(|(name, part)| present(place, part, entry(value, name))).collect()
}

fn differ_set(
    place: &Place<'_>,
    (item, key): (&Schema, &str),
    (base, new): (&[Value], &[Value]),
    bits: &mut Bits,
) -> Option<()> {
    let (kind, _, keys) = set(item, key)?;
    let (base, new) = (entries(kind, key, base)?, entries(kind, key, new)?);
    let item = place.below(item);
    let full = |value: &Value| {
        let mut bits = Bits::default();
        put_entry(&item, key, &keys, value, &mut bits).map(|()| bits)
    };
    let mut marked = Vec::new();
    for (at, (number, was)) in base.iter().enumerate() {
        let is = new.iter().find(|(other, _)| other == number).map(|(_, value)| *value);
        let has_changed = match is {
            Some(is) => full(was)? != full(is)?,
            None => true,
        };
        if has_changed {
            marked.push((at as u64, *was, is));
        }
    }
    put_mask(&marked.iter().map(|(at, ..)| *at).collect::<Vec<_>>(), base.len() as u64, bits)?;
    for (_, was, is) in marked {
        bits.put(u128::from(is.is_none()), 1);
        if let Some(is) = is {
            item.inside(|item| differ_dict(&item, &keys, was, is, bits))?;
        }
    }
    let added: Vec<_> =
        new.iter().filter(|(number, _)| base.iter().all(|(other, _)| other != number)).collect();
    put_gaps(&added.iter().map(|(number, _)| *number).collect::<Vec<_>>(), bits)?;
    added.iter().try_for_each(|(_, value)| put_entry(&item, key, &keys, value, bits))
}

fn differ_type(place: &Place<'_>, ty: T, (base, new): (&Value, &Value), bits: &mut Bits) -> Option<()> {
    let schema = place.schema;
    if let (Value::Int(_) | Value::Float(_), Some(kind)) = (new, number(ty, schema)) {
        let code = |value: &Value| match value {
            Value::Int(number) => kind.code(Num::Int(*number)),
            Value::Float(number) => kind.code(Num::Real(*number)),
            _ => None,
        };
        let (was, is) = (code(base)?, code(new)?);
        return if kind.has_range() {
            put_relative(is, was, kind.width(), bits);
            Some(())
        } else {
            kind.put_code(is, bits)
        };
    }
    let (Some(was), Some(is)) = (parts::numbers(base), parts::numbers(new)) else {
        return put_there(place, new, bits);
    };
    if let Some((solid, _)) = Solid::of(ty, schema) {
        return differ_solid(&solid, &solid.codes(&was)?, &solid.codes(&is)?, bits);
    }
    let (solid, _) = Solid::element(ty, schema.demands().packing.elements.as_ref())?;
    let rows = |numbers: &[Num]| -> Option<Vec<Vec<u128>>> {
        numbers.chunks(solid.numbers()).map(|row| solid.codes(row)).collect()
    };
    let (was, is) = (rows(&was)?, rows(&is)?);
    put_count(place.size(), was.len(), is.len(), bits)?;
    differ_rows(was.len(), is.len(), bits, |at, bits, is_new| match is_new {
        None => Some(was[at] != is[at]),
        Some(false) => differ_solid(&solid, &was[at], &is[at], bits).map(|()| true),
        Some(true) => solid
            .forms()
            .iter()
            .zip(&is[at])
            .try_for_each(|(form, code)| put_one(form, *code, bits))
            .map(|()| true),
    })
}

pub(super) fn number(ty: T, schema: &Schema) -> Option<Kind> {
    match ty {
        T::Int => Some(Kind::int(schema, None)),
        T::Float => Some(Kind::float(schema, false)),
        _ => None,
    }
}

fn differ_solid(solid: &Solid, was: &[u128], is: &[u128], bits: &mut Bits) -> Option<()> {
    let forms = solid.forms();
    if matches!(solid, Solid::Direction(_) | Solid::Flat(_)) {
        return forms.iter().zip(is).try_for_each(|(form, code)| put_one(form, *code, bits));
    }
    let turn = solid.turn().unwrap_or(forms.len());
    for at in 0..turn {
        if forms.len() > 1 {
            bits.put(u128::from(was[at] != is[at]), 1);
        }
        match &forms[at] {
            _ if was[at] == is[at] => {}
            Ok(kind) if kind.has_range() => put_relative(is[at], was[at], kind.width(), bits),
            form => put_one(form, is[at], bits)?,
        }
    }
    if turn < forms.len() {
        let is_same = was[turn] == is[turn];
        bits.put(u128::from(is_same), 1);
        for at in turn..forms.len() {
            match &forms[at] {
                Err(_) if is_same && at == turn => {}
                Err(width) if is_same => put_relative(is[at], was[at], *width, bits),
                form => put_one(form, is[at], bits)?,
            }
        }
    }
    Some(())
}

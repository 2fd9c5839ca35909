//! Reads differences by docs/PACKED_FORMAT.md alone, and writes the full form of the new value, bit by bit. Nothing is judged
//! here.

use variant_core::{Value, VariantType as T};
use variant_schema::{Presence, Schema, Shape};

use super::bits::{Bits, Count, Source, bits_of, put_mask, take_gaps, take_mask, unzigzag};
use super::delta::{alternative, dictionary, has_bits, items, number, reaches, without_defaults};
use super::naive::{
    Place, bounds, case, choice, entries, entry, fixed, put, put_entry, put_tail, ranged, set, sorted,
    sorted_map,
};
use super::number::{Kind, Num};
use super::parts;
use super::solid::{Solid, put_one, take_one};
use super::taken::{take, take_entry, take_keys, take_there};
use crate::schema::same;

fn apply_maybe(place: &Place<'_>, base: &Value, source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    if has_bits(place) && source.bit()? { apply(place, base, source, out) } else { put(place, base, out) }
}

/// Copies a full form.
pub(super) fn copy(place: &Place<'_>, source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    let start = source.at;
    take(place, source)?;
    out.0.extend(source.since(start));
    Some(())
}

fn copy_there(place: &Place<'_>, source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    let start = source.at;
    take_there(place, source)?;
    out.0.extend(source.since(start));
    Some(())
}

pub(super) fn apply(place: &Place<'_>, base: &Value, source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    if place.schema.is_nullable() {
        let is = source.bit()?;
        out.put(u128::from(is), 1);
        if !is {
            return Some(());
        }
        if *base == Value::Nil {
            return place.inside(|place| copy_there(&place, source, out));
        }
    }
    place.inside(|place| apply_there(&place, base, source, out))
}

fn apply_there(place: &Place<'_>, base: &Value, source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    let schema = place.schema;
    match schema.shape() {
        Shape::Type(ty) => apply_type(place, *ty, base, source, out),
        Shape::Ref(name) => apply(&place.target(name)?, base, source, out),
        Shape::Union(parts) => {
            let width = choice(parts.len(), schema);
            let is = source.take(width)?;
            out.put(is, width);
            let is = usize::try_from(is).ok()?;
            let part = place.below(parts.get(is)?);
            if is == alternative(place, parts, base)? {
                apply_maybe(&part, base, source, out)
            } else {
                copy(&part, source, out)
            }
        }
        Shape::Array(item) => match &schema.demands().packing.keyed {
            Some(key) => apply_set(place, (item, key), items(base)?, source, out),
            None => {
                let base = items(base)?;
                let is = take_count(place.size(), base.len(), source, out)?;
                let item = place.below(item);
                apply_rows(base.len(), is, source, |row, source| match row {
                    Row::Kept(at) => put(&item, &base[at], out),
                    Row::Changed(at) => apply(&item, &base[at], source, out),
                    Row::New => copy(&item, source, out),
                })
            }
        },
        Shape::Map(key, value) if schema.demands().packing.keyed.is_some() => {
            apply_sorted_map(place, (key, value), base, source, out)
        }
        Shape::Map(key, value) => apply_map(place, (key, value), base, source, out),
        Shape::Tuple(parts) => apply_tuple(place, parts, items(base)?, source, out),
        Shape::Dict { keys, .. } => {
            apply_dict((place, &sorted(place.schema, keys, None)), base, source, out, &mut apply_part)
        }
        Shape::Discriminated { key, cases } => apply_case(place, (key, cases), base, source, out),
        _ => copy_there(place, source, out),
    }
}

fn apply_map(
    place: &Place<'_>,
    (key, value): (&Schema, &Schema),
    base: &Value,
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    let base = &dictionary(base)?.entries;
    let is = take_count(place.size(), base.len(), source, out)?;
    let (key, value) = (place.below(key), place.below(value));
    apply_rows(base.len(), is, source, |row, source| match row {
        Row::Kept(at) => {
            put(&key, &base[at].0, out)?;
            put(&value, &base[at].1, out)
        }
        Row::Changed(at) => {
            apply_maybe(&key, &base[at].0, source, out)?;
            apply_maybe(&value, &base[at].1, source, out)
        }
        Row::New => {
            copy(&key, source, out)?;
            copy(&value, source, out)
        }
    })
}

fn apply_sorted_map(
    place: &Place<'_>,
    (key, value): (&Schema, &Schema),
    base: &Value,
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    let (kind, all) = ranged(key)?;
    let base = sorted_map(kind, &dictionary(base)?.entries)?;
    let part = place.below(value);
    let marked = take_mask(base.len() as u64, source)?;
    let mut found: Vec<(u64, Bits)> = Vec::new();
    for (at, (number, was)) in (0..).zip(&base) {
        let mut bits = Bits::default();
        let is_marked = marked.contains(&at);
        if is_marked && source.bit()? {
            continue;
        }
        if is_marked {
            apply(&part, was, source, &mut bits)?;
        } else {
            put(&part, was, &mut bits)?;
        }
        found.push((*number, bits));
    }
    for number in take_gaps(all, source)? {
        source.budget = source.budget.checked_sub(1)?;
        let mut bits = Bits::default();
        copy(&part, source, &mut bits)?;
        found.push((number, bits));
    }
    put_sorted(place, found, all, out)
}

/// Writes entries, each in full but for its key, sorted by those.
pub(super) fn put_sorted(
    place: &Place<'_>,
    mut found: Vec<(u64, Bits)>,
    all: u64,
    out: &mut Bits,
) -> Option<()> {
    found.sort_by_key(|(number, _)| *number);
    if found.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    place.size().put(found.len(), &mut Bits::default())?;
    put_mask(&found.iter().map(|(number, _)| *number).collect::<Vec<_>>(), all, out)?;
    found.into_iter().for_each(|(_, bits)| out.0.extend(bits.0));
    Some(())
}

fn apply_tuple(
    place: &Place<'_>,
    parts: &[Schema],
    base: &[Value],
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    let count = Count(bounds(parts).0 as u64, Some(parts.len() as u64));
    let is = take_count(count, base.len(), source, out)?;
    (0..).zip(parts).take(is).try_for_each(|(at, part)| match base.get(at) {
        Some(base) => apply_maybe(&place.below(part), base, source, out),
        None => copy(&place.below(part), source, out),
    })
}

fn apply_case(
    place: &Place<'_>,
    (key, cases): (&str, &[(Value, Schema)]),
    base: &Value,
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    let width = bits_of(cases.len() as u128 - 1);
    let is = source.take(width)?;
    out.put(is, width);
    let was = cases.iter().position(|(case, _)| entry(base, key).is_some_and(|told| same(case, told)));
    let is = usize::try_from(is).ok()?;
    case(place, &cases.get(is)?.1, &mut |place, keys| {
        let all = sorted(place.schema, keys, Some(key));
        if was != Some(is) {
            let start = source.at;
            take_keys(&place, &all, source)?;
            out.0.extend(source.since(start));
            return Some(());
        }
        let can_change = all
            .iter()
            .any(|(_, part)| *part.presence() != Presence::Required || has_bits(&place.below(part)));
        if can_change && source.bit()? {
            apply_dict((&place, &all), base, source, out, &mut apply_part)
        } else {
            put_entry(&place, key, &all, base, out)
        }
    })
}

fn take_count(count: Count, was: usize, source: &mut Source<'_>, out: &mut Bits) -> Option<usize> {
    let is = if source.bit()? { usize::try_from(count.take(source)?).ok()? } else { was };
    count.put(is, out)?;
    Some(is)
}

enum Row {
    Kept(usize),
    Changed(usize),
    New,
}

fn apply_rows(
    was: usize,
    is: usize,
    source: &mut Source<'_>,
    mut row: impl FnMut(Row, &mut Source<'_>) -> Option<()>,
) -> Option<()> {
    let common = was.min(is);
    let changed = take_mask(common as u64, source)?;
    for at in 0..common {
        row(if changed.contains(&(at as u64)) { Row::Changed(at) } else { Row::Kept(at) }, source)?;
    }
    (common..is).try_for_each(|_| {
        source.budget = source.budget.checked_sub(1)?;
        row(Row::New, source)
    })
}

/// A part of a dict that is another.
pub(super) fn apply_part(
    place: &Place<'_>,
    _: &str,
    base: &Value,
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    apply(place, base, source, out)
}

type Part<'p> = &'p mut dyn FnMut(&Place<'_>, &str, &Value, &mut Source<'_>, &mut Bits) -> Option<()>;

/// Reads a dict, its parts that are another by `changed`.
pub(super) fn apply_dict(
    (place, keys): (&Place<'_>, &[&(String, Schema)]),
    base: &Value,
    source: &mut Source<'_>,
    out: &mut Bits,
    changed: Part<'_>,
) -> Option<()> {
    let (fixed, may_grow) = fixed(place.schema, keys);
    let mut due = Vec::new();
    for (at, ((name, part), was)) in keys.iter().zip(without_defaults(place, keys, base)).enumerate() {
        let part = place.below(part);
        let is_optional = *part.schema.presence() != Presence::Required;
        let is = !is_optional || source.bit()?;
        if is_optional && at < fixed {
            out.put(u128::from(is), 1);
        }
        let has_changed = is && was.is_some() && has_bits(&part) && source.bit()?;
        due.push(is.then_some((part, name, was, has_changed)));
    }
    let mut tail = Vec::new();
    for (at, due) in due.into_iter().enumerate() {
        let mut bits = Bits::default();
        let is = due.is_some();
        match due {
            Some((part, name, Some(was), true)) => changed(&part, name, was, source, &mut bits)?,
            Some((part, _, Some(was), false)) => put(&part, was, &mut bits)?,
            Some((part, _, None, _)) => copy(&part, source, &mut bits)?,
            None => {}
        }
        if at < fixed {
            out.0.extend(bits.0);
        } else {
            tail.push(is.then_some(bits));
        }
    }
    if may_grow { put_tail(&tail, out) } else { Some(()) }
}

fn apply_set(
    place: &Place<'_>,
    (item, key): (&Schema, &str),
    base: &[Value],
    source: &mut Source<'_>,
    out: &mut Bits,
) -> Option<()> {
    let (kind, all, keys) = set(item, key)?;
    let base = entries(kind, key, base)?;
    let item = place.below(item);
    let marked = take_mask(base.len() as u64, source)?;
    let mut found: Vec<(u64, Bits)> = Vec::new();
    for (at, (number, was)) in (0..).zip(&base) {
        let mut bits = Bits::default();
        let is_marked = marked.contains(&at);
        if is_marked && source.bit()? {
            continue;
        }
        if is_marked {
            item.inside(|item| apply_dict((&item, &keys), was, source, &mut bits, &mut apply_part))?;
        } else {
            put_entry(&item, key, &keys, was, &mut bits)?;
        }
        found.push((*number, bits));
    }
    for number in take_gaps(all, source)? {
        let mut bits = Bits::default();
        copy_entry(&item, key, source, &mut bits)?;
        found.push((number, bits));
    }
    put_sorted(place, found, all, out)
}

/// Copies the full form of an entry.
pub(super) fn copy_entry(item: &Place<'_>, key: &str, source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    let Shape::Dict { keys, .. } = item.schema.shape() else { return None };
    let start = source.at;
    source.budget = source.budget.checked_sub(2)?;
    item.inside(|item| take_entry(&item, keys, (key, 0), source))?;
    out.0.extend(source.since(start));
    Some(())
}

fn apply_type(place: &Place<'_>, ty: T, base: &Value, source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    let schema = place.schema;
    if let Some(kind) = number(ty, schema) {
        let was = match base {
            Value::Int(number) => kind.code(Num::Int(*number))?,
            Value::Float(number) => kind.code(Num::Real(*number))?,
            _ => return None,
        };
        if !kind.has_range() {
            return copy_there(place, source, out);
        }
        return kind.put_code(take_relative(was, kind.width(), source)?, out);
    }
    let Some(was) = parts::numbers(base) else { return copy_there(place, source, out) };
    if let Some((solid, _)) = Solid::of(ty, schema) {
        return apply_solid(&solid, &solid.codes(&was)?, source, out);
    }
    let (solid, _) = Solid::element(ty, schema.demands().packing.elements.as_ref())?;
    let was: Option<Vec<_>> = was.chunks(solid.numbers()).map(|row| solid.codes(row)).collect();
    let was = was?;
    let is = take_count(place.size(), was.len(), source, out)?;
    if is > 1 << 21 {
        return None;
    }
    let forms = solid.forms();
    let changed = take_mask(was.len().min(is) as u64, source)?;
    for at in 0..is {
        match was.get(at) {
            Some(was) if changed.contains(&(at as u64)) => apply_solid(&solid, was, source, out)?,
            Some(was) => forms.iter().zip(was).try_for_each(|(form, code)| put_one(form, *code, out))?,
            None => forms.iter().try_for_each(|form| copy_one(form, source, out))?,
        }
    }
    Some(())
}

fn apply_solid(solid: &Solid, was: &[u128], source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    let forms = solid.forms();
    if matches!(solid, Solid::Direction(_) | Solid::Flat(_)) {
        return forms.iter().try_for_each(|form| copy_one(form, source, out));
    }
    let turn = solid.turn().unwrap_or(forms.len());
    let mut is_same = false;
    for (at, form) in forms.iter().enumerate() {
        if at == turn {
            is_same = source.bit()?;
        }
        let is_kept = if at == turn { is_same } else { at < turn && forms.len() > 1 && !source.bit()? };
        match form {
            _ if is_kept => put_one(form, was[at], out)?,
            Ok(kind) if kind.has_range() => {
                put_one(form, take_relative(was[at], kind.width(), source)?, out)?;
            }
            Err(width) if at > turn && is_same => {
                put_one(form, take_relative(was[at], *width, source)?, out)?;
            }
            form => copy_one(form, source, out)?,
        }
    }
    Some(())
}

/// Copies the full form of a number.
fn copy_one(form: &Result<Kind, u32>, source: &mut Source<'_>, out: &mut Bits) -> Option<()> {
    let start = source.at;
    take_one(form, source)?;
    out.0.extend(source.since(start));
    Some(())
}

fn take_relative(base: u128, width: u32, source: &mut Source<'_>) -> Option<u128> {
    if width <= 4 {
        return source.take(width);
    }
    let mut begin = 0;
    for reach in reaches(width) {
        if !source.bit()? {
            let distance = begin + source.take(reach)?;
            let code = u128::try_from(base.cast_signed() + unzigzag(distance)).ok()?;
            // It has to have a form in so many bits.
            return (code >> width == 0).then_some(code);
        }
        begin += 1 << reach;
    }
    source.take(width)
}

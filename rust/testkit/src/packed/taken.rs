//! Unpacks values by a schema as it was written, from docs/PACKED_FORMAT.md alone. Nothing is judged here: what comes out is
//! taken when it is packed to the same bits again.

use variant_core::{Dictionary, NodePath, Value, VariantType as T};
use variant_schema::{Presence, Schema, Shape, alphabet_characters};

use super::bits::{Bits, Count, Source, bits_of, take_mask};
use super::naive::{Place, bounds, case, choice, fixed, ranged, set, sorted};
use super::number::{Kind, Num};
use super::parts;
use super::solid::Solid;

/// Elements of a packed array, beyond which all limits of tests refuse it.
const LONGEST: u64 = 1 << 21;

/// Reads the value that comes next, or gives up.
pub(super) fn take(place: &Place<'_>, source: &mut Source<'_>) -> Option<Value> {
    source.budget = source.budget.checked_sub(1)?;
    if place.schema.is_nullable() && !source.bit()? {
        return Some(Value::Nil);
    }
    place.inside(|place| take_there(&place, source))
}

/// Reads a value without the bit that says whether it is null.
pub(super) fn take_there(place: &Place<'_>, source: &mut Source<'_>) -> Option<Value> {
    let schema = place.schema;
    match schema.shape() {
        Shape::Any => take_any(source),
        Shape::Type(ty) => take_type(place, *ty, source),
        Shape::Enum(values) => {
            values.get(usize::try_from(source.take(choice(values.len(), schema))?).ok()?).cloned()
        }
        Shape::Union(parts) => {
            let part = parts.get(usize::try_from(source.take(choice(parts.len(), schema))?).ok()?)?;
            take(&place.below(part), source)
        }
        Shape::Ref(name) => take(&place.target(name)?, source),
        Shape::Array(item) => match &schema.demands().packing.keyed {
            Some(key) => take_set(place, item, key, source),
            None => {
                let count = place.size().take(source)?;
                let items: Option<Vec<_>> = (0..count).map(|_| take(&place.below(item), source)).collect();
                Some(Value::from(items?))
            }
        },
        Shape::Tuple(items) => {
            let (least, _) = bounds(items);
            let count = Count(least as u64, Some(items.len() as u64)).take(source)?;
            let taken = items.iter().take(usize::try_from(count).ok()?);
            Some(Value::from(taken.map(|item| take(&place.below(item), source)).collect::<Option<Vec<_>>>()?))
        }
        _ => take_entries(place, source),
    }
}

fn take_entries(place: &Place<'_>, source: &mut Source<'_>) -> Option<Value> {
    match place.schema.shape() {
        Shape::Dict { keys, .. } => {
            Some(arranged(keys, take_keys(place, &sorted(place.schema, keys, None), source)?))
        }
        Shape::Map(key, item) if place.schema.demands().packing.keyed.is_some() => {
            let (kind, all) = ranged(key)?;
            let places = take_mask(all, source)?;
            place.size().put(places.len(), &mut Bits::default())?;
            let entry = |number: u64, source: &mut Source<'_>| {
                let Num::Int(key) = kind.number(u128::from(number))? else { return None };
                source.budget = source.budget.checked_sub(1)?;
                Some((Value::Int(key), take(&place.below(item), source)?))
            };
            let entries: Option<Vec<_>> = places.into_iter().map(|number| entry(number, source)).collect();
            Some(dictionary(entries?))
        }
        Shape::Map(key, item) => {
            let count = place.size().take(source)?;
            let entry = |source: &mut Source<'_>| {
                Some((take(&place.below(key), source)?, take(&place.below(item), source)?))
            };
            let entries: Option<Vec<_>> = (0..count).map(|_| entry(source)).collect();
            Some(dictionary(entries?))
        }
        Shape::Discriminated { key, cases } => {
            let at = usize::try_from(source.take(bits_of(cases.len() as u128 - 1))?).ok()?;
            let (told, schema) = cases.get(at)?;
            case(place, schema, &mut |place, keys| {
                let mut entries = vec![(Value::from(key.as_str()), told.clone())];
                entries.extend(take_keys(&place, &sorted(place.schema, keys, Some(key)), source)?);
                let others: Vec<_> = keys.iter().filter(|(name, _)| name != key).cloned().collect();
                Some(arranged(&others, entries))
            })
        }
        _ => None,
    }
}

fn dictionary(entries: Vec<(Value, Value)>) -> Value {
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

/// Reads the keys of a dict in the order of the bits.
pub(super) fn take_keys(
    place: &Place<'_>,
    keys: &[&(String, Schema)],
    source: &mut Source<'_>,
) -> Option<Vec<(Value, Value)>> {
    let (fixed, may_grow) = fixed(place.schema, keys);
    let mut there = Vec::new();
    for (_, part) in &keys[..fixed] {
        there.push(*part.presence() == Presence::Required || source.bit()?);
    }
    let mut found = Vec::new();
    for ((name, part), _) in keys.iter().zip(there).filter(|(_, is_there)| *is_there) {
        found.push((Value::from(name.as_str()), take(&place.below(part), source)?));
    }
    if !may_grow {
        return Some(found);
    }
    let bits = usize::try_from(source.varint()?).ok()?;
    let end = source.at.checked_add(bits).filter(|end| *end <= source.len())?;
    for (name, part) in &keys[fixed..] {
        if source.at < end && source.bit()? {
            found.push((Value::from(name.as_str()), take(&place.below(part), source)?));
        }
    }
    // Keys of a newer schema are passed over, and do not come again.
    source.is_odd |= source.at < end;
    source.at = source.at.max(end);
    (source.at == end).then_some(found)
}

/// Entries in the order in which their keys are declared; what is not among those stays in front.
fn arranged(keys: &[(String, Schema)], mut entries: Vec<(Value, Value)>) -> Value {
    entries.sort_by_key(|(name, _)| {
        keys.iter().position(|(key, _)| Value::from(key.as_str()) == *name).map(|at| at + 1)
    });
    dictionary(entries)
}

fn take_set(place: &Place<'_>, item: &Schema, key: &str, source: &mut Source<'_>) -> Option<Value> {
    let (kind, all, _) = set(item, key)?;
    let Shape::Dict { keys, .. } = item.shape() else { return None };
    let places = take_mask(all, source)?;
    place.size().put(places.len(), &mut Bits::default())?;
    let entry = |number: u64, source: &mut Source<'_>| {
        let Num::Int(number) = kind.number(u128::from(number))? else { return None };
        source.budget = source.budget.checked_sub(2)?;
        place.below(item).inside(|place| take_entry(&place, keys, (key, number), source))
    };
    let items: Option<Vec<Value>> = places.into_iter().map(|number| entry(number, source)).collect();
    Some(Value::from(items?))
}

/// Reads an entry of a set, whose key is known.
pub(super) fn take_entry(
    place: &Place<'_>,
    keys: &[(String, Schema)],
    (key, number): (&str, i64),
    source: &mut Source<'_>,
) -> Option<Value> {
    let mut entries = vec![(Value::from(key), Value::Int(number))];
    entries.extend(take_keys(place, &sorted(place.schema, keys, Some(key)), source)?);
    Some(arranged(keys, entries))
}

fn take_any(source: &mut Source<'_>) -> Option<Value> {
    let count = u64::try_from(source.varint()?).ok()?;
    let bytes = take_bytes(count, source)?;
    let value =
        variant_core::decode(&bytes, &variant_core::Rules::safe(variant_core::Limits::network())).ok()?;
    source.is_odd |= value.encode().ok()? != bytes;
    Some(value)
}

fn take_type(place: &Place<'_>, ty: T, source: &mut Source<'_>) -> Option<Value> {
    let schema = place.schema;
    Some(match ty {
        T::Nil => Value::Nil,
        T::Bool => Value::Bool(source.bit()?),
        T::Int | T::Float => {
            let kind = if ty == T::Int { Kind::int(schema, None) } else { Kind::float(schema, false) };
            match kind.number(kind.take_code(source)?)? {
                Num::Int(number) => Value::Int(number),
                Num::Real(number) => Value::Float(number),
            }
        }
        T::String => Value::String(take_text(schema, source)?),
        T::StringName => Value::StringName(take_text(schema, source)?),
        T::NodePath => {
            let absolute = source.bit()?;
            let (names, subnames) = (source.varint()?, source.varint()?);
            let mut text = |_| {
                let count = u64::try_from(source.varint()?).ok()?;
                take_utf8(count, source)
            };
            let names: Option<Vec<_>> = (0..names).map(&mut text).collect();
            let (names, subnames) = (names?, (0..subnames).map(&mut text).collect::<Option<Vec<_>>>()?);
            Value::NodePath(Box::new(NodePath { absolute, names, subnames }))
        }
        T::Array | T::Dictionary => return take_any(source).filter(|value| value.ty() == ty),
        T::PackedStringArray => {
            let count = place.size().take(source).filter(|count| *count <= LONGEST)?;
            let of = schema.demands().packing.elements.as_ref().unwrap_or(schema);
            Value::PackedStringArray((0..count).map(|_| take_text(of, source)).collect::<Option<_>>()?)
        }
        ty => {
            if let Some((solid, is_wide)) = Solid::of(ty, schema) {
                return parts::value(ty, &solid.take(source)?, is_wide);
            }
            let (solid, is_wide) = Solid::element(ty, schema.demands().packing.elements.as_ref())?;
            let count = place.size().take(source).filter(|count| *count <= LONGEST)?;
            let rows: Option<Vec<_>> = (0..count).map(|_| solid.take(source)).collect();
            return parts::value(ty, &rows?.concat(), is_wide);
        }
    })
}

fn take_text(schema: &Schema, source: &mut Source<'_>) -> Option<String> {
    let demands = schema.demands();
    let (min, max) = (demands.min_chars.unwrap_or(0), demands.max_chars);
    let Some(alphabet) = &demands.packing.alphabet else {
        let count = Count(min, max.map(|max| max.saturating_mul(4))).take(source)?;
        return take_utf8(count, source);
    };
    let alphabet = alphabet_characters(alphabet).ok()?;
    let count = Count(min, max).take(source).filter(|count| *count <= LONGEST)?;
    let width = bits_of(alphabet.len() as u128 - 1);
    (0..count).map(|_| alphabet.get(usize::try_from(source.take(width)?).ok()?).copied()).collect()
}

fn take_bytes(count: u64, source: &mut Source<'_>) -> Option<Vec<u8>> {
    (0..count).map(|_| Some(u8::try_from(source.take(8)?).unwrap_or(0))).collect()
}

fn take_utf8(count: u64, source: &mut Source<'_>) -> Option<String> {
    let text = String::from_utf8(take_bytes(count, source)?).ok()?;
    (!text.contains('\0') && !text.starts_with('\u{FEFF}')).then_some(text)
}

//! Packs values by a schema as it was written: recursive, bit by bit, from docs/PACKED_FORMAT.md alone. It compiles nothing
//! and judges nothing.

use variant_core::{Dictionary, Value, VariantType as T};
use variant_schema::{Presence, Schema, Shape, alphabet_characters};

use super::bits::{Bits, Count, bits_of, put_mask};
use super::number::{Kind, Num};
use super::parts;
use super::solid::Solid;
use crate::schema::same;

/// Levels after which a value is given up; the library's bound is less.
const DEEPEST: usize = 140;

/// A schema with the definitions around it.
#[derive(Clone, Copy)]
pub(super) struct Place<'s> {
    pub(super) schema: &'s Schema,
    pub(super) scope: &'s Scope<'s>,
    pub(super) depth: usize,
}

/// Definitions that a reference may name, the nearest first.
pub(super) struct Scope<'s> {
    pub(super) around: Option<&'s Scope<'s>>,
    pub(super) of: &'s Schema,
}

impl<'s> Scope<'s> {
    fn find(&'s self, name: &str) -> Option<(&'s Schema, &'s Scope<'s>)> {
        match self.of.definitions().get(name) {
            Some(schema) => Some((schema, self)),
            None => self.around?.find(name),
        }
    }
}

impl<'s> Place<'s> {
    pub(super) fn below(&self, schema: &'s Schema) -> Place<'s> {
        Place { schema, depth: self.depth + 1, ..*self }
    }

    /// Runs with the definitions of this schema among those around.
    pub(super) fn inside<R>(&self, run: impl FnOnce(Place<'_>) -> Option<R>) -> Option<R> {
        if self.depth > DEEPEST {
            return None;
        }
        if self.schema.definitions().is_empty() {
            return run(*self);
        }
        let scope = Scope { around: Some(self.scope), of: self.schema };
        run(Place { schema: self.schema, scope: &scope, depth: self.depth })
    }

    /// Returns what a reference leads to.
    pub(super) fn target(&self, name: &str) -> Option<Place<'s>> {
        let (schema, scope) = self.scope.find(name)?;
        Some(Place { schema, scope, depth: self.depth + 1 })
    }

    pub(super) fn size(&self) -> Count {
        Count(self.schema.demands().min_size.unwrap_or(0), self.schema.demands().max_size)
    }
}

/// Keys of a dict with their schemas.
pub(super) type Keys<'k> = Vec<&'k (String, Schema)>;

/// Keys of a dict in the order of their bytes, without this one; those by which it has grown behind them, in their order.
pub(super) fn sorted<'k>(dict: &Schema, keys: &'k [(String, Schema)], without: Option<&str>) -> Keys<'k> {
    let grown = |name: &str| dict.demands().packing.growing.iter().flatten().position(|other| other == name);
    let mut keys: Vec<_> = keys.iter().filter(|(name, _)| Some(name.as_str()) != without).collect();
    keys.sort_by_key(|(name, _)| (grown(name), name.as_bytes()));
    keys
}

/// How many of these keys were there from the beginning, and whether a dict may grow at all.
pub(super) fn fixed(dict: &Schema, keys: &[&(String, Schema)]) -> (usize, bool) {
    let growing = &dict.demands().packing.growing;
    (keys.len() - growing.as_ref().map_or(0, Vec::len), growing.is_some())
}

/// Writes the parts of keys by which a dict has grown, up to the last that is there, behind how many bits they are.
pub(super) fn put_tail(parts: &[Option<Bits>], bits: &mut Bits) -> Option<()> {
    let count = parts.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    let mut tail = Bits::default();
    for part in &parts[..count] {
        tail.put(u128::from(part.is_some()), 1);
        part.iter().for_each(|part| tail.append(part.clone()));
    }
    bits.varint(tail.0.len() as u128)?;
    bits.append(tail);
    Some(())
}

pub(super) fn entry<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let Value::Dictionary(dictionary) = value else { return None };
    let found = dictionary
        .entries
        .iter()
        .find(|(name, _)| matches!(name, Value::String(name) | Value::StringName(name) if name == key));
    found.map(|(_, value)| value)
}

/// The bits that tell `count` things, or as many as there is room for, apart.
pub(super) fn choice(count: usize, schema: &Schema) -> u32 {
    let all = (count as u64).max(schema.demands().packing.room_for.unwrap_or(0));
    bits_of(u128::from(all.saturating_sub(1)))
}

/// How many of the last elements of a tuple are left out where they are defaults: from the first that may be missing on.
pub(super) fn bounds(items: &[Schema]) -> (usize, usize) {
    let least = items.iter().take_while(|item| *item.presence() == Presence::Required).count();
    let filled = items[least..].iter().take_while(|item| matches!(item.presence(), Presence::Default(_)));
    (least, least + filled.count())
}

/// Returns what is there of an optional key, defaults left out.
pub(super) fn present<'v>(place: &Place<'_>, schema: &Schema, value: Option<&'v Value>) -> Option<&'v Value> {
    let value = value?;
    match schema.presence() {
        Presence::Default(default) => {
            let is_default = of_value(&place.below(schema), value) == of_value(&place.below(schema), default);
            (!is_default).then_some(value)
        }
        _ => Some(value),
    }
}

pub(super) fn of_value(place: &Place<'_>, value: &Value) -> Option<Bits> {
    let mut bits = Bits::default();
    put(place, value, &mut bits).map(|()| bits)
}

/// Appends the bits of a value, or gives up.
pub(super) fn put(place: &Place<'_>, value: &Value, bits: &mut Bits) -> Option<()> {
    if place.schema.is_nullable() {
        bits.put(u128::from(*value != Value::Nil), 1);
        if *value == Value::Nil {
            return Some(());
        }
    }
    place.inside(|place| put_there(&place, value, bits))
}

/// Appends a value without the bit that says whether it is null.
pub(super) fn put_there(place: &Place<'_>, value: &Value, bits: &mut Bits) -> Option<()> {
    let schema = place.schema;
    match (schema.shape(), value) {
        (Shape::Any, _) => put_any(value, bits),
        (Shape::Type(ty), _) => put_type(place, *ty, value, bits),
        (Shape::Enum(values), _) => {
            let at = values.iter().position(|listed| same(listed, value))?;
            bits.put(at as u128, choice(values.len(), schema));
            Some(())
        }
        (Shape::Union(parts), _) => {
            let takes = |part| of_value(&place.below(part), value);
            let (at, made) = parts.iter().map(takes).enumerate().find_map(|(at, made)| Some((at, made?)))?;
            bits.put(at as u128, choice(parts.len(), schema));
            bits.append(made);
            Some(())
        }
        (Shape::Ref(name), _) => put(&place.target(name)?, value, bits),
        (Shape::Array(item), Value::Array(array)) => match &schema.demands().packing.keyed {
            Some(key) => put_set(place, (item, key), &array.items, bits),
            None => {
                place.size().put(array.items.len(), bits)?;
                let element = |value| bits.element(|bits| put(&place.below(item), value, bits));
                array.items.iter().try_for_each(element)
            }
        },
        (Shape::Tuple(items), Value::Array(array)) => put_tuple(place, items, &array.items, bits),
        (_, Value::Dictionary(dictionary)) => put_entries(place, value, dictionary, bits),
        _ => None,
    }
}

fn put_entries(place: &Place<'_>, value: &Value, dictionary: &Dictionary, bits: &mut Bits) -> Option<()> {
    match place.schema.shape() {
        Shape::Dict { keys, .. } => {
            put_dict(place, &sorted(place.schema, keys, None), (dictionary, None), bits)
        }
        Shape::Map(key, item) if place.schema.demands().packing.keyed.is_some() => {
            let (kind, all) = ranged(key)?;
            place.size().put(dictionary.entries.len(), &mut Bits::default())?;
            let entries = sorted_map(kind, &dictionary.entries)?;
            put_mask(&entries.iter().map(|(number, _)| *number).collect::<Vec<_>>(), all, bits)?;
            entries.iter().try_for_each(|(_, value)| put(&place.below(item), value, bits))
        }
        Shape::Map(key, item) => {
            place.size().put(dictionary.entries.len(), bits)?;
            dictionary.entries.iter().try_for_each(|entry| {
                bits.element(|bits| {
                    put(&place.below(key), &entry.0, bits)?;
                    put(&place.below(item), &entry.1, bits)
                })
            })
        }
        Shape::Discriminated { key, cases } => {
            let told = entry(value, key)?;
            let at = cases.iter().position(|(case, _)| same(case, told))?;
            bits.put(at as u128, bits_of((cases.len() as u128) - 1));
            case(place, &cases[at].1, &mut |place, keys| {
                put_dict(&place, &sorted(place.schema, keys, Some(key)), (dictionary, Some(key)), bits)
            })
        }
        _ => None,
    }
}

/// Reads or writes by the keys of a dict.
type Run<'r, R> = &'r mut dyn FnMut(Place<'_>, &[(String, Schema)]) -> Option<R>;

/// Runs with the keys of the dict that a case is, or leads to.
pub(super) fn case<R>(place: &Place<'_>, schema: &Schema, run: Run<'_, R>) -> Option<R> {
    place.below(schema).inside(|place| match place.schema.shape() {
        Shape::Ref(name) => {
            let target = place.target(name)?;
            case(&Place { schema: target.schema, ..target }, target.schema, run)
        }
        Shape::Dict { keys, .. } => run(place, keys),
        _ => None,
    })
}

fn put_dict(
    place: &Place<'_>,
    keys: &[&(String, Schema)],
    (dictionary, told): (&Dictionary, Option<&str>),
    bits: &mut Bits,
) -> Option<()> {
    for (at, (name, _)) in dictionary.entries.iter().enumerate() {
        let (Value::String(name) | Value::StringName(name)) = name else { return None };
        let is_known = told == Some(name) || keys.iter().any(|(key, _)| key == name);
        let is_twice = dictionary.entries[..at].iter().any(
            |(other, _)| matches!(other, Value::String(other) | Value::StringName(other) if other == name),
        );
        if !is_known || is_twice {
            return None;
        }
    }
    let value = Value::Dictionary(Box::new(dictionary.clone()));
    let found: Vec<_> = keys.iter().map(|(name, part)| present(place, part, entry(&value, name))).collect();
    let (fixed, may_grow) = fixed(place.schema, keys);
    for ((_, part), found) in keys[..fixed].iter().zip(&found) {
        if *part.presence() != Presence::Required {
            bits.put(u128::from(found.is_some()), 1);
        }
    }
    for ((_, part), found) in keys[..fixed].iter().zip(&found) {
        match found {
            Some(value) => put(&place.below(part), value, bits)?,
            None if *part.presence() == Presence::Required => return None,
            None => {}
        }
    }
    if !may_grow {
        return Some(());
    }
    let mut tail = Vec::new();
    for ((_, part), found) in keys[fixed..].iter().zip(&found[fixed..]) {
        tail.push(match found {
            Some(value) => Some(of_value(&place.below(part), value)?),
            None => None,
        });
    }
    put_tail(&tail, bits)
}

/// The range of a set's key, how many keys that holds, and the other keys.
pub(super) fn set<'k>(item: &'k Schema, key: &str) -> Option<(Kind, u64, Keys<'k>)> {
    let Shape::Dict { keys, .. } = item.shape() else { return None };
    let (kind, all) = ranged(&keys.iter().find(|(name, _)| name == key)?.1)?;
    Some((kind, all, sorted(item, keys, Some(key))))
}

/// How an int with a range is packed, and how many there are in it.
pub(super) fn ranged(schema: &Schema) -> Option<(Kind, u64)> {
    let kind = Kind::int(schema, None);
    let Kind::Range { first, last, .. } = kind else { return None };
    Some((kind, u64::try_from(last - first + 1).ok()?))
}

/// The values of a sorted map with the number of the key of each, sorted by it.
pub(super) fn sorted_map(kind: Kind, entries: &[(Value, Value)]) -> Option<Vec<(u64, &Value)>> {
    let number = |key: &Value| match key {
        Value::Int(number) => u64::try_from(kind.code(Num::Int(*number))?).ok(),
        _ => None,
    };
    let all = entries.iter().map(|(key, value)| Some((number(key)?, value)));
    each_once(all.collect::<Option<Vec<_>>>()?)
}

/// Sorted by their numbers, unless two are the same.
fn each_once(mut all: Vec<(u64, &Value)>) -> Option<Vec<(u64, &Value)>> {
    all.sort_by_key(|(number, _)| *number);
    let is_twice = all.windows(2).any(|pair| pair[0].0 == pair[1].0);
    (!is_twice).then_some(all)
}

/// The entries of a set with the number of each, sorted by it.
pub(super) fn entries<'v>(kind: Kind, key: &str, items: &'v [Value]) -> Option<Vec<(u64, &'v Value)>> {
    let number = |item: &Value| match entry(item, key)? {
        Value::Int(number) => u64::try_from(kind.code(Num::Int(*number))?).ok(),
        _ => None,
    };
    each_once(items.iter().map(|item| Some((number(item)?, item))).collect::<Option<Vec<_>>>()?)
}

fn put_set(place: &Place<'_>, (item, key): (&Schema, &str), items: &[Value], bits: &mut Bits) -> Option<()> {
    let (kind, all, keys) = set(item, key)?;
    Count(place.size().0, place.size().1).put(items.len(), &mut Bits::default())?;
    let entries = entries(kind, key, items)?;
    put_mask(&entries.iter().map(|(number, _)| *number).collect::<Vec<_>>(), all, bits)?;
    entries.iter().try_for_each(|(_, value)| put_entry(&place.below(item), key, &keys, value, bits))
}

pub(super) fn put_entry(
    place: &Place<'_>,
    key: &str,
    keys: &[&(String, Schema)],
    value: &Value,
    bits: &mut Bits,
) -> Option<()> {
    let Value::Dictionary(dictionary) = value else { return None };
    place.inside(|place| put_dict(&place, keys, (dictionary, Some(key)), bits))
}

fn put_tuple(place: &Place<'_>, items: &[Schema], values: &[Value], bits: &mut Bits) -> Option<()> {
    let (least, filled) = bounds(items);
    if values.len() > items.len() {
        return None;
    }
    let made: Vec<Bits> = values
        .iter()
        .zip(items)
        .map(|(value, item)| of_value(&place.below(item), value))
        .collect::<Option<_>>()?;
    let mut count = values.len();
    while count > least && count <= filled {
        let item = &items[count - 1];
        let Presence::Default(default) = item.presence() else { break };
        if of_value(&place.below(item), default).as_ref() != Some(&made[count - 1]) {
            break;
        }
        count -= 1;
    }
    Count(least as u64, Some(items.len() as u64)).put(count, bits)?;
    made.into_iter().take(count).for_each(|made| bits.append(made));
    Some(())
}

fn put_any(value: &Value, bits: &mut Bits) -> Option<()> {
    put_bytes(&value.encode().ok()?, bits)
}

fn put_bytes(bytes: &[u8], bits: &mut Bits) -> Option<()> {
    bits.varint(bytes.len() as u128)?;
    bytes.iter().for_each(|byte| bits.put(u128::from(*byte), 8));
    Some(())
}

/// A text by the schema of it: its characters in the alphabet, or its bytes.
fn put_text(schema: &Schema, text: &str, bits: &mut Bits) -> Option<()> {
    let demands = schema.demands();
    let (min, max) = (demands.min_chars.unwrap_or(0), demands.max_chars);
    if text.contains('\0') || text.starts_with('\u{FEFF}') {
        return None;
    }
    let Some(alphabet) = &demands.packing.alphabet else {
        Count(min, max.map(|max| max.saturating_mul(4))).put(text.len(), bits)?;
        text.bytes().for_each(|byte| bits.put(u128::from(byte), 8));
        return Some(());
    };
    let alphabet = alphabet_characters(alphabet).ok()?;
    Count(min, max).put(text.chars().count(), bits)?;
    let width = bits_of(alphabet.len() as u128 - 1);
    text.chars().try_for_each(|c| {
        let number = alphabet.iter().position(|known| *known == c)? as u128;
        bits.element(|bits| {
            bits.put(number, width);
            Some(())
        })
    })
}

fn put_type(place: &Place<'_>, ty: T, value: &Value, bits: &mut Bits) -> Option<()> {
    let schema = place.schema;
    if value.ty() != ty {
        return None;
    }
    match value {
        Value::Nil => Some(()),
        Value::Bool(value) => {
            bits.put(u128::from(*value), 1);
            Some(())
        }
        Value::Int(number) => {
            let kind = Kind::int(schema, None);
            kind.put_code(kind.code(Num::Int(*number))?, bits)
        }
        Value::Float(number) => {
            let kind = Kind::float(schema, false);
            kind.put_code(kind.code(Num::Real(*number))?, bits)
        }
        Value::String(text) | Value::StringName(text) => put_text(schema, text, bits),
        Value::NodePath(path) => {
            bits.put(u128::from(path.absolute), 1);
            bits.varint(path.names.len() as u128)?;
            bits.varint(path.subnames.len() as u128)?;
            path.names.iter().chain(&path.subnames).try_for_each(|text| put_bytes(text.as_bytes(), bits))
        }
        Value::Array(_) | Value::Dictionary(_) => put_any(value, bits),
        Value::PackedStringArray(texts) => {
            place.size().put(texts.len(), bits)?;
            let of = schema.demands().packing.elements.as_ref().unwrap_or(schema);
            texts.iter().try_for_each(|text| bits.element(|bits| put_text(of, text, bits)))
        }
        value => put_numbers(place, ty, &parts::numbers(value)?, bits),
    }
}

fn put_numbers(place: &Place<'_>, ty: T, numbers: &[Num], bits: &mut Bits) -> Option<()> {
    let schema = place.schema;
    if let Some((solid, _)) = Solid::of(ty, schema) {
        return solid.put(numbers, bits);
    }
    let (solid, _) = Solid::element(ty, schema.demands().packing.elements.as_ref())?;
    place.size().put(numbers.len() / solid.numbers(), bits)?;
    let each = numbers.chunks(solid.numbers());
    each.into_iter().try_for_each(|numbers| bits.element(|bits| solid.put(numbers, bits)))
}

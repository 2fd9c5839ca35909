//! Samples: what was seen of many values, and the schema that says so. No sample is kept, so there may be any number.

use std::collections::{BTreeMap, BTreeSet};

use variant_core::token::Leaf;
use variant_core::{Array, Dictionary, ElementType, Value, VariantType};

use crate::judge;
use crate::literal::leaf_of;
use crate::schema::{Schema, Shape};

/// Levels of a sample; what is deeper may be anything.
const MAX_LEVELS: usize = 32;
/// Texts that an enum may have, and how often each has to have been seen on average: fewer are chance.
const MAX_TEXTS: usize = 8;
const TIMES_EACH: usize = 3;
/// Keys of one Dictionary with names; one with more is a map.
const MAX_NAMES: usize = 64;

/// Says which properties of the samples a schema keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum InferMode {
    /// Many samples: ranges, enums, and maps where names are data. Keys in the order of the alphabet.
    #[default]
    Bounds,
    /// Only types and keys, in their order: a single example shows no bounds.
    Types,
}

/// Values of which a schema is to be made.
#[derive(Debug, Default)]
pub struct Samples {
    manner: InferMode,
    root: Observation,
}

impl Samples {
    /// None yet: their schema accepts everything.
    #[must_use]
    pub fn new() -> Samples {
        Samples::default()
    }

    /// Adds what can be seen in a value.
    pub fn add(&mut self, value: &Value) {
        self.root.merge(self.seen(value, 0));
    }

    /// Adds what was seen of other samples; in what order makes no difference.
    pub fn merge(&mut self, other: Samples) {
        self.root.merge(other.root);
    }

    /// A schema that accepts every sample: the types, ranges and keys that were seen. Keys that were missing somewhere
    /// are optional; texts of which there were few are an enum.
    #[must_use]
    pub fn schema(&self) -> Schema {
        self.root.schema(self.manner)
    }

    fn seen(&self, value: &Value, level: usize) -> Observation {
        if level > MAX_LEVELS {
            return Observation { is_anything: true, ..Observation::default() };
        }
        let mut seen = Observation::default();
        match value {
            Value::Nil => seen.has_nil = true,
            Value::Int(number) => seen.ints = Some((*number, *number)),
            Value::Float(number) => seen.floats = Some(Floats::of(*number)),
            Value::String(text) => seen.strings = SeenTexts::of(text),
            Value::StringName(text) => seen.names = SeenTexts::of(text),
            Value::Array(array) => seen.items = Some(Box::new(self.items(array, level.saturating_add(1)))),
            Value::Dictionary(dictionary) => {
                seen.entries = Some(Box::new(self.entries(dictionary, level.saturating_add(1))));
            }
            other => {
                let is_free = !is_finite(other);
                seen.others.insert(other.ty(), is_free);
            }
        }
        seen
    }

    fn items(&self, array: &Array, level: usize) -> Observation {
        let mut items = if array.items.is_empty() {
            Observation::declared(&array.element)
        } else {
            Observation::default()
        };
        for item in &array.items {
            items.merge(self.seen(item, level));
        }
        items
    }

    fn entries(&self, dictionary: &Dictionary, level: usize) -> SeenMap {
        let mut entries =
            SeenMap { count: 1, may_have_many_names: self.manner == InferMode::Types, ..SeenMap::default() };
        let declared = (Observation::declared(&dictionary.key), Observation::declared(&dictionary.value));
        let declares = !declared.0.declared.is_empty() || !declared.1.declared.is_empty();
        if declares && dictionary.entries.is_empty() {
            entries.map = Some(declared);
        }
        for (key, value) in &dictionary.entries {
            let value = self.seen(value, level);
            match (key, &mut entries.map) {
                (Value::String(name) | Value::StringName(name), None) => {
                    let is_string = key.ty() == VariantType::String;
                    entries.has_strings |= is_string;
                    entries.has_names |= !is_string;
                    let at = entries.named.len();
                    let named = entries.named.entry(name.clone()).or_default();
                    if named.count == 0 {
                        (named.count, named.at) = (1, at);
                    }
                    named.seen.merge(value);
                }
                _ => {
                    entries.add(self.seen(key, level), value);
                }
            }
        }
        entries.bound();
        entries
    }
}

/// Whether the type alone, which asks for finite numbers, accepts it.
fn is_finite(value: &Value) -> bool {
    let bytes = value.encode().unwrap_or_default();
    match leaf_of(&bytes) {
        Some(Leaf::Math(_, lanes) | Leaf::Packed(_, lanes)) => judge::finite(&lanes).is_ok(),
        _ => true,
    }
}

/// Sums up the values that were seen in one place.
#[derive(Debug, Default)]
struct Observation {
    is_anything: bool,
    has_nil: bool,
    ints: Option<(i64, i64)>,
    floats: Option<Floats>,
    strings: SeenTexts,
    names: SeenTexts,
    /// Other types without children, and whether numbers in them were infinite or NaN.
    others: BTreeMap<VariantType, bool>,
    items: Option<Box<Observation>>,
    entries: Option<Box<SeenMap>>,
    /// The types that empty containers around it declare.
    declared: BTreeSet<VariantType>,
}

impl Observation {
    /// Nothing, and what a container tells of it. Objects are declared by class, of which a schema knows nothing.
    fn declared(element: &ElementType) -> Observation {
        let declared = match element {
            ElementType::Builtin(ty) if !matches!(ty, VariantType::Nil | VariantType::Object) => Some(*ty),
            _ => None,
        };
        Observation { declared: declared.into_iter().collect(), ..Observation::default() }
    }

    fn merge(&mut self, other: Observation) {
        self.is_anything |= other.is_anything;
        self.has_nil |= other.has_nil;
        both(&mut self.ints, other.ints, |a, b| *a = (a.0.min(b.0), a.1.max(b.1)));
        both(&mut self.floats, other.floats, Floats::merge);
        self.strings.merge(other.strings);
        self.names.merge(other.names);
        for (ty, is_free) in other.others {
            *self.others.entry(ty).or_default() |= is_free;
        }
        both(&mut self.items, other.items, |items, others| items.merge(*others));
        both(&mut self.entries, other.entries, |entries, others| entries.merge(*others));
        self.declared.extend(other.declared);
    }

    fn schema(&self, manner: InferMode) -> Schema {
        if self.is_anything {
            return Schema::any();
        }
        let mut found = self.found(manner);
        let declared = self.declared.iter().filter(|ty| found.iter().all(|(known, _)| known != *ty));
        let declared: Vec<_> = declared.map(|ty| (*ty, Schema::of_type(*ty))).collect();
        found.extend(declared);
        let one = match found.len() {
            0 if self.has_nil => return Schema::of_type(VariantType::Nil),
            0 => return Schema::any(),
            1 => found.pop().map_or_else(Schema::any, |(_, schema)| schema),
            _ => Schema::union(found.into_iter().map(|(_, schema)| schema)),
        };
        if self.has_nil { one.nullable() } else { one }
    }

    /// The types that were seen, each with its schema.
    fn found(&self, manner: InferMode) -> Vec<(VariantType, Schema)> {
        let ints = |(min, max): (i64, i64)| match manner {
            InferMode::Bounds => Schema::int().min(min).max(max),
            InferMode::Types => Schema::int(),
        };
        let others = self.others.iter().map(|(ty, is_free)| {
            let schema = Schema::of_type(*ty);
            (*ty, if *is_free { schema.allow_non_finite() } else { schema })
        });
        let leaves = [
            (VariantType::Int, self.ints.map(ints)),
            (VariantType::Float, self.floats.as_ref().map(|floats| floats.schema(manner))),
            (VariantType::String, self.strings.schema(manner, VariantType::String, Value::String)),
            (VariantType::StringName, self.names.schema(manner, VariantType::StringName, Value::StringName)),
        ];
        let containers = [
            (VariantType::Array, self.items.as_ref().map(|items| Schema::array(items.schema(manner)))),
            (VariantType::Dictionary, self.entries.as_ref().map(|entries| entries.schema(manner))),
        ];
        let seen = |(ty, schema): (VariantType, Option<Schema>)| schema.map(|schema| (ty, schema));
        leaves
            .into_iter()
            .filter_map(seen)
            .chain(others)
            .chain(containers.into_iter().filter_map(seen))
            .collect()
    }
}

#[derive(Debug)]
struct Floats {
    min: f64,
    max: f64,
    is_free: bool,
}

impl Floats {
    fn of(number: f64) -> Floats {
        Floats { min: number, max: number, is_free: !number.is_finite() }
    }

    fn merge(&mut self, other: Floats) {
        (self.min, self.max) = (self.min.min(other.min), self.max.max(other.max));
        self.is_free |= other.is_free;
    }

    /// Where infinity was seen, a range would say nothing.
    fn schema(&self, manner: InferMode) -> Schema {
        match manner {
            _ if self.is_free => Schema::float().allow_non_finite(),
            InferMode::Bounds => Schema::float().min(self.min).max(self.max),
            InferMode::Types => Schema::float(),
        }
    }
}

/// Texts, as long as there are few.
#[derive(Debug, Default)]
struct SeenTexts {
    count: usize,
    few: BTreeSet<String>,
    is_many: bool,
}

impl SeenTexts {
    fn of(text: &str) -> SeenTexts {
        SeenTexts { count: 1, few: BTreeSet::from([text.to_owned()]), is_many: false }
    }

    fn merge(&mut self, other: SeenTexts) {
        self.count = self.count.saturating_add(other.count);
        self.few.extend(other.few);
        self.is_many |= other.is_many || self.few.len() > MAX_TEXTS;
        if self.is_many {
            self.few.clear();
        }
    }

    fn schema(&self, manner: InferMode, ty: VariantType, value: impl Fn(String) -> Value) -> Option<Schema> {
        if self.count == 0 {
            return None;
        }
        let may_be_enum = manner == InferMode::Bounds && !self.is_many;
        let is_enum = may_be_enum && self.count >= self.few.len().saturating_mul(TIMES_EACH);
        Some(match is_enum {
            true => Schema::enumeration(self.few.iter().cloned().map(value)),
            false => Schema::of_type(ty),
        })
    }
}

/// Dictionaries seen in one place: their names, or once that is no good, what keys and values are alike.
#[derive(Debug, Default)]
struct SeenMap {
    count: u64,
    named: BTreeMap<String, NamedKey>,
    /// Names were Strings, or StringNames.
    has_strings: bool,
    has_names: bool,
    map: Option<(Observation, Observation)>,
    may_have_many_names: bool,
}

/// A key that is a name.
#[derive(Debug, Default)]
struct NamedKey {
    /// How many Dictionaries had it.
    count: u64,
    /// Its place among the others as they came.
    at: usize,
    seen: Observation,
}

impl SeenMap {
    fn merge(&mut self, mut other: SeenMap) {
        self.count = self.count.saturating_add(other.count);
        if self.map.is_some() || other.map.is_some() {
            let (keys, values) = std::mem::take(other.as_map());
            return self.add(keys, values);
        }
        self.has_strings |= other.has_strings;
        self.has_names |= other.has_names;
        let mut others: Vec<(String, NamedKey)> = std::mem::take(&mut other.named).into_iter().collect();
        others.sort_by_key(|(_, named)| named.at);
        for (name, named) in others {
            let at = self.named.len();
            let known = self.named.entry(name).or_insert_with(|| NamedKey { at, ..NamedKey::default() });
            known.count = known.count.saturating_add(named.count);
            known.seen.merge(named.seen);
        }
        self.bound();
    }

    /// Adds what keys that are no names are like, and their values.
    fn add(&mut self, key: Observation, value: Observation) {
        let (keys, values) = self.as_map();
        keys.merge(key);
        values.merge(value);
    }

    /// More names than a Dictionary with names has are data.
    fn bound(&mut self) {
        if self.named.len() > MAX_NAMES && !self.may_have_many_names {
            self.as_map();
        }
    }

    /// The names become keys like others.
    fn as_map(&mut self) -> &mut (Observation, Observation) {
        let named = std::mem::take(&mut self.named);
        let (keys, values) = self.map.get_or_insert_default();
        // Names of a map are data: never an enum.
        let names = || SeenTexts { count: named.len(), few: BTreeSet::new(), is_many: true };
        if std::mem::take(&mut self.has_strings) {
            keys.strings.merge(names());
        }
        if std::mem::take(&mut self.has_names) {
            keys.names.merge(names());
        }
        for named in named.into_values() {
            values.merge(named.seen);
        }
        self.map.get_or_insert_default()
    }

    fn schema(&self, manner: InferMode) -> Schema {
        if let Some((keys, values)) = &self.map {
            return Schema::map(keys.schema(manner), values.schema(manner));
        }
        let mut named: Vec<(&String, &NamedKey)> = self.named.iter().collect();
        if manner == InferMode::Types {
            named.sort_by_key(|(_, named)| named.at);
        }
        let keys = named.into_iter().map(|(name, named)| {
            let schema = named.seen.schema(manner);
            (name.clone(), if named.count < self.count { schema.optional() } else { schema })
        });
        Schema::new(Shape::Dict { keys: keys.collect(), open: false })
    }
}

/// Merges both, or keeps the one there is.
fn both<T>(mine: &mut Option<T>, other: Option<T>, merge: impl FnOnce(&mut T, T)) {
    match (mine.as_mut(), other) {
        (Some(mine), Some(other)) => merge(mine, other),
        (None, other) => *mine = other,
        (Some(_), None) => {}
    }
}

impl Schema {
    /// A schema that accepts values like this one, and this one itself. Elements of an Array are described together: of
    /// Dictionaries, a key that some lack is optional; of several types, any of them will do. An empty container says what
    /// types it declares. A Dictionary with other keys than text is a map.
    ///
    /// ```
    /// use variant_core::Value;
    /// use variant_schema::Schema;
    ///
    /// let example = Value::from([Value::from([("id", 1)]), Value::from([("id", 2), ("hp", 80)])]);
    /// let wanted = Schema::array(Schema::dict([("id", Schema::int()), ("hp?", Schema::int())]));
    /// assert_eq!(Schema::from_example(&example), wanted);
    /// ```
    #[must_use]
    pub fn from_example(value: &Value) -> Schema {
        let mut samples = Samples { manner: InferMode::Types, ..Samples::default() };
        samples.add(value);
        samples.schema()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::Checker;

    fn dictionary(entries: Vec<(Value, Value)>) -> Value {
        Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
    }

    fn text(text: &str) -> Value {
        Value::String(text.to_owned())
    }

    fn inferred(values: &[Value]) -> Schema {
        let mut samples = Samples::new();
        for value in values {
            samples.add(value);
        }
        let schema = samples.schema();
        let program = schema.compile().expect("what was seen contradicts nothing");
        for value in values {
            assert_eq!(Checker::new().check(&program, value), Ok(()), "{value:?}");
        }
        schema
    }

    #[test]
    fn ranges_keys_and_enums_are_seen() {
        let sample = |hp: i64, act: &str| {
            let mut entries = vec![(text("hp"), Value::Int(hp)), (text("act"), text(act))];
            if hp > 5 {
                entries.push((text("note"), Value::Nil));
            }
            dictionary(entries)
        };
        let values: Vec<Value> =
            (0..6).map(|hp| sample(hp * 3, if hp % 2 == 0 { "jump" } else { "run" })).collect();
        let expected = Schema::dict([
            ("act", Schema::enumeration([text("jump"), text("run")])),
            ("hp", Schema::int().min(0).max(15)),
            ("note?", Schema::of_type(VariantType::Nil)),
        ]);
        assert_eq!(inferred(&values), expected);
    }

    #[test]
    fn what_differs_is_a_union() {
        let values = [Value::Nil, Value::Int(7), Value::Float(f64::NAN), text("a"), Value::Bool(true)];
        let schema = inferred(&values);
        assert!(schema.is_nullable());
        assert!(matches!(schema.shape(), Shape::Union(found) if found.len() == 4), "{schema:?}");
    }

    #[test]
    fn keys_that_are_data_make_a_map() {
        let numbered = dictionary((0..3).map(|id| (Value::Int(id), Value::Float(0.5))).collect());
        let mixed = dictionary(vec![(text("a"), Value::Nil), (Value::Int(9), Value::Nil)]);
        let many = dictionary((0..100).map(|id| (text(&format!("k{id}")), Value::Int(id))).collect());
        for values in [vec![numbered.clone()], vec![mixed.clone()], vec![numbered, mixed, many.clone()]] {
            assert!(matches!(inferred(&values).shape(), Shape::Map(..)));
        }
        assert!(matches!(inferred(std::slice::from_ref(&many)).shape(), Shape::Map(..)));
        assert!(matches!(inferred(&[many.clone(), many]).shape(), Shape::Map(..)));
    }
}

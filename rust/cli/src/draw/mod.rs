//! Draws values that a schema accepts, for test vectors. It knows what most demands ask for; whoever uses a value lets
//! the schema judge it and draws again where it is refused.

mod numbers;
mod random;

use variant_core::{Array, Dictionary, Value};
use variant_schema::{Demands, Presence, Schema, Scope, Shape, alphabet_characters};

pub(crate) use random::Random;

/// The levels below which nothing grows any more: null and empty lists are drawn where they may be.
const MOST_LEVELS: u32 = 6;
/// The most elements, entries and characters beyond the least that are drawn.
const MOST_MORE: u64 = 5;
/// The draws after which a list without equal elements stays as short as it is.
const MOST_DRAWS: usize = 50;

pub(crate) fn value(schema: &Schema, random: &mut Random) -> Value {
    Drawing { random, level: 0 }.value(schema, &Scope::root(schema))
}

struct Drawing<'r> {
    random: &'r mut Random,
    level: u32,
}

impl Drawing<'_> {
    fn part(&mut self, schema: &Schema, scope: &Scope<'_>) -> Value {
        self.level += 1;
        let drawn = self.value(schema, scope);
        self.level -= 1;
        drawn
    }

    fn value(&mut self, schema: &Schema, around: &Scope<'_>) -> Value {
        let is_deep = self.level > MOST_LEVELS;
        if schema.is_nullable() && (is_deep || self.random.one_in(5)) || self.level > 100 {
            return Value::Nil;
        }
        let scope = around.part(schema);
        let demands = schema.demands();
        match schema.shape() {
            Shape::Any => self.anything(),
            Shape::Type(ty) => numbers::of_type(*ty, schema, self.random),
            Shape::Enum(values) => self.random.pick(values).cloned().unwrap_or(Value::Nil),
            Shape::Union(parts) => match self.random.pick(parts) {
                Some(part) => self.part(part, &scope),
                None => Value::Nil,
            },
            Shape::Ref(name) => match scope.find(name) {
                Some((found, scope)) => self.part(found, scope),
                None => Value::Nil,
            },
            Shape::Array(item) => self.array(item, demands, &scope),
            Shape::Tuple(items) => self.tuple(items, &scope),
            Shape::Dict { keys, .. } => Value::Dictionary(Box::new(self.dict(keys, &scope))),
            Shape::Map(key, value) => self.map(key, value, demands, &scope),
            Shape::Discriminated { key, cases } => self.case(key, cases, &scope),
            _ => Value::Nil,
        }
    }

    fn anything(&mut self) -> Value {
        match self.random.below(3) {
            0 => Value::Nil,
            1 => Value::Int(7),
            _ => Value::from("any"),
        }
    }

    fn count(&mut self, demands: &Demands) -> u64 {
        match self.level > MOST_LEVELS {
            true => demands.min_size.unwrap_or(0),
            false => count(self.random, demands.min_size, demands.max_size),
        }
    }

    fn array(&mut self, item: &Schema, demands: &Demands, scope: &Scope<'_>) -> Value {
        let count = self.count(demands);
        let mut items: Vec<Value> = Vec::new();
        let key = demands.packing.keyed.as_deref();
        let mut draws = 0;
        while (items.len() as u64) < count && draws < MOST_DRAWS {
            draws += 1;
            let drawn = self.part(item, scope);
            let is_twice = match key {
                Some(key) => items.iter().any(|other| under(other, key) == under(&drawn, key)),
                None => demands.unique && items.contains(&drawn),
            };
            if !is_twice {
                items.push(drawn);
            }
        }
        Value::from(items)
    }

    fn tuple(&mut self, items: &[Schema], scope: &Scope<'_>) -> Value {
        let least = items.iter().take_while(|item| *item.presence() == Presence::Required).count();
        let more = self.random.below((items.len() - least) as u64 + 1);
        let drawn = items.iter().take(least + more as usize);
        Value::Array(Box::new(Array {
            items: drawn.map(|item| self.part(item, scope)).collect(),
            ..Array::default()
        }))
    }

    fn dict(&mut self, keys: &[(String, Schema)], scope: &Scope<'_>) -> Dictionary {
        let mut drawn = Dictionary::default();
        for (key, schema) in keys {
            let may_miss = *schema.presence() != Presence::Required;
            if may_miss && (self.level > MOST_LEVELS || self.random.one_in(2)) {
                continue;
            }
            let value = self.part(schema, scope);
            drawn.entries.push((Value::from(key.as_str()), value));
        }
        drawn
    }

    fn map(&mut self, key: &Schema, value: &Schema, demands: &Demands, scope: &Scope<'_>) -> Value {
        let mut drawn = Dictionary::default();
        let mut draws = 0;
        let count = self.count(demands);
        while (drawn.entries.len() as u64) < count && draws < MOST_DRAWS {
            draws += 1;
            let key = self.part(key, scope);
            if drawn.entries.iter().any(|(other, _)| *other == key) {
                continue;
            }
            let value = self.part(value, scope);
            drawn.entries.push((key, value));
        }
        Value::Dictionary(Box::new(drawn))
    }

    fn case(&mut self, key: &str, cases: &[(Value, Schema)], scope: &Scope<'_>) -> Value {
        let Some((told, case)) = self.random.pick(cases) else { return Value::Nil };
        let mut value = self.part(case, scope);
        if let Value::Dictionary(drawn) = &mut value {
            drawn.entries.retain(|(name, _)| *name != Value::from(key));
            drawn.entries.insert(0, (Value::from(key), told.clone()));
        }
        value
    }
}

fn under<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let Value::Dictionary(dictionary) = value else { return None };
    dictionary.entries.iter().find(|(name, _)| *name == Value::from(key)).map(|(_, value)| value)
}

fn count(random: &mut Random, min: Option<u64>, max: Option<u64>) -> u64 {
    let least = min.unwrap_or(0);
    let more = max.map_or(MOST_MORE, |max| max.saturating_sub(least).min(MOST_MORE));
    least + random.below(more + 1)
}

/// Draws a text of the characters that a schema allows. A pattern is not looked at.
fn text(schema: &Schema, random: &mut Random) -> String {
    const LETTERS: [char; 12] = ['a', 'b', 'c', 'x', 'y', 'z', '0', '9', '_', ' ', 'ä', '\u{1F600}'];
    let demands = schema.demands();
    let count = count(random, demands.min_chars, demands.max_chars);
    let alphabet =
        demands.packing.alphabet.as_deref().and_then(|alphabet| alphabet_characters(alphabet).ok());
    // Plain letters are in most patterns.
    let letters = match &alphabet {
        Some(alphabet) => alphabet.as_slice(),
        None if demands.pattern.is_some() || random.one_in(2) => &LETTERS[..6],
        None => &LETTERS,
    };
    (0..count).filter_map(|_| random.pick(letters)).collect()
}

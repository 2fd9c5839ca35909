//! Moves values on: numbers go on as they did and the rest stays, so that a third value is near what the first two predict.

use variant_core::{Value, VariantType as T};
use variant_schema::{Number as Bound, Schema, Shape};

use super::number::Num;
use super::parts;

/// Levels that are moved.
const DEPTH: usize = 8;

/// Says by how much each number moves: the same each time for the same seed, and seldom by more or less.
pub(super) struct Way<'s> {
    root: &'s Schema,
    seed: u64,
    /// Changes now and then what else would go on.
    noise: u64,
}

fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 40
}

impl<'s> Way<'s> {
    pub(super) fn new(root: &'s Schema, data: &[u8], noise: u64) -> Way<'s> {
        let seed = data.iter().fold(7, |seed: u64, byte| seed.wrapping_mul(31) ^ u64::from(*byte));
        Way { root, seed, noise: seed ^ noise }
    }

    /// The next value on this way.
    pub(super) fn moved(mut self, value: &Value) -> Value {
        self.value(self.root, value, DEPTH)
    }

    /// Steps to go: half of all stand still.
    fn steps(&mut self) -> i64 {
        let steps = (next(&mut self.seed) % 9) as i64 - 4;
        let is_still = next(&mut self.seed).is_multiple_of(2);
        let noise = if next(&mut self.noise).is_multiple_of(8) { 1 } else { 0 };
        if is_still { 0 } else { steps + noise }
    }

    fn value(&mut self, schema: &Schema, value: &Value, depth: usize) -> Value {
        let Some(below) = depth.checked_sub(1) else { return value.clone() };
        match (schema.shape(), value) {
            (Shape::Ref(name), _) => match self.root.definitions().get(name) {
                Some(schema) => self.value(schema, value, below),
                None => value.clone(),
            },
            (Shape::Type(ty), _) => self.of_type(*ty, schema, value),
            (Shape::Array(item), Value::Array(array)) => {
                let key = schema.demands().packing.keyed.as_deref();
                let mut items: Vec<Value> =
                    array.items.iter().map(|value| self.entry(item, key, value, below)).collect();
                if next(&mut self.noise).is_multiple_of(12) {
                    items.pop();
                }
                Value::from(items)
            }
            (Shape::Map(_, of), Value::Dictionary(map)) => {
                let mut map = map.clone();
                map.entries.iter_mut().for_each(|(_, value)| *value = self.value(of, value, below));
                Value::Dictionary(map)
            }
            (Shape::Dict { .. }, _) => self.entry(schema, None, value, below),
            _ => value.clone(),
        }
    }

    /// A Dictionary, whose key stays.
    fn entry(&mut self, schema: &Schema, key: Option<&str>, value: &Value, depth: usize) -> Value {
        let (Shape::Dict { keys, .. }, Value::Dictionary(dictionary)) = (schema.shape(), value) else {
            return self.value(schema, value, depth);
        };
        let mut dictionary = dictionary.clone();
        for (name, value) in &mut dictionary.entries {
            let Value::String(name) = name else { continue };
            if let Some((_, part)) = keys.iter().find(|(key, _)| key == name)
                && key != Some(name)
            {
                *value = self.value(part, value, depth);
            }
        }
        Value::Dictionary(dictionary)
    }

    fn of_type(&mut self, ty: T, schema: &Schema, value: &Value) -> Value {
        let demands = schema.demands();
        match value {
            Value::Int(number) => {
                let step = match demands.multiple_of {
                    Some(Bound::Int(step)) => step,
                    _ => 1,
                };
                let moved = number.wrapping_add(self.steps().wrapping_mul(step));
                let least = if let Some(Bound::Int(min)) = demands.min { min } else { i64::MIN };
                let most = if let Some(Bound::Int(max)) = demands.max { max } else { i64::MAX };
                Value::Int(if (least..=most).contains(&moved) { moved } else { *number })
            }
            Value::Float(number) => Value::Float(number + self.steps() as f64 / 8.0),
            _ => {
                let Some(numbers) = parts::numbers(value) else { return value.clone() };
                let moved = numbers.iter().map(|number| match number {
                    Num::Int(number) => Num::Int(number.wrapping_add(self.steps())),
                    Num::Real(number) => Num::Real(number + self.steps() as f64 / 8.0),
                });
                let moved: Vec<Num> = moved.collect();
                parts::value(ty, &moved, false).unwrap_or_else(|| value.clone())
            }
        }
    }
}

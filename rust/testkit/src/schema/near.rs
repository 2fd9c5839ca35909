//! Makes values near a schema: built to fit, with something else put in here and there.

use variant_core::{Array, Dictionary, ElementType, NodePath, PackedReals, Reals, Value, VariantType};
use variant_schema::{Definitions, Number, Presence, Schema, Shape};

use super::Draw;
use super::random::{KEYS, literal};

const DEPTH: usize = 8;

/// Makes a value that may fit the schema.
pub(super) fn value(schema: &Schema, draw: &mut Draw<'_>) -> Value {
    Near { definitions: schema.definitions() }.value(schema, draw, DEPTH)
}

struct Near<'s> {
    definitions: &'s Definitions,
}

impl Near<'_> {
    fn value(&self, schema: &Schema, draw: &mut Draw<'_>, depth: usize) -> Value {
        if depth == 0 || draw.one_in(20) {
            return any(draw);
        }
        if schema.is_nullable() && draw.one_in(4) {
            return Value::Nil;
        }
        match schema.shape() {
            Shape::Type(ty) => of_type(*ty, schema, draw),
            Shape::Enum(values) => values.get(draw.below(values.len())).cloned().unwrap_or(Value::Nil),
            Shape::Union(alternatives) => match alternatives.get(draw.below(alternatives.len())) {
                Some(alternative) => self.value(alternative, draw, depth - 1),
                None => any(draw),
            },
            Shape::Array(item) => {
                let count = draw.below(4);
                array((0..count).map(|_| self.value(item, draw, depth - 1)).collect(), draw)
            }
            Shape::Tuple(items) => array(self.items(items, draw, depth), draw),
            Shape::Dict { keys, .. } => dictionary(self.entries(keys, draw, depth), draw),
            Shape::Map(key, item) => dictionary(self.mapped(key, item, draw, depth), draw),
            Shape::Ref(name) => match self.definitions.get(name) {
                Some(schema) => self.value(schema, draw, depth - 1),
                None => any(draw),
            },
            Shape::Discriminated { key, cases } => {
                let (told, case) = &cases[draw.below(cases.len())];
                match case.shape() {
                    Shape::Dict { keys, .. } => dictionary(self.case((key, told), keys, draw, depth), draw),
                    _ => any(draw),
                }
            }
            _ => any(draw),
        }
    }

    /// Makes as many items as are required, one more, or one less.
    fn items(&self, items: &[Schema], draw: &mut Draw<'_>, depth: usize) -> Vec<Value> {
        let mut items: Vec<_> = items.iter().map(|item| self.value(item, draw, depth - 1)).collect();
        if draw.one_in(10) {
            items.push(Value::Nil);
        } else if draw.one_in(4) {
            items.pop();
        }
        items
    }

    fn mapped(&self, key: &Schema, item: &Schema, draw: &mut Draw<'_>, depth: usize) -> Vec<(Value, Value)> {
        let entries = (0..draw.below(3)).map(|at| {
            let key = match key.shape() {
                Shape::Type(VariantType::Int) => Value::Int(i64::try_from(at).unwrap_or(0)),
                _ => Value::String(format!("{at}{}", draw.text())),
            };
            (key, self.value(item, draw, depth - 1))
        });
        entries.collect()
    }

    /// Makes the entries of a case, and somewhere among them the entry that tells which case it is, rightly
    /// or not.
    fn case(
        &self,
        (key, told): (&str, &Value),
        keys: &[(String, Schema)],
        draw: &mut Draw<'_>,
        depth: usize,
    ) -> Vec<(Value, Value)> {
        let mut entries = self.entries(keys, draw, depth);
        let at = draw.below(entries.len() + 1);
        let told = if draw.one_in(8) { literal(draw) } else { told.clone() };
        entries.insert(at, (Value::String(key.to_owned()), told));
        entries
    }

    fn entries(&self, keys: &[(String, Schema)], draw: &mut Draw<'_>, depth: usize) -> Vec<(Value, Value)> {
        let mut entries = Vec::new();
        for (name, schema) in keys {
            let is_left_out =
                if *schema.presence() == Presence::Required { draw.one_in(16) } else { draw.one_in(2) };
            if !is_left_out {
                let key = if draw.one_in(4) {
                    Value::StringName(name.clone())
                } else {
                    Value::String(name.clone())
                };
                entries.push((key, self.value(schema, draw, depth - 1)));
            }
        }
        if draw.one_in(10) {
            let name = KEYS[draw.below(KEYS.len())];
            if !keys.iter().any(|(known, _)| known == name) && name != "kind" {
                entries.push((Value::String(name.to_owned()), any(draw)));
            }
        }
        if draw.one_in(12) {
            entries.push((Value::Int(-1), Value::Nil));
        }
        if draw.one_in(3) {
            entries.reverse();
        }
        entries
    }
}

fn array(items: Vec<Value>, draw: &mut Draw<'_>) -> Value {
    let element = match items.first() {
        Some(first) if draw.one_in(8) => ElementType::Builtin(first.ty()),
        None if draw.one_in(2) => declared(draw),
        _ => ElementType::None,
    };
    Value::Array(Box::new(Array { element, items }))
}

/// Makes the declaration of an empty container: a type that schemas often have, or any.
fn declared(draw: &mut Draw<'_>) -> ElementType {
    use VariantType as T;
    const OFTEN: [VariantType; 5] = [T::Int, T::String, T::Float, T::Array, T::Dictionary];
    ElementType::Builtin(match draw.below(8) {
        at @ 0..5 => OFTEN[at],
        _ => T::ALL[draw.below(T::ALL.len())],
    })
}

/// Makes a Dictionary, now and then typed as its first entry is.
fn dictionary(entries: Vec<(Value, Value)>, draw: &mut Draw<'_>) -> Value {
    let mut made = Dictionary { entries, ..Dictionary::default() };
    if made.entries.is_empty() && draw.one_in(2) {
        (made.key, made.value) = (declared(draw), declared(draw));
    }
    if let Some((key, value)) = made.entries.first()
        && draw.one_in(8)
    {
        let (key, value) = (ElementType::Builtin(key.ty()), ElementType::Builtin(value.ty()));
        (made.key, made.value) = match draw.below(3) {
            0 => (key, ElementType::None),
            1 => (ElementType::None, value),
            _ => (key, value),
        };
    }
    Value::Dictionary(Box::new(made))
}

fn any(draw: &mut Draw<'_>) -> Value {
    match draw.below(10) {
        0..=3 => literal(draw),
        4 => Value::Nil,
        5 => array(vec![Value::Int(1), Value::Int(1)], draw),
        6 => dictionary(vec![(Value::String("a".to_owned()), Value::Nil)], draw),
        7 => node_path(draw),
        8 => Value::ObjectId(7),
        _ => Value::Callable,
    }
}

/// Makes one of a few paths, most of which have the same texts.
fn node_path(draw: &mut Draw<'_>) -> Value {
    let mut names = vec!["a".to_owned(), "b".to_owned()];
    let subnames = names.split_off(draw.below(3));
    Value::NodePath(Box::new(NodePath { absolute: draw.one_in(2), names, subnames }))
}

fn of_type(ty: VariantType, schema: &Schema, draw: &mut Draw<'_>) -> Value {
    use VariantType as T;
    let real = |draw: &mut Draw<'_>| {
        #[expect(clippy::cast_possible_truncation, reason = "any single will do")]
        let single = draw.float() as f32;
        single
    };
    match ty {
        T::Nil => Value::Nil,
        T::Bool => Value::Bool(draw.one_in(2)),
        T::Int => match (schema.demands().min, draw.one_in(2)) {
            (Some(Number::Int(min)), true) => Value::Int(min),
            _ => Value::Int(draw.int()),
        },
        T::Float => Value::Float(draw.float()),
        T::String => Value::String(draw.text()),
        T::StringName => Value::StringName(draw.text()),
        T::Vector2 => Value::Vector2(Reals::Single([real(draw), real(draw)])),
        T::Vector3 => Value::Vector3([draw.float(), draw.float(), 0.0].into()),
        T::Vector2i => Value::Vector2i([i32::try_from(draw.below(4)).unwrap_or(0), 1]),
        T::Quaternion => Value::Quaternion(Reals::Single([0.0, 0.0, real(draw), 1.0])),
        T::Plane => Value::Plane(Reals::Single([0.0, 1.0, real(draw), 5.0])),
        T::Color => Value::Color([real(draw), 0.0, 0.0, 1.0]),
        T::NodePath => node_path(draw),
        T::Rid => Value::Rid(3),
        T::Object => Value::ObjectId(3),
        T::Callable => Value::Callable,
        T::PackedByteArray => Value::PackedByteArray(vec![1; draw.below(4)]),
        T::PackedFloat32Array => Value::PackedFloat32Array((0..draw.below(4)).map(|_| real(draw)).collect()),
        T::PackedVector2Array => Value::PackedVector2Array(PackedReals::Single(
            (0..draw.below(4)).map(|_| [real(draw), 0.0]).collect(),
        )),
        T::PackedStringArray => Value::PackedStringArray((0..draw.below(4)).map(|_| draw.text()).collect()),
        _ => any(draw),
    }
}

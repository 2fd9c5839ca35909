//! Coerce: what JSON and configuration files break of a value, repaired as the schema declares it.
//!
//! Only what loses nothing: a float that is a whole number becomes an int, never another way round a text a number, and
//! never two keys one. What could not be repaired stays as it is, and the check that follows tells it. References are
//! followed through the program, and no deeper than a value goes.

use std::collections::HashMap;

use variant_core::cursor::Cursor;
use variant_core::token::{self, Leaf, Text, Token};
use variant_core::{
    Array, Dictionary, ElementType, Limits, NodePath, PackedReals, Reals, Rules, Value, VariantType,
};

use crate::blame::blamed;
use crate::checker::Checker;
use crate::listed::Listed;
use crate::literal::Literal;
use crate::program::{Dict, Kinds, Program, What};
use crate::validator::digest::{Digest, Digester};
use crate::violation::Violation;

/// Levels of a value that are repaired.
const MAX_LEVELS: usize = 128;

impl Checker {
    /// The value as the schema declares it, with defaults filled in and typed containers made.
    ///
    /// # Errors
    /// Every violation that is left, at most `most` and at least one.
    pub fn coerce(&mut self, program: &Program, value: &Value, most: usize) -> Result<Value, Vec<Violation>> {
        self.coerce_as(program, value, &Rules::engine(), most)
    }

    /// The same with vectors as wide as an engine of these rules has them, and within their limits.
    ///
    /// # Errors
    /// As [`Checker::coerce`].
    pub fn coerce_as(
        &mut self,
        program: &Program,
        value: &Value,
        rules: &Rules,
        most: usize,
    ) -> Result<Value, Vec<Violation>> {
        let repair = Repair { program, is_double: rules.double_precision };
        let repaired = repair.value(program.root, value.clone(), 0);
        let found = self.check_all(program, &repaired, most.max(1));
        if !found.is_empty() {
            let blame = |violation| blamed(violation, &repaired, rules.double_precision);
            return Err(found.into_iter().map(blame).collect());
        }
        let mut bytes = Vec::new();
        if let Err(error) = repaired.encode_into(&mut bytes, &Limits::engine()) {
            return Err(vec![Violation::from(&error)]);
        }
        let Rules { limits, double_precision, .. } = *rules;
        let rules = Rules { limits, double_precision, ..Rules::engine() };
        self.decode(program, &bytes, &rules).map_err(|violation| vec![*violation])
    }
}

struct Repair<'p> {
    program: &'p Program,
    is_double: bool,
}

impl Repair<'_> {
    #[expect(clippy::too_many_lines, reason = "one arm a kind of node")]
    fn value(&self, node: usize, value: Value, level: usize) -> Value {
        let held = self.program.node(node);
        if level > MAX_LEVELS || (held.nullable && value == Value::Nil) {
            return value;
        }
        let below = level.saturating_add(1);
        match (&held.what, value) {
            (What::Any, value) => value,
            (What::Int { .. }, value) => to_int(value),
            (What::Float { .. }, Value::Int(number)) => to_float(number),
            (What::Text { ty, .. } | What::Plain(ty), value) => to_text(*ty, value),
            (What::Enum(listed), value) => to_listed(listed.all(), value),
            (What::Math { ty, .. }, value) => to_math(*ty, value, self.is_double),
            (What::Packed { ty, .. }, value) => to_packed(*ty, value, self.is_double),
            (What::PackedStrings(_), value) => {
                to_packed(VariantType::PackedStringArray, value, self.is_double)
            }
            (What::Array { item, .. }, value) => match to_array(value) {
                Value::Array(array) => {
                    let takes = |ty| self.program.node(*item).takes(ty);
                    of_items(*array, takes, |_, value| self.value(*item, value, below))
                }
                other => other,
            },
            (What::Tuple(tuple), value) => match to_array(value) {
                Value::Array(array) => {
                    let repair = |at, value| match tuple.items.get(at) {
                        Some(item) => self.value(*item, value, below),
                        None => value,
                    };
                    of_items(*array, |_| true, repair)
                }
                other => other,
            },
            (What::Tuples(tuples), value) => match to_array(value) {
                Value::Array(array) => match case_of(&tuples.told, &tuples.cases, array.items.first()) {
                    Some(case) => self.value(case, Value::Array(array), below),
                    None => Value::Array(array),
                },
                other => other,
            },
            (What::Dict(dict), Value::Dictionary(dictionary)) => {
                of_dict(dict, *dictionary, |node, value| self.value(node, value, below))
            }
            (What::Map { key, value, .. }, Value::Dictionary(dictionary)) => {
                let takes = |part: usize| move |ty| self.program.node(part).takes(ty);
                let Dictionary { key: of_key, value: of_value, entries } = *dictionary;
                let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
                let keys = of_keys(keys, |k| self.value(*key, k, below));
                let values: Vec<_> = values.into_iter().map(|v| self.value(*value, v, below)).collect();
                let of_key = kept(of_key, takes(*key), &keys);
                let of_value = kept(of_value, takes(*value), &values);
                let entries = keys.into_iter().zip(values).collect();
                Value::Dictionary(Box::new(Dictionary { key: of_key, value: of_value, entries }))
            }
            (What::Kinds(kinds), Value::Dictionary(dictionary)) => match self.case(kinds, &dictionary) {
                Some(case) => self.value(case, Value::Dictionary(dictionary), below),
                None => Value::Dictionary(dictionary),
            },
            (What::Union(_), value) => self.alternative(node, value, below),
            (_, value) => value,
        }
    }

    /// The node of the case that a Dictionary is.
    fn case(&self, kinds: &Kinds, dictionary: &Dictionary) -> Option<usize> {
        let name = self.program.kinds.get(kinds.name).map_or("", String::as_str);
        let told = dictionary.entries.iter().find(|(key, _)| text_of(key) == Some(name));
        case_of(&kinds.told, &kinds.cases, told.map(|(_, told)| told))
    }

    /// An alternative of the value's own type is it; else the first that the value can be made to fit.
    fn alternative(&self, node: usize, value: Value, level: usize) -> Value {
        let What::Union(alternatives) = &self.program.node(node).what else { return value };
        let mut checker = Checker::new();
        let own = alternatives.iter().filter(|alternative| alternative.ty == value.ty());
        let others = alternatives.iter().filter(|alternative| alternative.ty != value.ty());
        for at in own.chain(others).flat_map(|alternative| &alternative.nodes) {
            let repaired = self.value(*at, value.clone(), level);
            if checker.check_node(self.program, *at, &repaired).is_ok() {
                return repaired;
            }
        }
        value
    }
}

/// The case of a value that is a literal, or can be made one.
fn case_of(literals: &Listed, cases: &[usize], told: Option<&Value>) -> Option<usize> {
    let told = told?;
    let is_it = |literal: &Literal| to_listed(std::slice::from_ref(literal), told.clone()) == literal.value;
    cases.get(literals.all().iter().position(is_it)?).copied()
}

/// Keys that would become one stay as they are.
fn of_keys(keys: Vec<Value>, repair: impl Fn(Value) -> Value) -> Vec<Value> {
    let repaired: Vec<Value> = keys.iter().cloned().map(repair).collect();
    if repaired == keys {
        return keys;
    }
    let digester = Digester::default();
    let mut counts = HashMap::<_, usize>::new();
    let digests: Vec<_> = repaired.iter().map(|key| digest(&digester, key)).collect();
    for digest in &digests {
        let count = counts.entry(digest).or_default();
        *count = count.saturating_add(1);
    }
    let is_alone = |digest| counts.get(digest).is_none_or(|count| *count < 2);
    let both = keys.into_iter().zip(repaired).zip(&digests);
    both.map(|((key, repaired), digest)| if is_alone(digest) { repaired } else { key }).collect()
}

/// The same for keys that a Dictionary takes for one: a String is a StringName there.
fn digest(digester: &Digester, key: &Value) -> Digest {
    if let Some(text) = text_of(key) {
        return digester.leaf(&Leaf::Text(VariantType::String, Text::new(text)));
    }
    let bytes = key.encode().unwrap_or_default();
    match token::read(&mut Cursor::new(&bytes), &Rules::engine()) {
        Ok(Token::Leaf(leaf)) => digester.leaf(&leaf),
        _ => digester.bytes(&bytes),
    }
}

fn of_items(
    array: Array,
    takes: impl Fn(VariantType) -> bool,
    repair: impl Fn(usize, Value) -> Value,
) -> Value {
    let items: Vec<_> = array.items.into_iter().enumerate().map(|(at, value)| repair(at, value)).collect();
    let element = kept(array.element, takes, &items);
    Value::Array(Box::new(Array { element, items }))
}

/// What a container was declared for, unless what it holds now is of another type, or could never be of this one.
fn kept(declared: ElementType, takes: impl Fn(VariantType) -> bool, values: &[Value]) -> ElementType {
    match declared {
        ElementType::Builtin(ty) if takes(ty) && values.iter().all(|value| value.ty() == ty) => declared,
        _ => ElementType::None,
    }
}

fn of_dict(dict: &Dict, dictionary: Dictionary, repair: impl Fn(usize, Value) -> Value) -> Value {
    let Dictionary { key: of_key, value: of_value, entries } = dictionary;
    let entries = entries.into_iter().map(|(key, value)| {
        let node = text_of(&key).and_then(|name| dict.find(name, 0)).and_then(|at| dict.keys.get(at));
        let value = match node {
            Some(known) => repair(known.node, value),
            None => value,
        };
        (key, value)
    });
    let (keys, values): (Vec<_>, Vec<_>) = entries.unzip();
    let (key, value) = (kept(of_key, |_| true, &keys), kept(of_value, |_| true, &values));
    let entries = keys.into_iter().zip(values).collect();
    Value::Dictionary(Box::new(Dictionary { key, value, entries }))
}

fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) | Value::StringName(text) => Some(text),
        _ => None,
    }
}

/// A whole float, or a text of digits only: JSON has only texts as keys.
fn to_int(value: Value) -> Value {
    match value {
        Value::Float(number) => exact_int(number).map_or(Value::Float(number), Value::Int),
        Value::String(text) => match text.parse() {
            Ok(number) if text == i64::to_string(&number) => Value::Int(number),
            _ => Value::String(text),
        },
        other => other,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "asked before: it is whole and in range")]
fn exact_int(number: f64) -> Option<i64> {
    // 2^63 itself is no i64, and -2^63 is one.
    let is_exact = number.trunc() == number
        && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    is_exact.then_some(number as i64)
}

/// Unless the float would be another number.
#[expect(clippy::cast_precision_loss, reason = "asked afterwards whether it is the same")]
fn to_float(number: i64) -> Value {
    let float = number as f64;
    if exact_int(float) == Some(number) { Value::Float(float) } else { Value::Int(number) }
}

fn to_text(ty: VariantType, value: Value) -> Value {
    match (ty, value) {
        (VariantType::StringName, Value::String(text)) => Value::StringName(text),
        (VariantType::String, Value::StringName(text)) => Value::String(text),
        (VariantType::NodePath, Value::String(text)) => node_path(&text),
        (_, other) => other,
    }
}

/// As the engine's constructor from a String splits it.
fn node_path(text: &str) -> Value {
    let (names, subnames) = text.split_once(':').unwrap_or((text, ""));
    let part = |part: &str, by: char| {
        part.split(by).filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    Value::NodePath(Box::new(NodePath {
        absolute: text.starts_with('/'),
        names: part(names, '/'),
        subnames: part(subnames, ':'),
    }))
}

fn to_listed(listed: &[Literal], value: Value) -> Value {
    if listed.iter().any(|literal| literal.value == value) {
        return value;
    }
    let same = |literal: &&Literal| match (&literal.value, &value) {
        (Value::Int(mine), Value::Float(other)) => exact_int(*other) == Some(*mine),
        (Value::Float(mine), Value::Int(other)) => exact_int(*mine) == Some(*other),
        (Value::StringName(mine), Value::String(other)) | (Value::String(mine), Value::StringName(other)) => {
            mine == other
        }
        _ => false,
    };
    let found = listed.iter().find(same).map(|literal| literal.value.clone());
    found.unwrap_or(value)
}

/// A packed array of numbers or texts as an Array of them.
fn to_array(value: Value) -> Value {
    let items = match value {
        Value::PackedByteArray(bytes) => bytes.into_iter().map(|n| Value::Int(n.into())).collect(),
        Value::PackedInt32Array(ints) => ints.into_iter().map(|n| Value::Int(n.into())).collect(),
        Value::PackedInt64Array(ints) => ints.into_iter().map(Value::Int).collect(),
        Value::PackedFloat32Array(floats) => floats.into_iter().map(|n| Value::Float(n.into())).collect(),
        Value::PackedFloat64Array(floats) => floats.into_iter().map(Value::Float).collect(),
        Value::PackedStringArray(texts) => texts.into_iter().map(Value::String).collect(),
        other => return other,
    };
    Value::Array(Box::new(Array { element: ElementType::None, items }))
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => match to_float(*number) {
            Value::Float(float) => Some(float),
            _ => None,
        },
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// The numbers under these keys, or those of an Array of as many.
fn numbers<const N: usize>(value: &Value, keys: [&str; N], default: Option<f64>) -> Option<[f64; N]> {
    let mut found = [default.unwrap_or(0.0); N];
    match value {
        Value::Array(array) if array.items.len() == N => {
            for (slot, item) in found.iter_mut().zip(&array.items) {
                *slot = number_of(item)?;
            }
        }
        Value::Dictionary(dictionary) => {
            let is_known = |key: &Value| text_of(key).is_some_and(|key| keys.contains(&key));
            if !dictionary.entries.iter().all(|(key, _)| is_known(key)) {
                return None;
            }
            for (at, (slot, name)) in found.iter_mut().zip(keys).enumerate() {
                let entry = dictionary.entries.iter().find(|(key, _)| text_of(key) == Some(name));
                match entry {
                    Some((_, value)) => *slot = number_of(value)?,
                    // Only the last one, a color's alpha, may be left out.
                    None if at.saturating_add(1) == N && default.is_some() => {}
                    None => return None,
                }
            }
        }
        _ => return None,
    }
    Some(found)
}

/// `None` where a number would become infinite.
#[expect(clippy::cast_possible_truncation, reason = "as the engine keeps them: the nearest of 32 bits")]
fn single<const N: usize>(numbers: [f64; N]) -> Option<[f32; N]> {
    let singles = numbers.map(|number| number as f32);
    let is_kept = |(single, number): (&f32, &f64)| single.is_finite() || !number.is_finite();
    singles.iter().zip(&numbers).all(is_kept).then_some(singles)
}

fn reals<const N: usize>(numbers: [f64; N], is_double: bool) -> Option<Reals<N>> {
    if is_double { Some(Reals::from(numbers)) } else { single(numbers).map(Reals::Single) }
}

fn whole<const N: usize>(numbers: [f64; N]) -> Option<[i32; N]> {
    let mut ints = [0; N];
    for (slot, number) in ints.iter_mut().zip(numbers) {
        *slot = i32::try_from(exact_int(number)?).ok()?;
    }
    Some(ints)
}

/// Dictionaries and Arrays of numbers to vectors and colors.
fn to_math(ty: VariantType, value: Value, is_double: bool) -> Value {
    use VariantType as T;
    let made = match ty {
        T::Vector2 => xy(&value).and_then(|n| reals(n, is_double)).map(Value::Vector2),
        T::Vector3 => xyz(&value).and_then(|n| reals(n, is_double)).map(Value::Vector3),
        T::Vector4 => xyzw(&value).and_then(|n| reals(n, is_double)).map(Value::Vector4),
        T::Quaternion => xyzw(&value).and_then(|n| reals(n, is_double)).map(Value::Quaternion),
        T::Vector2i => xy(&value).and_then(whole).map(Value::Vector2i),
        T::Vector3i => xyz(&value).and_then(whole).map(Value::Vector3i),
        T::Vector4i => xyzw(&value).and_then(whole).map(Value::Vector4i),
        T::Color => rgba(&value).and_then(single).map(Value::Color),
        _ => None,
    };
    made.unwrap_or(value)
}

fn xy(value: &Value) -> Option<[f64; 2]> {
    numbers(value, ["x", "y"], None)
}

fn xyz(value: &Value) -> Option<[f64; 3]> {
    numbers(value, ["x", "y", "z"], None)
}

fn xyzw(value: &Value) -> Option<[f64; 4]> {
    numbers(value, ["x", "y", "z", "w"], None)
}

fn rgba(value: &Value) -> Option<[f64; 4]> {
    numbers(value, ["r", "g", "b", "a"], Some(1.0))
}

/// Arrays of what a packed array holds.
pub(crate) fn to_packed(ty: VariantType, value: Value, is_double: bool) -> Value {
    use VariantType as T;
    let Value::Array(array) = &value else { return value };
    let items = &array.items;
    let ints = || all(items, |item| exact_int(number_of(item)?));
    let made = match ty {
        T::PackedByteArray => {
            all(items, |item| exact_int(number_of(item)?)?.try_into().ok()).map(Value::PackedByteArray)
        }
        T::PackedInt32Array => {
            all(items, |item| exact_int(number_of(item)?)?.try_into().ok()).map(Value::PackedInt32Array)
        }
        T::PackedInt64Array => ints().map(Value::PackedInt64Array),
        T::PackedFloat32Array => {
            let narrow = |item| single([number_of(item)?]).map(|[number]| number);
            all(items, narrow).map(Value::PackedFloat32Array)
        }
        T::PackedFloat64Array => all(items, number_of).map(Value::PackedFloat64Array),
        T::PackedStringArray => {
            all(items, |item| text_of(item).map(str::to_owned)).map(Value::PackedStringArray)
        }
        T::PackedVector2Array => {
            let row = |item: &_| if let Value::Vector2(it) = item { there(it, is_double) } else { xy(item) };
            rows(items, row, is_double).map(Value::PackedVector2Array)
        }
        T::PackedVector3Array => {
            let row = |item: &_| if let Value::Vector3(it) = item { there(it, is_double) } else { xyz(item) };
            rows(items, row, is_double).map(Value::PackedVector3Array)
        }
        T::PackedVector4Array => {
            let row =
                |item: &_| if let Value::Vector4(it) = item { there(it, is_double) } else { xyzw(item) };
            rows(items, row, is_double).map(Value::PackedVector4Array)
        }
        T::PackedColorArray => {
            let row = |item: &_| if let Value::Color(it) = item { Some(*it) } else { single(rgba(item)?) };
            all(items, row).map(Value::PackedColorArray)
        }
        _ => None,
    };
    made.unwrap_or(value)
}

fn all<'v, T>(items: &'v [Value], read: impl Fn(&'v Value) -> Option<T>) -> Option<Vec<T>> {
    items.iter().map(read).collect()
}

/// The numbers of a vector that is one already, if the width wanted has room for them.
fn there<const N: usize>(reals: &Reals<N>, is_double: bool) -> Option<[f64; N]> {
    match reals {
        Reals::Single(numbers) => Some(numbers.map(f64::from)),
        Reals::Double(numbers) => is_double.then_some(**numbers),
    }
}

fn rows<const N: usize>(
    items: &[Value],
    read: impl Fn(&Value) -> Option<[f64; N]>,
    is_double: bool,
) -> Option<PackedReals<N>> {
    if is_double {
        return all(items, read).map(PackedReals::from);
    }
    all(items, |item| read(item).and_then(single)).map(PackedReals::Single)
}

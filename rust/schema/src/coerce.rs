//! Coerce: repairs what JSON and configuration files break of a value, as the schema declares it.
//!
//! It only does what loses nothing: a float that is a whole number becomes an int, but a text never becomes a
//! number or a number a text, and two keys never become one. A value that could not be repaired stays as it
//! is, and the check that follows tells of it. References are followed through the program, and no deeper
//! than a value goes.

use std::collections::HashMap;

use variant_core::token::{Leaf, Text};
use variant_core::wire::Layout;
use variant_core::{
    Array, Dictionary, ElementType, ErrorKind, Limits, NodePath, Path, RealWidth, Rejection, Rules, Step,
    Value, VariantType,
};

use crate::checker::Checker;
use crate::describe;
use crate::from_json::{exact_int, to_float, to_math, to_packed};
use crate::from_native;
use crate::from_text::{self, Num};
use crate::literal::{Literal, leaf_of};
use crate::literals_index::ListedLiterals;
use crate::program::{Dict, Kinds, Program, ShapeRules, Tuples};
use crate::schema::Schema;
use crate::validator::digest::{Digest, Digester};

/// Levels of a value that are repaired.
const MAX_LEVELS: usize = 128;

impl Checker {
    /// The value as the schema declares it, with defaults filled in and typed containers made.
    ///
    /// # Errors
    /// Every violation that is left, at most `most` and at least one.
    pub fn coerce(&mut self, program: &Program, value: &Value, most: usize) -> Result<Value, Vec<Rejection>> {
        self.coerce_as(program, value, &Rules::engine(), most)
    }

    /// Repairs a value as [`Checker::coerce`] does, with vectors as wide as an engine of these rules has
    /// them, and within their limits.
    ///
    /// # Errors
    /// Fails as [`Checker::coerce`] does.
    pub fn coerce_as(
        &mut self,
        program: &Program,
        value: &Value,
        rules: &Rules,
        most: usize,
    ) -> Result<Value, Vec<Rejection>> {
        let repair = Repair { program, width: rules.reals };
        let repaired = repair.value(program.root, value.clone(), 0);
        let found = self.check_all(program, &repaired, most.max(1));
        if !found.is_empty() {
            let blame = |violation| blamed(violation, &repaired, rules.reals);
            return Err(found.into_iter().map(blame).collect());
        }
        let mut bytes = Vec::new();
        if let Err(error) = repaired.encode_into(&mut bytes, &Limits::engine()) {
            return Err(vec![Rejection::from(&error)]);
        }
        let Rules { limits, reals, .. } = *rules;
        let rules = Rules { limits, reals, ..Rules::engine() };
        self.decode(program, &bytes, &rules).map_err(|violation| vec![*violation])
    }
}

struct Repair<'p> {
    program: &'p Program,
    width: RealWidth,
}

impl Repair<'_> {
    fn value(&self, node: usize, value: Value, level: usize) -> Value {
        let held = self.program.node(node);
        if level > MAX_LEVELS || (held.nullable && value == Value::Nil) {
            return value;
        }
        let below = level.saturating_add(1);
        let value = self.plain(&held.what, value);
        match (&held.what, value) {
            (ShapeRules::Int { .. }, value) => to_int(value),
            (ShapeRules::Float { .. }, value) => to_real(value),
            (ShapeRules::Plain(VariantType::Bool), Value::String(text)) => to_bool(text),
            (ShapeRules::Text { ty, .. } | ShapeRules::Plain(ty), value) => to_text(*ty, value),
            (ShapeRules::Enum(listed), value) => to_listed(listed.all(), value, self.width),
            (ShapeRules::Math { ty, .. }, value) => to_math(*ty, value, self.width),
            (ShapeRules::Packed { ty, .. }, value) => to_packed(*ty, value, self.width),
            (ShapeRules::PackedStrings(_), value) => {
                to_packed(VariantType::PackedStringArray, value, self.width)
            }
            (what @ (ShapeRules::Array { .. } | ShapeRules::Tuple(_) | ShapeRules::Tuples(_)), value) => {
                match to_array(value) {
                    Value::Array(array) => self.array(what, array, below),
                    other => other,
                }
            }
            (ShapeRules::Union(_), value) => self.alternative(node, value, below),
            (what, Value::Dictionary(dictionary)) => self.dictionary(what, dictionary, below),
            (_, value) => value,
        }
    }

    fn array(&self, what: &ShapeRules, array: Box<Array>, level: usize) -> Value {
        match what {
            ShapeRules::Array { item, .. } => {
                let takes = |ty| self.program.node(*item).takes(ty);
                of_items(*array, takes, |_, value| self.value(*item, value, level))
            }
            ShapeRules::Tuple(tuple) => of_items(
                *array,
                |_| true,
                |at, value| match tuple.items.get(at) {
                    Some(item) => self.value(*item, value, level),
                    None => value,
                },
            ),
            ShapeRules::Tuples(Tuples { told, cases, .. }) => {
                match self.case_of(told, cases, array.items.first()) {
                    Some(case) => self.value(case, Value::Array(array), level),
                    None => Value::Array(array),
                }
            }
            _ => Value::Array(array),
        }
    }

    fn dictionary(&self, what: &ShapeRules, dictionary: Box<Dictionary>, level: usize) -> Value {
        match what {
            ShapeRules::Dict(dict) => {
                of_dict(dict, *dictionary, |node, value| self.value(node, value, level))
            }
            ShapeRules::Map { key, value, .. } => {
                let takes = |part: usize| move |ty| self.program.node(part).takes(ty);
                let Dictionary { key: of_key, value: of_value, entries } = *dictionary;
                let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
                let keys = of_keys(keys, |k| self.value(*key, k, level));
                let values: Vec<_> = values.into_iter().map(|v| self.value(*value, v, level)).collect();
                let of_key = kept(of_key, takes(*key), &keys);
                let of_value = kept(of_value, takes(*value), &values);
                let entries = keys.into_iter().zip(values).collect();
                Value::Dictionary(Box::new(Dictionary { key: of_key, value: of_value, entries }))
            }
            ShapeRules::Kinds(kinds) => match self.case(kinds, &dictionary) {
                Some(case) => self.value(case, Value::Dictionary(dictionary), level),
                None => Value::Dictionary(dictionary),
            },
            _ => Value::Dictionary(dictionary),
        }
    }

    /// An Array or a Dictionary that `JSON.from_native()` has written as an object, unless the schema knows a key of that.
    fn plain(&self, what: &ShapeRules, value: Value) -> Value {
        let ty = match what {
            ShapeRules::Array { .. } | ShapeRules::Tuple(_) | ShapeRules::Tuples(_) => VariantType::Array,
            ShapeRules::Dict(dict) if dict.find("args", 0).is_none() => VariantType::Dictionary,
            ShapeRules::Map { .. } | ShapeRules::Kinds(_) => VariantType::Dictionary,
            _ => return value,
        };
        from_native::of_type(ty, &value, self.width).unwrap_or(value)
    }

    /// The node of the case that a Dictionary is.
    fn case(&self, kinds: &Kinds, dictionary: &Dictionary) -> Option<usize> {
        let name = self.program.kinds.get(kinds.name).map_or("", String::as_str);
        let told = dictionary.entries.iter().find(|(key, _)| key.as_str() == Some(name));
        self.case_of(&kinds.told, &kinds.cases, told.map(|(_, told)| told))
    }

    /// The case of a value that is a literal, or can be made one.
    fn case_of(&self, literals: &ListedLiterals, cases: &[usize], told: Option<&Value>) -> Option<usize> {
        let told = told?;
        let is_it = |literal: &Literal| {
            to_listed(std::slice::from_ref(literal), told.clone(), self.width) == literal.value
        };
        cases.get(literals.all().iter().position(is_it)?).copied()
    }

    /// An alternative of the value's own type is it; else the first that the value can be made to fit.
    fn alternative(&self, node: usize, value: Value, level: usize) -> Value {
        let ShapeRules::Union(alternatives) = &self.program.node(node).what else { return value };
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

/// Digests a key as a Dictionary compares it: a String and a StringName of one text are one key there.
fn digest(digester: &Digester, key: &Value) -> Digest {
    if let Some(text) = key.as_str() {
        return digester.leaf(&Leaf::Text(VariantType::String, Text::new(text)));
    }
    let bytes = key.encode().unwrap_or_default();
    leaf_of(&bytes).map_or_else(|| digester.bytes(&bytes), |leaf| digester.leaf(&leaf))
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

/// Returns the type that a container was declared for, unless it holds another one now or could never be of
/// this one.
fn kept(declared: ElementType, takes: impl Fn(VariantType) -> bool, values: &[Value]) -> ElementType {
    match declared {
        ElementType::Builtin(ty) if takes(ty) && values.iter().all(|value| value.ty() == ty) => declared,
        _ => ElementType::None,
    }
}

fn of_dict(dict: &Dict, dictionary: Dictionary, repair: impl Fn(usize, Value) -> Value) -> Value {
    let Dictionary { key: of_key, value: of_value, entries } = dictionary;
    let entries = entries.into_iter().map(|(key, value)| {
        let node = key.as_str().and_then(|name| dict.find(name, 0)).and_then(|at| dict.keys.get(at));
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

/// A whole float, or a text of digits only: JSON has only texts as keys.
fn to_int(value: Value) -> Value {
    match value {
        Value::Float(number) => exact_int(number).map_or(Value::Float(number), Value::Int),
        Value::String(text) => match text.parse() {
            Ok(number) if text == i64::to_string(&number) => Value::Int(number),
            _ => match from_native::prefixed(&text) {
                Some(Value::Int(number)) => Value::Int(number),
                _ => Value::String(text),
            },
        },
        other => other,
    }
}

/// A whole number, or a text of a number only.
fn to_real(value: Value) -> Value {
    let Value::String(text) = value else {
        return if let Value::Int(number) = value { to_float(number) } else { value };
    };
    match (from_text::number(&text), from_native::prefixed(&text)) {
        (Some(Num::Real(number)), _) => Value::Float(number),
        (Some(Num::Int(number)), _) if matches!(to_float(number), Value::Float(_)) => to_float(number),
        (None, Some(Value::Float(number))) => Value::Float(number),
        _ => Value::String(text),
    }
}

/// As a key, JSON has a bool as a text: Godot 3 writes it with a capital.
fn to_bool(text: String) -> Value {
    match text.as_str() {
        "true" | "True" => Value::Bool(true),
        "false" | "False" => Value::Bool(false),
        _ => Value::String(text),
    }
}

fn to_text(ty: VariantType, value: Value) -> Value {
    match (ty, value) {
        (VariantType::StringName, Value::String(text)) => Value::StringName(text),
        (VariantType::String, Value::StringName(text)) => Value::String(text),
        (VariantType::NodePath, Value::String(text)) => Value::from(NodePath::from(text.as_str())),
        (_, other) => other,
    }
}

fn to_listed(listed: &[Literal], value: Value, width: RealWidth) -> Value {
    if listed.iter().any(|literal| literal.value == value) {
        return value;
    }
    let same = |literal: &&Literal| match (&literal.value, &value) {
        (Value::Int(mine), Value::Float(other)) => exact_int(*other) == Some(*mine),
        (Value::Float(mine), Value::Int(other)) => exact_int(*mine) == Some(*other),
        (Value::StringName(mine), Value::String(other)) | (Value::String(mine), Value::StringName(other)) => {
            mine == other
        }
        (Value::Bool(_), Value::String(text)) => to_bool(text.clone()) == literal.value,
        (Value::Float(_), Value::String(_)) => to_real(value.clone()) == literal.value,
        (Value::Int(_), Value::String(_)) => to_int(value.clone()) == literal.value,
        (mine, other) if matches!(mine.ty().layout(), Layout::Math(..)) => {
            to_math(mine.ty(), other.clone(), width) == *mine
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

/// The violation as that of the first element that keeps an Array from becoming the packed array that is wanted, where there is one.
pub(crate) fn blamed(violation: Rejection, value: &Value, width: RealWidth) -> Rejection {
    let found = part(value, &violation.path).and_then(|part| {
        let Value::Array(array) = part else { return None };
        // A refusal of this kind begins with the type that was wanted.
        let wanted = violation.expected.split(' ').next()?;
        let (ty, element) = ELEMENTS.iter().find(|(ty, _)| ty.name() == wanted)?;
        let stays = |item: &&Value| {
            let alone = Array { items: vec![(*item).clone()], ..Array::default() };
            matches!(to_packed(*ty, Value::Array(Box::new(alone)), width), Value::Array(_))
        };
        let at = array.items.iter().position(|item| stays(&item))?;
        Some((at, *element, got(violation.kind, array.items.get(at)?)))
    });
    match found {
        Some((at, element, got)) => {
            let mut path = violation.path;
            path.0.push(Step::Index(u64::try_from(at).unwrap_or(u64::MAX)));
            Rejection { path, expected: element.to_owned(), got, ..violation }
        }
        None => violation,
    }
}

/// Lists what an element of each packed array has to be.
const ELEMENTS: [(VariantType, &str); 10] = [
    (VariantType::PackedByteArray, "int 0..255"),
    (VariantType::PackedInt32Array, "int -2147483648..2147483647"),
    (VariantType::PackedInt64Array, "int"),
    (VariantType::PackedFloat32Array, "float of 32 bits"),
    (VariantType::PackedFloat64Array, "float"),
    (VariantType::PackedStringArray, "String"),
    (VariantType::PackedVector2Array, "Vector2"),
    (VariantType::PackedVector3Array, "Vector3"),
    (VariantType::PackedVector4Array, "Vector4"),
    (VariantType::PackedColorArray, "Color"),
];

/// The part of a value that a path leads to, where its steps say enough.
fn part<'v>(value: &'v Value, path: &Path) -> Option<&'v Value> {
    path.0.iter().try_fold(value, |value, step| match (value, step) {
        (Value::Array(array), Step::Index(at)) => array.items.get(usize::try_from(*at).ok()?),
        (Value::Dictionary(dictionary), step) => {
            let is_it = |key: &Value| match (key, step) {
                (Value::String(key) | Value::StringName(key), Step::Key(name)) => key == name,
                (key, step) => key.key_step().as_ref() == Some(step),
            };
            dictionary.entries.iter().find(|(key, _)| is_it(key)).map(|(_, value)| value)
        }
        _ => None,
    })
}

fn got(kind: ErrorKind, value: &Value) -> String {
    match value.as_leaf() {
        Some(leaf) => describe::got(kind, &Schema::any(), &leaf),
        None => value.ty().name().to_owned(),
    }
}

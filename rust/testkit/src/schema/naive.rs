//! Checks a tree against a schema as it was written, by simple recursion: the second checker. It compiles
//! nothing, and shares with the first checker only the names of the kinds.

use regex::Regex;
use variant_core::{Dictionary, ElementType, Path, Step, Value, VariantType};
use variant_schema::{Demands, Number, Presence, Schema, Shape};

use super::Found;
use super::same::{parts, same};
use crate::same_key::same_key;

/// Finds everything wrong with a value.
#[must_use]
pub fn violations(schema: &Schema, value: &Value) -> Found {
    let mut naive = Naive { path: Vec::new(), found: Found::new() };
    naive.declared(value);
    naive.value(schema, &Scope { around: None, of: schema }, value);
    naive.found
}

#[derive(Clone, Copy)]
struct Scope<'s> {
    around: Option<&'s Scope<'s>>,
    of: &'s Schema,
}

impl<'s> Scope<'s> {
    fn find(&self, name: &str) -> Option<&'s Schema> {
        self.of.definitions().get(name).or_else(|| self.around?.find(name))
    }
}

struct Naive {
    path: Vec<Step>,
    found: Found,
}

impl Naive {
    fn report(&mut self, kind: &'static str) {
        self.found.insert((kind, Path(self.path.clone()).to_string()));
    }

    fn within(&mut self, step: Step, run: impl FnOnce(&mut Self)) {
        self.path.push(step);
        run(self);
        self.path.pop();
    }

    /// Checks that the declarations of typed containers hold for all their elements, at any depth.
    fn declared(&mut self, value: &Value) {
        match value {
            Value::Array(array) => {
                for (at, item) in array.items.iter().enumerate() {
                    self.within(Step::Index(at as u64), |it| {
                        it.declared_as(&array.element, item);
                        it.declared(item);
                    });
                }
            }
            Value::Dictionary(dictionary) => {
                for (at, (key, item)) in dictionary.entries.iter().enumerate() {
                    self.within(Step::KeyOf(at as u64), |it| {
                        it.declared_as(&dictionary.key, key);
                        it.declared(key);
                    });
                    self.within(step_of(key, at), |it| {
                        it.declared_as(&dictionary.value, item);
                        it.declared(item);
                    });
                }
            }
            _ => {}
        }
    }

    fn declared_as(&mut self, element: &ElementType, value: &Value) {
        let ElementType::Builtin(ty) = element else { return };
        // The engine writes a null object as nil.
        let is_null_object = *ty == VariantType::Object && *value == Value::Nil;
        if *ty != VariantType::Nil && *ty != value.ty() && !is_null_object {
            self.report("WRONG_TYPE");
        }
    }

    fn value(&mut self, schema: &Schema, scope: &Scope<'_>, value: &Value) {
        let inner = Scope { around: Some(scope), of: schema };
        if schema.is_nullable() && *value == Value::Nil {
            return;
        }
        match schema.shape() {
            Shape::Any => {}
            Shape::Type(ty) => self.of_type(*ty, schema.demands(), value),
            Shape::Enum(values) => self.among(values, value),
            Shape::Union(alternatives) => self.union(alternatives, &inner, value),
            Shape::Ref(name) => match inner.find(name) {
                Some(target) => self.value(target, &inner, value),
                None => self.report("ILL_FORMED_SCHEMA"),
            },
            Shape::Array(item) => self.array(item, schema.demands(), &inner, value),
            Shape::Tuple(items) => match value {
                Value::Array(array) if !is_tuple(items, schema.demands().open, array.items.len()) => {
                    self.report("WRONG_SIZE")
                }
                Value::Array(array) => {
                    for (at, (schema, item)) in items.iter().zip(&array.items).enumerate() {
                        self.within(Step::Index(at as u64), |it| it.value(schema, &inner, item));
                    }
                }
                _ => self.report("WRONG_TYPE"),
            },
            Shape::Dict { keys, open } => match value {
                Value::Dictionary(dictionary) => self.dict(keys, *open, &inner, dictionary),
                _ => self.report("WRONG_TYPE"),
            },
            Shape::Map(key, item) => self.map((key, item), schema.demands(), &inner, value),
            Shape::Discriminated { key, cases } => {
                let cases: Vec<_> = cases.iter().map(|(told, case)| (told.clone(), case, inner)).collect();
                self.kinds(key, &cases, value);
            }
            _ => self.report("ILL_FORMED_SCHEMA"),
        }
    }

    fn array(&mut self, item: &Schema, demands: &Demands, scope: &Scope<'_>, value: &Value) {
        let Value::Array(array) = value else { return self.report("WRONG_TYPE") };
        let items = &array.items;
        if !is_sized(items.len(), demands) {
            return self.report("WRONG_SIZE");
        }
        if !can_hold(&array.element, item, scope) {
            return self.report("WRONG_TYPE");
        }
        for (at, value) in items.iter().enumerate() {
            self.within(Step::Index(at as u64), |it| it.value(item, scope, value));
        }
        let is_twin = |at: &usize| items[..*at].iter().any(|before| same(before, &items[*at]));
        if let Some(twin) = (0..items.len()).find(is_twin).filter(|_| demands.unique) {
            self.within(Step::Index(twin as u64), |it| it.report("NOT_UNIQUE"));
        }
    }

    fn map(&mut self, (key, item): (&Schema, &Schema), demands: &Demands, scope: &Scope<'_>, value: &Value) {
        let Value::Dictionary(dictionary) = value else { return self.report("WRONG_TYPE") };
        if !is_sized(dictionary.entries.len(), demands) {
            return self.report("WRONG_SIZE");
        }
        if !can_hold(&dictionary.key, key, scope) || !can_hold(&dictionary.value, item, scope) {
            return self.report("WRONG_TYPE");
        }
        for (at, (name, value)) in dictionary.entries.iter().enumerate() {
            self.within(Step::KeyOf(at as u64), |it| it.value(key, scope, name));
            self.within(step_of(name, at), |it| it.value(item, scope, value));
        }
        // A key that comes twice replaces the earlier entry.
        let is_new = |at: &usize| {
            let entries = &dictionary.entries;
            !entries[..*at].iter().any(|before| same_key(&before.0, &entries[*at].0))
        };
        let different = (0..dictionary.entries.len()).filter(is_new).count() as u64;
        if different < demands.min_size.unwrap_or(0) {
            self.report("WRONG_SIZE");
        }
    }

    fn dict(&mut self, keys: &[(String, Schema)], open: bool, scope: &Scope<'_>, dictionary: &Dictionary) {
        for (at, (key, value)) in dictionary.entries.iter().enumerate() {
            let known = keys.iter().find(|(name, _)| text_of(key) == Some(name));
            self.within(step_of(key, at), |it| match known {
                Some((_, schema)) => it.value(schema, scope, value),
                None if open => {}
                None => it.report("UNKNOWN_KEY"),
            });
        }
        for (name, schema) in keys {
            let is_there = dictionary.entries.iter().any(|(key, _)| text_of(key) == Some(name));
            if *schema.presence() == Presence::Required && !is_there {
                self.report("MISSING_KEY");
            }
        }
    }

    fn kinds(&mut self, key: &str, cases: &[(Value, &Schema, Scope<'_>)], value: &Value) {
        let Value::Dictionary(dictionary) = value else { return self.report("WRONG_TYPE") };
        let told = dictionary.entries.iter().position(|(name, _)| text_of(name) == Some(key));
        let Some(at) = told else { return self.report("MISSING_KEY") };
        let (name, told) = &dictionary.entries[at];
        match cases.iter().find(|(literal, ..)| same(literal, told)) {
            Some((literal, case, scope)) => {
                let Shape::Dict { keys, open } = case.shape() else {
                    return self.report("ILL_FORMED_SCHEMA");
                };
                let mut keys = keys.clone();
                if !keys.iter().any(|(name, _)| name == key) {
                    keys.push((key.to_owned(), Schema::literal(literal.clone())));
                }
                self.dict(&keys, *open, scope, dictionary);
            }
            None => {
                let listed: Vec<_> = cases.iter().map(|(literal, ..)| literal.clone()).collect();
                self.within(step_of(name, at), |it| it.among(&listed, told));
            }
        }
    }

    fn tuples(&mut self, cases: &[(Value, &Schema, Scope<'_>)], value: &Value, first: Option<&Value>) {
        let Some(first) = first else { return self.report("WRONG_SIZE") };
        match cases.iter().find(|(literal, ..)| same(literal, first)) {
            Some((_, case, scope)) => self.value(case, scope, value),
            None => {
                let listed: Vec<_> = cases.iter().map(|(literal, ..)| literal.clone()).collect();
                self.within(Step::Index(0), |it| it.among(&listed, first));
            }
        }
    }

    fn among(&mut self, values: &[Value], value: &Value) {
        if !values.iter().any(|listed| same(listed, value)) {
            let is_of_type = values.iter().any(|listed| listed.ty() == value.ty());
            self.report(if is_of_type { "NOT_IN_ENUM" } else { "WRONG_TYPE" });
        }
    }

    /// Tries all alternatives of the value's type. If there is only one, everything wrong with it is
    /// reported.
    fn union(&mut self, alternatives: &[Schema], scope: &Scope<'_>, value: &Value) {
        let mut flat = Vec::new();
        flatten(alternatives, *scope, &mut flat);
        let of_type: Vec<_> = flat.iter().filter(|(schema, _)| accepts(schema, value)).collect();
        let results: Vec<Found> =
            of_type.iter().map(|(schema, scope)| self.tried(schema, scope, value)).collect();
        if results.iter().any(Found::is_empty) {
            return;
        }
        match (results.as_slice(), value) {
            ([], _) => self.report("WRONG_TYPE"),
            ([only], _) => self.found.extend(only.iter().cloned()),
            (_, Value::Array(array)) => {
                let cases = of_type.iter().map(|(it, scope)| first_of(it, scope)).collect::<Option<Vec<_>>>();
                match cases.map(|cases| cases.concat()).filter(|cases| are_different(cases)) {
                    Some(cases) => self.tuples(&cases, value, array.items.first()),
                    None => self.report("ILL_FORMED_SCHEMA"),
                }
            }
            (_, Value::Dictionary(_)) => {
                let told = |name: &str| {
                    let told = of_type.iter().map(|(schema, scope)| told_by(name, schema, scope));
                    // Only a key that every alternative requires, with literals of its own, tells them apart.
                    told.collect::<Option<Vec<_>>>().filter(|cases| are_different(&cases.concat()))
                };
                let Some((Shape::Dict { keys, .. }, _)) = of_type.first().map(|(it, at)| (it.shape(), at))
                else {
                    return self.report("ILL_FORMED_SCHEMA");
                };
                match keys.iter().find_map(|(name, _)| Some((name, told(name)?))) {
                    Some((name, cases)) => self.kinds(name, &cases.concat(), value),
                    None => self.report("ILL_FORMED_SCHEMA"),
                }
            }
            _ => self.report("NO_ALTERNATIVE"),
        }
    }

    fn tried(&self, schema: &Schema, scope: &Scope<'_>, value: &Value) -> Found {
        let mut trial = Naive { path: self.path.clone(), found: Found::new() };
        trial.value(schema, scope, value);
        trial.found
    }

    fn of_type(&mut self, ty: VariantType, demands: &Demands, value: &Value) {
        if value.ty() != ty || matches!(value, Value::Object(_)) {
            return self.report("WRONG_TYPE");
        }
        let texts = |it: &mut Self, text: &str| {
            let chars = text.chars().count() as u64;
            if chars < demands.min_chars.unwrap_or(0) || chars > demands.max_chars.unwrap_or(u64::MAX) {
                return it.report("WRONG_SIZE");
            }
            let pattern = demands.pattern.as_deref().map(|pattern| Regex::new(pattern).expect("it compiled"));
            if pattern.is_some_and(|pattern| !pattern.is_match(text)) {
                it.report("PATTERN_MISMATCH");
            }
        };
        match value {
            Value::Int(number) => self.int(*number, demands),
            Value::Float(number) => self.float(*number, demands),
            Value::String(text) | Value::StringName(text) => texts(self, text),
            Value::PackedStringArray(list) => {
                if !is_sized(list.len(), demands) {
                    return self.report("WRONG_SIZE");
                }
                for (at, text) in list.iter().enumerate() {
                    self.within(Step::Index(at as u64), |it| texts(it, text));
                }
            }
            other => self.numbers(other, demands),
        }
    }

    fn int(&mut self, number: i64, demands: &Demands) {
        let bound = |bound: Option<Number>| match bound {
            Some(Number::Int(bound)) => Some(bound),
            _ => None,
        };
        let over = bound(demands.max).is_some_and(|max| number > max);
        if over || bound(demands.min).is_some_and(|min| number < min) {
            self.report("OUT_OF_RANGE");
        } else if bound(demands.multiple_of).is_some_and(|step| number.wrapping_rem(step) != 0) {
            self.report("NOT_MULTIPLE");
        }
    }

    fn float(&mut self, number: f64, demands: &Demands) {
        if !number.is_finite() && !demands.allow_non_finite {
            return self.report("NOT_FINITE");
        }
        // Infinite bounds are no bounds, and NaN is within no others.
        let max = demands.max.map(real).filter(|max| *max != f64::INFINITY);
        let min = demands.min.map(real).filter(|min| *min != f64::NEG_INFINITY);
        let is_in = max.is_none_or(|max| number <= max) && min.is_none_or(|min| number >= min);
        if !is_in {
            return self.report("OUT_OF_RANGE");
        }
        let Some(step) = demands.multiple_of.map(real) else { return };
        // The distance is counted in steps: a billionth of a step is ignored, and so are four roundings of
        // the number, unless the step fits few bits.
        let steps = number / step;
        let off = (steps - steps.round()).abs();
        let is_short =
            (0..1100).map(|n| step * f64::powi(2.0, n - 550)).any(|n| n.fract() == 0.0 && n < 2_097_152.0);
        let roundings = if is_short { 0.0 } else { 4.0 * steps.abs() * f64::powi(2.0, -53) };
        if off.is_nan() || off > 1e-9 + roundings {
            self.report("NOT_MULTIPLE");
        }
    }

    fn numbers(&mut self, value: &Value, demands: &Demands) {
        let (numbers, elements) = parts(value);
        if elements.is_some_and(|count| !is_sized(count, demands)) {
            return self.report("WRONG_SIZE");
        }
        if !demands.allow_non_finite && numbers.iter().any(|number| !number.is_finite()) {
            return self.report("NOT_FINITE");
        }
        let normal = if matches!(value, Value::Plane(_)) { &numbers[..3] } else { &numbers[..] };
        let squared: f64 = normal.iter().map(|number| number * number).sum();
        let length = squared.sqrt();
        let fits =
            |bound: Option<f64>, holds: fn(f64, f64) -> bool| bound.is_none_or(|bound| holds(length, bound));
        if !fits(demands.min_length, |a, b| a >= b) || !fits(demands.max_length, |a, b| a <= b) {
            return self.report("OUT_OF_RANGE");
        }
        let is_unit = (squared - 1.0).abs() < 0.001;
        if demands.normalized && !is_unit {
            return self.report("NOT_NORMALIZED");
        }
        if let Some((min, max)) = demands.packing.quantized.and_then(|grid| grid.range) {
            // As numbers of 32 bits too.
            let (low, high) = (min.min(f64::from(min as f32)), max.max(f64::from(max as f32)));
            if numbers.iter().any(|number| *number < low || *number > high) {
                return self.report("OUT_OF_RANGE");
            }
        }
        let Some(region) = &demands.within else { return };
        let half = region.len() / 2;
        let inside = (0..half).all(|at| {
            let (from, to) = (region[at], region[at] + region[at + half]);
            numbers[at] >= from && numbers[at] <= to
        });
        if !inside {
            self.report("OUT_OF_RANGE");
        }
    }
}

/// Lists the alternatives of a union, those of nested unions and references included.
fn flatten<'s>(alternatives: &'s [Schema], scope: Scope<'s>, flat: &mut Vec<(Schema, Scope<'s>)>) {
    for alternative in alternatives {
        let mut target = alternative;
        let mut is_nullable = alternative.is_nullable();
        while let Shape::Ref(name) = target.shape() {
            let Some(found) = scope.find(name) else { return };
            target = found;
            is_nullable |= target.is_nullable();
        }
        if let Shape::Union(inner) = target.shape() {
            flatten(inner, scope, flat);
            if is_nullable {
                flat.push((Schema::of_type(VariantType::Nil), scope));
            }
            continue;
        }
        // An alternative that is written twice counts once; if either is nullable, null is allowed beside it.
        let is_twin = |known: &Schema| known.shape() == target.shape() && known.demands() == target.demands();
        match flat.iter_mut().find(|(known, _)| is_twin(known)) {
            Some((known, _)) if is_nullable => *known = known.nullable(),
            Some(_) => {}
            None => flat.push((if is_nullable { target.nullable() } else { target.clone() }, scope)),
        }
    }
}

/// Tells whether a value of this type may fit the schema, whatever its content.
fn accepts(schema: &Schema, value: &Value) -> bool {
    may_be(schema, value.ty())
}

fn may_be(schema: &Schema, ty: VariantType) -> bool {
    let by_shape = match schema.shape() {
        Shape::Any => true,
        Shape::Type(of) => *of == ty,
        Shape::Enum(values) => values.iter().any(|listed| listed.ty() == ty),
        Shape::Array(_) | Shape::Tuple(_) => ty == VariantType::Array,
        Shape::Dict { .. } | Shape::Map(..) | Shape::Discriminated { .. } => ty == VariantType::Dictionary,
        _ => false,
    };
    by_shape || (schema.is_nullable() && ty == VariantType::Nil)
}

/// Tells whether a container that declares this type could hold an element that the schema accepts.
fn can_hold(element: &ElementType, schema: &Schema, scope: &Scope<'_>) -> bool {
    let ElementType::Builtin(ty) = element else { return true };
    if matches!(ty, VariantType::Nil | VariantType::Object) {
        return true;
    }
    let mut alternatives = Vec::new();
    flatten(std::slice::from_ref(schema), *scope, &mut alternatives);
    alternatives.iter().any(|(schema, _)| may_be(schema, *ty))
}

/// Returns the literals that a dict requires under a key, each with the dict.
fn told_by<'s>(
    name: &str,
    schema: &'s Schema,
    scope: &Scope<'s>,
) -> Option<Vec<(Value, &'s Schema, Scope<'s>)>> {
    let Shape::Dict { keys, .. } = schema.shape() else { return None };
    let (_, told) = keys.iter().find(|(known, _)| known == name)?;
    match told.shape() {
        Shape::Enum(values) if *told.presence() == Presence::Required && !told.is_nullable() => {
            Some(values.iter().map(|value| (value.clone(), schema, *scope)).collect())
        }
        _ => None,
    }
}

/// Returns the literals that a tuple begins with, each with the tuple.
fn first_of<'s>(schema: &'s Schema, scope: &Scope<'s>) -> Option<Vec<(Value, &'s Schema, Scope<'s>)>> {
    let Shape::Tuple(items) = schema.shape() else { return None };
    let first = items.first()?;
    match first.shape() {
        Shape::Enum(values) if *first.presence() == Presence::Required && !first.is_nullable() => {
            Some(values.iter().map(|value| (value.clone(), schema, *scope)).collect())
        }
        _ => None,
    }
}

/// Tells whether these values are all different.
fn are_different(cases: &[(Value, &Schema, Scope<'_>)]) -> bool {
    (1..cases.len()).all(|at| cases[..at].iter().all(|(known, ..)| *known != cases[at].0))
}

/// Tells whether the count fits a tuple: optional elements at the end may be missing.
fn is_tuple(items: &[Schema], open: bool, count: usize) -> bool {
    let missing = items.get(count..).unwrap_or_default();
    (open || count <= items.len()) && missing.iter().all(|item| *item.presence() != Presence::Required)
}

fn is_sized(count: usize, demands: &Demands) -> bool {
    let count = count as u64;
    count >= demands.min_size.unwrap_or(0) && count <= demands.max_size.unwrap_or(u64::MAX)
}

fn real(number: Number) -> f64 {
    match number {
        Number::Int(number) => number as f64,
        Number::Float(number) => number,
    }
}

fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) | Value::StringName(text) => Some(text),
        _ => None,
    }
}

fn step_of(key: &Value, at: usize) -> Step {
    match key {
        Value::Int(key) => Step::IntKey(*key),
        Value::Vector2i([x, y]) => Step::VectorKey(VariantType::Vector2i, [*x, *y, 0, 0]),
        Value::Vector3i([x, y, z]) => Step::VectorKey(VariantType::Vector3i, [*x, *y, *z, 0]),
        Value::Vector4i(numbers) => Step::VectorKey(VariantType::Vector4i, *numbers),
        key => text_of(key).map_or(Step::Entry(at as u64), |name| Step::Key(name.to_owned())),
    }
}

//! A schema as JSON. Read and write name the same fields; `read.rs` has them in the same order.

use variant_core::Value;

use super::tree::Json;
use super::{VERSION, demands, value};
use crate::builders::TYPE_WORDS;
use crate::schema::{Number, Presence, Schema, Shape};

/// The parts of a schema that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Its descriptions, too, and keys in its order.
    Everything,
    /// All that it checks, and keys by name.
    Checks,
}

/// With the version of the form.
pub(super) fn root(schema: &Schema) -> Json {
    let mut entries = vec![("schema_version".to_owned(), Json::Int(VERSION))];
    entries.extend(fields(schema, Detail::Everything));
    Json::Map(entries)
}

/// Writes what a schema checks and nothing for people.
pub(crate) fn plain(schema: &Schema) -> Json {
    Json::Map(fields(schema, Detail::Checks))
}

/// Lists those fields that are there.
pub(super) fn present<const N: usize>(fields: [(&str, Option<Json>); N]) -> Vec<(String, Json)> {
    fields.into_iter().filter_map(|(name, json)| Some((name.to_owned(), json?))).collect()
}

pub(super) fn fields(schema: &Schema, detail: Detail) -> Vec<(String, Json)> {
    let description =
        Some(&schema.0.description).filter(|text| detail == Detail::Everything && !text.is_empty());
    let default = schema.presence().default_value().map(value::write);
    let definitions = schema.definitions();
    let mut entries = present([
        ("description", description.map(|text| Json::text(text))),
        ("mistake", schema.0.mistakes.as_ref().map(|mistakes| Json::text(&mistakes.lines()))),
        ("type", Some(Json::text(kind(schema.shape())))),
    ]);
    entries.extend(shape(schema.shape(), detail));
    entries.extend(demands::write(schema.demands(), detail));
    entries.extend(present([
        ("nullable", flag(schema.is_nullable())),
        ("optional", flag(*schema.presence() == Presence::Optional)),
        ("default", default),
        ("define", (!definitions.is_empty()).then(|| named(definitions.iter(), detail))),
    ]));
    entries
}

fn shape(shape: &Shape, detail: Detail) -> Vec<(String, Json)> {
    let part = |schema: &Schema| Json::Map(fields(schema, detail));
    let one = |name: &str, json: Json| vec![(name.to_owned(), json)];
    match shape {
        Shape::Any | Shape::Type(_) => Vec::new(),
        Shape::Enum(values) => one("values", Json::list(values, value::write)),
        Shape::Union(alternatives) => one("of", Json::list(alternatives, part)),
        Shape::Array(item) => one("items", part(item)),
        Shape::Tuple(items) => one("items", Json::list(items, part)),
        Shape::Dict { keys, open } => {
            let keys = named(keys.iter().map(|(name, schema)| (name.as_str(), schema)), detail);
            present([("keys", Some(keys)), ("open", Some(Json::Bool(*open)))])
        }
        Shape::Map(key, value) => present([("key", Some(part(key))), ("value", Some(part(value)))]),
        Shape::Ref(name) => one("name", Json::text(name)),
        Shape::Discriminated { key, cases } => {
            let case = |(value, schema): &(Value, Schema)| {
                Json::Map(present([("value", Some(value::write(value))), ("is", Some(part(schema)))]))
            };
            present([("by", Some(Json::text(key))), ("cases", Some(Json::list(cases, case)))])
        }
    }
}

fn named<'s>(schemas: impl Iterator<Item = (&'s str, &'s Schema)>, detail: Detail) -> Json {
    let mut entries: Vec<_> =
        schemas.map(|(name, schema)| (name.to_owned(), Json::Map(fields(schema, detail)))).collect();
    if detail == Detail::Checks {
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    Json::Map(entries)
}

/// A flag is there where it holds.
pub(super) fn flag(holds: bool) -> Option<Json> {
    holds.then_some(Json::Bool(true))
}

pub(super) fn count(count: &u64) -> Json {
    Json::Int(i64::try_from(*count).unwrap_or(i64::MAX))
}

/// JSON has no word for what is infinite or not a number.
pub(super) fn real(number: &f64) -> Json {
    if number.is_finite() { Json::Float(*number) } else { Json::Text(number.to_string()) }
}

pub(super) fn reals(numbers: &[f64]) -> Json {
    Json::list(numbers, real)
}

pub(super) fn text(text: &str) -> Json {
    Json::text(text)
}

pub(super) fn number(number: &Number) -> Json {
    match number {
        Number::Int(number) => Json::Int(*number),
        Number::Float(number) => real(number),
    }
}

/// The word for a shape: that of its builder.
fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Any => "any",
        Shape::Type(ty) => TYPE_WORDS.iter().find(|(_, other)| other == ty).map_or("", |(word, _)| word),
        Shape::Enum(_) => "enum",
        Shape::Union(_) => "union",
        Shape::Array(_) => "array",
        Shape::Tuple(_) => "tuple",
        Shape::Dict { .. } => "dict",
        Shape::Map(..) => "map",
        Shape::Ref(_) => "ref",
        Shape::Discriminated { .. } => "discriminated",
    }
}

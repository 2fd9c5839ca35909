//! A schema as JSON. Read and write name the same fields; `read.rs` has them in the same order.

use variant_core::VariantType;

use super::VERSION;
use super::packing;
use super::tree::Json;
use super::value;
use crate::schema::{Demands, Number, Presence, Schema, Shape};

/// With the version of the form.
pub(super) fn root(schema: &Schema) -> Json {
    let mut entries = vec![("schema_version".to_owned(), Json::Int(VERSION))];
    entries.extend(fields(schema, true));
    Json::Map(entries)
}

/// Writes what a schema checks and nothing for people: keys by name, no descriptions.
pub(crate) fn plain(schema: &Schema) -> Json {
    Json::Map(fields(schema, false))
}

/// As a part of a document for people, descriptions included.
pub(super) fn described(schema: &Schema) -> Json {
    Json::Map(fields(schema, true))
}

#[expect(clippy::too_many_lines, reason = "one key after the other, in the order of the document")]
fn fields(schema: &Schema, for_people: bool) -> Vec<(String, Json)> {
    let mut entries = Vec::new();
    let mut put = |name: &str, json: Json| entries.push((name.to_owned(), json));
    let part = |schema: &Schema| Json::Map(fields(schema, for_people));
    let list = |schemas: &[Schema]| Json::List(schemas.iter().map(part).collect());
    if for_people && !schema.0.description.is_empty() {
        put("description", Json::text(&schema.0.description));
    }
    if let Some(mistake) = &schema.0.mistake {
        put("mistake", Json::text(&mistake.reason()));
    }
    put("type", Json::text(&kind(schema.shape())));
    match schema.shape() {
        Shape::Any | Shape::Type(_) => {}
        Shape::Enum(values) => put("values", Json::List(values.iter().map(value::write).collect())),
        Shape::Union(alternatives) => put("of", list(alternatives)),
        Shape::Array(item) => put("items", part(item)),
        Shape::Tuple(items) => put("items", list(items)),
        Shape::Dict { keys, open } => {
            put("keys", named(keys.iter().map(|(name, schema)| (name.as_str(), schema)), for_people));
            put("open", Json::Bool(*open));
        }
        Shape::Map(key, value) => {
            put("key", part(key));
            put("value", part(value));
        }
        Shape::Ref(name) => put("name", Json::text(name)),
        Shape::Discriminated { key, cases } => {
            put("by", Json::text(key));
            let cases = cases.iter().map(|(value, schema)| {
                Json::Map(vec![("value".to_owned(), value::write(value)), ("is".to_owned(), part(schema))])
            });
            put("cases", Json::List(cases.collect()));
        }
    }
    demands(schema.demands(), for_people, &mut put);
    if schema.is_nullable() {
        put("nullable", Json::Bool(true));
    }
    match schema.presence() {
        Presence::Required => {}
        Presence::Optional => put("optional", Json::Bool(true)),
        Presence::Default(default) => put("default", value::write(default)),
    }
    if !schema.definitions().is_empty() {
        put("define", named(schema.definitions().iter(), for_people));
    }
    entries
}

fn named<'s>(schemas: impl Iterator<Item = (&'s str, &'s Schema)>, for_people: bool) -> Json {
    let mut entries: Vec<_> =
        schemas.map(|(name, schema)| (name.to_owned(), Json::Map(fields(schema, for_people)))).collect();
    if !for_people {
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    Json::Map(entries)
}

fn demands(demands: &Demands, for_people: bool, put: &mut impl FnMut(&str, Json)) {
    let numbers = [("min", demands.min), ("max", demands.max), ("multiple_of", demands.multiple_of)];
    for (name, number) in numbers {
        match number {
            Some(Number::Int(number)) => put(name, Json::Int(number)),
            Some(Number::Float(number)) => put(name, real(number)),
            None => {}
        }
    }
    sizes(demands, put);
    if let Some(pattern) = &demands.pattern {
        put("pattern", Json::text(pattern));
    }
    for (name, length) in [("min_length", demands.min_length), ("max_length", demands.max_length)] {
        if let Some(length) = length {
            put(name, real(length));
        }
    }
    if let Some(region) = &demands.within {
        put("within", Json::List(region.iter().map(|number| real(*number)).collect()));
    }
    let flags = [
        ("normalized", demands.normalized),
        ("allow_non_finite", demands.allow_non_finite),
        ("unique", demands.unique),
        ("typed", demands.typed),
        ("open", demands.open),
    ];
    for (name, _) in flags.iter().filter(|(_, holds)| *holds) {
        put(name, Json::Bool(true));
    }
    if !demands.packing.is_plain() {
        put("packing", packing::write(&demands.packing, for_people));
    }
}

fn sizes(demands: &Demands, put: &mut impl FnMut(&str, Json)) {
    let counts = [
        ("min_size", demands.min_size),
        ("max_size", demands.max_size),
        ("min_chars", demands.min_chars),
        ("max_chars", demands.max_chars),
    ];
    for (name, count) in counts {
        if let Some(count) = count {
            put(name, Json::Int(i64::try_from(count).unwrap_or(i64::MAX)));
        }
    }
}

/// JSON has no word for what is infinite or not a number.
pub(super) fn real(number: f64) -> Json {
    if number.is_finite() { Json::Float(number) } else { Json::Text(number.to_string()) }
}

/// The word for a shape: that of its builder.
pub(super) fn kind(shape: &Shape) -> String {
    match shape {
        Shape::Any => "any".to_owned(),
        Shape::Type(ty) => type_word(*ty),
        Shape::Enum(_) => "enum".to_owned(),
        Shape::Union(_) => "union".to_owned(),
        Shape::Array(_) => "array".to_owned(),
        Shape::Tuple(_) => "tuple".to_owned(),
        Shape::Dict { .. } => "dict".to_owned(),
        Shape::Map(..) => "map".to_owned(),
        Shape::Ref(_) => "ref".to_owned(),
        Shape::Discriminated { .. } => "discriminated".to_owned(),
    }
}

/// `PackedVector2Array` as `packed_vector2_array`, the name of its builder.
pub(super) fn type_word(ty: VariantType) -> String {
    match ty {
        VariantType::Object => return "object_id".to_owned(),
        VariantType::Array => return "any_array".to_owned(),
        VariantType::Dictionary => return "any_dictionary".to_owned(),
        VariantType::Transform2D => return "transform2d".to_owned(),
        VariantType::Transform3D => return "transform3d".to_owned(),
        _ => {}
    }
    let mut word = String::new();
    let mut was_lower = false;
    for c in ty.name().chars() {
        if c.is_ascii_uppercase() && was_lower {
            word.push('_');
        }
        was_lower = !c.is_ascii_uppercase();
        word.push(c.to_ascii_lowercase());
    }
    word
}

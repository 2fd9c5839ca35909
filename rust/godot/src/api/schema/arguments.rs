//! Turns what scripts give to builders and modifiers into what the schema crate wants. A wrong argument
//! becomes a schema that says so: builders always return one.

use godot::builtin::{Aabb, Array, Callable, Rect2, Rect2i, VarArray, Variant, VariantType};
use godot::classes::Object;
use godot::meta::FromGodot;
use godot::obj::Gd;
use variant_core::Value;
use variant_schema::{Number, Schema};

use super::VariantSchema;
use crate::schema::tree;

/// An argument, or a sentence that says what is wrong with it.
pub(in crate::api) type Given<T> = Result<T, String>;

pub(super) fn or_mistake(schema: Given<Schema>) -> Schema {
    schema.unwrap_or_else(|message| Schema::mistake(&message))
}

pub(super) fn from_json(text: &str) -> Schema {
    Schema::from_json(text).unwrap_or_else(Schema::mistaken)
}

fn name_of(value: &Variant) -> String {
    match value.get_type() {
        VariantType::NIL => "null".to_owned(),
        VariantType::OBJECT => match value.try_to::<Gd<Object>>() {
            Ok(object) => format!("an object of class {}", object.get_class()),
            Err(_) => "an object that is gone".to_owned(),
        },
        other => other.godot_type_name().to_owned(),
    }
}

fn wrong<T>(place: &str, expected: &str, got: &Variant) -> Given<T> {
    Err(format!("{place}: expected {expected}, got {}", name_of(got)))
}

/// A value of a built-in type, which the caller has asked for by its type.
fn taken<T: FromGodot>(place: &str, expected: &str, ty: VariantType, value: &Variant) -> Given<T> {
    if value.get_type() != ty {
        return wrong(place, expected, value);
    }
    value.try_to().or_else(|_| wrong(place, expected, value))
}

pub(in crate::api) fn schema(place: &str, value: &Variant) -> Given<Schema> {
    // An object of another class, one that is freed, and everything that is no object.
    match value.try_to::<Gd<VariantSchema>>() {
        Ok(schema) => Ok(schema.bind().schema()),
        Err(_) => wrong(place, "a VariantSchema", value),
    }
}

pub(super) fn schemas(place: &str, value: &Variant) -> Given<Vec<Schema>> {
    let items = list(place, value)?;
    items.iter_shared().enumerate().map(|(at, item)| schema(&format!("{place}[{at}]"), &item)).collect()
}

/// A typed array is as good as an untyped one.
fn list(place: &str, value: &Variant) -> Given<VarArray> {
    if value.get_type() != VariantType::ARRAY {
        return wrong(place, "an Array", value);
    }
    let any: godot::builtin::AnyArray = value.try_to().or_else(|_| wrong(place, "an Array", value))?;
    Ok(any.iter_shared().collect::<Array<Variant>>())
}

/// Names and schemas of a Dictionary, in its order.
pub(in crate::api) fn keys(place: &str, value: &Variant) -> Given<Vec<(String, Schema)>> {
    let entries = entries(place, value)?.into_iter().map(|(key, value)| {
        let name = text(&format!("a key of {place}"), &key)?;
        let schema = schema(&format!("{place}, key {name}"), &value)?;
        Ok((name, schema))
    });
    entries.collect()
}

/// Values and schemas of a Dictionary, in its order.
pub(super) fn cases(place: &str, value: &Variant) -> Given<Vec<(Value, Schema)>> {
    let entries = entries(place, value)?.into_iter().map(|(key, value)| {
        let schema = schema(&format!("{place}, case {}", key.stringify()), &value)?;
        Ok((self::value(place, &key)?, schema))
    });
    entries.collect()
}

fn entries(place: &str, value: &Variant) -> Given<Vec<(Variant, Variant)>> {
    if value.get_type() != VariantType::DICTIONARY {
        return wrong(place, "a Dictionary", value);
    }
    let any: godot::builtin::AnyDictionary =
        value.try_to().or_else(|_| wrong(place, "a Dictionary", value))?;
    let keys = any.keys_array();
    Ok(keys
        .iter_shared()
        .map(|key| {
            let value = any.get(&key).unwrap_or_default();
            (key, value)
        })
        .collect())
}

pub(super) fn values(place: &str, value: &Variant) -> Given<Vec<Value>> {
    let strings = value.get_type() == VariantType::PACKED_STRING_ARRAY;
    if strings {
        let strings: godot::builtin::PackedStringArray = value.to();
        return Ok(strings.as_slice().iter().map(|text| Value::String(text.to_string())).collect());
    }
    // A GDScript enum is a Dictionary of names and numbers: its numbers are meant.
    if value.get_type() == VariantType::DICTIONARY {
        return entries(place, value)?.iter().map(|(_, number)| self::value(place, number)).collect();
    }
    list(place, value)?.iter_shared().map(|item| self::value(place, &item)).collect()
}

pub(super) fn value(place: &str, value: &Variant) -> Given<Value> {
    tree(value).map_err(|error| format!("{place}: {}", error.kind()))
}

pub(in crate::api) fn text(place: &str, value: &Variant) -> Given<String> {
    match value.get_type() {
        VariantType::STRING | VariantType::STRING_NAME => Ok(value.stringify().to_string()),
        _ => wrong(place, "a String", value),
    }
}

pub(super) fn count(place: &str, value: &Variant) -> Given<u64> {
    let count: i64 = taken(place, "an int", VariantType::INT, value)?;
    u64::try_from(count).map_err(|_| format!("{place}: expected 0 or more, got {count}"))
}

pub(super) fn number(place: &str, value: &Variant) -> Given<Number> {
    match value.get_type() {
        VariantType::INT => Ok(Number::Int(value.to())),
        VariantType::FLOAT => Ok(Number::Float(value.to())),
        _ => wrong(place, "an int or a float", value),
    }
}

pub(super) fn real(place: &str, value: &Variant) -> Given<f64> {
    match number(place, value)? {
        #[expect(clippy::cast_precision_loss, reason = "lengths are floats, an int is as good")]
        Number::Int(number) => Ok(number as f64),
        Number::Float(number) => Ok(number),
    }
}

pub(in crate::api) fn callable(place: &str, value: &Variant) -> Given<Callable> {
    let callable: Callable = taken(place, "a Callable", VariantType::CALLABLE, value)?;
    if callable.is_null() {
        Err(format!("{place}: expected a function, got an empty Callable"))
    } else {
        Ok(callable)
    }
}

/// The position and size of a box.
pub(super) fn region(place: &str, value: &Variant) -> Given<Vec<f64>> {
    Ok(match value.get_type() {
        VariantType::RECT2 => {
            let rect: Rect2 = value.to();
            [rect.position.x, rect.position.y, rect.size.x, rect.size.y].map(f64::from).to_vec()
        }
        VariantType::RECT2I => {
            let rect: Rect2i = value.to();
            [rect.position.x, rect.position.y, rect.size.x, rect.size.y].map(f64::from).to_vec()
        }
        VariantType::AABB => {
            let Aabb { position: p, size: s } = value.to();
            [p.x, p.y, p.z, s.x, s.y, s.z].map(f64::from).to_vec()
        }
        _ => return wrong(place, "a Rect2, a Rect2i or an AABB", value),
    })
}

/// Both bounds of `int()` and `float()`; null is no bound.
pub(super) fn range(schema: Schema, min: &Variant, max: &Variant) -> Given<Schema> {
    let mut schema = schema;
    if !min.is_nil() {
        schema = schema.min(number("min", min)?);
    }
    if !max.is_nil() {
        schema = schema.max(number("max", max)?);
    }
    Ok(schema)
}

/// Returns the schema of values that are like this one.
pub(super) fn example(value: &Variant) -> Given<Schema> {
    self::value("example", value).map(|value| Schema::from_example(&value))
}

//! Turns what scripts give to builders and modifiers into what the schema crate wants. A wrong argument of the right type
//! becomes a schema that says so: builders always return one.

use godot::builtin::{
    Aabb, AnyArray, AnyDictionary, Callable, PackedStringArray, Rect2, Rect2i, Variant, VariantType,
};
use godot::classes::Object;
use godot::obj::Gd;
use variant_core::Value;
use variant_schema::{Number, Schema};

use super::VariantSchema;
use crate::call::schema::tree;

/// An argument, or a sentence that says what is wrong with it.
pub(in crate::api) type ArgumentResult<T> = Result<T, String>;

pub(super) fn or_mistake(schema: ArgumentResult<Schema>) -> Schema {
    schema.unwrap_or_else(|message| Schema::mistake(&message))
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

fn wrong<T>(place: &str, expected: &str, got: &Variant) -> ArgumentResult<T> {
    Err(format!("{place}: expected {expected}, got {}", name_of(got)))
}

pub(in crate::api) fn schema(place: &str, value: &Variant) -> ArgumentResult<Schema> {
    // An object of another class, one that is freed, and everything that is no object.
    match value.try_to::<Gd<VariantSchema>>() {
        Ok(schema) => Ok(schema.bind().schema()),
        Err(_) => wrong(place, "a VariantSchema", value),
    }
}

/// A schema that a method takes as such.
pub(in crate::api) fn given(place: &str, schema: Option<&Gd<VariantSchema>>) -> ArgumentResult<Schema> {
    let schema = schema.map(|schema| schema.bind().schema());
    schema.ok_or_else(|| format!("{place}: expected a VariantSchema, got null"))
}

pub(super) fn schemas(place: &str, items: &AnyArray) -> ArgumentResult<Vec<Schema>> {
    items.iter_shared().enumerate().map(|(at, item)| schema(&format!("{place}[{at}]"), &item)).collect()
}

/// Names and schemas of a Dictionary, in its order.
pub(in crate::api) fn keys(place: &str, keys: &AnyDictionary) -> ArgumentResult<Vec<(String, Schema)>> {
    let entries = keys.iter_shared().map(|(key, value)| {
        let name = text(&format!("a key of {place}"), &key)?;
        let schema = schema(&format!("{place}, key {name}"), &value)?;
        Ok((name, schema))
    });
    entries.collect()
}

/// Values and schemas of a Dictionary, in its order.
pub(super) fn cases(place: &str, cases: &AnyDictionary) -> ArgumentResult<Vec<(Value, Schema)>> {
    let entries = cases.iter_shared().map(|(key, value)| {
        let schema = schema(&format!("{place}, case {}", key.stringify()), &value)?;
        Ok((self::value(place, &key)?, schema))
    });
    entries.collect()
}

pub(super) fn values(place: &str, value: &Variant) -> ArgumentResult<Vec<Value>> {
    let each = |item: Variant| self::value(place, &item);
    match value.get_type() {
        VariantType::PACKED_STRING_ARRAY => {
            let strings: PackedStringArray = value.to();
            Ok(strings.as_slice().iter().map(|text| Value::String(text.to_string())).collect())
        }
        // A GDScript enum is a Dictionary of names and numbers: its numbers are meant.
        VariantType::DICTIONARY => {
            value.to::<AnyDictionary>().iter_shared().map(|(_, number)| each(number)).collect()
        }
        VariantType::ARRAY => value.to::<AnyArray>().iter_shared().map(each).collect(),
        _ => wrong(place, "an Array", value),
    }
}

pub(super) fn value(place: &str, value: &Variant) -> ArgumentResult<Value> {
    tree(value).map_err(|error| format!("{place}: {}", error.kind()))
}

pub(in crate::api) fn text(place: &str, value: &Variant) -> ArgumentResult<String> {
    match value.get_type() {
        VariantType::STRING | VariantType::STRING_NAME => Ok(value.stringify().to_string()),
        _ => wrong(place, "a String", value),
    }
}

pub(super) fn count(place: &str, count: i64) -> ArgumentResult<u64> {
    u64::try_from(count).map_err(|_| format!("{place}: expected 0 or more, got {count}"))
}

pub(super) fn number(place: &str, value: &Variant) -> ArgumentResult<Number> {
    match value.get_type() {
        VariantType::INT => Ok(Number::Int(value.to())),
        VariantType::FLOAT => Ok(Number::Float(value.to())),
        _ => wrong(place, "an int or a float", value),
    }
}

pub(super) fn real(place: &str, value: &Variant) -> ArgumentResult<f64> {
    match number(place, value)? {
        #[expect(clippy::cast_precision_loss, reason = "lengths are floats, an int is as good")]
        Number::Int(number) => Ok(number as f64),
        Number::Float(number) => Ok(number),
    }
}

pub(in crate::api) fn callable(place: &str, callable: Callable) -> ArgumentResult<Callable> {
    match callable.is_null() {
        true => Err(format!("{place}: expected a function, got an empty Callable")),
        false => Ok(callable),
    }
}

/// The position and size of a box.
pub(super) fn region(place: &str, value: &Variant) -> ArgumentResult<Vec<f64>> {
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
pub(super) fn range(schema: Schema, min: &Variant, max: &Variant) -> ArgumentResult<Schema> {
    let mut schema = schema;
    if !min.is_nil() {
        schema = schema.min(number("min", min)?);
    }
    if !max.is_nil() {
        schema = schema.max(number("max", max)?);
    }
    Ok(schema)
}

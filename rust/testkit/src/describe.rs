//! Describes a [`Value`] in the oracle's words, so that two decoders can be compared to the last bit of a
//! NaN. The words are for comparison; for people there is `Debug`.

use std::fmt::Write;

use variant_core::{Array, Dictionary, ElementType, NodePath, Object, PackedReals, Reals, Value};

/// Describes a value in the words in which [`oracle::Reading`](crate::oracle::Reading) describes it.
#[must_use]
pub fn describe(value: &Value) -> String {
    let mut words = String::new();
    write_value(&mut words, value);
    words
}

fn write_value(words: &mut String, value: &Value) {
    say(words, value.ty().id());
    match value {
        Value::Nil | Value::Callable => {}
        Value::Bool(value) => say(words, format_args!(":{value}")),
        Value::Int(value) => say(words, format_args!(":{value}")),
        Value::Float(value) => say(words, format_args!(":{:016x}", value.to_bits())),
        Value::String(text) | Value::StringName(text) => say(words, format_args!(":{text:?}")),
        Value::NodePath(path) => write_node_path(words, path),
        Value::Rid(id) | Value::ObjectId(id) => write_bytes(words, &id.to_le_bytes()),
        Value::Object(object) => write_object(words, object),
        Value::Signal(signal) => {
            say(words, format_args!(":{:?}", signal.name));
            write_bytes(words, &signal.object_id.to_le_bytes());
        }
        Value::Dictionary(dictionary) => write_dictionary(words, dictionary),
        Value::Array(array) => write_array(words, array),
        Value::PackedStringArray(strings) => {
            say(words, "[");
            strings.iter().for_each(|text| say(words, format_args!("{text:?},")));
            say(words, "]");
        }
        numbers => write_numbers(words, numbers),
    }
}

fn write_numbers(words: &mut String, value: &Value) {
    match value {
        Value::Vector2(reals) => write_reals(words, reals),
        Value::Rect2(reals) | Value::Vector4(reals) | Value::Plane(reals) | Value::Quaternion(reals) => {
            write_reals(words, reals);
        }
        Value::Vector3(reals) => write_reals(words, reals),
        Value::Transform2D(reals) | Value::Aabb(reals) => write_reals(words, reals),
        Value::Basis(reals) => write_reals(words, reals),
        Value::Transform3D(reals) => write_reals(words, reals),
        Value::Projection(reals) => write_reals(words, reals),
        Value::Vector2i(ints) => write_bytes(words, &flat(ints, |n| n.to_le_bytes())),
        Value::Vector3i(ints) => write_bytes(words, &flat(ints, |n| n.to_le_bytes())),
        Value::Rect2i(ints) | Value::Vector4i(ints) => write_bytes(words, &flat(ints, |n| n.to_le_bytes())),
        Value::Color(rgba) => write_bytes(words, &flat(rgba, |n| n.to_le_bytes())),
        Value::PackedByteArray(bytes) => write_bytes(words, bytes),
        Value::PackedInt32Array(ints) => write_bytes(words, &flat(ints, |n| n.to_le_bytes())),
        Value::PackedInt64Array(ints) => write_bytes(words, &flat(ints, |n| n.to_le_bytes())),
        Value::PackedFloat32Array(floats) => write_bytes(words, &flat(floats, |n| n.to_le_bytes())),
        Value::PackedFloat64Array(floats) => write_bytes(words, &flat(floats, |n| n.to_le_bytes())),
        Value::PackedColorArray(colors) => {
            write_bytes(words, &flat(colors.as_flattened(), |n| n.to_le_bytes()));
        }
        Value::PackedVector2Array(vectors) => write_packed_reals(words, vectors),
        Value::PackedVector3Array(vectors) => write_packed_reals(words, vectors),
        Value::PackedVector4Array(vectors) => write_packed_reals(words, vectors),
        other => panic!("{other:?} is not made of numbers"),
    }
}

fn write_reals<const N: usize>(words: &mut String, reals: &Reals<N>) {
    match reals {
        Reals::Single(numbers) => write_bytes(words, &flat(numbers.as_slice(), |n| n.to_le_bytes())),
        Reals::Double(numbers) => {
            say(words, "w");
            write_bytes(words, &flat(numbers.as_slice(), |n| n.to_le_bytes()));
        }
    }
}

fn write_packed_reals<const N: usize>(words: &mut String, vectors: &PackedReals<N>) {
    match vectors {
        PackedReals::Single(vectors) => {
            write_bytes(words, &flat(vectors.as_flattened(), |n| n.to_le_bytes()))
        }
        PackedReals::Double(vectors) => {
            say(words, "w");
            write_bytes(words, &flat(vectors.as_flattened(), |n| n.to_le_bytes()));
        }
    }
}

fn flat<T: Copy, const N: usize>(numbers: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(|number| bytes(*number)).collect()
}

fn write_bytes(words: &mut String, bytes: &[u8]) {
    say(words, ":");
    bytes.iter().for_each(|byte| say(words, format_args!("{byte:02x}")));
}

fn write_node_path(words: &mut String, path: &NodePath) {
    say(words, if path.absolute { ":/" } else { ":." });
    path.names.iter().for_each(|name| say(words, format_args!("/{name:?}")));
    path.subnames.iter().for_each(|name| say(words, format_args!(":{name:?}")));
}

fn write_object(words: &mut String, object: &Object) {
    say(words, format_args!(":{:?}(", object.class));
    for (name, value) in &object.properties {
        say(words, format_args!("{name:?}="));
        write_value(words, value);
        say(words, ",");
    }
    say(words, ")");
}

fn write_dictionary(words: &mut String, dictionary: &Dictionary) {
    write_element_type(words, &dictionary.key);
    write_element_type(words, &dictionary.value);
    say(words, "{");
    for (key, value) in &dictionary.entries {
        write_value(words, key);
        say(words, "=");
        write_value(words, value);
        say(words, ",");
    }
    say(words, "}");
}

fn write_array(words: &mut String, array: &Array) {
    write_element_type(words, &array.element);
    say(words, "[");
    for item in &array.items {
        write_value(words, item);
        say(words, ",");
    }
    say(words, "]");
}

fn write_element_type(words: &mut String, declared: &ElementType) {
    match declared {
        ElementType::None => say(words, "<>"),
        ElementType::Builtin(ty) => say(words, format_args!("<{}>", ty.id())),
        ElementType::Class(name) => say(words, format_args!("<class {name:?}>")),
        ElementType::Script(path) => say(words, format_args!("<script {path:?}>")),
        other => say(words, format_args!("<{other:?}>")),
    }
}

fn say(words: &mut String, more: impl std::fmt::Display) {
    write!(words, "{more}").unwrap_or_default();
}

//! Reads what `JSON.from_native()` makes of values: objects with a type and arguments, and texts that begin with
//! their type.

use variant_core::{Array, Dictionary, ElementType, NodePath, RealWidth, Value, VariantType};

use crate::from_json;
use crate::from_text::{self, Num};

/// Levels of such objects that are read.
const MAX_LEVELS: usize = 64;
/// Keys beside `type` and `args`.
const OF_TYPES: &str =
    "elem_type elem_class elem_script key_type key_class key_script value_type value_class value_script";

/// Returns the type that an object names, and its arguments.
fn object(value: &Value) -> Option<(&str, &[Value])> {
    let Value::Dictionary(it) = value else { return None };
    let (mut ty, mut args) = (None, None);
    for (key, value) in &it.entries {
        match (key, value) {
            (Value::String(key), Value::String(name)) if key == "type" => ty = Some(name.as_str()),
            (Value::String(key), Value::Array(list)) if key == "args" => args = Some(list.items.as_slice()),
            (Value::String(key), Value::String(_)) if OF_TYPES.split(' ').any(|one| one == key) => {}
            _ => return None,
        }
    }
    Some((ty?, args?))
}

/// Returns the value of an object that names this type.
pub(crate) fn of_type(ty: VariantType, value: &Value, width: RealWidth) -> Option<Value> {
    let (name, _) = object(value)?;
    if name == ty.name() { read(value, width, 0) } else { None }
}

/// Returns the numbers of an object that names this type, in the order of its bytes.
fn numbers(ty: VariantType, args: &[Value]) -> Option<Vec<Num>> {
    let found = args.iter().map(from_json::number_of).collect::<Option<Vec<_>>>()?;
    let by_columns = matches!(ty, VariantType::Basis | VariantType::Transform3D);
    Some(if by_columns { from_text::transposed(found) } else { found })
}

fn read(value: &Value, width: RealWidth, level: usize) -> Option<Value> {
    if level > MAX_LEVELS {
        return None;
    }
    let below = |value: &Value| read(value, width, level.saturating_add(1));
    match value {
        Value::String(text) => prefixed(text).or_else(|| Some(value.clone())),
        Value::Array(array) => list(array.items.iter().map(below)),
        Value::Dictionary(_) => {
            let Some((name, args)) = object(value) else { return Some(value.clone()) };
            let ty = *VariantType::ALL.iter().find(|ty| ty.name() == name)?;
            match ty {
                VariantType::Array => list(args.iter().map(below)),
                VariantType::Dictionary if args.len().checked_rem(2) == Some(0) => {
                    let pairs =
                        args.chunks(2).map(|pair| Some((below(pair.first()?)?, below(pair.last()?)?)));
                    let entries = pairs.collect::<Option<Vec<_>>>()?;
                    Some(Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() })))
                }
                VariantType::PackedStringArray => {
                    let texts = args.iter().map(|arg| match arg {
                        Value::String(text) => Some(text.clone()),
                        _ => None,
                    });
                    texts.collect::<Option<_>>().map(Value::PackedStringArray)
                }
                _ => from_json::of(ty, &numbers(ty, args)?, width),
            }
        }
        other => Some(other.clone()),
    }
}

fn list(items: impl Iterator<Item = Option<Value>>) -> Option<Value> {
    let items = items.collect::<Option<_>>()?;
    Some(Value::Array(Box::new(Array { element: ElementType::None, items })))
}

/// Returns the value of a text that begins with its type.
pub(crate) fn prefixed(text: &str) -> Option<Value> {
    let (ty, rest) = text.split_once(':')?;
    match ty {
        "i" => rest.parse().ok().map(Value::Int),
        "f" => match from_text::number(rest)? {
            Num::Int(number) => from_json::to_real(Num::Int(number)).map(Value::Float),
            Num::Real(number) => Some(Value::Float(number)),
        },
        "s" => Some(Value::String(rest.to_owned())),
        "sn" => Some(Value::StringName(rest.to_owned())),
        "np" => Some(Value::from(NodePath::from(rest))),
        _ => None,
    }
}

//! Describe: what a schema expects and what was found, in a few words. Only ever called when something is wrong,
//! or for documents.

use std::fmt::Write;

use variant_core::token::{Container, Lanes, Leaf};
use variant_core::wire::Lane;
use variant_core::{ErrorKind, QuotedText, Value, VariantType};

use crate::judge;
use crate::schema::{Demands, Number, Presence, Schema, Shape};

/// Values that a list names before it is cut.
const SHOWN: usize = 8;

impl Schema {
    /// Says in words what it accepts: `int 1..99`, `Array of at most 16 elements`, `one of "none", "jump"`.
    #[must_use]
    pub fn accepts(&self) -> String {
        let or_null = if self.is_nullable() { " or null" } else { "" };
        shape(self) + &demands(self.demands()) + or_null
    }
}

/// Describes the part of it that a violation of this kind is about: `finite float`, the String in a
/// PackedStringArray.
pub(crate) fn expected_of(kind: ErrorKind, schema: &Schema, leaf: &Leaf<'_>) -> String {
    match (schema.shape(), leaf) {
        (Shape::Type(VariantType::PackedStringArray), Leaf::Text(ty, _)) => {
            let sizes = Demands { min_size: None, max_size: None, ..schema.demands().clone() };
            format!("{}{}", ty.name(), demands(&sizes))
        }
        (Shape::Type(_), _) if kind == ErrorKind::NotFinite => format!("finite {}", schema.accepts()),
        _ => schema.accepts(),
    }
}

fn shape(schema: &Schema) -> String {
    match schema.shape() {
        Shape::Any => "any value".to_owned(),
        Shape::Type(VariantType::Nil) => "null".to_owned(),
        Shape::Type(ty) => ty.name().to_owned(),
        Shape::Enum(values) => listed(values),
        Shape::Union(alternatives) => {
            let names: Vec<_> =
                alternatives.iter().take(SHOWN.saturating_add(1)).map(Schema::accepts).collect();
            either(&names)
        }
        Shape::Array(_) => "Array".to_owned(),
        Shape::Tuple(items) => {
            let least = items.iter().filter(|item| *item.presence() == Presence::Required).count();
            let most = count(length(items.len()), "element");
            if schema.demands().open {
                format!("Array of at least {}", count(length(least), "element"))
            } else if least == items.len() {
                format!("Array of {most}")
            } else {
                format!("Array of {least}..{most}")
            }
        }
        Shape::Dict { .. } | Shape::Map(..) => "Dictionary".to_owned(),
        Shape::Ref(name) => name.clone(),
        Shape::Discriminated { key, .. } => format!("Dictionary with a known {}", quoted(key)),
    }
}

/// `int or null`.
pub(crate) fn types(types: &[VariantType]) -> String {
    let name = |ty: &VariantType| if *ty == VariantType::Nil { "null" } else { ty.name() };
    either(&types.iter().map(name).collect::<Vec<_>>())
}

/// `this or that`; no more than anyone reads.
pub(crate) fn either(names: &[impl AsRef<str>]) -> String {
    let shown: Vec<_> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    let more = if names.len() > SHOWN { " or another" } else { "" };
    shown.join(" or ") + more
}

/// `"a", "b" or "c"`, or the one value there is.
pub(crate) fn listed(values: &[Value]) -> String {
    let names: Vec<_> = values.iter().take(SHOWN).map(literal).collect();
    let more = if values.len() > SHOWN { ", ..." } else { "" };
    let of = if values.len() > 1 { "one of " } else { "" };
    format!("{of}{}{more}", names.join(", "))
}

pub(crate) fn literal(value: &Value) -> String {
    match value {
        Value::Nil => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::String(text) => quoted(text),
        Value::StringName(text) => format!("&{}", quoted(text)),
        // What the class is called, `variant-objects` knows.
        Value::Rid(id) => format!("RID {id}"),
        other => format!("a certain {}", other.ty()),
    }
}

pub(crate) fn quoted(text: &str) -> String {
    QuotedText::whole(text).to_string()
}

fn demands(demands: &Demands) -> String {
    let mut text = String::new();
    range(&mut text, demands.min.map(number), demands.max.map(number));
    if let Some(multiple) = demands.multiple_of {
        text.push_str(&format!(" that is a multiple of {}", number(multiple)));
    }
    sizes(&mut text, demands.min_size, demands.max_size, "element");
    sizes(&mut text, demands.min_chars, demands.max_chars, "character");
    if let Some(pattern) = &demands.pattern {
        text.push_str(&format!(" matching {}", quoted(pattern)));
    }
    if demands.min_length.is_some() || demands.max_length.is_some() {
        text.push_str(" of length");
        range(&mut text, demands.min_length.map(float), demands.max_length.map(float));
    }
    if let Some((min, max)) = demands.packing.quantized.and_then(|grid| grid.range) {
        text.push_str(" with numbers in");
        range(&mut text, Some(float(min)), Some(float(max)));
    }
    if let Some(region) = &demands.within {
        let numbers: Vec<_> = region.iter().map(|n| float(*n)).collect();
        text.push_str(&format!(" within ({})", numbers.join(", ")));
    }
    for (holds, word) in [(demands.normalized, " of length 1"), (demands.unique, " without equal elements")] {
        text.push_str(if holds { word } else { "" });
    }
    text
}

fn range(text: &mut String, min: Option<String>, max: Option<String>) {
    match (min, max) {
        (Some(min), Some(max)) => text.push_str(&format!(" {min}..{max}")),
        (Some(min), None) => text.push_str(&format!(" >= {min}")),
        (None, Some(max)) => text.push_str(&format!(" <= {max}")),
        (None, None) => {}
    }
}

fn sizes(text: &mut String, min: Option<u64>, max: Option<u64>, unit: &str) {
    let written = match (min, max) {
        (Some(min), Some(max)) if min == max => write!(text, " of {}", count(min, unit)),
        (Some(min), Some(max)) => write!(text, " of {min}..{}", count(max, unit)),
        (Some(min), None) => write!(text, " of at least {}", count(min, unit)),
        (None, Some(max)) => write!(text, " of at most {}", count(max, unit)),
        (None, None) => Ok(()),
    };
    debug_assert!(written.is_ok(), "a String takes all");
}

pub(crate) fn number(number: Number) -> String {
    match number {
        Number::Int(number) => number.to_string(),
        Number::Float(number) => float(number),
    }
}

/// With a point, so that nobody takes it for an int.
pub(crate) fn float(number: f64) -> String {
    format!("{number:?}")
}

fn count(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

fn length(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A leaf that was refused: its type, and the number that `kind` is about.
pub(crate) fn got(kind: ErrorKind, schema: &Schema, leaf: &Leaf<'_>) -> String {
    let name = leaf.ty().name();
    match leaf {
        Leaf::Nil => "null".to_owned(),
        Leaf::Bool(value) => format!("bool {value}"),
        Leaf::Int(value) => format!("int {value}"),
        Leaf::Float(value) => format!("float {}", float(*value)),
        Leaf::Text(_, text) if kind != ErrorKind::WrongType => {
            format!("{name} of {}", count(judge::characters(text), "character"))
        }
        Leaf::Packed(ty, lanes) if kind == ErrorKind::WrongSize => {
            format!("{name} of {}", count(judge::elements(*ty, lanes), "element"))
        }
        Leaf::Math(ty, lanes) if matches!(kind, ErrorKind::OutOfRange | ErrorKind::NotNormalized) => {
            let demands = schema.demands();
            let has_box = demands.within.is_some() || demands.packing.quantized.is_some();
            let numbers = if has_box { point(lanes) } else { String::new() };
            format!("{name}{numbers} of length {}", float(judge::squared(*ty, lanes).sqrt()))
        }
        _ if kind == ErrorKind::NotFinite => format!("{name} with inf or nan"),
        _ => name.to_owned(),
    }
}

/// `(1.0, -2.5)`
fn point(lanes: &Lanes<'_>) -> String {
    let numbers: Vec<_> = match lanes.lane() {
        Lane::I32 => lanes.i32s().map(|n| n.to_string()).collect(),
        Lane::F32 => lanes.f32s().map(|n| format!("{n:?}")).collect(),
        _ => lanes.widened().map(float).collect(),
    };
    format!("({})", numbers.join(", "))
}

/// Some of the keys that a Dictionary may have.
pub(crate) fn keys<'k>(keys: impl Iterator<Item = &'k str>) -> String {
    let names: Vec<_> = keys.map(quoted).collect();
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    match names.as_slice() {
        [] => "no key at all".to_owned(),
        [only] => format!("only the key {only}"),
        _ => format!(
            "one of the keys {}{more}",
            names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// An Array of so many.
pub(crate) fn elements(size: u32) -> String {
    format!("Array of {}", count(u64::from(size), "element"))
}

/// A container that was refused when it opened.
pub(crate) fn got_container(kind: ErrorKind, container: &Container<'_>) -> String {
    let name = container.ty().name();
    match container {
        Container::Array { count: size, .. } | Container::PackedStrings { count: size }
            if kind == ErrorKind::WrongSize =>
        {
            format!("{name} of {}", count(u64::from(*size), "element"))
        }
        Container::Dictionary { count: size, .. } if kind == ErrorKind::WrongSize => {
            format!("{name} of {} entries", *size)
        }
        Container::Object { .. } => "an object with class and properties".to_owned(),
        _ => name.to_owned(),
    }
}

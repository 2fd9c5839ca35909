//! Digest: a number for all that the bits of a layout depend on.
//!
//! It is FNV-1a of a text of the layout's parts: forms, widths, ranges, values, the names of keys. Demands that are only judged
//! (patterns, lengths of vectors, uniqueness) does not count, so that a server may demand more without locking anybody out.

use std::fmt::Write;

use variant_core::wire::RealWidth;
use variant_schema::Width;

use crate::layout::{Dict, Key, KeyedEntries, Layout, Values, Wire};
use crate::math_types::Solid;
use crate::number_codec::{Form, Start};
use crate::text::Chars;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The hash FNV-1a: short, and the same in every language.
#[must_use]
pub fn fnv(bytes: &[u8]) -> u64 {
    fnv_more(OFFSET, bytes)
}

/// The hash of what has this one and these bytes behind it.
pub(crate) fn fnv_more(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}

/// Folds it to 16 bits.
pub(crate) fn folded(hash: u64) -> u64 {
    (hash ^ hash.wrapping_shr(16) ^ hash.wrapping_shr(32) ^ hash.wrapping_shr(48)) & 0xFFFF
}

/// The digest without keys by which dictionaries have grown.
pub(crate) fn of(layout: &Layout) -> u64 {
    of_text(layout, layout.fixed, |dict| dict.halves().0)
}

pub(crate) fn full(layout: &Layout) -> u64 {
    of_text(layout, layout.nodes.len(), |dict| &dict.keys)
}

/// The digest of a text: a line for each part, in the order in which they are found from the root, keys by name.
fn of_text(layout: &Layout, count: usize, keys: fn(&Dict) -> &[Key]) -> u64 {
    let mut text = format!("packed 1 {}\n", layout.root);
    for (at, node) in layout.nodes.iter().take(count).enumerate() {
        let nullable = if node.nullable { "?" } else { "" };
        let _ = writeln!(text, "{at}{nullable} {}", line(&node.wire, keys));
    }
    fnv(text.as_bytes())
}

fn line(wire: &Wire, keys: fn(&Dict) -> &[Key]) -> String {
    match wire {
        Wire::Pending => String::new(),
        Wire::Nothing(bytes) => format!("only {}", hex(bytes)),
        Wire::Same(node) => format!("as {node}"),
        Wire::Bool => "bool".to_owned(),
        Wire::Number(ty, form) => format!("{} {}", ty.name(), of_form(form)),
        Wire::Solid { ty, solid, reals } => {
            format!("{} {} {}", ty.name(), of_solid(solid), *reals == RealWidth::Double)
        }
        Wire::Text(ty, chars) => format!("{} {}", ty.name(), of_chars(chars)),
        Wire::NodePath => "NodePath".to_owned(),
        Wire::Enum(values) => format!("enum {}", of_values(values)),
        Wire::Dict(dict) => {
            let key = |key: &Key| {
                let default = key.default.as_ref().map_or(String::new(), |codes| format!("={codes:?}"));
                let optional = if key.is_optional { "?" } else { "" };
                format!("{:?}{optional}:{}{default}", key.name, key.node)
            };
            let growing = if dict.growing.is_some() { "growing " } else { "" };
            format!("dict {growing}{}", keys(dict).iter().map(key).collect::<Vec<_>>().join(" "))
        }
        Wire::Cases { name, values, cases, .. } => format!("cases {name:?} {} {cases:?}", of_values(values)),
        Wire::Union { alternatives, width, .. } => format!("union {width} {alternatives:?}"),
        other => line_of_rows(other),
    }
}

/// The line of what holds a number of others, or of anything.
fn line_of_rows(wire: &Wire) -> String {
    match wire {
        Wire::Array { item, count } => format!("array {item} {} {:?}", count.min, count.max),
        Wire::Keyed(KeyedEntries { key, item, count, min, last }) => {
            let what = key.map_or_else(|| format!("set {item}"), |key| format!("keyed map {key} {item}"));
            format!("{what} {} {:?} {min} {last}", count.min, count.max)
        }
        Wire::Tuple(tuple) => format!("tuple {} {:?} {:?}", tuple.least, tuple.items, tuple.defaults),
        Wire::Map { key, value, count } => format!("map {key} {value} {} {:?}", count.min, count.max),
        Wire::Packed { ty, solid, count, reals } => {
            let is_wide = *reals == RealWidth::Double;
            format!("{} {} {} {:?} {is_wide}", ty.name(), of_solid(solid), count.min, count.max)
        }
        Wire::Strings { chars, count } => {
            format!("strings {} {} {:?}", of_chars(chars), count.min, count.max)
        }
        _ => "any".to_owned(),
    }
}

fn of_values(values: &Values) -> String {
    let all: Vec<String> = values.all.iter().map(|bytes| hex(bytes)).collect();
    format!("{} {}", values.width, all.join(" "))
}

fn of_chars(chars: &Chars) -> String {
    let alphabet: String = chars.alphabet.iter().flatten().collect();
    format!("{alphabet:?} {} {:?}", chars.count.min, chars.count.max)
}

fn of_solid(solid: &Solid) -> String {
    match solid {
        Solid::Each(forms) => forms.iter().map(of_form).collect::<Vec<_>>().join(" "),
        Solid::Direction(bits) => format!("direction {bits}"),
        Solid::Flat(bits) => format!("flat {bits}"),
        Solid::Rotation(bits) => format!("rotation {bits}"),
        Solid::Rigid(origin, bits) => {
            format!("rigid {} {bits}", origin.iter().map(of_form).collect::<Vec<_>>().join(" "))
        }
    }
}

fn of_form(form: &Form) -> String {
    match form {
        Form::Span { min, step, last, width, .. } => format!("span {min} {step} {last} {width}"),
        Form::Open { from: Start::Min(min), step } => format!("from {min} {step}"),
        Form::Open { from: Start::Max(max), step } => format!("to {max} {step}"),
        Form::Open { from: Start::Zero, step } => format!("around {step}"),
        Form::Free => "free".to_owned(),
        Form::Raw { width: Width::Half, .. } => "half".to_owned(),
        Form::Raw { width: Width::Single, .. } => "single".to_owned(),
        Form::Raw { width: Width::Double, .. } => "double".to_owned(),
        Form::Grid(grid) => {
            format!("grid {:?} {:?} {:?} {} {}", grid.min, grid.max, grid.step, grid.last, grid.is_narrow)
        }
        Form::Steps { step, is_narrow } => format!("steps {step:?} {is_narrow}"),
        Form::Angle { bits } => format!("angle {bits}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

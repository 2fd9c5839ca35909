//! Writes the parts of a message as the tables that the runtime reads.

use variant_core::Value;
use variant_pack::parts::{Counts, Key, Kind, Numbers, Part, Solids, Texts};

use super::literal::{JavaScript, float, int};
use crate::literals::{of_part, place, plain, read, size, text};
use crate::musts;

/// Writes a row for each part.
pub(super) fn rows(parts: &[Part]) -> Result<Vec<String>, String> {
    let row = |part: &Part| {
        let nullable = if part.nullable { ", nullable: true" } else { "" };
        let musts = musts::of::<JavaScript>(part).join(", ");
        let must = if musts.is_empty() { musts } else { format!(", must: {{ {musts} }}") };
        Ok(format!("{{ {}, least: {}{nullable}{must} }}", kind(part, parts)?, part.least_bits))
    };
    parts.iter().map(row).collect()
}

fn kind(part: &Part, parts: &[Part]) -> Result<String, String> {
    Ok(match &part.kind {
        Kind::Only(bytes) => format!("kind: \"only\", value: {}", listed(part, &read(bytes)?)?),
        Kind::Same(other) => format!("kind: \"same\", part: {other}"),
        Kind::Bool => "kind: \"bool\"".to_owned(),
        Kind::Int(form) => format!("kind: \"int\", form: {}", numbers(form)),
        Kind::Float(form) => format!("kind: \"float\", form: {}", numbers(form)),
        Kind::Solid { ty, solid } => {
            format!("kind: \"solid\", solid: {}, size: {}", solids(solid), size(*ty))
        }
        Kind::Text { chars, .. } => format!("kind: \"text\", chars: {}", texts(chars)),
        Kind::NodePath => "kind: \"path\"".to_owned(),
        Kind::Enum { values, width } => {
            format!("kind: \"enum\", values: {}, width: {width}", enumeration(part, values)?)
        }
        Kind::Any => "kind: \"any\"".to_owned(),
        Kind::Dict { keys, declared, grown } => {
            let keys: Vec<String> = keys.iter().map(|each| key(each, parts)).collect::<Result<_, _>>()?;
            let grown = grown.map_or(String::new(), |count| format!(", grown: {count}"));
            format!("kind: \"dict\", keys: [{}], declared: {declared:?}{grown}", keys.join(", "))
        }
        Kind::Cases { key, values, width, cases } => {
            let (key, values) = (text(key), enumeration(part, values)?);
            format!("kind: \"cases\", key: {key}, values: {values}, width: {width}, cases: {cases:?}")
        }
        _ => list(part, parts)?,
    })
}

fn list(part: &Part, parts: &[Part]) -> Result<String, String> {
    Ok(match &part.kind {
        Kind::Array { item, count } => format!("kind: \"array\", item: {item}, count: {}", counts(*count)),
        Kind::Keyed { item, count, min, last } => {
            let last = narrow_enough(part, *last)?;
            let (count, min) = (counts(*count), int(*min));
            format!("kind: \"keyed\", item: {item}, count: {count}, min: {min}, last: {last}")
        }
        Kind::Tuple { items, least, defaults } => {
            let filled = items.iter().skip(*least).zip(defaults);
            let filled = filled.map(|(item, bytes)| of_part::<JavaScript>(parts, *item, &read(bytes)?));
            let filled = filled.collect::<Result<Vec<_>, String>>()?.join(", ");
            format!("kind: \"tuple\", items: {items:?}, fewest: {least}, defaults: [{filled}]")
        }
        Kind::Map { key, value, count } => {
            format!("kind: \"map\", key: {key}, value: {value}, count: {}", counts(*count))
        }
        Kind::KeyedMap { key, value, count, min, last } => {
            let (count, min, last) = (counts(*count), int(*min), narrow_enough(part, *last)?);
            format!(
                "kind: \"keyed_map\", key: {key}, value: {value}, count: {count}, min: {min}, last: {last}"
            )
        }
        Kind::Packed { ty, solid, count } => {
            let (solid, size) = (solids(solid), size(*ty));
            format!("kind: \"packed\", solid: {solid}, size: {size}, count: {}", counts(*count))
        }
        Kind::Strings { chars, count } => {
            format!("kind: \"strings\", chars: {}, count: {}", texts(chars), counts(*count))
        }
        Kind::Union { alternatives, width, tell } => {
            let tell = tell.as_deref().map_or("null".to_owned(), text);
            format!("kind: \"union\", alternatives: {alternatives:?}, width: {width}, tell: {tell}")
        }
        _ => return Err(format!("{}: this kind has no form here", place(part))),
    })
}

fn key(key: &Key, parts: &[Part]) -> Result<String, String> {
    let optional = if key.optional { ", optional: true" } else { "" };
    let default = match &key.default {
        Some(bytes) => format!(", default: {}", of_part::<JavaScript>(parts, key.part, &read(bytes)?)?),
        None => String::new(),
    };
    Ok(format!("{{ name: {}, part: {}{optional}{default} }}", text(&key.name), key.part))
}

fn enumeration(part: &Part, values: &[Vec<u8>]) -> Result<String, String> {
    let each = values.iter().map(|bytes| listed(part, &read(bytes)?));
    Ok(format!("[{}]", each.collect::<Result<Vec<_>, String>>()?.join(", ")))
}

/// Values that are compared with others: what has keys is not.
fn listed(part: &Part, value: &Value) -> Result<String, String> {
    if matches!(value, Value::Dictionary(_) | Value::NodePath(_)) {
        return Err(format!("{}: a listed value that has parts has no form here", place(part)));
    }
    plain::<JavaScript>(value)
}

/// Keys are told by their places, which are listed in memory: 2^31 of them is more than any list has.
fn narrow_enough(part: &Part, last: u64) -> Result<u64, String> {
    if last < 1 << 31 {
        Ok(last)
    } else {
        Err(format!("{}: its keys have a range that is too wide", place(part)))
    }
}

fn counts(count: Counts) -> String {
    let max = count.max.map_or(String::new(), |max| format!(", max: {max}"));
    format!("{{ min: {}{max} }}", count.min)
}

fn texts(chars: &Texts) -> String {
    let alphabet = match &chars.alphabet {
        Some(letters) => {
            let letters: Vec<String> = letters.chars().map(|letter| text(&letter.to_string())).collect();
            format!(", alphabet: [{}]", letters.join(", "))
        }
        None => String::new(),
    };
    format!("{{ count: {}{alphabet} }}", counts(chars.count))
}

fn solids(solid: &Solids) -> String {
    match solid {
        Solids::Each(forms) => {
            let forms: Vec<String> = forms.iter().map(numbers).collect();
            format!("{{ s: \"each\", forms: [{}] }}", forms.join(", "))
        }
        Solids::Direction(bits) => format!("{{ s: \"direction\", bits: {bits} }}"),
        Solids::Flat(bits) => format!("{{ s: \"flat\", bits: {bits} }}"),
        Solids::Rotation(bits) => format!("{{ s: \"rotation\", bits: {bits} }}"),
        Solids::Rigid { origin, bits } => {
            format!("{{ s: \"rigid\", origin: {}, bits: {bits} }}", numbers(origin))
        }
    }
}

fn numbers(form: &Numbers) -> String {
    match *form {
        Numbers::Span { min, step, last, width, clamped } => {
            let (min, step, last) = (int(min), int(step), int(last));
            format!(
                "{{ f: \"span\", min: {min}, step: {step}, last: {last}, width: {width}, clamped: {clamped} }}"
            )
        }
        Numbers::From { min, step } => format!("{{ f: \"from\", end: {}, step: {} }}", int(min), int(step)),
        Numbers::To { max, step } => format!("{{ f: \"to\", end: {}, step: {} }}", int(max), int(step)),
        Numbers::Around { step } => format!("{{ f: \"around\", step: {} }}", int(step)),
        Numbers::Free => "{ f: \"free\" }".to_owned(),
        Numbers::Raw { bits, lossy } => format!("{{ f: \"raw\", bits: {bits}, lossy: {lossy} }}"),
        Numbers::Grid { min, max, step, last, least, most, narrow, clamped } => {
            let [min, max, step, least, most] = [min, max, step, least, most].map(float);
            format!(
                "{{ f: \"grid\", min: {min}, max: {max}, step: {step}, last: {last}, least: {least}, most: {most}, \
                 narrow: {narrow}, clamped: {clamped} }}"
            )
        }
        Numbers::Steps { step, narrow } => {
            format!("{{ f: \"steps\", step: {}, narrow: {narrow} }}", float(step))
        }
        Numbers::Angle { bits } => format!("{{ f: \"angle\", bits: {bits} }}"),
    }
}

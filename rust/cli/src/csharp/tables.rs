//! Writes the parts of a message as the objects that the runtime reads.

use variant_core::{Value, VariantType};
use variant_pack::parts::{Counts, Key, Kind, Numbers, Part, Solids, Texts};

use super::literal::{CSharp, float, int};
use crate::literals::{of_part, place, plain, read, size, text};
use crate::musts;

/// Writes an object for each part.
pub(super) fn rows(parts: &[Part]) -> Result<Vec<String>, String> {
    let row = |part: &Part| {
        let nullable = if part.nullable { ", Nullable = true" } else { "" };
        let musts = musts::of::<CSharp>(part).join(", ");
        let must = if musts.is_empty() { musts } else { format!(", Must = new Must {{ {musts} }}") };
        Ok(format!("new Part {{ {}, Least = {}{nullable}{must} }}", kind(part, parts)?, part.least_bits))
    };
    parts.iter().map(row).collect()
}

fn kind(part: &Part, parts: &[Part]) -> Result<String, String> {
    Ok(match &part.kind {
        Kind::Only(bytes) => format!("Kind = \"only\", Value = {}", listed(part, &read(bytes)?)?),
        Kind::Same(other) => format!("Kind = \"same\", Other = {other}"),
        Kind::Bool => "Kind = \"bool\"".to_owned(),
        Kind::Int(form) => format!("Kind = \"int\", Form = {}", numbers(form)),
        Kind::Float(form) => format!("Kind = \"float\", Form = {}", numbers(form)),
        Kind::Solid { ty, solid } => format!("Kind = \"solid\", Solid = {}", solids(solid, *ty)),
        Kind::Text { chars, .. } => format!("Kind = \"text\", Chars = {}", texts(chars)),
        Kind::NodePath => "Kind = \"path\"".to_owned(),
        Kind::Enum { values, width } => {
            format!("Kind = \"enum\", Values = {}, Width = {width}", enumeration(part, values)?)
        }
        Kind::Any => "Kind = \"any\"".to_owned(),
        Kind::Dict { keys, declared, grown } => {
            let grown = grown.map_or(String::new(), |count| format!(", Grown = {count}"));
            let keys: Vec<String> = keys.iter().map(|each| key(each, parts)).collect::<Result<_, _>>()?;
            let declared = places(declared);
            format!(
                "Kind = \"dict\", Keys = new Key[] {{ {} }}, Declared = {declared}{grown}",
                keys.join(", ")
            )
        }
        Kind::Cases { key, values, width, cases } => {
            let (key, values, cases) = (text(key), enumeration(part, values)?, places(cases));
            format!("Kind = \"cases\", Tag = {key}, Values = {values}, Width = {width}, Items = {cases}")
        }
        _ => list(part, parts)?,
    })
}

fn list(part: &Part, parts: &[Part]) -> Result<String, String> {
    Ok(match &part.kind {
        Kind::Array { item, count } => {
            format!("Kind = \"array\", Items = {}, Count = {}", places(&[*item]), counts(*count))
        }
        Kind::Keyed { item, count, last, .. } => {
            let (item, count) = (places(&[*item]), counts(*count));
            format!("Kind = \"keyed\", Items = {item}, Count = {count}, Last = {last}UL")
        }
        Kind::Tuple { items, least, defaults } => {
            let filled = items.iter().skip(*least).zip(defaults);
            let filled = filled.map(|(item, bytes)| {
                Ok(format!("() => {}", of_part::<CSharp>(parts, *item, &read(bytes)?)?))
            });
            let filled = filled.collect::<Result<Vec<_>, String>>()?.join(", ");
            let items = places(items);
            format!(
                "Kind = \"tuple\", Items = {items}, Fewest = {least}, Defaults = new Func<object>[] {{ {filled} }}"
            )
        }
        Kind::Map { key, value, count } => {
            format!("Kind = \"map\", Items = {}, Count = {}", places(&[*key, *value]), counts(*count))
        }
        Kind::KeyedMap { key, value, count, last, .. } => {
            let (items, count) = (places(&[*key, *value]), counts(*count));
            format!("Kind = \"keyed_map\", Items = {items}, Count = {count}, Last = {last}UL")
        }
        Kind::Packed { ty, solid, count } => {
            format!("Kind = \"packed\", Solid = {}, Count = {}", solids(solid, *ty), counts(*count))
        }
        Kind::Strings { chars, count } => {
            format!("Kind = \"strings\", Chars = {}, Count = {}", texts(chars), counts(*count))
        }
        Kind::Union { alternatives, width, tell } => {
            let (items, tell) = (places(alternatives), tell.as_deref().map_or("null".to_owned(), text));
            format!("Kind = \"union\", Items = {items}, Width = {width}, Tag = {tell}")
        }
        _ => return Err(format!("{}: this kind has no form here", place(part))),
    })
}

fn places(places: &[usize]) -> String {
    let places: Vec<String> = places.iter().map(usize::to_string).collect();
    format!("new int[] {{ {} }}", places.join(", "))
}

fn key(key: &Key, parts: &[Part]) -> Result<String, String> {
    let optional = if key.optional { ", Optional = true" } else { "" };
    let default = match &key.default {
        Some(bytes) => format!(", Default = () => {}", of_part::<CSharp>(parts, key.part, &read(bytes)?)?),
        None => String::new(),
    };
    Ok(format!("new Key {{ Name = {}, Part = {}{optional}{default} }}", text(&key.name), key.part))
}

fn enumeration(part: &Part, values: &[Vec<u8>]) -> Result<String, String> {
    let each = values.iter().map(|bytes| listed(part, &read(bytes)?));
    Ok(format!("new object[] {{ {} }}", each.collect::<Result<Vec<_>, String>>()?.join(", ")))
}

fn listed(part: &Part, value: &Value) -> Result<String, String> {
    plain::<CSharp>(value).map_err(|error| format!("{}: {error} has no form here", place(part)))
}

fn counts(count: Counts) -> String {
    let max = count.max.map_or(String::new(), |max| format!(", Max = {max}UL"));
    format!("new Counts {{ Min = {}UL{max} }}", count.min)
}

fn texts(chars: &Texts) -> String {
    let alphabet = match &chars.alphabet {
        Some(letters) => {
            let letters: Vec<String> = letters.chars().map(|letter| text(&letter.to_string())).collect();
            format!(", Alphabet = new string[] {{ {} }}", letters.join(", "))
        }
        None => String::new(),
    };
    format!("new Chars {{ Count = {}{alphabet} }}", counts(chars.count))
}

fn solids(solid: &Solids, ty: VariantType) -> String {
    let size = size(ty);
    match solid {
        Solids::Each(forms) => {
            let forms: Vec<String> = forms.iter().map(numbers).collect();
            format!("new Solid {{ Size = {size}, Forms = new Form[] {{ {} }} }}", forms.join(", "))
        }
        Solids::Direction(bits) => {
            format!("new Solid {{ Size = {size}, Kind = \"direction\", Bits = {bits} }}")
        }
        Solids::Flat(bits) => format!("new Solid {{ Size = {size}, Kind = \"flat\", Bits = {bits} }}"),
        Solids::Rotation(bits) => {
            format!("new Solid {{ Size = {size}, Kind = \"rotation\", Bits = {bits} }}")
        }
        Solids::Rigid { origin, bits } => {
            format!(
                "new Solid {{ Size = {size}, Kind = \"rigid\", Origin = {}, Bits = {bits} }}",
                numbers(origin)
            )
        }
    }
}

fn numbers(form: &Numbers) -> String {
    match *form {
        Numbers::Span { min, step, last, width, clamped } => format!(
            "new Form {{ Kind = \"span\", End = {}, Step = {}, Last = {last}UL, Bits = {width}, Clamped = {clamped} }}",
            int(min),
            int(step)
        ),
        Numbers::From { min, step } => {
            format!("new Form {{ Kind = \"from\", End = {}, Step = {} }}", int(min), int(step))
        }
        Numbers::To { max, step } => {
            format!("new Form {{ Kind = \"to\", End = {}, Step = {} }}", int(max), int(step))
        }
        Numbers::Around { step } => format!("new Form {{ Kind = \"around\", Step = {} }}", int(step)),
        Numbers::Free => "new Form { Kind = \"free\" }".to_owned(),
        Numbers::Raw { bits, lossy } => {
            format!("new Form {{ Kind = \"raw\", Bits = {bits}, Lossy = {lossy} }}")
        }
        Numbers::Grid { min, max, step, last, least, most, narrow, clamped } => {
            let [min, max, step, least, most] = [min, max, step, least, most].map(float);
            format!(
                "new Form {{ Kind = \"grid\", Min = {min}, Max = {max}, Grid = {step}, Last = {last}UL, \
                 Least = {least}, Most = {most}, Narrow = {narrow}, Clamped = {clamped} }}"
            )
        }
        Numbers::Steps { step, narrow } => {
            format!("new Form {{ Kind = \"steps\", Grid = {}, Narrow = {narrow} }}", float(step))
        }
        Numbers::Angle { bits } => format!("new Form {{ Kind = \"angle\", Bits = {bits} }}"),
    }
}

//! Writes the parts of a message as the tables that a runtime in another language reads, with what a schema asks of values beyond
//! their bits.

use std::fmt::Display;

use variant_core::VariantType;
use variant_pack::Layout;
use variant_pack::parts::{Chars, Count, Form, Grid, Key, KeyedEntries, Node, Solid, Start, Values, Wire};
use variant_schema::{Demands, Number};

use crate::literals::{Syntax, of_part, place, read, size, text};

pub(crate) fn rows<S: Syntax>(layout: &Layout) -> Result<Vec<String>, String> {
    let row = |part: &Node| {
        let (kind, mut members) = kind::<S>(part, layout)?;
        members.push(member::<S>("least", &part.least_bits));
        if part.nullable {
            members.push(member::<S>("nullable", &true));
        }
        let musts = musts::<S>(part);
        if !musts.is_empty() {
            members.push(member::<S>("must", &S::object("Must", &musts)));
        }
        Ok(object::<S>("Part", "kind", kind, &members))
    };
    layout.nodes().iter().map(row).collect()
}

/// Writes a member, which is called `part|other` if `part` is its name in JavaScript and `other` in C#; a language that has no such
/// member has no name for it.
fn member<S: Syntax>(names: &str, value: &dyn Display) -> String {
    let name = names.split('|').cycle().nth(S::NAME).unwrap_or_default();
    if name.is_empty() { String::new() } else { S::member(name, &value.to_string()) }
}

/// Writes an object that says first of what kind it is.
fn object<S: Syntax>(class: &str, names: &str, kind: &str, members: &[String]) -> String {
    let first = member::<S>(names, &text(kind));
    let members = std::iter::once(&first).chain(members).filter(|member| !member.is_empty());
    S::object(class, &members.cloned().collect::<Vec<_>>())
}

type Members = (&'static str, Vec<String>);

fn kind<S: Syntax>(part: &Node, layout: &Layout) -> Result<Members, String> {
    let with = member::<S>;
    Ok(match &part.wire {
        Wire::Nothing(bytes) => ("only", vec![with("value", &S::listed(part, &read(bytes)?)?)]),
        Wire::Same(other) => ("same", vec![with("part|other", other)]),
        Wire::Bool => ("bool", Vec::new()),
        Wire::Number(ty, form) => (ty.name(), vec![with("form", &numbers::<S>(form))]),
        Wire::Solid { ty, solid, .. } => ("solid", solids::<S>(solid, *ty)),
        Wire::Text(_, chars) => ("text", vec![with("chars", &texts::<S>(chars))]),
        Wire::NodePath => ("path", Vec::new()),
        Wire::Enum(values) => ("enum", enumeration::<S>(part, values)?.into()),
        Wire::Any => ("any", Vec::new()),
        Wire::Dict(dict) => {
            let keys = dict.keys.iter().map(|each| key::<S>(each, layout));
            let keys = with("keys", &S::array("Key", keys.collect::<Result<Vec<_>, _>>()?));
            let grown = dict.growing.map(|count| with("grown", &count));
            let members = [keys, with("declared", &places::<S>(&dict.declared))];
            ("dict", members.into_iter().chain(grown).collect())
        }
        Wire::Cases { name, values, cases, .. } => {
            let [values, width] = enumeration::<S>(part, values)?;
            let cases = with("cases|items", &places::<S>(cases));
            ("cases", vec![with("key|tag", &text(name)), values, width, cases])
        }
        _ => list::<S>(part, layout)?,
    })
}

fn list<S: Syntax>(part: &Node, layout: &Layout) -> Result<Members, String> {
    let with = member::<S>;
    let counted = |count: &Count| with("count", &counts::<S>(*count));
    Ok(match &part.wire {
        Wire::Array { item, count } => ("array", vec![S::children(&["item"], &[*item]), counted(count)]),
        Wire::Keyed(KeyedEntries { key, item, count, min, last }) => {
            let (kind, children) = match key {
                Some(key) => ("keyed_map", S::children(&["key", "value"], &[*key, *item])),
                None => ("keyed", S::children(&["item"], &[*item])),
            };
            let last = with("last", &S::last_key(part, *last)?);
            (kind, vec![children, counted(count), with("min|", &S::int(*min)), last])
        }
        Wire::Tuple(tuple) => {
            let filled = tuple.items.iter().skip(tuple.least).zip(&tuple.defaults);
            let filled = filled.map(|(item, codes)| default::<S>(layout, *item, codes));
            let filled = S::array("Func<object>", filled.collect::<Result<Vec<_>, String>>()?);
            let items = with("items", &places::<S>(&tuple.items));
            ("tuple", vec![items, with("fewest", &tuple.least), with("defaults", &filled)])
        }
        Wire::Map { key, value, count } => {
            ("map", vec![S::children(&["key", "value"], &[*key, *value]), counted(count)])
        }
        Wire::Packed { ty, solid, count, .. } => {
            ("packed", solids::<S>(solid, *ty).into_iter().chain([counted(count)]).collect())
        }
        Wire::Strings { chars, count } => {
            ("strings", vec![with("chars", &texts::<S>(chars)), counted(count)])
        }
        Wire::Union { alternatives, width, tell } => {
            let items = with("alternatives|items", &places::<S>(alternatives));
            let tell = tell.name.as_deref().map_or("null".to_owned(), text);
            ("union", vec![items, with("width", width), with("tell|tag", &tell)])
        }
        _ => return Err(format!("{}: this kind has no form here", place(part))),
    })
}

fn places<S: Syntax>(places: &[usize]) -> String {
    S::array("int", places.iter().map(usize::to_string))
}

fn key<S: Syntax>(key: &Key, layout: &Layout) -> Result<String, String> {
    let mut members = vec![member::<S>("name", &text(&key.name)), member::<S>("part", &key.node)];
    if key.is_optional {
        members.push(member::<S>("optional", &true));
    }
    if let Some(codes) = &key.default {
        members.push(member::<S>("default", &default::<S>(layout, key.node, codes)?));
    }
    Ok(S::object("Key", &members))
}

/// Writes the value that is filled in where a part is missing.
fn default<S: Syntax>(layout: &Layout, node: usize, codes: &[u64]) -> Result<String, String> {
    Ok(S::lazy(of_part::<S>(layout, node, &read(&layout.bytes_of(node, codes))?)?))
}

/// Writes listed values, and how wide their numbers are.
fn enumeration<S: Syntax>(part: &Node, values: &Values) -> Result<[String; 2], String> {
    let each = values.all.iter().map(|bytes| S::listed(part, &read(bytes)?));
    let all = S::array("object", each.collect::<Result<Vec<_>, String>>()?);
    Ok([member::<S>("values", &all), member::<S>("width", &values.width)])
}

fn counts<S: Syntax>(count: Count) -> String {
    let least = member::<S>("min", &S::count(count.min));
    let most = count.max.map(|max| member::<S>("max", &S::count(max)));
    S::object("Counts", &[least].into_iter().chain(most).collect::<Vec<_>>())
}

fn texts<S: Syntax>(chars: &Chars) -> String {
    let letters = |all: &Vec<char>| S::array("string", all.iter().map(|letter| text(&letter.to_string())));
    let alphabet = chars.alphabet.as_ref().map(|all| member::<S>("alphabet", &letters(all)));
    let count = member::<S>("count", &counts::<S>(chars.count));
    S::object("Chars", &[count].into_iter().chain(alphabet).collect::<Vec<_>>())
}

fn solids<S: Syntax>(solid: &Solid, ty: VariantType) -> Vec<String> {
    let with = member::<S>;
    let (kind, members) = match solid {
        Solid::Each(forms) => {
            ("each", vec![with("forms", &S::array("Form", forms.iter().map(numbers::<S>)))])
        }
        Solid::Direction(bits) => ("direction", vec![with("bits", bits)]),
        Solid::Flat(bits) => ("flat", vec![with("bits", bits)]),
        Solid::Rotation(bits) => ("rotation", vec![with("bits", bits)]),
        Solid::Rigid([origin, ..], bits) => {
            ("rigid", vec![with("origin", &numbers::<S>(origin)), with("bits", bits)])
        }
    };
    let members: Vec<String> = std::iter::once(with("|size", &size(ty))).chain(members).collect();
    vec![with("solid", &object::<S>("Solid", "s|kind", kind, &members)), with("size|", &size(ty))]
}

fn numbers<S: Syntax>(form: &Form) -> String {
    let with = member::<S>;
    let int = |names: &str, number: i64| with(names, &S::int(number));
    let float = |names: &str, number: f64| with(names, &S::float(number));
    let (kind, members) = match *form {
        Form::Span { min, step, last, width, is_clamped } => {
            let ends = [int("min|end", min), int("step", step), with("last", &S::far(last))];
            let rest = [with("width|bits", &width), with("clamped", &is_clamped)];
            ("span", ends.into_iter().chain(rest).collect())
        }
        Form::Open { from: Start::Min(end), step } => ("from", vec![int("end", end), int("step", step)]),
        Form::Open { from: Start::Max(end), step } => ("to", vec![int("end", end), int("step", step)]),
        Form::Open { from: Start::Zero, step } => ("around", vec![int("step", step)]),
        Form::Free => ("free", Vec::new()),
        Form::Raw { is_lossy, .. } => ("raw", vec![with("bits", &form.width()), with("lossy", &is_lossy)]),
        Form::Grid(Grid { min, max, step, last, least, most, is_narrow, is_clamped, .. }) => {
            let ends = [float("min", min), float("max", max), float("step|grid", step)];
            let codes = [with("last", &S::count(last)), float("least", least), float("most", most)];
            let rest = [with("narrow", &is_narrow), with("clamped", &is_clamped)];
            ("grid", ends.into_iter().chain(codes).chain(rest).collect())
        }
        Form::Steps { step, is_narrow } => {
            ("steps", vec![float("step|grid", step), with("narrow", &is_narrow)])
        }
        Form::Angle { bits } => ("angle", vec![with("bits", &bits)]),
    };
    object::<S>("Form", "f|kind", kind, &members)
}

/// Writes what a schema asks of the values of a part, as members by their names in JavaScript.
fn musts<S: Syntax>(part: &Node) -> Vec<String> {
    let demands = part.schema.demands();
    let is_real = match &part.wire {
        Wire::Number(ty, _) | Wire::Solid { ty, .. } | Wire::Packed { ty, .. } => !is_whole(*ty),
        _ => false,
    };
    let mut musts = Vec::new();
    if is_real && !demands.allow_non_finite {
        musts.push(S::member("finite", "true"));
    }
    match &part.wire {
        Wire::Number(VariantType::Float, _) => {
            let ends = [("min", demands.min), ("max", demands.max), ("multipleOf", demands.multiple_of)];
            musts.extend(ends.into_iter().filter_map(|(name, end)| {
                let end = match end? {
                    Number::Int(end) => end as f64,
                    Number::Float(end) => end,
                };
                Some(S::member(name, &S::float(end)))
            }));
        }
        Wire::Solid { ty, .. } => musts.extend(of_solid::<S>(*ty, demands)),
        Wire::Text(..) | Wire::Strings { .. }
            if demands.min_chars.is_some() || demands.max_chars.is_some() =>
        {
            let most = demands.max_chars.map_or(f64::INFINITY, |most| most as f64);
            musts.push(S::member("chars", &pair::<S>(demands.min_chars.unwrap_or(0) as f64, most)));
        }
        _ => {}
    }
    if demands.unique {
        musts.push(S::member("unique", "true"));
    }
    musts
}

fn of_solid<S: Syntax>(ty: VariantType, demands: &Demands) -> Vec<String> {
    let mut musts = Vec::new();
    if demands.min_length.is_some() || demands.max_length.is_some() {
        let most = demands.max_length.unwrap_or(f64::INFINITY);
        musts.push(S::member("length", &pair::<S>(demands.min_length.unwrap_or(0.0), most)));
    }
    if demands.normalized {
        musts.push(S::member("unit", "true"));
    }
    if ty == VariantType::Plane {
        musts.push(S::member("of", "3"));
    }
    if let Some((min, max)) = demands.packing.quantized.and_then(|grid| grid.range) {
        // Numbers of vectors have 32 bits, and so have the ends of their ranges.
        let [min, max] = [min, max].map(|end| f64::from(end as f32));
        musts.push(S::member("each", &pair::<S>(min, max)));
    }
    if let Some(region) = &demands.within {
        let (from, size) = region.split_at(region.len() / 2);
        let edges = from.iter().zip(size).map(|(from, size)| pair::<S>(*from, from + size));
        musts.push(S::member("within", &S::array("double[]", edges)));
    }
    musts
}

fn pair<S: Syntax>(least: f64, most: f64) -> String {
    S::array("double", [S::float(least), S::float(most)])
}

pub(crate) fn is_whole(ty: VariantType) -> bool {
    use VariantType as T;
    matches!(ty, T::Int | T::Vector2i | T::Vector3i | T::Vector4i | T::Rect2i)
        || matches!(ty, T::PackedByteArray | T::PackedInt32Array | T::PackedInt64Array)
}

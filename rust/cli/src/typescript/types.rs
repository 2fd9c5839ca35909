//! Writes the types of a message's values for TypeScript.

use variant_core::{Value, VariantType};
use variant_pack::Layout;
use variant_pack::parts::{Dict, Form, KeyedEntries, Node, Solid, Tuple, Values, Wire};

use super::literal::{JavaScript, SAFE};
use crate::literals::{place, plain, read, size, text};

/// Types of the runtime and of the language that a message may not take the name of.
pub(super) const TAKEN: &str = "Array ClientMessages Codec Error FromClient FromServer Input Listener Map Message Messages Named \
    NodePath Object PackError Plain ProtocolListener ServerMessages States Variant Uint8Array";

/// Writes the type of a message, and of the parts that more than one part is made of.
pub(super) fn of(name: &str, layout: &Layout) -> Result<String, String> {
    let root = layout.root();
    let mut uses = vec![0_u32; layout.nodes().len()];
    uses[root] += 1;
    for part in layout.nodes() {
        below(&part.wire).iter().for_each(|at| uses[*at] += 1);
    }
    let typing = Typing { name, layout, uses };
    let mut types = format!("\nexport type {name} = {};\n", typing.body(root)?);
    for at in (0..layout.nodes().len()).filter(|at| *at != root && typing.is_named(*at)) {
        types.push_str(&format!("export type {name}Part{at} = {};\n", typing.body(at)?));
    }
    Ok(types)
}

fn below(wire: &Wire) -> Vec<usize> {
    match wire {
        Wire::Same(part) => vec![*part],
        Wire::Dict(dict) => dict.keys.iter().map(|key| key.node).collect(),
        Wire::Cases { cases, .. } => cases.clone(),
        Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => vec![*item],
        Wire::Tuple(tuple) => tuple.items.clone(),
        Wire::Map { key, value, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: value, .. }) => {
            vec![*key, *value]
        }
        Wire::Union { alternatives, .. } => alternatives.clone(),
        _ => Vec::new(),
    }
}

struct Typing<'p> {
    name: &'p str,
    layout: &'p Layout,
    /// How many parts each part is in.
    uses: Vec<u32>,
}

impl Typing<'_> {
    /// A part in several, itself perhaps among them, has a name, since its type would never end.
    fn is_named(&self, at: usize) -> bool {
        self.uses.get(at).is_some_and(|uses| *uses > 1)
    }

    fn of(&self, at: usize) -> Result<String, String> {
        match self.is_named(at) {
            true if at == self.layout.root() => Ok(self.name.to_owned()),
            true => Ok(format!("{}Part{at}", self.name)),
            false => self.body(at),
        }
    }

    fn body(&self, at: usize) -> Result<String, String> {
        let Some(part) = self.layout.node(at) else { return Ok("never".to_owned()) };
        let body = self.kind(part)?;
        Ok(if part.nullable { format!("{body} | null") } else { body })
    }

    fn kind(&self, part: &Node) -> Result<String, String> {
        Ok(match &part.wire {
            Wire::Nothing(bytes) => listed(std::slice::from_ref(bytes))?,
            Wire::Enum(Values { all, .. }) => listed(all)?,
            Wire::Same(other) => self.of(*other)?,
            Wire::Bool => "boolean".to_owned(),
            Wire::Number(VariantType::Int, form) => whole(form).to_owned(),
            Wire::Number(..) => "number".to_owned(),
            Wire::Solid { ty, .. } => row(size(*ty)),
            Wire::Text(..) => "string".to_owned(),
            Wire::NodePath => "NodePath".to_owned(),
            Wire::Any => "Variant".to_owned(),
            Wire::Dict(_) => self.dict(part, None)?,
            Wire::Cases { name: key, values, cases, .. } => {
                let each = values.all.iter().zip(cases).map(|(value, case)| {
                    let tag = (key.as_str(), listed(std::slice::from_ref(value))?);
                    self.layout
                        .node(*case)
                        .map_or_else(|| Ok("never".to_owned()), |case| self.dict(case, Some(tag)))
                });
                each.collect::<Result<Vec<_>, String>>()?.join(" | ")
            }
            Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
                format!("Array<{}>", self.of(*item)?)
            }
            Wire::Tuple(Tuple { items, least, .. }) => {
                let each = items.iter().enumerate().map(|(number, item)| {
                    let mark = if number >= *least { "?" } else { "" };
                    Ok(format!("({}){mark}", self.of(*item)?))
                });
                format!("[{}]", each.collect::<Result<Vec<_>, String>>()?.join(", "))
            }
            Wire::Map { key, value, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: value, .. }) => {
                format!("Map<{}, {}>", self.of(*key)?, self.of(*value)?)
            }
            Wire::Packed { ty, solid, .. } => format!("Array<{}>", element(*ty, solid)),
            Wire::Strings { .. } => "Array<string>".to_owned(),
            Wire::Union { alternatives, .. } => self.union(part, alternatives)?,
            _ => return Err(format!("{}: this kind has no form here", place(part))),
        })
    }

    fn dict(&self, part: &Node, tag: Option<(&str, String)>) -> Result<String, String> {
        let Wire::Dict(Dict { keys, declared, .. }) = &part.wire else { return Ok("never".to_owned()) };
        let mut members = Vec::new();
        if let Some((key, is)) = tag {
            members.push(format!("{}: {is}", text(key)));
        }
        for key in declared.iter().filter_map(|at| keys.get(*at)) {
            let mark = if key.is_optional { "?" } else { "" };
            members.push(format!("{}{mark}: {}", text(&key.name), self.of(key.node)?));
        }
        Ok(if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join("; ")) })
    }

    /// Alternatives that JavaScript cannot tell apart have no form here.
    fn union(&self, part: &Node, alternatives: &[usize]) -> Result<String, String> {
        let mut looks: Vec<(&str, String)> = Vec::new();
        for alternative in alternatives {
            for look in self.looks(*alternative, 0)? {
                let is_twin = |other: &&(&str, String)| {
                    other.1 != look.1 && (other.0 == look.0 || [other.0, look.0].contains(&"anything"))
                };
                let twin = looks.iter().find(is_twin);
                if let Some((word, other)) = twin {
                    return Err(format!(
                        "{}: it may be {other} or {}, and both are {word} in JavaScript",
                        place(part),
                        look.1
                    ));
                }
                looks.push(look);
            }
        }
        let each = alternatives.iter().map(|at| self.of(*at)).collect::<Result<Vec<_>, _>>()?;
        Ok(each.join(" | "))
    }

    /// Lists the forms of a part's values in JavaScript, each with the type that it is in Godot.
    fn looks(&self, at: usize, level: u32) -> Result<Vec<(&'static str, String)>, String> {
        let Some(part) = self.layout.node(at).filter(|_| level < 64) else { return Ok(Vec::new()) };
        let one = |word: &'static str, ty: &str| Ok(vec![(word, ty.to_owned())]);
        match &part.wire {
            Wire::Nothing(bytes) => Ok(vec![look(&read(bytes)?)]),
            Wire::Enum(Values { all, .. }) => all.iter().map(|bytes| Ok(look(&read(bytes)?))).collect(),
            Wire::Same(other) => self.looks(*other, level + 1),
            Wire::Union { alternatives, .. } => {
                let each = alternatives.iter().map(|at| self.looks(*at, level + 1));
                Ok(each.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
            }
            Wire::Bool => one("a boolean", "bool"),
            Wire::Number(ty, _) => one("a number", ty.name()),
            Wire::Text(ty, _) => one("a string", ty.name()),
            Wire::NodePath => one("an object", "NodePath"),
            Wire::Dict(_) | Wire::Cases { .. } => one("an object", "Dictionary"),
            Wire::Map { .. } | Wire::Keyed(KeyedEntries { key: Some(_), .. }) => one("a Map", "Dictionary"),
            Wire::Solid { ty, .. } | Wire::Packed { ty, .. } => one("an Array", ty.name()),
            Wire::Strings { .. } => one("an Array", "PackedStringArray"),
            Wire::Array { .. } | Wire::Keyed(_) | Wire::Tuple(_) => one("an Array", "Array"),
            Wire::Any => one("anything", "any()"),
            _ => Err(format!("{}: this kind has no form here", place(part))),
        }
    }
}

fn look(value: &Value) -> (&'static str, String) {
    let (word, ty) = match value {
        Value::Nil => ("null", "null"),
        Value::Bool(_) => ("a boolean", "bool"),
        Value::Int(_) => ("a number", "int"),
        Value::Float(_) => ("a number", "float"),
        Value::String(_) => ("a string", "String"),
        Value::StringName(_) => ("a string", "StringName"),
        _ => ("an Array", "a listed value"),
    };
    (word, ty.to_owned())
}

/// Writes the type of listed values: themselves, but for floats that no literal type has.
fn listed(values: &[Vec<u8>]) -> Result<String, String> {
    let each = values.iter().map(|bytes| {
        let value = read(bytes)?;
        match value {
            Value::Float(number) if !number.is_finite() => Ok("number".to_owned()),
            Value::Nil
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::String(_)
            | Value::StringName(_) => plain::<JavaScript>(&value),
            _ => Ok("unknown[]".to_owned()),
        }
    });
    Ok(each.collect::<Result<Vec<_>, String>>()?.join(" | "))
}

fn whole(form: &Form) -> &'static str {
    let is_safe = match *form {
        Form::Span { min, step, last, .. } => {
            let most = i128::from(min) + i128::from(step) * i128::from(last);
            i128::from(min) >= -SAFE && most <= SAFE
        }
        _ => false,
    };
    if is_safe { "number" } else { "number | bigint" }
}

fn row(count: u8) -> String {
    format!("[{}]", vec!["number"; usize::from(count)].join(", "))
}

fn element(ty: VariantType, solid: &Solid) -> String {
    match (size(ty), solid) {
        (1, Solid::Each(forms)) if ty == VariantType::PackedInt64Array => {
            forms.first().map_or("number | bigint", whole).to_owned()
        }
        (1, _) => "number".to_owned(),
        (count, _) => row(count),
    }
}

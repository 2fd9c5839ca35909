//! Describes a value in a few words: `"text"`, `(1, 2)`, `3 entries`. It is for people; only `json` is
//! lossless.

use std::fmt::{self, Display};

use variant_core::QuotedText;
use variant_core::token::{Container, ContainerType, Lanes, Leaf, Text};
use variant_core::wire::Lane;

use crate::number::NumberText;

/// The characters of a text that are shown.
const SHOWN_CHARS: usize = 60;
/// The numbers of a packed array that are shown.
const SHOWN_NUMBERS: usize = 8;

/// Prints the beginning of a text.
pub(crate) fn cut<'t>(text: &Text<'t>) -> QuotedText<'t> {
    QuotedText::cut(text.as_str(), SHOWN_CHARS)
}

pub(crate) struct LeafText<'l>(pub(crate) &'l Leaf<'l>);

impl Display for LeafText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Leaf::Nil => f.write_str("null"),
            Leaf::Bool(value) => write!(f, "{value}"),
            Leaf::Int(value) => write!(f, "{value}"),
            Leaf::Float(value) => write!(f, "{}", NumberText::Double(*value)),
            Leaf::Text(_, text) => write!(f, "{}", cut(text)),
            Leaf::Math(_, lanes) => write_numbers(f, lanes, usize::MAX, ["(", ")"]),
            Leaf::Packed(_, lanes) => write_numbers(f, lanes, SHOWN_NUMBERS, ["[", "]"]),
            Leaf::Rid(id) => write!(f, "id {id}"),
            Leaf::ObjectId(id) => write!(f, "id {id}"),
            Leaf::Callable => f.write_str("(no target)"),
            Leaf::Signal(name, object) => {
                write!(f, "{} of object id {object}", cut(name))
            }
        }
    }
}

fn write_numbers(
    f: &mut fmt::Formatter<'_>,
    lanes: &Lanes<'_>,
    most: usize,
    [open, close]: [&str; 2],
) -> fmt::Result {
    f.write_str(open)?;
    for (at, number) in numbers(lanes).take(most).enumerate() {
        write!(f, "{}{number}", if at > 0 { ", " } else { "" })?;
    }
    let hidden = lanes.count().saturating_sub(most);
    if hidden > 0 {
        write!(f, ", {hidden} more")?;
    }
    f.write_str(close)
}

pub(crate) fn numbers<'a>(lanes: &Lanes<'a>) -> Box<dyn Iterator<Item = NumberText> + 'a> {
    match lanes.lane() {
        Lane::U8 => Box::new(lanes.bytes().iter().map(|byte| NumberText::Int(i64::from(*byte)))),
        Lane::I32 => Box::new(lanes.i32s().map(|number| NumberText::Int(i64::from(number)))),
        Lane::I64 => Box::new(lanes.i64s().map(NumberText::Int)),
        Lane::F64 => Box::new(lanes.f64s().map(NumberText::Double)),
        _ => Box::new(lanes.f32s().map(NumberText::Single)),
    }
}

/// Names a leaf's type, with `:64` where its numbers are doubles.
pub(crate) fn type_name(leaf: &Leaf<'_>) -> String {
    let name = leaf.ty().name();
    match leaf {
        Leaf::Math(_, lanes) | Leaf::Packed(_, lanes) if lanes.lane() == Lane::F64 && is_real(leaf) => {
            format!("{name}:64")
        }
        Leaf::ObjectId(_) => "Object id".to_owned(),
        _ => name.to_owned(),
    }
}

/// Tells whether the type holds reals, so that doubles have to be marked.
fn is_real(leaf: &Leaf<'_>) -> bool {
    use variant_core::wire::Layout;
    matches!(leaf.ty().layout(), Layout::Math(Lane::Real, _) | Layout::Packed(Lane::Real, _))
}

/// Names a container's type as GDScript writes it: `Array[int]`, `Dictionary[String, class "Item"]`.
pub(crate) fn container_name(container: &Container<'_>) -> String {
    let name = container.ty().name();
    match container {
        Container::Array { element: ContainerType::None, .. }
        | Container::Dictionary { key: ContainerType::None, value: ContainerType::None, .. } => {
            name.to_owned()
        }
        Container::Array { element, .. } => format!("{name}[{}]", DeclaredType(element, quoted)),
        Container::Dictionary { key, value, .. } => {
            format!("{name}[{}, {}]", DeclaredType(key, quoted), DeclaredType(value, quoted))
        }
        Container::Object { class, .. } => format!("{name} {}", cut(class)),
        Container::NodePath { .. } | Container::PackedStrings { .. } => name.to_owned(),
    }
}

pub(crate) fn children(container: &Container<'_>) -> String {
    match *container {
        Container::Array { count, .. } => counted(count, "element", "elements"),
        Container::Dictionary { count, .. } => counted(count, "entry", "entries"),
        Container::Object { count, .. } => counted(count, "property", "properties"),
        Container::PackedStrings { count } => counted(count, "string", "strings"),
        Container::NodePath { absolute, names, subnames } => {
            let start = if absolute { "absolute, " } else { "" };
            format!(
                "{start}{}, {}",
                counted(names, "name", "names"),
                counted(subnames, "sub-name", "sub-names")
            )
        }
    }
}

fn counted(count: u32, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Prints what a typed container declares; the name of a class and the path of a script as this function writes them.
pub(crate) struct DeclaredType<'d>(pub(crate) &'d ContainerType<'d>, pub(crate) fn(&str) -> String);

impl Display for DeclaredType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ContainerType::None => f.write_str("Variant"),
            ContainerType::Builtin(ty) => f.write_str(ty.name()),
            ContainerType::Class(name) => write!(f, "class {}", self.1(name.as_str())),
            ContainerType::Script(path) => write!(f, "script {}", self.1(path.as_str())),
        }
    }
}

pub(crate) fn quoted(name: &str) -> String {
    QuotedText::cut(name, SHOWN_CHARS).to_string()
}

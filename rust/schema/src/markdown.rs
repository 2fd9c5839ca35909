//! A schema in words for people: each part with its path, what it accepts and what it is for; as a list or a Markdown table.

use variant_core::EscapedText;

use crate::describe;
use crate::packing::{Rigid, Width};
use crate::schema::{Presence, Schema, Shape};

/// A part of a schema in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartInWords {
    /// Its place, such as `players[].hp`.
    pub path: String,
    /// The values that it accepts, and how they are packed: `int 0..100`.
    pub accepts: String,
    /// Whether it has to be there: `required`, `optional`, or its default.
    pub presence: String,
    /// Its description.
    pub meaning: String,
}

impl Schema {
    /// Lists all parts, a container before what is in it.
    #[must_use]
    pub fn parts_in_words(&self) -> Vec<PartInWords> {
        let mut parts = Vec::new();
        rows(self, "", &mut parts);
        parts
    }

    /// A table of all parts, one line each.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = "| Path | Accepts | Presence | Meaning |\n|---|---|---|---|\n".to_owned();
        for PartInWords { path, accepts, presence, meaning } in self.parts_in_words() {
            text.push('|');
            for cell in [path, accepts, presence, meaning] {
                text.push_str(&format!(" {} |", markdown_cell(&cell)));
            }
            text.push('\n');
        }
        text
    }
}

fn rows(schema: &Schema, path: &str, parts: &mut Vec<PartInWords>) {
    parts.push(row(schema, path));
    match schema.shape() {
        Shape::Any | Shape::Type(_) | Shape::Enum(_) | Shape::Ref(_) => {}
        Shape::Union(alternatives) => {
            let alternatives = alternatives.iter().enumerate();
            alternatives.for_each(|(at, part)| rows(part, &format!("{path}({at})"), parts));
        }
        Shape::Array(item) => rows(item, &format!("{path}[]"), parts),
        Shape::Tuple(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, part)| rows(part, &format!("{path}[{at}]"), parts));
        }
        Shape::Dict { keys, .. } => {
            for (name, part) in keys {
                let dot = if path.is_empty() { "" } else { "." };
                rows(part, &format!("{path}{dot}{name}"), parts);
            }
        }
        Shape::Map(key, value) => {
            rows(key, &format!("{path}{{key}}"), parts);
            rows(value, &format!("{path}{{value}}"), parts);
        }
        Shape::Discriminated { cases, .. } => {
            for (value, part) in cases {
                rows(part, &format!("{path}({})", describe::literal(value)), parts);
            }
        }
    }
    for (name, part) in schema.definitions().iter() {
        rows(part, &format!("<{name}>"), parts);
    }
}

fn row(schema: &Schema, path: &str) -> PartInWords {
    let path = if path.is_empty() { "(root)" } else { path };
    let presence = match schema.presence() {
        Presence::Required => "required".to_owned(),
        Presence::Optional => "optional".to_owned(),
        Presence::Default(value) => format!("default {}", describe::literal(value)),
    };
    let open = match schema.shape() {
        Shape::Dict { open: true, .. } => ", other keys too",
        Shape::Tuple(_) if schema.demands().open => ", more of any kind too",
        _ => "",
    };
    let packed = packed(schema);
    let accepts = format!("{}{open}{packed}", schema.accepts());
    PartInWords { path: path.to_owned(), accepts, presence, meaning: schema.0.description.clone() }
}

/// How the values are packed: words behind those for what is accepted, each with its comma.
fn packed(schema: &Schema) -> String {
    let packing = &schema.demands().packing;
    let named = |is_said: bool, word: &str| is_said.then(|| word.to_owned());
    let grown = |names: &[String]| match names {
        [] => "may grow".to_owned(),
        _ => {
            format!("grown by {}", names.iter().map(|it| describe::quoted(it)).collect::<Vec<_>>().join(", "))
        }
    };
    let rigid = |it: Rigid| format!("rigid, in steps of {} and {} bits", describe::float(it.step), it.bits);
    let sorted = |key: &str| match key {
        "" => "sorted by its keys".to_owned(),
        _ => format!("a set by {}", describe::quoted(key)),
    };
    let words = [
        packing.quantized.map(|grid| format!("in steps of {}", describe::float(grid.step))),
        packing.bits.map(|bits| format!("packed in {bits} bits")),
        packing.angle.map(|bits| format!("an angle packed in {bits} bits")),
        packing.rigid.map(rigid),
        named(packing.width == Some(Width::Half), "in 16 bits"),
        named(packing.width == Some(Width::Single), "in 32 bits"),
        named(packing.width == Some(Width::Double), "in 64 bits"),
        named(packing.lossy, "rounded"),
        named(packing.clamped, "clamped when packed"),
        packing.alphabet.as_ref().map(|it| format!("of the characters {}", describe::quoted(it))),
        packing.elements.as_ref().map(|it| format!("each {}{}", it.accepts(), packed(it))),
        packing.keyed.as_deref().map(sorted),
        packing.growing.as_deref().map(grown),
        packing.room_for.map(|room| format!("with room for {room}")),
    ];
    words.into_iter().flatten().map(|words| format!(", {words}")).collect()
}

/// Returns a text for a cell of a Markdown table. It neither ends its cell nor begins a tag, and it hides nothing
/// from whoever reads the document.
#[must_use]
pub fn markdown_cell(cell: &str) -> String {
    let cell = cell.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;");
    let cell = cell.split_whitespace().collect::<Vec<_>>().join(" ");
    EscapedText(&cell).to_string()
}

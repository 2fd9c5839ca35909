//! Markdown: a schema as a table for people: each part with its path, what it accepts and what it is for.

use variant_core::EscapedText;

use crate::describe;
use crate::schema::{Presence, Schema, Shape};

impl Schema {
    /// A table of all parts, one line each.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = "| Path | Accepts | Presence | Meaning |\n|---|---|---|---|\n".to_owned();
        rows(self, "", &mut text);
        text
    }
}

fn rows(schema: &Schema, path: &str, text: &mut String) {
    row(schema, path, text);
    match schema.shape() {
        Shape::Any | Shape::Type(_) | Shape::Enum(_) | Shape::Ref(_) => {}
        Shape::Union(alternatives) => {
            let parts = alternatives.iter().enumerate();
            parts.for_each(|(at, part)| rows(part, &format!("{path}({at})"), text));
        }
        Shape::Array(item) => rows(item, &format!("{path}[]"), text),
        Shape::Tuple(items) => {
            let parts = items.iter().enumerate();
            parts.for_each(|(at, part)| rows(part, &format!("{path}[{at}]"), text));
        }
        Shape::Dict { keys, .. } => {
            for (name, part) in keys {
                let dot = if path.is_empty() { "" } else { "." };
                rows(part, &format!("{path}{dot}{name}"), text);
            }
        }
        Shape::Map(key, value) => {
            rows(key, &format!("{path}{{key}}"), text);
            rows(value, &format!("{path}{{value}}"), text);
        }
        Shape::Discriminated { cases, .. } => {
            for (value, part) in cases {
                rows(part, &format!("{path}({})", describe::literal(value)), text);
            }
        }
    }
    for (name, part) in schema.definitions().iter() {
        rows(part, &format!("<{name}>"), text);
    }
}

fn row(schema: &Schema, path: &str, text: &mut String) {
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
    let packed = crate::packing::words(schema);
    let accepts = format!("{}{open}{packed}", describe::expected(schema));
    let cells = [path, &accepts, &presence, &schema.0.description];
    text.push('|');
    for cell in cells {
        text.push_str(&format!(" {} |", markdown_cell(cell)));
    }
    text.push('\n');
}

/// Returns a text for a cell of a Markdown table. It neither ends its cell nor begins a tag, and it hides nothing
/// from whoever reads the document.
#[must_use]
pub fn markdown_cell(cell: &str) -> String {
    let cell = cell.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;");
    let cell = cell.split_whitespace().collect::<Vec<_>>().join(" ");
    EscapedText(&cell).to_string()
}

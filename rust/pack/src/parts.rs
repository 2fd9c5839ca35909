//! Describes the parts of a layout, for tools that write codecs in other languages. A codec that follows
//! docs/PACKED_FORMAT.md needs nothing else.

use variant_core::{Limits, VariantType};
use variant_schema::Schema;

pub use crate::count::Count;
pub use crate::grid::Grid;
use crate::keyed::KeyedEntries;
use crate::layout::{Layout, Values, Wire};
use crate::make::Maker;
pub use crate::math_types::Solid;
pub use crate::number_codec::{Form, Start};
pub use crate::text::Chars;

/// A part of a layout. Others refer to it by its place in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The place in the schema: `entities[].pos`.
    pub path: String,
    /// Whether a bit in front says that it is there and not null.
    pub nullable: bool,
    /// The least bits that it takes.
    pub least_bits: u64,
    /// The form of its values.
    pub kind: Kind,
    /// The schema, which may ask for more than the bits say.
    pub schema: Schema,
}

/// The form of a part's values. Values are in Godot's format.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each under its name")]
pub enum Kind {
    /// A single value, without bits.
    Only(Vec<u8>),
    /// As another part.
    Same(usize),
    Bool,
    Int(Form),
    Float(Form),
    /// A value of several numbers.
    Solid {
        ty: VariantType,
        solid: Solid,
    },
    Text {
        ty: VariantType,
        chars: Chars,
    },
    NodePath,
    /// The first of equal values counts.
    Enum {
        values: Vec<Vec<u8>>,
        width: u32,
    },
    /// Keys in the order of the bits. `declared` has their places in the order of the schema. `grown` is how many of the
    /// last keys were appended, if any may be.
    Dict {
        keys: Vec<Key>,
        declared: Vec<usize>,
        grown: Option<usize>,
    },
    /// `key` is not among the keys of the cases.
    Cases {
        key: String,
        values: Vec<Vec<u8>>,
        width: u32,
        cases: Vec<usize>,
    },
    Array {
        item: usize,
        count: Count,
    },
    /// Entries by the first key of the Dict `item`, from `min` on, `last` more.
    Keyed {
        item: usize,
        count: Count,
        min: i64,
        last: u64,
    },
    /// `defaults` are filled in for the last ones, from `least` on.
    Tuple {
        items: Vec<usize>,
        least: usize,
        defaults: Vec<Vec<u8>>,
    },
    Map {
        key: usize,
        value: usize,
        count: Count,
    },
    /// Entries by their key, from `min` on, `last` more.
    KeyedMap {
        key: usize,
        value: usize,
        count: Count,
        min: i64,
        last: u64,
    },
    Packed {
        ty: VariantType,
        solid: Solid,
        count: Count,
    },
    Strings {
        chars: Chars,
        count: Count,
    },
    /// `tell` is the key that tells Dictionaries apart.
    Union {
        alternatives: Vec<usize>,
        width: u32,
        tell: Option<String>,
    },
    /// Any value, as its bytes.
    Any,
    /// A form that is not described yet. Whoever needs it has to say that it cannot go on.
    Untold,
}

/// A key of a Dictionary.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The name.
    pub name: String,
    /// The part under it.
    pub part: usize,
    /// Whether it may be missing.
    pub optional: bool,
    /// The value that is filled in where it is missing.
    pub default: Option<Vec<u8>>,
}

impl Layout {
    /// Lists its parts; the second answer is the place of the root.
    #[must_use]
    #[doc(hidden)]
    pub fn parts(&self) -> (Vec<Part>, usize) {
        let part = |node: &crate::layout::Node| Part {
            path: node.path.clone(),
            nullable: node.nullable,
            least_bits: node.least_bits,
            kind: self.kind(&node.wire),
            schema: node.schema.clone(),
        };
        (self.nodes.iter().map(part).collect(), self.root)
    }

    fn kind(&self, wire: &Wire) -> Kind {
        match wire {
            // Nothing is pending in a layout that was compiled.
            Wire::Pending => Kind::Only(Vec::new()),
            Wire::Nothing(bytes) => Kind::Only(bytes.clone()),
            Wire::Same(node) => Kind::Same(*node),
            Wire::Bool => Kind::Bool,
            Wire::Number(VariantType::Int, form) => Kind::Int(*form),
            Wire::Number(_, form) => Kind::Float(*form),
            Wire::Solid { ty, solid, .. } => Kind::Solid { ty: *ty, solid: solid.clone() },
            Wire::Text(ty, chars) => Kind::Text { ty: *ty, chars: chars.clone() },
            Wire::NodePath => Kind::NodePath,
            Wire::Enum(Values { all, width, .. }) => Kind::Enum { values: all.clone(), width: *width },
            Wire::Any => Kind::Any,
            Wire::Packed { ty, solid, count, .. } => {
                Kind::Packed { ty: *ty, solid: solid.clone(), count: *count }
            }
            Wire::Strings { chars, count } => Kind::Strings { chars: chars.clone(), count: *count },
            other => self.container(other),
        }
    }

    fn container(&self, wire: &Wire) -> Kind {
        match wire {
            Wire::Dict(dict) => {
                let key = |key: &crate::layout::Key| Key {
                    name: key.name.clone(),
                    part: key.node,
                    optional: key.is_optional,
                    default: key.default.as_deref().map(|codes| self.made(key.node, codes)),
                };
                let keys = dict.keys.iter().map(key).collect();
                Kind::Dict { keys, declared: dict.declared.clone(), grown: dict.growing }
            }
            Wire::Cases { name, values, cases, .. } => Kind::Cases {
                key: name.clone(),
                values: values.all.clone(),
                width: values.width,
                cases: cases.clone(),
            },
            Wire::Array { item, count } => Kind::Array { item: *item, count: *count },
            Wire::Keyed(KeyedEntries { key, item, count, min, last }) => {
                let (item, count, min, last) = (*item, *count, *min, *last);
                match *key {
                    Some(key) => Kind::KeyedMap { key, value: item, count, min, last },
                    None => Kind::Keyed { item, count, min, last },
                }
            }
            Wire::Tuple(tuple) => {
                let last = tuple.items.iter().skip(tuple.least).zip(&tuple.defaults);
                let defaults = last.map(|(node, codes)| self.made(*node, codes)).collect();
                Kind::Tuple { items: tuple.items.clone(), least: tuple.least, defaults }
            }
            Wire::Map { key, value, count } => Kind::Map { key: *key, value: *value, count: *count },
            Wire::Union { alternatives, width, tell } => {
                let (alternatives, tell) = (alternatives.clone(), tell.name.clone());
                Kind::Union { alternatives, width: *width, tell }
            }
            _ => Kind::Untold,
        }
    }

    /// Makes the value of codes that were taken of one.
    fn made(&self, node: usize, codes: &[u64]) -> Vec<u8> {
        let mut made = Vec::new();
        let outcome = Maker::new(self, codes, &mut made, &Limits::engine()).value(node);
        if outcome.is_ok() { made } else { Vec::new() }
    }
}

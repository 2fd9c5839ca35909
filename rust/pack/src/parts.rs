//! Describes the parts of a layout, for tools that write codecs in other languages. A codec that follows
//! docs/PACKED_FORMAT.md needs nothing else.

use variant_core::{Limits, VariantType};
use variant_schema::{Schema, Width};

pub use crate::count::Count as Counts;
use crate::keyed::KeyedEntries;
use crate::layout::{Layout, Values, Wire};
use crate::make::Maker;
use crate::math_types::Solid;
use crate::number_codec::{Form, From};
use crate::text::Chars;

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
    Int(Numbers),
    Float(Numbers),
    /// A value of several numbers.
    Solid {
        ty: VariantType,
        solid: Solids,
    },
    Text {
        ty: VariantType,
        chars: Texts,
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
        count: Counts,
    },
    /// Entries by the first key of the Dict `item`, from `min` on, `last` more.
    Keyed {
        item: usize,
        count: Counts,
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
        count: Counts,
    },
    /// Entries by their key, from `min` on, `last` more.
    KeyedMap {
        key: usize,
        value: usize,
        count: Counts,
        min: i64,
        last: u64,
    },
    Packed {
        ty: VariantType,
        solid: Solids,
        count: Counts,
    },
    Strings {
        chars: Texts,
        count: Counts,
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

/// How a text is packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// Bounds its bytes, or the characters of its alphabet.
    pub count: Counts,
    /// The characters in the order of their numbers.
    pub alphabet: Option<String>,
}

/// How a value of several numbers is packed.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each; numbers are bits")]
pub enum Solids {
    Each(Vec<Numbers>),
    Direction(u32),
    Flat(u32),
    Rotation(u32),
    Rigid { origin: Numbers, bits: u32 },
}

/// How a number is packed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each")]
pub enum Numbers {
    Span {
        min: i64,
        step: i64,
        last: u64,
        width: u32,
        clamped: bool,
    },
    /// Counted from `min` up.
    From {
        min: i64,
        step: i64,
    },
    /// Counted from `max` down.
    To {
        max: i64,
        step: i64,
    },
    Around {
        step: i64,
    },
    Free,
    /// In 16, 32 or 64 bits. A number that would change is refused, unless it is lossy.
    Raw {
        bits: u32,
        lossy: bool,
    },
    /// `least` and `most` are the ends as they are unpacked; `narrow` numbers are rounded to 32 bits.
    Grid {
        min: f64,
        max: f64,
        step: f64,
        last: u64,
        least: f64,
        most: f64,
        narrow: bool,
        clamped: bool,
    },
    Steps {
        step: f64,
        narrow: bool,
    },
    Angle {
        bits: u32,
    },
}

impl Layout {
    /// Lists its parts; the second answer is the place of the root.
    #[must_use]
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
            Wire::Number(VariantType::Int, form) => Kind::Int(numbers(form)),
            Wire::Number(_, form) => Kind::Float(numbers(form)),
            Wire::Solid { ty, solid, .. } => Kind::Solid { ty: *ty, solid: solids(solid) },
            Wire::Text(ty, chars) => Kind::Text { ty: *ty, chars: texts(chars) },
            Wire::NodePath => Kind::NodePath,
            Wire::Enum(Values { all, width, .. }) => Kind::Enum { values: all.clone(), width: *width },
            Wire::Any => Kind::Any,
            Wire::Packed { ty, solid, count, .. } => {
                Kind::Packed { ty: *ty, solid: solids(solid), count: *count }
            }
            Wire::Strings { chars, count } => Kind::Strings { chars: texts(chars), count: *count },
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

fn texts(chars: &Chars) -> Texts {
    let alphabet = chars.alphabet.as_ref().map(|alphabet| alphabet.iter().collect());
    Texts { count: chars.count, alphabet }
}

fn solids(solid: &Solid) -> Solids {
    match solid {
        Solid::Each(forms) => Solids::Each(forms.iter().map(numbers).collect()),
        Solid::Direction(bits) => Solids::Direction(*bits),
        Solid::Flat(bits) => Solids::Flat(*bits),
        Solid::Rotation(bits) => Solids::Rotation(*bits),
        Solid::Rigid([origin, ..], bits) => Solids::Rigid { origin: numbers(origin), bits: *bits },
    }
}

const fn numbers(form: &Form) -> Numbers {
    match *form {
        Form::Span { min, step, last, width, is_clamped } => {
            Numbers::Span { min, step, last, width, clamped: is_clamped }
        }
        Form::Open { from: From::Min(min), step } => Numbers::From { min, step },
        Form::Open { from: From::Max(max), step } => Numbers::To { max, step },
        Form::Open { from: From::Zero, step } => Numbers::Around { step },
        Form::Free => Numbers::Free,
        Form::Raw { width, is_lossy } => {
            let bits = match width {
                Width::Half => 16,
                Width::Single => 32,
                Width::Double => 64,
            };
            Numbers::Raw { bits, lossy: is_lossy }
        }
        Form::Grid(grid) => {
            let (least, most) = grid.ends();
            let (narrow, clamped) = (grid.is_narrow, grid.is_clamped);
            Numbers::Grid {
                min: grid.min,
                max: grid.max,
                step: grid.step,
                last: grid.last,
                least,
                most,
                narrow,
                clamped,
            }
        }
        Form::Steps { step, is_narrow } => Numbers::Steps { step, narrow: is_narrow },
        Form::Angle { bits } => Numbers::Angle { bits },
    }
}

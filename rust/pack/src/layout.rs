//! Layout: a schema as a table of how each part is packed. Made by `compile` only.

use std::collections::HashMap;
use std::sync::Arc;

use variant_core::wire::RealWidth;
use variant_core::{Contents, ErrorKind, Step, VariantType};
use variant_schema::{Program, Schema};

use crate::columns::Plan;
use crate::count::Count;
use crate::fixed_record::Row;
use crate::judge::Judge;
use crate::math_types::Solid;
use crate::number_codec::Form;
use crate::text::{Chars, size};

/// How values of a schema are packed: immutable, to be shared between threads.
#[derive(Debug)]
pub struct Layout {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: usize,
    pub(crate) program: Arc<Program>,
    pub(crate) hash: u64,
    /// The hash with all keys by which dictionaries have grown: a difference depends on those too.
    pub(crate) full_hash: u64,
    /// Nodes that are not of such keys; the others stand behind them.
    pub(crate) fixed: usize,
    /// Says when a value made of codes needs no second look, if ever.
    pub(crate) proof: Option<Proof>,
    /// Says which parts differences predict, if any.
    pub(crate) plan: Option<Plan>,
    /// Whether elements of a part take no bits, so that how many may come has to be looked at.
    pub(crate) has_free: bool,
}

/// The terms on which no limit can speak.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proof {
    pub(crate) contents: Contents,
    /// Containers in one another.
    pub(crate) levels: u64,
    /// Probes that a key of a larger Dictionary may take.
    pub(crate) probes: u64,
    /// Whether the schema makes Arrays typed, which no pass here does.
    pub(crate) is_typed: bool,
}

/// How a part is packed.
#[derive(Debug)]
pub struct Node {
    /// The form of its values.
    pub wire: Wire,
    /// Whether a bit in front says that it is there and not null.
    pub nullable: bool,
    /// The number of codes, where it is always the same.
    pub(crate) codes: Option<usize>,
    /// Those without the one that says whether it is null.
    pub(crate) inside: Option<usize>,
    /// The least bits that it takes.
    pub least_bits: u64,
    pub(crate) most_bits: Option<u64>,
    /// Where it stands in the schema: `entities[].pos`.
    pub path: String,
    /// The schema, which may ask for more than the bits say.
    pub schema: Schema,
    /// Judges a leaf whose codes say less than its schema.
    pub(crate) judge: Judge,
    /// The plan of its values without the bit that says whether they are null, where all have as many codes.
    pub(crate) row: Option<Box<Row>>,
}

impl Node {
    /// A node of which nothing is measured yet.
    pub(crate) fn new(wire: Wire, path: String, schema: Schema) -> Node {
        Node {
            wire,
            nullable: schema.is_nullable(),
            codes: None,
            inside: None,
            least_bits: 0,
            most_bits: None,
            path,
            schema,
            judge: Judge::default(),
            row: None,
        }
    }
}

/// The form of a part's values. Other parts in it are numbers of nodes, values are in Godot's format.
#[derive(Debug)]
#[non_exhaustive]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each under its name")]
pub enum Wire {
    /// Not compiled yet; no layout that was compiled has it.
    Pending,
    /// A single value, as its bytes.
    Nothing(Vec<u8>),
    /// As another node.
    Same(usize),
    Bool,
    Number(VariantType, Form),
    Solid {
        ty: VariantType,
        solid: Solid,
        reals: RealWidth,
    },
    Text(VariantType, Chars),
    NodePath,
    Enum(Values),
    Dict(Dict),
    /// The tag's key is not among the keys of a case.
    Cases {
        tag: Vec<u8>,
        name: String,
        values: Values,
        cases: Vec<usize>,
    },
    Array {
        item: usize,
        count: Count,
    },
    Keyed(KeyedEntries),
    Tuple(Tuple),
    Map {
        key: usize,
        value: usize,
        count: Count,
    },
    /// `ty` is that of the array.
    Packed {
        ty: VariantType,
        solid: Solid,
        count: Count,
        reals: RealWidth,
    },
    Strings {
        chars: Chars,
        count: Count,
    },
    Union {
        alternatives: Vec<usize>,
        width: u32,
        tell: Tell,
    },
    /// Any value, as its bytes.
    Any,
}

/// Values that a schema lists. The first of equal ones counts.
#[derive(Debug)]
pub struct Values {
    /// The values, as bytes.
    pub all: Vec<Vec<u8>>,
    /// Which is the first that equals it.
    pub(crate) numbers: HashMap<Vec<u8>, u64>,
    /// The bits of a number among them.
    pub width: u32,
}

impl Values {
    /// Asks whether a code is that of a value, and of no earlier one that equals it.
    pub(crate) fn check(&self, code: u64) -> Result<(), ErrorKind> {
        let has_twins = self.numbers.len() < self.all.len();
        match () {
            () if size(code) >= self.all.len() => Err(ErrorKind::NotInEnum),
            () if has_twins && !self.numbers.values().any(|first| *first == code) => {
                Err(ErrorKind::NotCanonical)
            }
            () => Ok(()),
        }
    }
}

/// Values that are looked for one after the other.
pub(crate) const FEW: usize = 16;

/// Keys in the order of their bytes; of a set, its key first; those by which it has grown last, in theirs.
#[derive(Debug, Default)]
pub struct Dict {
    /// The keys, in the order of their bits.
    pub keys: Vec<Key>,
    /// Numbers of keys in the order in which they are written out, that of the schema.
    pub declared: Vec<usize>,
    pub(crate) is_declared_order: bool,
    /// How many may be missing.
    pub(crate) optional: usize,
    /// How many of the last keys were appended later, if any may be.
    pub growing: Option<usize>,
    pub(crate) by_name: HashMap<String, usize>,
}

impl Dict {
    /// The keys that were there from the beginning, and those that were not.
    pub(crate) fn halves(&self) -> (&[Key], &[Key]) {
        let fixed = self.keys.len().saturating_sub(self.growing.unwrap_or(0));
        self.keys.split_at_checked(fixed).unwrap_or((&self.keys, &[]))
    }
}

/// A key of a Dictionary.
#[derive(Debug)]
pub struct Key {
    /// The name.
    pub name: String,
    pub(crate) encoded: Vec<u8>,
    /// The part under it.
    pub node: usize,
    /// Whether it may be missing.
    pub is_optional: bool,
    /// The codes of what is filled in where it is missing: [`Layout::bytes_of`] makes the value.
    pub default: Option<Vec<u64>>,
    /// Key and value as they are filled in where they are missing, if that is a leaf.
    pub(crate) filling: Option<Box<[u8]>>,
}

impl Key {
    pub(crate) fn step(&self) -> Step {
        Step::Key(self.name.clone())
    }
}

/// An Array whose elements have a schema each.
#[derive(Debug)]
pub struct Tuple {
    /// The parts of its elements.
    pub items: Vec<usize>,
    /// How many are always there.
    pub least: usize,
    /// The codes of what is filled in for the last ones, from `least` on.
    pub defaults: Vec<Vec<u64>>,
}

impl Tuple {
    pub(crate) fn count(&self) -> Count {
        let [least, most] = [self.least, self.items.len()].map(crate::text::length);
        Count::new(Some(least), Some(most))
    }
}

/// Entries by their keys, from `min` on, `last` more.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each")]
pub struct KeyedEntries {
    /// The key of a map. An array has none beside its Dictionaries.
    pub key: Option<usize>,
    /// The Dictionary of an array, or the value of a map.
    pub item: usize,
    pub count: Count,
    pub min: i64,
    pub last: u64,
}

/// Tells the Dictionaries that a union may be apart.
#[derive(Debug, Default)]
pub struct Tell {
    /// The key, if there are several.
    pub name: Option<String>,
    /// The first alternative for each value of it.
    pub(crate) by_value: HashMap<Vec<u8>, u64>,
    /// The first alternative that takes any Dictionary.
    pub(crate) any: Option<u64>,
    /// Says of each alternative whether no other takes a Dictionary that it takes.
    pub(crate) alone: Vec<bool>,
}

impl Layout {
    /// The program of its schema.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// A number for all that the bits depend on: two peers with the same one read each other's packets.
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// A number for all that differences depend on: that of [`Layout::hash`], unless dictionaries have grown.
    #[must_use]
    #[doc(hidden)]
    pub const fn full_hash(&self) -> u64 {
        self.full_hash
    }

    pub(crate) fn least_bits(&self, nodes: &[usize]) -> u64 {
        let least = nodes.iter().filter_map(|node| self.node(*node)).map(|node| node.least_bits);
        least.fold(0, u64::saturating_add)
    }

    /// A part, by its number.
    #[must_use]
    #[doc(hidden)]
    pub fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    /// All parts.
    #[must_use]
    #[doc(hidden)]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of the part that is the whole value.
    #[must_use]
    #[doc(hidden)]
    pub const fn root(&self) -> usize {
        self.root
    }

    /// Where the codes of a value end that begin at `at`.
    #[inline]
    pub(crate) fn skip(&self, node: usize, codes: &[u64], at: usize) -> usize {
        let Some(node) = self.node(node) else { return at };
        match node.codes {
            Some(count) => at.saturating_add(count),
            None => self.skip_node(node, codes, at),
        }
    }

    fn skip_node(&self, node: &Node, codes: &[u64], at: usize) -> usize {
        let code = |at: usize| codes.get(at).copied().unwrap_or(0);
        let mut at = at;
        if node.nullable {
            at = at.saturating_add(1);
            if code(at.saturating_sub(1)) == 0 {
                return at;
            }
        }
        self.skip_wire(&node.wire, codes, at)
    }

    fn skip_wire(&self, wire: &Wire, codes: &[u64], at: usize) -> usize {
        let code = |at: usize| codes.get(at).copied().unwrap_or(0);
        let first = code(at);
        let next = at.saturating_add(1);
        match wire {
            Wire::Pending | Wire::Nothing(_) => at,
            Wire::Bool | Wire::Number(..) | Wire::Enum(_) => next,
            Wire::Same(node) => self.skip(*node, codes, at),
            Wire::Solid { solid, .. } => at.saturating_add(solid.codes()),
            Wire::Text(_, chars) => next.saturating_add(chars.rest(first)),
            Wire::NodePath => {
                let texts = code(next).saturating_add(code(next.saturating_add(1)));
                (0..texts).fold(at.saturating_add(3), |at, _| skip_bytes(codes, at))
            }
            Wire::Dict(dict) => self.skip_dict(dict, codes, at),
            Wire::Cases { cases, .. } => {
                cases.get(size(first)).map_or(next, |case| self.skip(*case, codes, next))
            }
            Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
                self.skip_all(*item, first, codes, next)
            }
            Wire::Tuple(tuple) => {
                tuple.items.iter().take(size(first)).fold(next, |at, item| self.skip(*item, codes, at))
            }
            Wire::Map { key, value, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: value, .. }) => {
                (0..first).fold(next, |at, _| self.skip(*value, codes, self.skip(*key, codes, at)))
            }
            Wire::Packed { solid, .. } => next.saturating_add(size(first).saturating_mul(solid.codes())),
            Wire::Strings { chars, .. } => {
                (0..first).fold(next, |at, _| at.saturating_add(1).saturating_add(chars.rest(code(at))))
            }
            Wire::Union { alternatives, .. } => {
                alternatives.get(size(first)).map_or(next, |node| self.skip(*node, codes, next))
            }
            Wire::Any => skip_bytes(codes, at),
        }
    }

    fn skip_all(&self, item: usize, count: u64, codes: &[u64], at: usize) -> usize {
        match self.node(item).and_then(|node| node.codes) {
            Some(each) => at.saturating_add(each.saturating_mul(size(count))),
            None => (0..count).fold(at, |at, _| self.skip(item, codes, at)),
        }
    }

    fn skip_dict(&self, dict: &Dict, codes: &[u64], at: usize) -> usize {
        let mut flags = at;
        let mut at = at.saturating_add(dict.optional);
        for key in &dict.keys {
            if key.is_optional {
                flags = flags.saturating_add(1);
                if codes.get(flags.saturating_sub(1)).copied().unwrap_or(0) == 0 {
                    continue;
                }
            }
            at = self.skip(key.node, codes, at);
        }
        at
    }
}

fn skip_bytes(codes: &[u64], at: usize) -> usize {
    let count = codes.get(at).copied().unwrap_or(0);
    at.saturating_add(1).saturating_add(size(count.div_ceil(8)))
}

//! Program: a schema without names and references: flat nodes that the validator follows by number.
//!
//! It is made by `compile` only, so every number in it is a node and every text in it compiles.

use regex::Regex;
use variant_core::wire::{Coercion, coercion};
use variant_core::{Contents, Cost, Value, VariantType, Walker};

use crate::literal::EncodedPrefix;
use crate::literals_index::ListedLiterals;
use crate::schema::{Presence, Schema};

/// The node that accepts everything.
pub(crate) const ANY: usize = 0;

/// A compiled schema: immutable, to be shared between threads.
#[derive(Debug)]
pub struct Program {
    /// Node [`ANY`] is [`ShapeRules::Any`].
    pub(crate) nodes: Vec<Node>,
    /// That node once more, for a number that is none.
    pub(crate) any: Node,
    pub(crate) root: usize,
    /// Keys that tell one Dictionary from another, each once.
    pub(crate) kinds: Vec<String>,
    /// Whether decoding has anything to fill in or to make typed.
    pub(crate) shapes: bool,
    /// Whether decoding has anything to fill in.
    pub(crate) fills: bool,
    /// Whether a node names a check that somebody else runs.
    pub(crate) has_checks: bool,
    /// The contents of its values, if their bytes can be checked without a walk.
    pub(crate) route: Option<Contents>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) what: ShapeRules,
    pub(crate) nullable: bool,
    /// Where it came from, for its demands and for people.
    pub(crate) schema: Schema,
}

/// The values that a node accepts. Demands that are checked on every value of a shape stand here, the rest in
/// `schema`.
#[derive(Debug)]
pub(crate) enum ShapeRules {
    Any,
    /// Not compiled yet; never left in a finished program.
    Pending,
    Int {
        min: i64,
        max: i64,
        multiple: i64,
    },
    Float {
        min: f64,
        max: f64,
        is_free: bool,
        multiple: f64,
    },
    Text {
        ty: VariantType,
        texts: TextRules,
    },
    /// Vectors and all else of a fixed count of numbers.
    Math {
        ty: VariantType,
        has_demands: bool,
    },
    Packed {
        ty: VariantType,
        has_demands: bool,
    },
    PackedStrings(TextRules),
    /// A type of which nothing else can be asked.
    Plain(VariantType),
    Enum(ListedLiterals),
    Array {
        item: usize,
        typed: Option<VariantType>,
    },
    Tuple(Tuple),
    /// Tuples that their first element tells apart.
    Tuples(Tuples),
    Dict(Dict),
    Map {
        key: usize,
        value: usize,
        typed: (Option<VariantType>, Option<VariantType>),
    },
    Union(Vec<Alternative>),
    Kinds(Kinds),
}

/// Demands on texts.
#[derive(Debug)]
pub(crate) struct TextRules {
    pub(crate) min_chars: u64,
    pub(crate) max_chars: u64,
    pub(crate) pattern: Option<Regex>,
}

/// The types that a container declares for its keys and its elements.
pub(crate) type Declared = (Option<VariantType>, Option<VariantType>);

#[derive(Debug)]
pub(crate) struct Dict {
    pub(crate) keys: Vec<DictKey>,
    /// Numbers of `keys`, by name, for dictionaries in another order.
    pub(crate) by_name: Vec<usize>,
    pub(crate) open: bool,
    /// The first 64 keys, a bit each: those that have to be there, and those that have a default.
    pub(crate) required: u64,
    pub(crate) defaults: u64,
    /// Probes that the engine's table may take at most for each of these keys, when all are there.
    pub(crate) most_probes: u64,
}

#[derive(Debug)]
pub(crate) struct DictKey {
    pub(crate) name: String,
    /// The key as a String, as it stands in bytes.
    pub(crate) encoded: EncodedPrefix,
    pub(crate) node: usize,
    pub(crate) is_required: bool,
    pub(crate) default: Option<Value>,
    /// Key and default.
    pub(crate) filled_in: Option<Filling>,
}

/// An Array of so many elements, each with a node of its own.
#[derive(Debug)]
pub(crate) struct Tuple {
    pub(crate) items: Vec<usize>,
    /// The number of elements that have to be there; those after them may be missing.
    pub(crate) least: usize,
    /// Whether more may follow, of any kind.
    pub(crate) open: bool,
    /// The values that decoding fills in for those, up to the first that has no default.
    pub(crate) defaults: Vec<Value>,
    pub(crate) fillings: Vec<Filling>,
}

impl Tuple {
    /// Whether so many elements are as many as it may have.
    pub(crate) fn has_size(&self, count: u32) -> bool {
        usize::try_from(count)
            .is_ok_and(|count| count >= self.least && (self.open || count <= self.items.len()))
    }

    /// Makes one that is not open.
    pub(crate) fn new(items: Vec<usize>, least: usize, defaults: Vec<Value>) -> Tuple {
        let fillings = defaults.iter().map(Filling::of_element).collect();
        Tuple { items, least, open: false, defaults, fillings }
    }

    /// Another form of the default of this number.
    pub(crate) fn set_default(&mut self, number: usize, default: Value) {
        if let (Some(value), Some(filling)) = (self.defaults.get_mut(number), self.fillings.get_mut(number)) {
            *filling = Filling::of_element(&default);
            *value = default;
        }
    }

    /// Returns the values that are filled in behind so many elements.
    pub(crate) fn missing(&self, count: u32) -> &[Value] {
        let from = usize::try_from(count).unwrap_or(usize::MAX).saturating_sub(self.least);
        self.defaults.get(from..).unwrap_or_default()
    }

    /// Returns these values as bytes, with what they cost.
    pub(crate) fn fillings(&self, count: u32) -> &[Filling] {
        let from = self.fillings.len().saturating_sub(self.missing(count).len());
        self.fillings.get(from..).unwrap_or_default()
    }

    /// Returns what filling them in costs.
    pub(crate) fn added(&self, count: u32) -> Cost {
        let missing = self.fillings(count);
        let slots = Cost::of_elements(u64::from(count), u64::try_from(missing.len()).unwrap_or(u64::MAX));
        missing.iter().fold(slots, |sum, filling| sum.and(filling.cost))
    }
}

/// The part of a union for values of one type.
#[derive(Debug)]
pub(crate) struct Alternative {
    pub(crate) ty: VariantType,
    /// Tried one after the other; a container has exactly one.
    pub(crate) nodes: Vec<usize>,
}

/// Dictionaries that a value under one key tells apart.
#[derive(Debug)]
pub(crate) struct Kinds {
    /// Which of the program's `kinds`.
    pub(crate) name: usize,
    /// That key as a String, as it stands in bytes.
    pub(crate) key: EncodedPrefix,
    /// The values it may have.
    pub(crate) told: ListedLiterals,
    /// The Dict that it then is, for each of them.
    pub(crate) cases: Vec<usize>,
    /// A Dict that wants one of the values under the key, and nothing else: for what no case accepts.
    pub(crate) none: usize,
}

/// Arrays that their first element tells apart.
#[derive(Debug)]
pub(crate) struct Tuples {
    /// The literals that the first element may be.
    pub(crate) told: ListedLiterals,
    /// The Tuple that the Array then is, for each of them.
    pub(crate) cases: Vec<usize>,
    /// A Tuple that wants one of them first, and nothing else: for what no case accepts.
    pub(crate) none: usize,
}

impl Program {
    /// The node of this number.
    pub(crate) fn node(&self, at: usize) -> &Node {
        self.nodes.get(at).unwrap_or(&self.any)
    }

    /// Whether decoding fills in defaults or makes typed containers: a pass with [`DefaultingSink`](crate::DefaultingSink) then
    /// gives another value than one without.
    #[must_use]
    pub const fn shapes(&self) -> bool {
        self.shapes
    }

    /// Whether some node names a check that somebody else runs.
    #[must_use]
    pub const fn has_checks(&self) -> bool {
        self.has_checks
    }

    /// How many nodes there are, the one that accepts everything included.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The schema it was made from.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.node(self.root).schema
    }
}

#[doc(hidden)]
impl Program {
    /// The types of the values that it accepts.
    #[must_use]
    pub fn types(&self) -> Vec<VariantType> {
        self.node(self.root).types()
    }

    /// The types of keys and of elements, where it accepts Arrays or Dictionaries of values that are all alike.
    #[must_use]
    pub fn part_types(&self) -> (Option<Vec<VariantType>>, Option<Vec<VariantType>>) {
        let types = |part: &usize| Some(self.node(*part).types());
        match &self.node(self.root).what {
            ShapeRules::Array { item, .. } => (None, types(item)),
            ShapeRules::Map { key, value, .. } => (types(key), types(value)),
            _ => (None, None),
        }
    }
}

impl Node {
    pub(crate) const fn unlimited(what: ShapeRules, schema: Schema) -> Node {
        Node { what, nullable: false, schema }
    }

    /// Whether it accepts some value of this type.
    pub(crate) fn takes(&self, ty: VariantType) -> bool {
        let by_what = match &self.what {
            ShapeRules::Any => true,
            ShapeRules::Pending => false,
            ShapeRules::Int { .. } => ty == VariantType::Int,
            ShapeRules::Float { .. } => ty == VariantType::Float,
            ShapeRules::Text { ty: of, .. }
            | ShapeRules::Math { ty: of, .. }
            | ShapeRules::Packed { ty: of, .. }
            | ShapeRules::Plain(of) => ty == *of,
            ShapeRules::PackedStrings(_) => ty == VariantType::PackedStringArray,
            ShapeRules::Enum(listed) => listed.has_type(ty),
            ShapeRules::Array { .. } | ShapeRules::Tuple(_) | ShapeRules::Tuples(_) => {
                ty == VariantType::Array
            }
            ShapeRules::Dict(_) | ShapeRules::Map { .. } | ShapeRules::Kinds(_) => {
                ty == VariantType::Dictionary
            }
            ShapeRules::Union(alternatives) => alternatives.iter().any(|alternative| alternative.ty == ty),
        };
        by_what || (self.nullable && ty == VariantType::Nil)
    }

    /// Every type it accepts; all of them for `any`.
    pub(crate) fn types(&self) -> Vec<VariantType> {
        VariantType::ALL.iter().copied().filter(|ty| self.takes(*ty)).collect()
    }
}

impl DictKey {
    pub(crate) fn new(name: &str, node: usize, presence: &Presence) -> DictKey {
        let default = presence.default_value().cloned();
        let filled_in = default.as_ref().and_then(|default| Filling::of_entry(name, default));
        let is_required = *presence == Presence::Required;
        DictKey { encoded: encoded_key(name), name: name.to_owned(), node, is_required, default, filled_in }
    }
}

/// A key as engines write it.
pub(crate) fn encoded_key(name: &str) -> EncodedPrefix {
    EncodedPrefix::new(&Value::String(name.to_owned()).encode().unwrap_or_default())
}

impl Dict {
    /// Makes one that is not open.
    pub(crate) fn new(keys: Vec<DictKey>) -> Dict {
        let mut by_name: Vec<usize> = (0..keys.len()).collect();
        by_name.sort_by_key(|at| keys.get(*at).map(|key| key.name.as_str()));
        let bits = |has: fn(&DictKey) -> bool| {
            keys.iter().take(64).rev().fold(0_u64, |bits, key| bits.wrapping_shl(1) | u64::from(has(key)))
        };
        // As many steps as there are keys for each, those of two growths too, and the longest key compared each time.
        let longest = keys.iter().map(|key| key.name.len()).max().unwrap_or(0);
        let steps = keys.len().saturating_mul(3).saturating_mul((longest >> 4).saturating_add(2));
        Dict {
            required: bits(|key| key.is_required),
            defaults: bits(|key| key.default.is_some()),
            most_probes: u64::try_from(steps).unwrap_or(u64::MAX),
            keys,
            by_name,
            open: false,
        }
    }

    /// Another form of a default, for the key of this number.
    pub(crate) fn set_default(&mut self, number: usize, default: Value) {
        if let Some(key) = self.keys.get_mut(number) {
            key.filled_in = Filling::of_entry(&key.name, &default);
            key.default = Some(default);
        }
    }

    /// Returns what filling in costs where so many entries of these declared types are there, and of the
    /// schema's keys those of which this is true.
    pub(crate) fn added(&self, count: u32, of: Declared, has: impl Fn(usize) -> bool) -> Cost {
        let keys = self.keys.iter().enumerate();
        let missing = keys.filter(|(number, _)| !has(*number)).filter_map(|(_, key)| key.filled_in.as_ref());
        let (more, sum) = missing.fold((0_u64, Cost::default()), |(more, sum), filling| {
            (more.saturating_add(1), sum.and(filling.cost))
        });
        // Where names are declared, the keys are made as such.
        let names = if of.0 == Some(VariantType::StringName) { more } else { 0 };
        let table = if more > 0 { Cost::of_entries(u64::from(count), more) } else { Cost::default() };
        sum.and(table).and(Cost::of_names(names))
    }

    /// Whether something may be missing of so many entries that a Dictionary of these declared types would not keep.
    pub(crate) fn outgrows(&self, (key, value): Declared, count: u32) -> bool {
        let may_lack = self.open || usize::try_from(count).is_ok_and(|count| count < self.keys.len());
        let is_kept = |declared: Option<VariantType>, ty| {
            declared.is_none_or(|declared| coercion(declared, ty) == Coercion::Same)
        };
        let has_names = matches!(key, None | Some(VariantType::String | VariantType::StringName));
        let mut defaults = self.keys.iter().filter_map(|key| key.default.as_ref());
        may_lack && defaults.any(|default| !has_names || !is_kept(value, default.ty()))
    }

    /// The number of the key with this name. `next` is where it would stand in the order of the schema.
    pub(crate) fn find(&self, name: &str, next: usize) -> Option<usize> {
        if self.keys.get(next).is_some_and(|key| key.name == name) {
            return Some(next);
        }
        let key_name = |at: &usize| self.keys.get(*at).map_or("", |key| key.name.as_str());
        let at = self.by_name.binary_search_by(|at| key_name(at).cmp(name)).ok()?;
        self.by_name.get(at).copied()
    }
}

/// A default as decoding adds it for a key or an element that is missing.
#[derive(Debug)]
pub(crate) struct Filling {
    /// As an engine writes it; of a key, that before it.
    pub(crate) bytes: Box<[u8]>,
    /// The amount it counts against the limits, without its place in the container.
    pub(crate) cost: Cost,
}

impl Filling {
    /// An element. It is empty where no engine could write the value, which none can then fill in either.
    pub(crate) fn of_element(default: &Value) -> Filling {
        let bytes = default.encode().unwrap_or_default();
        Filling { cost: cost(&bytes), bytes: bytes.into() }
    }

    /// A key and its value.
    pub(crate) fn of_entry(name: &str, default: &Value) -> Option<Filling> {
        let (key, default) = (Value::String(name.to_owned()).encode().ok()?, default.encode().ok()?);
        Some(Filling { cost: cost(&key).and(cost(&default)), bytes: [key, default].concat().into() })
    }
}

fn cost(bytes: &[u8]) -> Cost {
    Walker::new().cost(bytes).unwrap_or_default()
}

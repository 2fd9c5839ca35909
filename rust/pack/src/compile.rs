//! Compile: a schema into a layout, or the part that cannot be packed.

mod numbers;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use variant_core::{Mistake, Mistakes, Value, VariantType};
use variant_schema::{Definition, Presence, Program, ReferenceTable, Schema, Shape, alphabet_characters};

use crate::bits::width;
use crate::count::Count;
use crate::layout::{Dict, Key, KeyedEntries, Layout, Node, Tell, Tuple, Values, Wire};
use crate::text::{Chars, length};
use crate::{columns, defaults, digest, fixed_record, leaf, proof, size, unions};

type Outcome<T> = Result<T, Mistake>;

/// References from one to the next on the way to a case: as many as the schema itself allows.
const MOST_REFERENCES: usize = 64;

impl Layout {
    /// The layout of a schema.
    ///
    /// # Errors
    /// All parts that cannot be packed: an object, a RID, a Callable or a Signal, or a Dictionary or tuple that is open.
    pub fn compile(program: Arc<Program>) -> Result<Layout, Mistakes> {
        Layout::compile_changed(program, |_| ())
    }

    /// Compiles a layout that is changed before it is measured and planned.
    pub(crate) fn compile_changed(
        program: Arc<Program>,
        change: impl FnOnce(&mut Layout),
    ) -> Result<Layout, Mistakes> {
        let mut compiler = Compiler::default();
        let root = compiler.node(program.schema(), None, "");
        compiler.finish();
        let fixed = compiler.nodes.len();
        while let Some(later) = compiler.later.pop_front() {
            compiler.grow(&later);
            compiler.finish();
        }
        Mistakes::unless(compiler.mistakes.take(), Ok(()))?;
        let nodes = compiler.nodes;
        let (hash, full_hash, proof, plan, has_free) = (0, 0, None, None, false);
        let mut layout = Layout { nodes, root, program, hash, full_hash, fixed, proof, plan, has_free };
        unions::complete(&mut layout)?;
        size::complete(&mut layout);
        layout.has_free = size::has_free(&layout);
        defaults::complete(&mut layout, &compiler.defaults)?;
        change(&mut layout);
        layout.hash = digest::of(&layout);
        layout.full_hash = digest::full(&layout);
        proof::complete(&mut layout);
        fixed_record::complete(&mut layout);
        columns::complete(&mut layout);
        Ok(layout)
    }
}

/// A node, and what is to be filled in for one of its parts.
pub(crate) struct DefaultValue {
    pub(crate) node: usize,
    /// The number of the key, or of the element counted from the first that may be missing.
    pub(crate) part: usize,
    pub(crate) value: Value,
}

#[derive(Default)]
struct Compiler {
    nodes: Vec<Node>,
    /// The parts that cannot be packed. Each leaves its node with nothing in it, and the others are looked at.
    mistakes: Option<Mistakes>,
    references: ReferenceTable,
    /// Definitions that have a node and nothing in it yet: only parts within parts take stack.
    due: VecDeque<(usize, Schema, Option<usize>, String)>,
    defaults: Vec<DefaultValue>,
    /// Keys by which dictionaries have grown: their nodes come last, so that nothing before depends on them.
    later: VecDeque<AddedKey>,
}

struct AddedKey {
    dict: usize,
    part: usize,
    schema: Schema,
    scope: Option<usize>,
    path: String,
}

fn unpackable(path: &str, message: String) -> Mistake {
    if path.is_empty() { Mistake::of_whole(message) } else { Mistake::new(path, message) }
}

impl Compiler {
    /// The node of a schema: a new one, or that of the definition it names.
    fn node(&mut self, schema: &Schema, scope: Option<usize>, path: &str) -> usize {
        if let Some(name) = schema.stands_for() {
            return self.definition(name, scope, path);
        }
        let at = self.pending(schema, path);
        self.fill(at, schema, scope, path);
        at
    }

    fn finish(&mut self) {
        while let Some((at, schema, scope, path)) = self.due.pop_front() {
            self.fill(at, &schema, scope, &path);
        }
    }

    fn grow(&mut self, later: &AddedKey) {
        let node = self.node(&later.schema, later.scope, &later.path);
        if let Some(Wire::Dict(dict)) = self.nodes.get_mut(later.dict).map(|node| &mut node.wire)
            && let Some(key) = dict.keys.get_mut(later.part)
        {
            key.node = node;
        }
    }

    fn pending(&mut self, schema: &Schema, path: &str) -> usize {
        self.nodes.push(Node::new(Wire::Pending, path.to_owned(), schema.clone()));
        self.nodes.len().saturating_sub(1)
    }

    fn fill(&mut self, at: usize, schema: &Schema, scope: Option<usize>, path: &str) {
        let scope = self.references.open(schema, scope);
        match (self.wire(at, schema, scope, path), self.nodes.get_mut(at)) {
            (Ok(wire), Some(node)) => node.wire = wire,
            (Err(mistake), _) => Mistakes::add(&mut self.mistakes, mistake),
            _ => {}
        }
    }

    fn definition(&mut self, name: &str, scope: Option<usize>, path: &str) -> usize {
        let Some(Definition { schema, scope: within, node }) = self.references.find(name, scope).cloned()
        else {
            Mistakes::add(&mut self.mistakes, unpackable(path, format!("nothing is defined as {name:?}")));
            return self.pending(&Schema::any(), path);
        };
        if let Some(at) = node {
            return at;
        }
        let at = self.pending(&schema, path);
        if let Some(found) = self.references.find(name, scope) {
            found.node = Some(at);
        }
        self.due.push_back((at, schema, Some(within), path.to_owned()));
        at
    }

    fn wire(&mut self, at: usize, schema: &Schema, scope: Option<usize>, path: &str) -> Outcome<Wire> {
        let demands = schema.demands();
        let count = Count::new(demands.min_size, demands.max_size);
        let no = |what: &str| Err(unpackable(path, what.to_owned()));
        Ok(match schema.shape() {
            Shape::Any => Wire::Any,
            Shape::Type(ty) => self.of_type(*ty, schema, path)?,
            Shape::Enum(values) => listed(values, demands.packing.room_for),
            Shape::Union(parts) => {
                let each = parts.iter().enumerate();
                let each = each.map(|(number, part)| self.node(part, scope, &format!("{path}({number})")));
                let alternatives: Vec<usize> = each.collect();
                let all = length(alternatives.len()).max(demands.packing.room_for.unwrap_or(0));
                let width = width(all.saturating_sub(1));
                Wire::Union { alternatives, width, tell: Tell::default() }
            }
            Shape::Ref(name) => Wire::Same(self.definition(name, scope, path)),
            Shape::Array(item) => match &demands.packing.keyed {
                Some(key) => {
                    let (item, (min, last)) = self.keyed(item, key, scope, path)?;
                    Wire::Keyed(KeyedEntries { key: None, item, count, min, last })
                }
                None => Wire::Array { item: self.node(item, scope, &format!("{path}[]")), count },
            },
            Shape::Tuple(_) if demands.open => return no("an open tuple cannot be packed"),
            Shape::Tuple(items) => self.tuple(at, items, scope),
            Shape::Dict { open: true, .. } => return no("an open dict cannot be packed"),
            Shape::Dict { keys, .. } => Wire::Dict(self.dict(at, keys, None, scope)),
            Shape::Map(key, value) => {
                let key = self.node(key, scope, &format!("{path}{{key}}"));
                let value = self.node(value, scope, &format!("{path}{{value}}"));
                if demands.packing.keyed.is_none() {
                    return Ok(Wire::Map { key, value, count });
                }
                let no_range = || unpackable(path, "keyed: keys need a range".to_owned());
                let (min, last) = self.span(key).ok_or_else(no_range)?;
                Wire::Keyed(KeyedEntries { key: Some(key), item: value, count, min, last })
            }
            Shape::Discriminated { key, cases } => self.cases(key, cases, scope, path),
            _ => return no("this kind of schema cannot be packed"),
        })
    }

    fn of_type(&self, ty: VariantType, schema: &Schema, path: &str) -> Outcome<Wire> {
        use variant_core::wire::Layout as Bytes;
        let demands = schema.demands();
        let count = Count::new(demands.min_size, demands.max_size);
        let packing = &demands.packing;
        Ok(match ty.layout() {
            Bytes::Nil => Wire::Nothing(Value::Nil.encode().unwrap_or_default()),
            Bytes::Bool => Wire::Bool,
            Bytes::Int | Bytes::Float => Wire::Number(ty, numbers::form(ty, schema)),
            Bytes::Text => Wire::Text(ty, chars(schema, path)?),
            Bytes::Math(..) => {
                Wire::Solid { ty, solid: numbers::solid(ty, schema), reals: numbers::reals(schema) }
            }
            Bytes::NodePath => Wire::NodePath,
            Bytes::Packed(..) => {
                let (solid, reals) = numbers::elements(ty, packing.elements.as_ref());
                Wire::Packed { ty, solid, count, reals }
            }
            Bytes::PackedStrings => {
                Wire::Strings { chars: chars(packing.elements.as_ref().unwrap_or(schema), path)?, count }
            }
            Bytes::Array | Bytes::Dictionary => Wire::Any,
            _ => return Err(unpackable(path, format!("a value of type {ty} cannot be packed"))),
        })
    }

    /// The node of a keyed array's entries, and the range of their key.
    fn keyed(
        &mut self,
        item: &Schema,
        key: &str,
        scope: Option<usize>,
        path: &str,
    ) -> Outcome<(usize, (i64, u64))> {
        let path = format!("{path}[]");
        let at = self.pending(item, &path);
        let scope = self.references.open(item, scope);
        let Shape::Dict { keys, .. } = item.shape() else {
            return Err(unpackable(&path, "keyed: needs an array of dict()".to_owned()));
        };
        let dict = self.dict(at, keys, Some(key), scope);
        let Some(range) = dict.keys.first().and_then(|key| self.span(key.node)) else {
            return Err(unpackable(&path, format!("keyed: {key:?} has to be an int with a range")));
        };
        if let Some(node) = self.nodes.get_mut(at) {
            node.wire = Wire::Dict(dict);
        }
        Ok((at, range))
    }

    /// The least of an int with a range, and how many more there are.
    fn span(&self, node: usize) -> Option<(i64, u64)> {
        match self.nodes.get(node).map(|node| &node.wire) {
            Some(Wire::Number(_, crate::number_codec::Form::Span { min, last, .. })) => Some((*min, *last)),
            _ => None,
        }
    }

    fn tuple(&mut self, at: usize, items: &[Schema], scope: Option<usize>) -> Wire {
        let path = self.path(at);
        let least = items.iter().take_while(|item| *item.presence() == Presence::Required).count();
        for (part, item) in items.iter().skip(least).enumerate() {
            if let Presence::Default(value) = item.presence() {
                self.defaults.push(DefaultValue { node: at, part, value: value.clone() });
            }
        }
        let nodes = items.iter().enumerate();
        let nodes = nodes.map(|(number, item)| self.node(item, scope, &format!("{path}[{number}]")));
        Wire::Tuple(Tuple { items: nodes.collect(), least, defaults: Vec::new() })
    }

    fn path(&self, at: usize) -> String {
        self.nodes.get(at).map_or_else(String::new, |node| node.path.clone())
    }

    /// Keys in the order of their bytes, but `first` before all others.
    fn dict(
        &mut self,
        at: usize,
        keys: &[(String, Schema)],
        first: Option<&str>,
        scope: Option<usize>,
    ) -> Dict {
        let path = self.path(at);
        let growing = self.nodes.get(at).and_then(|node| node.schema.demands().packing.growing.clone());
        let grown = |name: &str| growing.as_ref()?.iter().position(|other| other == name);
        let mut sorted: Vec<(usize, &(String, Schema))> = keys.iter().enumerate().collect();
        sorted.sort_by_key(|(_, (name, _))| (grown(name), Some(name.as_str()) != first, name.as_bytes()));
        let mut dict = Dict { growing: growing.as_ref().map(Vec::len), ..Dict::default() };
        let mut places = vec![0; keys.len()];
        for (part, (declared, (name, schema))) in sorted.into_iter().enumerate() {
            let dot = if path.is_empty() { "" } else { "." };
            let path = format!("{path}{dot}{name}");
            let node = if grown(name).is_some() {
                self.later.push_back(AddedKey { dict: at, part, schema: schema.clone(), scope, path });
                usize::MAX
            } else {
                self.node(schema, scope, &path)
            };
            if let Presence::Default(value) = schema.presence() {
                self.defaults.push(DefaultValue { node: at, part, value: value.clone() });
            }
            let is_optional = *schema.presence() != Presence::Required;
            dict.optional = dict.optional.saturating_add(usize::from(is_optional));
            dict.by_name.insert(name.clone(), part);
            if let Some(place) = places.get_mut(declared) {
                *place = part;
            }
            let encoded = Value::String(name.clone()).encode().unwrap_or_default();
            let filling = match schema.presence() {
                Presence::Default(value) => proof::filling(&encoded, value),
                _ => None,
            };
            dict.keys.push(Key { name: name.clone(), encoded, node, is_optional, default: None, filling });
        }
        dict.is_declared_order = places.is_sorted();
        dict.declared = places;
        dict
    }

    fn cases(&mut self, key: &str, cases: &[(Value, Schema)], scope: Option<usize>, path: &str) -> Wire {
        let mut nodes = Vec::new();
        for (number, (_, schema)) in cases.iter().enumerate() {
            let path = format!("{path}({number})");
            let Some((schema, scope)) = self.case(schema, scope) else {
                Mistakes::add(&mut self.mistakes, unpackable(&path, "the case leads to no dict".to_owned()));
                continue;
            };
            let Shape::Dict { keys, open: false } = schema.shape() else {
                Mistakes::add(
                    &mut self.mistakes,
                    unpackable(&path, "an open case cannot be packed".to_owned()),
                );
                continue;
            };
            let others: Vec<_> = keys.iter().filter(|(name, _)| name != key).cloned().collect();
            let at = self.pending(&schema, &path);
            let scope = self.references.open(&schema, scope);
            let dict = self.dict(at, &others, None, scope);
            if let Some(node) = self.nodes.get_mut(at) {
                node.wire = Wire::Dict(dict);
            }
            nodes.push(at);
        }
        let values: Vec<Value> = cases.iter().map(|(value, _)| value.clone()).collect();
        let tag = Value::from(key).encode().unwrap_or_default();
        Wire::Cases { tag, name: key.to_owned(), values: Values::new(&values, None), cases: nodes }
    }

    /// The Dictionary that a case leads to.
    fn case(&mut self, schema: &Schema, scope: Option<usize>) -> Option<(Schema, Option<usize>)> {
        let (mut schema, mut scope) = (schema.clone(), scope);
        for _ in 0..=MOST_REFERENCES {
            let Shape::Ref(name) = schema.shape() else { return Some((schema, scope)) };
            let around = self.references.open(&schema, scope);
            let found = self.references.find(name, around)?;
            (schema, scope) = (found.schema.clone(), Some(found.scope));
        }
        None
    }
}

/// A single value has no bits.
fn listed(values: &[Value], room: Option<u64>) -> Wire {
    let listed = Values::new(values, room);
    match listed.all.as_slice() {
        [only] if listed.width == 0 => Wire::Nothing(only.clone()),
        _ => Wire::Enum(listed),
    }
}

impl Values {
    fn new(values: &[Value], room: Option<u64>) -> Values {
        let all: Vec<Vec<u8>> = values.iter().map(|value| value.encode().unwrap_or_default()).collect();
        let mut numbers = HashMap::new();
        for (number, bytes) in (0..).zip(&all) {
            numbers.entry(leaf::same_for_equal(bytes)).or_insert(number);
        }
        let count = length(all.len()).max(room.unwrap_or(0));
        Values { all, numbers, width: width(count.saturating_sub(1)) }
    }
}

fn chars(schema: &Schema, path: &str) -> Outcome<Chars> {
    let demands = schema.demands();
    let alphabet = demands.packing.alphabet.as_deref().map(alphabet_characters).transpose();
    let alphabet = alphabet.map_err(|message| unpackable(path, message))?;
    Ok(Chars::new(alphabet, demands.min_chars, demands.max_chars))
}

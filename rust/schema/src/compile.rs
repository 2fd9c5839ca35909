//! Compile: a schema into a program, or what contradicts itself and where in the schema.
//!
//! Two passes: every schema becomes a node, then nodes that depend on what others accept (unions, typed
//! containers) are completed. It must not look at any value but defaults.

use std::fmt::{self, Display};

use variant_core::{Value, VariantType};

use crate::checker::Checker;
use crate::kinds;
use crate::literal::Literal;
use crate::program::{ANY, Alternative, Dict, Key, Node, Program, Texts, What};
use crate::schema::{Demands, Number, Presence, Schema, Shape};
use crate::sound;
use crate::straight::Route;

/// Levels of a schema: a bound on the stack, far above what people write.
const MAX_LEVELS: usize = 64;
/// Nodes of a schema: a bound on memory for schemas that come as JSON.
const MAX_NODES: usize = 1 << 16;
/// Alternatives of a union after nested ones are taken apart: a bound on what one value can cost.
const MAX_ALTERNATIVES: usize = 256;

/// What contradicts itself in a schema, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    /// The part of the schema: `items[].count`; `(root)` is the schema itself.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for BuildError {}

impl Schema {
    /// The program of this schema.
    ///
    /// # Errors
    /// The first contradiction found: bounds in the wrong order, a demand that does not apply, an unknown
    /// reference, a pattern that does not compile, alternatives that nothing tells apart, a default that the schema
    /// itself refuses.
    pub fn compile(&self) -> Result<Program, BuildError> {
        let mut compiler = Compiler::default();
        compiler.nodes.push(Node::unlimited(What::Any, Schema::any()));
        let root = compiler.node(self, None)?;
        compiler.complete()?;
        let program = Program {
            route: Route::of(&compiler.nodes, root),
            shapes: compiler.shapes,
            has_checks: compiler.has_checks,
            nodes: compiler.nodes,
            any: Node::unlimited(What::Any, Schema::any()),
            root,
            kinds: compiler.kinds,
        };
        check_defaults(program)
    }
}

#[derive(Default)]
pub(crate) struct Compiler {
    pub(crate) nodes: Vec<Node>,
    scopes: Vec<Scope>,
    pub(crate) kinds: Vec<String>,
    pub(crate) path: Vec<String>,
    /// Unions and typed containers, to be completed when every node is there.
    unions: Vec<(usize, Vec<usize>, String)>,
    typed: Vec<(usize, String)>,
    shapes: bool,
    has_checks: bool,
}

/// The definitions of one schema, and the scope around it.
struct Scope {
    parent: Option<usize>,
    names: Vec<(String, Schema, Option<usize>)>,
}

type Outcome<T> = Result<T, BuildError>;

impl Compiler {
    /// The node of a schema: a new one, or that of the definition it refers to.
    pub(crate) fn node(&mut self, schema: &Schema, scope: Option<usize>) -> Outcome<usize> {
        if let Shape::Ref(name) = schema.shape()
            && !schema.is_nullable()
            && schema.definitions().is_empty()
        {
            self.sound(schema)?;
            return self.definition(name, scope, 0);
        }
        let at = self.nodes.len();
        self.nodes.push(Node { what: What::Pending, nullable: schema.is_nullable(), schema: schema.clone() });
        self.fill(at, schema, scope)?;
        Ok(at)
    }

    fn fill(&mut self, at: usize, schema: &Schema, scope: Option<usize>) -> Outcome<()> {
        if self.path.len() > MAX_LEVELS || self.nodes.len() > MAX_NODES {
            return Err(self.error("the schema is too large: more than 64 levels or 65536 parts"));
        }
        self.sound(schema)?;
        self.has_checks |= schema.0.check.is_some();
        let scope = self.scope(schema, scope);
        let what = self.what(at, schema, scope)?;
        if let Some(node) = self.nodes.get_mut(at) {
            node.what = what;
        }
        for (name, _) in schema.definitions() {
            self.path.push(format!("<{name}>"));
            self.definition(name, scope, 0)?;
            self.path.pop();
        }
        Ok(())
    }

    fn sound(&self, schema: &Schema) -> Outcome<()> {
        sound::check(schema).map_err(|message| self.error(&message))
    }

    fn scope(&mut self, schema: &Schema, parent: Option<usize>) -> Option<usize> {
        if schema.definitions().is_empty() {
            return parent;
        }
        let names = schema.definitions().iter().map(|(name, schema)| (name.clone(), schema.clone(), None));
        self.scopes.push(Scope { parent, names: names.collect() });
        self.scopes.len().checked_sub(1)
    }

    /// Where the definition of this name stands: the scope and the place in it.
    fn find(&self, name: &str, scope: Option<usize>) -> Outcome<(usize, usize)> {
        let mut scope = scope;
        while let Some((at, open)) = scope.and_then(|at| self.scopes.get(at).map(|open| (at, open))) {
            if let Some(entry) = open.names.iter().position(|(known, ..)| known == name) {
                return Ok((at, entry));
            }
            scope = open.parent;
        }
        Err(self.error(&format!("nothing is defined as {}", crate::describe::quoted(name))))
    }

    /// The schema a reference leads to, and the scope it stands in.
    pub(crate) fn target(&self, name: &str, scope: Option<usize>) -> Outcome<(Schema, usize)> {
        let (scope, entry) = self.find(name, scope)?;
        let schema = self.scopes.get(scope).and_then(|open| open.names.get(entry));
        Ok((schema.map_or_else(Schema::any, |(_, schema, _)| schema.clone()), scope))
    }

    fn definition(&mut self, name: &str, scope: Option<usize>, hops: usize) -> Outcome<usize> {
        let (scope, entry) = self.find(name, scope)?;
        let open = self.scopes.get_mut(scope).and_then(|open| open.names.get_mut(entry));
        let Some((_, schema, known)) = open else { return Ok(ANY) };
        if let Some(at) = known {
            return Ok(*at);
        }
        let schema = schema.clone();
        if let Shape::Ref(next) = schema.shape()
            && !schema.is_nullable()
            && schema.definitions().is_empty()
        {
            if hops > MAX_LEVELS {
                return Err(self.error("the definition refers to itself and to nothing else"));
            }
            return self.definition(next, Some(scope), hops.saturating_add(1));
        }
        let at = self.nodes.len();
        self.nodes.push(Node { what: What::Pending, nullable: schema.is_nullable(), schema: schema.clone() });
        if let Some((.., known)) = self.scopes.get_mut(scope).and_then(|open| open.names.get_mut(entry)) {
            *known = Some(at);
        }
        self.fill(at, &schema, Some(scope))?;
        Ok(at)
    }

    fn what(&mut self, at: usize, schema: &Schema, scope: Option<usize>) -> Outcome<What> {
        Ok(match schema.shape() {
            Shape::Any => What::Any,
            Shape::Type(ty) => of_type(*ty, schema.demands()).map_err(|message| self.error(&message))?,
            Shape::Enum(values) => What::Enum(self.literals(values)?),
            Shape::Union(alternatives) => {
                let nodes = alternatives.iter().enumerate();
                let nodes = nodes
                    .map(|(number, schema)| self.part(&format!("({number})"), schema, scope))
                    .collect::<Outcome<_>>()?;
                self.unions.push((at, nodes, self.place()));
                What::Pending
            }
            Shape::Ref(name) => {
                let node = self.definition(name, scope, 0)?;
                self.unions.push((at, vec![node], self.place()));
                What::Pending
            }
            Shape::Array(item) => {
                let item = self.part("[]", item, scope)?;
                self.note_typed(at, schema);
                What::Array { item, typed: None }
            }
            Shape::Tuple(items) => {
                let items = items.iter().enumerate();
                What::Tuple(
                    items
                        .map(|(number, item)| self.part(&format!("[{number}]"), item, scope))
                        .collect::<Outcome<_>>()?,
                )
            }
            Shape::Dict { keys, open } => What::Dict(self.dict(keys, *open, scope)?),
            Shape::Map(key, value) => {
                let key = self.part("{key}", key, scope)?;
                let value = self.part("{value}", value, scope)?;
                self.note_typed(at, schema);
                What::Map { key, value, typed: (None, None) }
            }
            Shape::Discriminated { key, cases } => self.discriminated(key, cases, scope)?,
        })
    }

    /// A part of the schema at hand, under a name for its path.
    pub(crate) fn part(&mut self, name: &str, schema: &Schema, scope: Option<usize>) -> Outcome<usize> {
        self.path.push(name.to_owned());
        let node = self.node(schema, scope)?;
        self.path.pop();
        Ok(node)
    }

    fn note_typed(&mut self, at: usize, schema: &Schema) {
        if schema.demands().typed {
            self.shapes = true;
            self.typed.push((at, self.place()));
        }
    }

    fn literals(&self, values: &[Value]) -> Outcome<Vec<Literal>> {
        let literals = values.iter().map(|value| {
            Literal::new(value).ok_or_else(|| {
                let problem = "cannot be listed: use tuple(), dict() or a type";
                self.error(&format!("a value of type {} {problem}", value.ty()))
            })
        });
        literals.collect()
    }

    pub(crate) fn dict(
        &mut self,
        keys: &[(String, Schema)],
        open: bool,
        scope: Option<usize>,
    ) -> Outcome<Dict> {
        let keys = keys.iter().map(|(name, schema)| {
            let segment = if self.path.is_empty() { name.clone() } else { format!(".{name}") };
            let node = self.part(&segment, schema, scope)?;
            let default = match schema.presence() {
                Presence::Default(value) => Some(value.clone()),
                _ => None,
            };
            self.shapes |= default.is_some();
            let is_required = *schema.presence() == Presence::Required;
            Ok(Key::new(name.clone(), node, is_required, default))
        });
        Ok(Dict::new(keys.collect::<Outcome<_>>()?, open))
    }

    fn complete(&mut self) -> Outcome<()> {
        let unions = std::mem::take(&mut self.unions);
        for (at, _, path) in &unions {
            let mut parts = Vec::new();
            let mut around = Vec::new();
            flatten(&unions, *at, &mut around, &mut parts).map_err(|message| error_at(path, message))?;
            // Null that a union inside accepts, this one does too.
            let nullable = around.iter().any(|at| self.nodes.get(*at).is_some_and(|node| node.nullable));
            let what = self.union(&parts, nullable).map_err(|message| error_at(path, &message))?;
            if let Some(node) = self.nodes.get_mut(*at) {
                node.what = what;
            }
        }
        for (at, path) in std::mem::take(&mut self.typed) {
            self.make_typed(at).map_err(|message| error_at(&path, message))?;
        }
        Ok(())
    }

    /// Alternatives by the type of the value, so that one look at a header rules most of them out.
    fn union(&mut self, parts: &[usize], nullable: bool) -> Result<What, String> {
        let mut alternatives: Vec<Alternative> = Vec::new();
        for part in parts {
            let Some(node) = self.nodes.get(*part) else { continue };
            if matches!(node.what, What::Any) {
                if parts.len() > 1 {
                    return Err("any() beside other alternatives makes them pointless".to_owned());
                }
                return Ok(What::Any);
            }
            for ty in node.types() {
                match alternatives.iter_mut().find(|alternative| alternative.ty == ty) {
                    Some(known) => known.nodes.push(*part),
                    None => alternatives.push(Alternative { ty, nodes: vec![*part] }),
                }
            }
        }
        if nullable && !alternatives.iter().any(|alternative| alternative.ty == VariantType::Nil) {
            alternatives.push(Alternative { ty: VariantType::Nil, nodes: Vec::new() });
        }
        for alternative in &mut alternatives {
            if alternative.nodes.len() > MAX_ALTERNATIVES {
                return Err(format!("more than {MAX_ALTERNATIVES} alternatives of one type"));
            }
            self.forget_twins(&mut alternative.nodes);
            kinds::settle(self, alternative)?;
        }
        Ok(What::Union(alternatives))
    }

    /// An alternative that is written twice counts once: what it says of a value is then told, not that there was
    /// another. Of shapes with parts the same node is meant, since equal references may lead to different schemas.
    fn forget_twins(&self, nodes: &mut Vec<usize>) {
        let part = |at: usize| self.nodes.get(at).map(|node| &node.schema);
        let is_alone = |schema: &Schema| matches!(schema.shape(), Shape::Type(_) | Shape::Enum(_));
        let same =
            |a: &Schema, b: &Schema| is_alone(a) && a.shape() == b.shape() && a.demands() == b.demands();
        let mut kept: Vec<usize> = Vec::new();
        for at in nodes.drain(..) {
            let is_twin = kept.iter().any(|known| match (part(*known), part(at)) {
                (Some(known), Some(other)) => same(known, other),
                _ => false,
            });
            if !is_twin {
                kept.push(at);
            }
        }
        *nodes = kept;
    }

    fn make_typed(&mut self, at: usize) -> Result<(), &'static str> {
        let types = |part: usize| self.nodes.get(part).map_or_else(Vec::new, Node::types);
        let one = |part: usize| match types(part).as_slice() {
            [VariantType::Object] | [] => Err("typed() is not for objects"),
            [ty] => Ok(Some(*ty)),
            all if all.len() == VariantType::ALL.len() => Ok(None),
            _ => Err("typed() needs elements of one type, and null is another one"),
        };
        let what = match self.nodes.get(at).map(|node| &node.what) {
            Some(What::Array { item, .. }) => What::Array { item: *item, typed: one(*item)? },
            Some(What::Map { key, value, .. }) => {
                What::Map { key: *key, value: *value, typed: (one(*key)?, one(*value)?) }
            }
            _ => return Ok(()),
        };
        if let Some(node) = self.nodes.get_mut(at) {
            node.what = what;
        }
        Ok(())
    }

    fn discriminated(&mut self, key: &str, cases: &[(Value, Schema)], scope: Option<usize>) -> Outcome<What> {
        let mut nodes = Vec::new();
        for (value, schema) in cases {
            let segment = format!("({})", crate::describe::literal(value));
            self.path.push(segment);
            nodes.push((value.clone(), self.case(key, value, schema, scope)?));
            self.path.pop();
        }
        let kinds = kinds::of_cases(self, key, &nodes).map_err(|message| self.error(&message))?;
        Ok(What::Kinds(kinds))
    }

    /// The Dictionary of one case, with its key among the others.
    fn case(&mut self, key: &str, value: &Value, schema: &Schema, scope: Option<usize>) -> Outcome<usize> {
        let (mut schema, mut scope, mut is_defined) = (schema.clone(), scope, false);
        while let Shape::Ref(name) = schema.shape() {
            let (target, found) = self.target(name, scope)?;
            if is_defined && matches!(target.shape(), Shape::Ref(_)) {
                return Err(self.error("a case may refer to a dict(), not to another reference"));
            }
            (schema, scope, is_defined) = (target, Some(found), true);
        }
        let Shape::Dict { keys, .. } = schema.shape() else {
            return Err(self.error("every case of discriminated() has to be a dict()"));
        };
        if keys.iter().any(|(name, _)| name == key) {
            return self.node(&schema, scope);
        }
        let with_key = schema.with(|body| {
            if let Shape::Dict { keys, .. } = &mut body.shape {
                keys.insert(0, (key.to_owned(), Schema::literal(value.clone())));
            }
        });
        self.node(&with_key, scope)
    }

    fn place(&self) -> String {
        if self.path.is_empty() { "(root)".to_owned() } else { self.path.concat() }
    }

    #[cold]
    pub(crate) fn error(&self, message: &str) -> BuildError {
        error_at(&self.place(), message)
    }
}

fn error_at(path: &str, message: &str) -> BuildError {
    BuildError { path: path.to_owned(), message: message.to_owned() }
}

/// The alternatives of a union, with those of unions in it. `met` gets all these unions.
fn flatten(
    unions: &[(usize, Vec<usize>, String)],
    at: usize,
    met: &mut Vec<usize>,
    parts: &mut Vec<usize>,
) -> Result<(), &'static str> {
    let Some((_, nodes, _)) = unions.iter().find(|(union, ..)| *union == at) else {
        if !parts.contains(&at) {
            parts.push(at);
        }
        return Ok(());
    };
    if met.contains(&at) {
        return Err("the union has itself as an alternative, or another one twice");
    }
    if parts.len() > MAX_ALTERNATIVES || met.len() > MAX_LEVELS {
        return Err("too many alternatives");
    }
    met.push(at);
    for node in nodes {
        flatten(unions, *node, met, parts)?;
    }
    Ok(())
}

fn of_type(ty: VariantType, demands: &Demands) -> Result<What, String> {
    use variant_core::wire::Layout;
    let texts = || {
        let pattern = demands.pattern.as_deref().map(sound::compile_pattern).transpose()?;
        let (min_chars, max_chars) = (demands.min_chars.unwrap_or(0), demands.max_chars.unwrap_or(u64::MAX));
        Ok::<_, String>(Texts { min_chars, max_chars, pattern })
    };
    let whole = |bound: Option<Number>, default: i64| match bound {
        Some(Number::Int(bound)) => bound,
        _ => default,
    };
    let real = |bound: Option<Number>, default: f64| bound.map_or(default, sound::as_f64);
    let has_demands = *demands != Demands::default();
    Ok(match ty.layout() {
        Layout::Int => What::Int {
            min: whole(demands.min, i64::MIN),
            max: whole(demands.max, i64::MAX),
            multiple: whole(demands.multiple_of, 1),
        },
        Layout::Float => What::Float {
            min: real(demands.min, f64::NEG_INFINITY),
            max: real(demands.max, f64::INFINITY),
            is_free: demands.allow_non_finite,
            multiple: real(demands.multiple_of, 0.0),
        },
        Layout::Text => What::Text { ty, texts: texts()? },
        Layout::Math(..) => What::Math { ty, has_demands },
        Layout::Packed(..) => What::Packed { ty, has_demands },
        Layout::PackedStrings => What::PackedStrings(texts()?),
        Layout::Array => What::Array { item: ANY, typed: None },
        Layout::Dictionary => What::Map { key: ANY, value: ANY, typed: (None, None) },
        _ => What::Plain(ty),
    })
}

/// A default has to be what the schema accepts, or decoding would make refused values.
fn check_defaults(program: Program) -> Result<Program, BuildError> {
    let mut checker = Checker::new();
    for node in &program.nodes {
        let What::Dict(dict) = &node.what else { continue };
        for key in &dict.keys {
            let Some(default) = &key.default else { continue };
            if let Err(violation) = checker.check_node(&program, key.node, default) {
                let message = format!("the default does not fit: {violation}");
                return Err(error_at(&key.name, &message));
            }
        }
    }
    Ok(program)
}

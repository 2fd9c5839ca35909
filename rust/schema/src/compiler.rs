//! Compiler: a schema into a program, or all that contradicts itself and where in the schema.
//!
//! Every schema becomes a node, then nodes that depend on what others accept (unions, typed containers) are completed, then the
//! values that it states are checked. Each pass goes on behind a mistake, and the next one needs none before. Definitions wait for
//! their turn, so that only parts within parts take stack. It looks at no value but those.

use std::collections::VecDeque;

use variant_core::{Mistakes, Value, VariantType};

use crate::checker::Checker;
use crate::defaults;
use crate::fast::route;
use crate::lint;
use crate::literal::Literal;
use crate::literals_index::ListedLiterals;
use crate::patterns::Patterns;
use crate::program::{ANY, Dict, DictKey, Node, Program, ShapeRules, TextRules, Tuple};
use crate::schema::{Demands, Number, Presence, Schema, Shape};
use crate::scope::{Definition, ReferenceTable};
use crate::size::{MAX_LEVELS, TOO_LARGE};
use crate::trail::{SchemaPath, mistake_at};

impl Schema {
    /// The program of this schema.
    ///
    /// # Errors
    /// All contradictions found: bounds in the wrong order, demands that do not apply, unknown references, patterns that
    /// do not compile; where there are none of these, alternatives that nothing tells apart; else defaults that the schema
    /// itself refuses.
    pub fn compile(&self) -> Result<Program, Mistakes> {
        let (program, stated) = Compiler::program(self)?;
        // A value that the schema states has to be what it accepts, or decoding would make refused values.
        let mut checker = Checker::new();
        let mut mistakes = None;
        for StatedValue { at, value, what, path } in &stated {
            if let Err(violation) = checker.check_node(&program, *at, value) {
                let message = format!("{what} does not fit: {}", violation.reason());
                Mistakes::add(&mut mistakes, mistake_at(path, &message));
            }
        }
        Mistakes::unless(mistakes, Ok(()))?;
        // Defaults are then what decoding makes of them.
        defaults::completed(program).map_err(|wrong| {
            let is_it = |it: &&StatedValue| it.at == wrong.of && it.value == wrong.stated;
            let path = stated.iter().find(is_it).map_or_else(SchemaPath::default, |it| it.path.clone());
            mistake_at(&path, wrong.message).into()
        })
    }
}

/// Nodes of a schema: a bound on memory for schemas that come as JSON.
const MAX_NODES: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct Compiler {
    pub(crate) nodes: Vec<Node>,
    pub(crate) references: ReferenceTable,
    pub(crate) kinds: Vec<String>,
    pub(crate) path: SchemaPath,
    /// Where the definition at hand was first named: levels count from there.
    start: usize,
    /// Definitions that have a node and nothing in it yet.
    due: VecDeque<PendingDefinition>,
    /// Unions and typed containers, to be completed when every node is there.
    pub(crate) unions: Vec<Union>,
    pub(crate) typed: Vec<(usize, SchemaPath)>,
    /// Definitions, and containers with a least size of what has to differ: whether some value is like that.
    pub(crate) defined: Vec<(usize, SchemaPath)>,
    pub(crate) sized: Vec<(usize, SchemaPath)>,
    /// To be checked when every node is complete.
    pub(crate) stated: Vec<StatedValue>,
    patterns: Patterns,
    shapes: bool,
    fills: bool,
    pub(crate) has_checks: bool,
    mistakes: Option<Mistakes>,
    /// The schema is too large to go on with.
    is_too_large: bool,
}

/// A value that the schema states, such as a default, and the node that has to accept it.
pub(crate) struct StatedValue {
    pub(crate) at: usize,
    pub(crate) value: Value,
    pub(crate) what: &'static str,
    pub(crate) path: SchemaPath,
}

/// The nodes that a union has as alternatives.
pub(crate) struct Union {
    pub(crate) at: usize,
    pub(crate) nodes: Vec<usize>,
    pub(crate) path: SchemaPath,
}

/// A definition whose node is to be filled.
struct PendingDefinition {
    at: usize,
    schema: Schema,
    scope: usize,
    pub(crate) path: SchemaPath,
}

impl Compiler {
    /// Makes the program of a schema, and lists the values that it states, which nobody has looked at yet.
    pub(crate) fn program(schema: &Schema) -> Result<(Program, Vec<StatedValue>), Mistakes> {
        let mut compiler = Compiler::default();
        compiler.nodes.push(Node::unlimited(ShapeRules::Any, Schema::any()));
        let root = compiler.node(schema, None);
        compiler.state_default(root, schema);
        compiler.fill_definitions();
        Mistakes::unless(compiler.mistakes.take(), Ok(()))?;
        compiler.complete();
        compiler.check_possible();
        Mistakes::unless(compiler.mistakes.take(), Ok(()))?;
        let program = Program {
            route: route::contents(&compiler.nodes, root, None),
            shapes: compiler.shapes,
            fills: compiler.fills,
            has_checks: compiler.has_checks,
            nodes: compiler.nodes,
            any: Node::unlimited(ShapeRules::Any, Schema::any()),
            root,
            kinds: compiler.kinds,
        };
        Ok((program, compiler.stated))
    }

    /// The node of a schema: a new one, or that of the definition it refers to.
    pub(crate) fn node(&mut self, schema: &Schema, scope: Option<usize>) -> usize {
        if self.is_over() {
            return ANY;
        }
        if let Some(name) = schema.stands_for() {
            self.check(schema);
            return self.definition(name, scope, 0);
        }
        let at = self.pending(schema);
        self.fill(at, schema, scope);
        at
    }

    fn pending(&mut self, schema: &Schema) -> usize {
        self.nodes.push(Node {
            what: ShapeRules::Pending,
            nullable: schema.is_nullable(),
            schema: schema.clone(),
        });
        self.nodes.len().saturating_sub(1)
    }

    fn fill(&mut self, at: usize, schema: &Schema, scope: Option<usize>) {
        if self.path.length().saturating_sub(self.start) > MAX_LEVELS || self.nodes.len() > MAX_NODES {
            self.is_too_large = true;
            return self.mistake(TOO_LARGE);
        }
        self.check(schema);
        self.has_checks |= schema.0.check.is_some();
        let scope = self.references.open(schema, scope);
        let what = self.what(at, schema, scope);
        if let Some(node) = self.nodes.get_mut(at) {
            node.what = what;
        }
        self.definitions(schema, scope);
    }

    /// Those of this schema, also where nothing refers to them.
    pub(crate) fn definitions(&mut self, schema: &Schema, scope: Option<usize>) {
        for (name, definition) in schema.definitions().iter() {
            self.within(format!("<{name}>"), |this| {
                this.check_presence(definition);
                this.definition(name, scope, 0)
            });
        }
    }

    /// Fills the definitions one after the other: a definition that another one names is due after it.
    fn fill_definitions(&mut self) {
        while let Some(PendingDefinition { at, schema, scope, path }) = self.due.pop_front() {
            if self.is_over() {
                return;
            }
            self.start = path.length();
            self.path = path;
            self.fill(at, &schema, Some(scope));
        }
    }

    /// Does something with the part of this name.
    pub(crate) fn within<T>(&mut self, name: String, run: impl FnOnce(&mut Self) -> T) -> T {
        let below = self.path.below(name);
        let around = std::mem::replace(&mut self.path, below);
        let done = run(self);
        self.path = around;
        done
    }

    /// Keeps what is wrong with a schema itself.
    pub(crate) fn check(&mut self, schema: &Schema) {
        if let Some(mistakes) = &schema.0.mistakes {
            let mistakes = mistakes.iter().map(|it| it.within(&self.path.to_string()));
            mistakes.for_each(|it| Mistakes::add(&mut self.mistakes, mistake_at(&it.path, &it.message)));
        } else {
            lint::check(schema).iter().for_each(|message| self.mistake(message));
        }
    }

    /// Finds what a name leads to, or notes a mistake.
    pub(crate) fn defined(&mut self, name: &str, scope: Option<usize>) -> Option<Definition> {
        let found = self.references.find(name, scope).cloned();
        if found.is_none() {
            self.mistake(&format!("nothing is defined as {}", crate::describe::quoted(name)));
        }
        found
    }

    fn definition(&mut self, name: &str, scope: Option<usize>, hops: usize) -> usize {
        let found = self.defined(name, scope).filter(|_| !self.is_over());
        let Some(Definition { schema, scope: within, node }) = found else { return ANY };
        if let Some(at) = node {
            return at;
        }
        if let Some(next) = schema.stands_for() {
            if hops > MAX_LEVELS {
                self.mistake("the definition refers to itself and to nothing else");
                return ANY;
            }
            return self.definition(next, Some(within), hops.saturating_add(1));
        }
        let at = self.pending(&schema);
        if let Some(found) = self.references.find(name, scope) {
            found.node = Some(at);
        }
        // A path that has become long begins anew at a definition.
        let is_long = self.path.length() > MAX_LEVELS;
        let path = if is_long { SchemaPath::default().below(format!("<{name}>")) } else { self.path.clone() };
        self.defined.push((at, path.clone()));
        self.due.push_back(PendingDefinition { at, schema, scope: within, path });
        at
    }

    fn what(&mut self, at: usize, schema: &Schema, scope: Option<usize>) -> ShapeRules {
        match schema.shape() {
            Shape::Any => ShapeRules::Any,
            Shape::Type(ty) => {
                let rules = of_type(*ty, schema.demands(), &mut self.patterns);
                self.or_any(rules)
            }
            Shape::Enum(values) => {
                let listed = ListedLiterals::new(self.literals(values));
                self.or_any(listed.map(ShapeRules::Enum))
            }
            Shape::Union(alternatives) => {
                let nodes = alternatives.iter().enumerate();
                let nodes =
                    nodes.map(|(number, schema)| self.whole(&format!("({number})"), schema, scope)).collect();
                self.unions.push(Union { at, nodes, path: self.path.clone() });
                ShapeRules::Pending
            }
            Shape::Ref(name) => {
                let node = self.definition(name, scope, 0);
                self.unions.push(Union { at, nodes: vec![node], path: self.path.clone() });
                ShapeRules::Pending
            }
            Shape::Array(item) => {
                let item = self.whole("[]", item, scope);
                self.note_container(at, schema);
                ShapeRules::Array { item, typed: None }
            }
            Shape::Tuple(items) => {
                ShapeRules::Tuple(Tuple { open: schema.demands().open, ..self.tuple(items, scope) })
            }
            Shape::Dict { keys, open } => ShapeRules::Dict(Dict { open: *open, ..self.dict(keys, scope) }),
            Shape::Map(key, value) => {
                let key = self.whole("{key}", key, scope);
                let value = self.whole("{value}", value, scope);
                self.note_container(at, schema);
                ShapeRules::Map { key, value, typed: (None, None) }
            }
            Shape::Discriminated { key, cases } => self.discriminated(key, cases, scope),
        }
    }

    /// The rules, or a mistake and any rules in their place.
    pub(crate) fn or_any(&mut self, rules: Result<ShapeRules, String>) -> ShapeRules {
        rules.unwrap_or_else(|message| {
            self.mistake(&message);
            ShapeRules::Any
        })
    }

    /// A part of the schema at hand, under a name for its path.
    pub(crate) fn part(&mut self, name: &str, schema: &Schema, scope: Option<usize>) -> usize {
        self.within(name.to_owned(), |this| {
            let at = this.node(schema, scope);
            this.state_default(at, schema);
            at
        })
    }

    fn state_default(&mut self, at: usize, schema: &Schema) {
        if let Presence::Default(value) = schema.presence() {
            let (value, path) = (value.clone(), self.path.clone());
            self.stated.push(StatedValue { at, value, what: "the default", path });
        }
    }

    /// Compiles a part that cannot be missing.
    fn whole(&mut self, name: &str, schema: &Schema, scope: Option<usize>) -> usize {
        self.within(name.to_owned(), |this| this.check_presence(schema));
        self.part(name, schema, scope)
    }

    pub(crate) fn check_presence(&mut self, schema: &Schema) {
        if *schema.presence() != Presence::Required {
            self.mistake(
                "optional() and defaults are for values of a dict and the last of a tuple; \
                null is accepted with nullable()",
            );
        }
    }

    fn note_container(&mut self, at: usize, schema: &Schema) {
        if schema.demands().typed {
            self.shapes = true;
            self.typed.push((at, self.path.clone()));
        }
        if schema.demands().min_size.is_some() {
            self.sized.push((at, self.path.clone()));
        }
    }

    fn literals(&mut self, values: &[Value]) -> Vec<Literal> {
        let literals = values.iter().filter_map(|value| {
            let literal = Literal::new(value);
            if literal.is_none() {
                let problem = "cannot be listed: use tuple(), dict() or a type";
                self.mistake(&format!("a value of type {} {problem}", value.ty()));
            }
            literal
        });
        literals.collect()
    }

    fn tuple(&mut self, items: &[Schema], scope: Option<usize>) -> Tuple {
        let is_required = |item: &Schema| *item.presence() == Presence::Required;
        let least = items.iter().take_while(|item| is_required(item)).count();
        if items.iter().skip(least).any(is_required) {
            self.mistake("an optional element stands before one that is not optional");
        }
        let default = |item: &Schema| item.presence().default_value().cloned();
        let defaults: Vec<Value> = items.iter().skip(least).map_while(default).collect();
        self.shapes |= !defaults.is_empty();
        self.fills |= !defaults.is_empty();
        let items = items.iter().enumerate();
        let items = items.map(|(number, item)| self.part(&format!("[{number}]"), item, scope));
        Tuple::new(items.collect(), least, defaults)
    }

    fn dict(&mut self, keys: &[(String, Schema)], scope: Option<usize>) -> Dict {
        let keys = keys.iter().map(|(name, schema)| {
            let segment = if self.path.is_root() { name.clone() } else { format!(".{name}") };
            let node = self.part(&segment, schema, scope);
            self.shapes |= schema.presence().default_value().is_some();
            self.fills |= schema.presence().default_value().is_some();
            DictKey::new(name, node, schema.presence())
        });
        Dict::new(keys.collect())
    }

    /// Whether it is no use to go on.
    pub(crate) fn is_over(&self) -> bool {
        self.is_too_large || self.mistakes.as_ref().is_some_and(Mistakes::is_full)
    }

    /// Keeps a mistake of the part at hand.
    #[cold]
    pub(crate) fn mistake(&mut self, message: &str) {
        Mistakes::add(&mut self.mistakes, mistake_at(&self.path, message));
    }

    /// Keeps a mistake of another part, if there is one.
    pub(crate) fn note<E: AsRef<str>>(&mut self, path: &SchemaPath, outcome: Result<(), E>) {
        if let Err(message) = outcome {
            Mistakes::add(&mut self.mistakes, mistake_at(path, message.as_ref()));
        }
    }
}

fn of_type(ty: VariantType, demands: &Demands, patterns: &mut Patterns) -> Result<ShapeRules, String> {
    use variant_core::wire::Layout;
    let mut texts = || {
        let pattern = demands.pattern.as_deref().map(|pattern| patterns.compile(pattern)).transpose()?;
        let (min_chars, max_chars) = (demands.min_chars.unwrap_or(0), demands.max_chars.unwrap_or(u64::MAX));
        Ok::<_, String>(TextRules { min_chars, max_chars, pattern })
    };
    let real = |bound: Option<Number>, default: f64| bound.map_or(default, lint::as_f64);
    let has_demands = *demands != Demands::default();
    Ok(match ty.layout() {
        Layout::Int => {
            let (min, max, multiple) = lint::ints(demands);
            ShapeRules::Int { min, max, multiple }
        }
        Layout::Float => ShapeRules::Float {
            min: real(demands.min, f64::NEG_INFINITY),
            max: real(demands.max, f64::INFINITY),
            is_free: demands.allow_non_finite,
            multiple: real(demands.multiple_of, 0.0),
        },
        Layout::Text => ShapeRules::Text { ty, texts: texts()? },
        Layout::Math(..) => ShapeRules::Math { ty, has_demands },
        Layout::Packed(..) => ShapeRules::Packed { ty, has_demands },
        Layout::PackedStrings => ShapeRules::PackedStrings(texts()?),
        Layout::Array => ShapeRules::Array { item: ANY, typed: None },
        Layout::Dictionary => ShapeRules::Map { key: ANY, value: ANY, typed: (None, None) },
        _ => ShapeRules::Plain(ty),
    })
}

//! Kinds: dictionaries that one of their values tells apart, and tuples that their first element does, so that a union never
//! has to try one after the other; and the cases of `discriminated()`, each a Dictionary by itself, a definition, or a schema
//! that brings its own.

use std::sync::Arc;

use variant_core::{Value, VariantType};

use crate::compiler::{Compiler, StatedValue};
use crate::describe;
use crate::literal::Literal;
use crate::literals_index::ListedLiterals;
use crate::program::{ANY, Alternative, Dict, DictKey, Kinds, Node, ShapeRules, Tuple, Tuples, encoded_key};
use crate::schema::{Presence, Schema, Shape};
use crate::size::MAX_LEVELS;

/// Leaves one node for values with children. Texts and numbers may have several, which are tried. Fails if nothing tells two
/// alternatives apart before their children are read.
pub(crate) fn settle(compiler: &mut Compiler, alternative: &mut Alternative) -> Result<(), String> {
    let ty = alternative.ty;
    let has_children = matches!(
        ty,
        VariantType::Array | VariantType::Dictionary | VariantType::PackedStringArray | VariantType::NodePath
    );
    if !has_children || alternative.nodes.len() < 2 {
        return Ok(());
    }
    if ty == VariantType::Array {
        let is_tuple =
            |at: &usize| matches!(compiler.nodes.get(*at).map(|it| &it.what), Some(ShapeRules::Tuple(_)));
        let advice = match alternative.nodes.iter().all(is_tuple) {
            true => "; give each tuple a literal of its own as its first element",
            false => "",
        };
        let tuples = tuples_of(compiler, &alternative.nodes)?
            .ok_or_else(|| format!("two alternatives are Array, and nothing tells them apart{advice}"))?;
        let schema = Schema::tuple([Schema::any()]).open(true);
        alternative.nodes = vec![push(compiler, ShapeRules::Tuples(tuples), schema)];
        return Ok(());
    }
    if ty != VariantType::Dictionary {
        return Err(format!("two alternatives are {ty}, and nothing tells them apart"));
    }
    let (key, cases) = cases_of(compiler, &alternative.nodes).ok_or(
        "two alternatives are Dictionary; give each a literal of its own under the same required key, \
         or use discriminated()",
    )?;
    let kinds = of_cases(compiler, &key, &cases)?;
    alternative.nodes = vec![push(compiler, ShapeRules::Kinds(kinds), Schema::discriminated(&key, []))];
    Ok(())
}

/// The key under which every one of these has other literals, and whose they are.
fn cases_of(compiler: &Compiler, nodes: &[usize]) -> Option<(String, Vec<(Value, usize)>)> {
    let dict = |at: &usize| match compiler.nodes.get(*at).map(|node| &node.what) {
        Some(ShapeRules::Dict(dict)) => Some(dict),
        _ => None,
    };
    let dicts: Vec<&Dict> = nodes.iter().map(dict).collect::<Option<_>>()?;
    let mut names = dicts.first()?.keys.iter().map(|key| key.name.as_str());
    names.find_map(|name| {
        let mut cases = Vec::new();
        for (dict, node) in dicts.iter().zip(nodes) {
            let key = dict.keys.get(dict.find(name, 0)?).filter(|key| key.is_required)?;
            cases.extend(literals(compiler, key.node)?.iter().map(|it| (it.value.clone(), *node)));
        }
        listed(&cases).is_ok_and(|told| told.twin().is_none()).then(|| (name.to_owned(), cases))
    })
}

/// Finds the literals that tell these tuples apart, if each begins with other ones. Fails if there are too many.
fn tuples_of(compiler: &mut Compiler, nodes: &[usize]) -> Result<Option<Tuples>, String> {
    let mut cases = Vec::new();
    for at in nodes {
        let first = match compiler.nodes.get(*at).map(|node| &node.what) {
            Some(ShapeRules::Tuple(tuple)) if tuple.least > 0 => tuple.items.first(),
            _ => None,
        };
        let Some(literals) = first.and_then(|first| literals(compiler, *first)) else { return Ok(None) };
        cases.extend(literals.iter().map(|literal| (literal.value.clone(), *at)));
    }
    let told = listed(&cases)?;
    if told.twin().is_some() {
        return Ok(None);
    }
    let (first, of_first) = one_of(compiler, &cases)?;
    let none = ShapeRules::Tuple(Tuple { open: true, ..Tuple::new(vec![first], 1, Vec::new()) });
    let none = push(compiler, none, Schema::tuple([of_first]).open(true));
    Ok(Some(Tuples { told, cases: cases.into_iter().map(|(_, node)| node).collect(), none }))
}

/// The node that tells these cases apart, with a Dictionary for what is none of them.
fn of_cases(compiler: &mut Compiler, key: &str, cases: &[(Value, usize)]) -> Result<Kinds, String> {
    let told = listed(cases)?;
    if let Some(twin) = told.twin() {
        return Err(format!("the case {} is there twice", describe::literal(&twin.value)));
    }
    let only_key = DictKey::new(key, one_of(compiler, cases)?.0, &Presence::Required);
    let none = ShapeRules::Dict(Dict { open: true, ..Dict::new(vec![only_key]) });
    let none = push(compiler, none, Schema::dict([(key, Schema::any())]).open(true));
    let name = compiler.kinds.iter().position(|known| known == key).unwrap_or_else(|| {
        compiler.kinds.push(key.to_owned());
        compiler.kinds.len().saturating_sub(1)
    });
    let cases = cases.iter().map(|(_, node)| *node).collect();
    Ok(Kinds { name, key: encoded_key(key), told, cases, none })
}

/// The literals of a node, if it accepts nothing else.
fn literals(compiler: &Compiler, node: usize) -> Option<&[Literal]> {
    match compiler.nodes.get(node).filter(|node| !node.nullable).map(|node| &node.what) {
        Some(ShapeRules::Enum(listed)) => Some(listed.all()),
        _ => None,
    }
}

fn listed(cases: &[(Value, usize)]) -> Result<ListedLiterals, String> {
    let literal = |(value, _): &(Value, usize)| {
        Literal::new(value).ok_or_else(|| format!("a value of type {} cannot tell cases apart", value.ty()))
    };
    ListedLiterals::new(cases.iter().map(literal).collect::<Result<_, _>>()?)
}

/// A node that wants the value of one of these cases, and its schema.
fn one_of(compiler: &mut Compiler, cases: &[(Value, usize)]) -> Result<(usize, Schema), String> {
    let schema = Schema::enumeration(cases.iter().map(|(value, _)| value.clone()));
    Ok((push(compiler, ShapeRules::Enum(listed(cases)?), schema.clone()), schema))
}

fn push(compiler: &mut Compiler, what: ShapeRules, schema: Schema) -> usize {
    compiler.nodes.push(Node::unlimited(what, schema));
    compiler.nodes.len().saturating_sub(1)
}

impl Compiler {
    pub(crate) fn discriminated(
        &mut self,
        key: &str,
        cases: &[(Value, Schema)],
        scope: Option<usize>,
    ) -> ShapeRules {
        let mut nodes = Vec::new();
        for (value, schema) in cases {
            let segment = format!("({})", describe::literal(value));
            let node = self.within(segment, |this| this.case(key, value, schema, scope));
            nodes.push((value.clone(), node));
        }
        let kinds = of_cases(self, key, &nodes);
        self.or_any(kinds.map(ShapeRules::Kinds))
    }

    /// The Dictionary of one case, with its key among the others.
    fn case(&mut self, key: &str, value: &Value, schema: &Schema, scope: Option<usize>) -> usize {
        let Some((schema, scope)) = self.case_itself(schema, scope) else { return ANY };
        let Shape::Dict { keys, .. } = schema.shape() else {
            self.mistake("every case of discriminated() has to be a dict()");
            return ANY;
        };
        if keys.iter().any(|(name, _)| name == key) {
            let at = self.node(&schema, scope);
            if let Some(ShapeRules::Dict(dict)) = self.nodes.get(at).map(|node| &node.what)
                && let Some(own) = dict.find(key, 0).and_then(|at| dict.keys.get(at))
            {
                let (at, value, path) = (own.node, value.clone(), self.path.clone());
                self.stated.push(StatedValue {
                    at,
                    value,
                    what: "the value of the case, under its own key,",
                    path,
                });
            }
            return at;
        }
        let with_key = schema.with(|body| {
            if let Shape::Dict { keys, .. } = Arc::make_mut(&mut body.shape) {
                keys.insert(0, (key.to_owned(), Schema::literal(value.clone())));
            }
        });
        self.node(&with_key, scope)
    }

    /// Returns the schema that a case leads to, with the scope it stands in. References are followed with the
    /// definitions that each brings.
    fn case_itself(&mut self, schema: &Schema, scope: Option<usize>) -> Option<(Schema, Option<usize>)> {
        let (mut schema, mut scope) = (schema.clone(), scope);
        for _ in 0..=MAX_LEVELS {
            self.check(&schema);
            if schema.0.mistakes.is_some() {
                return None;
            }
            self.check_presence(&schema);
            if schema.is_nullable() {
                self.mistake("a case is never null: nullable() is for the discriminated() around it");
            }
            let Shape::Ref(name) = schema.shape() else { return Some((schema, scope)) };
            self.has_checks |= schema.0.check.is_some();
            let around = self.references.open(&schema, scope);
            let found = self.defined(name, around)?;
            self.definitions(&schema, around);
            (schema, scope) = (found.schema, Some(found.scope));
        }
        self.mistake("the case refers to itself and to nothing else");
        None
    }
}

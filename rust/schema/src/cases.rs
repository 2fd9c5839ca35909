//! Cases: what `discriminated()` chooses from, each a Dictionary by itself, a definition, or a schema that brings its own.

use std::sync::Arc;

use variant_core::Value;

use crate::compiler::{Compiler, StatedValue};
use crate::kinds;
use crate::program::{ANY, ShapeRules};
use crate::schema::{Schema, Shape};
use crate::size::MAX_LEVELS;

impl Compiler {
    pub(crate) fn discriminated(
        &mut self,
        key: &str,
        cases: &[(Value, Schema)],
        scope: Option<usize>,
    ) -> ShapeRules {
        let mut nodes = Vec::new();
        for (value, schema) in cases {
            let segment = format!("({})", crate::describe::literal(value));
            let node = self.within(segment, |this| this.case(key, value, schema, scope));
            nodes.push((value.clone(), node));
        }
        let kinds = kinds::of_cases(self, key, &nodes);
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

//! References: what names lead to while a schema is compiled, each with the node that it has become.

use std::collections::HashMap;

use crate::schema::{Schema, Shape};

/// The definitions of all schemas that bring some. Scopes have numbers.
#[derive(Debug, Default)]
pub struct ReferenceTable {
    scopes: Vec<OpenScope>,
}

#[derive(Debug)]
struct OpenScope {
    around: Option<usize>,
    names: HashMap<String, Definition>,
}

/// A schema that has a name.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The schema.
    pub schema: Schema,
    /// The scope that it stands in.
    pub scope: usize,
    /// The node that it has become.
    pub node: Option<usize>,
}

impl ReferenceTable {
    /// Opens the scope of a schema that brings definitions; in any other one, that around it stays.
    pub fn open(&mut self, schema: &Schema, around: Option<usize>) -> Option<usize> {
        if schema.definitions().is_empty() {
            return around;
        }
        let scope = self.scopes.len();
        let definition = |schema: &Schema| Definition { schema: schema.clone(), scope, node: None };
        let names = schema.definitions().iter().map(|(name, it)| (name.to_owned(), definition(it))).collect();
        self.scopes.push(OpenScope { around, names });
        Some(scope)
    }

    /// Finds a definition in a scope or the nearest around it.
    pub fn find(&mut self, name: &str, scope: Option<usize>) -> Option<&mut Definition> {
        let mut outward = std::iter::successors(scope, |at| self.scopes.get(*at)?.around);
        let at = outward.find(|at| self.scopes.get(*at).is_some_and(|it| it.names.contains_key(name)))?;
        self.scopes.get_mut(at)?.names.get_mut(name)
    }
}

#[doc(hidden)]
impl Schema {
    /// Returns the name of the definition that it stands for, if it asks for nothing else.
    #[must_use]
    pub fn stands_for(&self) -> Option<&str> {
        match self.shape() {
            Shape::Ref(name) if !self.is_nullable() && self.definitions().is_empty() => Some(name),
            _ => None,
        }
    }
}

//! Scope: where references are looked for: in the schemas around one, or, while a schema is compiled, in a table of all definitions,
//! each with the node that it has become.

use std::collections::HashMap;

use crate::schema::{Schema, Shape};

/// A schema and those around it, whose definitions it may name.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'s> {
    around: Option<&'s Scope<'s>>,
    of: &'s Schema,
}

impl<'s> Scope<'s> {
    /// Begins at a schema that is part of no other.
    #[must_use]
    pub const fn root(schema: &'s Schema) -> Scope<'s> {
        Scope { around: None, of: schema }
    }

    /// Goes on to a schema that is part of this one, or a definition that was found from here.
    #[must_use]
    pub const fn part(&'s self, schema: &'s Schema) -> Scope<'s> {
        Scope { around: Some(self), of: schema }
    }

    /// Finds a definition by its name, with the scope in which its own references are looked for.
    #[must_use]
    pub fn find(&'s self, name: &str) -> Option<(&'s Schema, &'s Scope<'s>)> {
        match self.of.definitions().get(name) {
            Some(found) => Some((found, self)),
            None => self.around?.find(name),
        }
    }

    /// Lists the schema itself and those around it, the innermost first.
    pub fn schemas(&'s self) -> impl Iterator<Item = &'s Schema> {
        std::iter::successors(Some(self), |scope| scope.around).map(|scope| scope.of)
    }

    /// Makes a schema that can stand alone: one with all definitions that it may name here.
    #[must_use]
    pub fn whole(&self, schema: &Schema) -> Schema {
        let mut whole = schema.clone();
        for (name, definition) in self.schemas().flat_map(|around| around.definitions().iter()) {
            if whole.definitions().get(name).is_none() {
                whole = whole.define(name, definition.clone());
            }
        }
        whole
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_definition_is_found_and_taken_along() {
        let inner = Schema::any().define("a", Schema::int());
        let outer = Schema::any().define("a", Schema::string()).define("b", Schema::reference("a"));
        let around = Scope::root(&outer);
        let scope = around.part(&inner);
        let found =
            |name| scope.find(name).map(|(schema, at)| (schema.shape().clone(), at.schemas().count()));
        assert_eq!(found("a"), Some((Schema::int().shape().clone(), 2)));
        assert_eq!(
            found("b"),
            Some((Schema::reference("a").shape().clone(), 1)),
            "its names are the outer ones"
        );
        assert_eq!(found("c"), None);
        let whole = scope.whole(&Schema::reference("b"));
        assert_eq!(whole.definitions().get("a"), Some(&Schema::int()));
        assert_eq!(whole.definitions().get("b"), Some(&Schema::reference("a")));
    }
}

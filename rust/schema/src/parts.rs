//! Lists the schemas that a schema is made of, for whoever looks at all of them alike.

use crate::schema::{Schema, Shape};
use crate::size::SchemaSize;

impl Shape {
    /// Its parts in their order. Definitions are none of them.
    #[must_use]
    pub fn parts(&self) -> Vec<&Schema> {
        match self {
            Shape::Any | Shape::Type(_) | Shape::Enum(_) | Shape::Ref(_) => Vec::new(),
            Shape::Array(item) => vec![item],
            Shape::Map(key, value) => vec![key, value],
            Shape::Union(parts) | Shape::Tuple(parts) => parts.iter().collect(),
            Shape::Dict { keys, .. } => keys.iter().map(|(_, part)| part).collect(),
            Shape::Discriminated { cases, .. } => cases.iter().map(|(_, part)| part).collect(),
        }
    }

    /// Returns the size of all parts together.
    pub(crate) fn size(&self) -> SchemaSize {
        self.parts().into_iter().fold(SchemaSize::default(), |size, part| size.beside(part.0.size))
    }
}

//! Opens and closes dictionaries and tuples, and the references that lead to them.

use std::sync::Arc;

use crate::schema::{Schema, Shape};
use crate::trail::mistake_of_whole;

const OPEN_ELSEWHERE: &str =
    "open() and closed() are for dict() and tuple(): say it where the reference leads to";

impl Schema {
    /// A Dictionary that may have other keys too, or a tuple that may have more elements; or one that may not. A reference to
    /// one becomes it, so that others stay as they are.
    #[must_use]
    pub fn open(&self, is_open: bool) -> Schema {
        if self.0.mistakes.is_some() {
            return self.clone();
        }
        self.itself().with(|body| match Arc::make_mut(&mut body.shape) {
            Shape::Dict { open, .. } => *open = is_open,
            Shape::Tuple(_) => body.demands.open = is_open,
            Shape::Ref(_) => body.mistakes = Some(mistake_of_whole(OPEN_ELSEWHERE)),
            _ => {
                body.mistakes = Some(mistake_of_whole("open() and closed() are for dict() and tuple()"));
            }
        })
    }

    /// Returns the schema that a reference leads to that brings its own definitions; any other schema as it is.
    #[doc(hidden)]
    #[must_use]
    pub fn itself(&self) -> Schema {
        let mut schema = self.clone();
        for _ in 0..self.0.definitions.iter().count() {
            let Shape::Ref(name) = &*schema.0.shape else { break };
            let Some(target) = self.0.definitions.get(name).map(|it| &it.0) else { break };
            let is_plain = target.definitions.is_empty() && target.mistakes.is_none();
            if !is_plain || (target.check.is_some() && schema.0.check.is_some()) {
                break;
            }
            schema = schema.with(|body| {
                body.shape = Arc::clone(&target.shape);
                body.demands = target.demands.clone();
                body.nullable |= target.nullable;
                body.check = body.check.take().or_else(|| target.check.clone());
                if body.description.is_empty() {
                    body.description.clone_from(&target.description);
                }
            });
        }
        schema
    }
}

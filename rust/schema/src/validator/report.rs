//! Reports: a violation ends the walk, or is noted with its path while violations are collected.

use variant_core::token::{Container, Leaf};
use variant_core::{ErrorKind, Path, Place, Refusal, Rejection, Step};

use super::Validator;
use super::open::{ContainerForm, NextPart, OpenContainer};
use crate::describe;
use crate::program::{Program, ShapeRules};
use crate::schema::{Schema, Shape};

/// Characters of a key that a path needs: what it shows, and one more to tell that there was more.
const KEY_CHARS: usize = 65;

impl Validator<'_> {
    /// A violation of the value that is at hand.
    #[cold]
    pub(super) fn report(
        &mut self,
        at: u64,
        kind: ErrorKind,
        texts: impl FnOnce() -> (String, String),
    ) -> Result<(), Refusal> {
        if self.most == 0 {
            return Err(kind);
        }
        let (expected, got) = texts();
        self.scratch.found.push(Rejection { kind, path: self.path(), place: Place::Byte(at), expected, got });
        if self.scratch.found.len() >= self.most { Err(kind) } else { Ok(()) }
    }

    /// A violation of the innermost container, whose first child is at hand.
    #[cold]
    pub(super) fn report_around(
        &mut self,
        kind: ErrorKind,
        texts: impl FnOnce() -> (String, String),
    ) -> Result<(), Refusal> {
        let known = self.scratch.found.len();
        let outcome = self.report(self.scratch.top.at, kind, texts);
        if let Some(violation) = self.scratch.found.get_mut(known) {
            violation.path.0.pop();
        }
        outcome
    }

    #[cold]
    pub(super) fn report_leaf(
        &mut self,
        at: u64,
        kind: ErrorKind,
        node: usize,
        leaf: &Leaf<'_>,
    ) -> Result<(), Refusal> {
        let (program, schema) = (self.program, &self.program.node(node).schema);
        self.report(at, kind, || {
            let expected = match &program.node(node).what {
                ShapeRules::Union(_) => expected(program, node),
                _ => describe::expected_of(kind, schema, leaf),
            };
            (expected, describe::got(kind, schema, leaf))
        })
    }

    #[cold]
    pub(super) fn report_container(
        &mut self,
        at: u64,
        kind: ErrorKind,
        node: usize,
        container: &Container<'_>,
    ) -> Result<(), Refusal> {
        let program = self.program;
        self.report(at, kind, || (expected(program, node), describe::got_container(kind, container)))
    }

    /// Keeps what a path would need of a key, while violations are collected.
    pub(super) fn note_name(&mut self, leaf: &Leaf<'_>) {
        if self.most == 0 {
            return;
        }
        let top = &mut self.scratch.top;
        self.scratch.names.truncate(top.name);
        top.key = match (leaf, leaf.key_step()) {
            (Leaf::Text(_, text), _) => {
                self.scratch.names.extend(text.as_str().chars().take(KEY_CHARS));
                Some(Step::Key(()))
            }
            (_, Some(Step::IntKey(key))) => Some(Step::IntKey(key)),
            (_, Some(Step::VectorKey(ty, numbers))) => Some(Step::VectorKey(ty, numbers)),
            _ => None,
        };
    }

    fn path(&self) -> Path {
        let scratch = &self.scratch;
        let opens: Vec<&OpenContainer> = scratch.around.iter().chain(std::iter::once(&scratch.top)).collect();
        let steps = opens.iter().enumerate().filter_map(|(depth, open)| {
            // Where the name of one container's key ends, those of the next begin.
            let end = opens.get(depth.saturating_add(1)).map_or(scratch.names.len(), |next| next.name);
            step(open, scratch.names.get(open.name..end).unwrap_or_default())
        });
        Path(steps.collect())
    }
}

/// The step from a container to the child it is at.
fn step(open: &OpenContainer, name: &str) -> Option<Step> {
    let at = u64::from(open.done);
    match (open.form, open.turn, open.key) {
        (ContainerForm::Root, ..) => None,
        (ContainerForm::List, ..) => Some(Step::Index(at)),
        (ContainerForm::Dictionary, NextPart::Key, _) => Some(Step::KeyOf(at)),
        (ContainerForm::Dictionary, _, Some(Step::Key(()))) => Some(Step::Key(name.to_owned())),
        (ContainerForm::Dictionary, _, Some(Step::IntKey(key))) => Some(Step::IntKey(key)),
        (ContainerForm::Dictionary, _, Some(Step::VectorKey(ty, numbers))) => {
            Some(Step::VectorKey(ty, numbers))
        }
        (ContainerForm::Dictionary | ContainerForm::Object, ..) => Some(Step::Entry(at)),
    }
}

/// Describes what a node expects. For a reference that is what it leads to, since its name says nothing to
/// the reader of the message.
fn expected(program: &Program, at: usize) -> String {
    let node = program.node(at);
    match &node.what {
        ShapeRules::Any => "any value".to_owned(),
        ShapeRules::Union(alternatives) if names_others(&node.schema) => {
            let mut parts: Vec<usize> = alternatives.iter().flat_map(|it| it.nodes.iter().copied()).collect();
            parts.sort_unstable();
            parts.dedup();
            let schemas = || parts.iter().map(|part| &program.node(*part).schema);
            let mut words: Vec<String> = schemas().map(Schema::accepts).collect();
            let has_null = node.nullable || alternatives.iter().any(|it| it.nodes.is_empty());
            if has_null && !schemas().any(Schema::is_nullable) {
                words.push("null".to_owned());
            }
            describe::either(&words)
        }
        _ => node.schema.accepts(),
    }
}

/// Whether a schema is a reference, or has one among its alternatives.
fn names_others(schema: &Schema) -> bool {
    match schema.shape() {
        Shape::Ref(_) => true,
        Shape::Union(alternatives) => alternatives.iter().any(names_others),
        _ => false,
    }
}

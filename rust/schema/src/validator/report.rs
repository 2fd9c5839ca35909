//! Reports: a violation ends the walk, or is noted with its path while violations are collected.

use variant_core::token::{Container, Leaf};
use variant_core::{ErrorKind, Path, Refusal, Step};

use super::Validator;
use super::open::{Form, KeyName, Open, Turn};
use crate::describe;
use crate::program::{Node, What};
use crate::violation::Violation;

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
        self.scratch.found.push(Violation { kind, path: self.path(), offset: at, expected, got });
        if self.scratch.found.len() >= self.most { Err(kind) } else { Ok(()) }
    }

    #[cold]
    pub(super) fn report_leaf(
        &mut self,
        at: u64,
        kind: ErrorKind,
        node: usize,
        leaf: &Leaf<'_>,
    ) -> Result<(), Refusal> {
        let node = self.program.node(node);
        let schema = &node.schema;
        self.report(at, kind, || {
            (describe::expected_of(kind, schema, leaf), describe::got(kind, schema, leaf))
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
        let node = self.program.node(node);
        self.report(at, kind, || (expected(node), describe::got_container(kind, container)))
    }

    /// Keeps what a path would need of a key, while violations are collected.
    #[inline]
    pub(super) fn note_name(&mut self, leaf: &Leaf<'_>) {
        if self.most == 0 {
            return;
        }
        let top = &mut self.scratch.top;
        self.scratch.names.truncate(top.name);
        top.key = match leaf {
            Leaf::Text(_, text) => {
                self.scratch.names.extend(text.as_str().chars().take(KEY_CHARS));
                KeyName::Text
            }
            Leaf::Int(key) => KeyName::Int(*key),
            _ => KeyName::Other,
        };
    }

    fn path(&self) -> Path {
        let scratch = &self.scratch;
        let opens: Vec<&Open> = scratch.around.iter().chain(std::iter::once(&scratch.top)).collect();
        let steps = opens.iter().enumerate().filter_map(|(depth, open)| {
            // Where the name of one container's key ends, those of the next begin.
            let end = opens.get(depth.saturating_add(1)).map_or(scratch.names.len(), |next| next.name);
            step(open, scratch.names.get(open.name..end).unwrap_or_default())
        });
        Path(steps.collect())
    }
}

/// The step from a container to the child it is at.
fn step(open: &Open, name: &str) -> Option<Step> {
    let at = u64::from(open.done);
    match (open.form, open.turn, open.key) {
        (Form::Root, ..) => None,
        (Form::List, ..) => Some(Step::Index(at)),
        (Form::Dictionary, Turn::Key, _) => Some(Step::KeyOf(at)),
        (Form::Dictionary, _, KeyName::Text) => Some(Step::Key(name.to_owned())),
        (Form::Dictionary, _, KeyName::Int(key)) => Some(Step::IntKey(key)),
        (Form::Dictionary | Form::Object, ..) => Some(Step::Entry(at)),
    }
}

/// What a node expects; a reference says what it leads to.
fn expected(node: &Node) -> String {
    match &node.what {
        What::Any => "any value".to_owned(),
        _ => describe::expected(&node.schema),
    }
}

//! Checks a document in the order that is the guarantee: heads and limits, then every value, then which objects are led to.

use std::sync::Arc;

use variant_core::{
    Dialect, ErrorKind, Limits, Rejection, Rules, Sink, Skip, Strictness, TypeSet, VariantType, Walker,
};
use variant_schema::{DefaultingSink, Program, Schema, Validator};

use crate::depth::Depth;
use crate::fast::ValueProgram;
use crate::graph::Graph;
use crate::heads::{Head, Heads};
use crate::judge::{CheckedDocument, Chunk, Chunks, Edge, Judge, VALUE};
use crate::program::{Programs, loose};
use crate::refusal::{RejectionWriter, of_kind};
use crate::table::Table;
use crate::typed::around;

/// Handles of a running game, which no document holds.
pub(crate) const HANDLES: TypeSet =
    TypeSet::of(&[VariantType::Object, VariantType::Callable, VariantType::Signal]);
pub(crate) const RIDS: TypeSet = TypeSet::of(&[VariantType::Rid]);

/// Remembers what checks need; keep it and use it again.
#[derive(Debug, Default)]
pub struct Scratch {
    walker: Walker<()>,
    pub(crate) schema: variant_schema::Scratch,
    programs: Programs,
    pub(crate) edges: Vec<Edge>,
    /// Whether the last check found a value that is built otherwise than it stands in the bytes.
    pub(crate) reshapes: bool,
    pub(crate) chunks: Chunks,
    pub(crate) values: ValueProgram,
}

impl Scratch {
    /// Whether what [`Table::check`] accepted last is built otherwise than it stands in the bytes: with defaults that are
    /// filled in, or in containers that declare a type.
    #[must_use]
    pub const fn reshapes(&self) -> bool {
        self.reshapes
    }

    /// The rows of the document that [`Table::check`] accepted last, in order and some at a time, and the byte at which its
    /// value begins.
    #[must_use]
    pub fn chunks(&self) -> (&[Chunk], u64) {
        (&self.chunks.rows, self.chunks.value.unwrap_or(0))
    }
}

/// The rules by which the bytes of a document are read: references are RIDs, live handles are nothing that a document has,
/// and no silent loss is accepted, since what is lost would be lost of an object.
#[must_use]
pub fn rules_of(rules: &Rules) -> Rules {
    let limits = &rules.limits;
    let allowed = limits.allowed_types.without(HANDLES);
    Rules {
        strictness: if rules.is_canonical() { Strictness::Canonical } else { Strictness::Safe },
        limits: Limits {
            allowed_types: TypeSet(allowed.0 | RIDS.0),
            allowed_key_types: limits.allowed_key_types.without(HANDLES).without(RIDS),
            live_references: true,
            ..*limits
        },
        full_objects: false,
        ..*rules
    }
}

impl Table {
    /// Checks all of a document, and that `value` accepts its value. Nothing is made.
    ///
    /// # Errors
    /// The first thing wrong.
    pub fn check(
        &self,
        scratch: &mut Scratch,
        bytes: &[u8],
        rules: &Rules,
        value: Option<&Schema>,
    ) -> Result<CheckedDocument, Rejection> {
        let rules = &rules_of(rules);
        let mut check = DocumentCheck { table: self, scratch, bytes, rules, value };
        let checked = match check.straight() {
            Some(checked) => checked,
            None => check.walk()?,
        };
        check.follow(&checked)?;
        Ok(checked)
    }

    /// Checks all of a document while another sink builds it. References in what it builds are those of
    /// [`Reference::of_checked`](crate::Reference::of_checked), and marks are around containers that are declared for a class.
    ///
    /// # Errors
    /// The first thing wrong, as [`Table::check`] tells it; what was built is lost then.
    #[expect(clippy::too_many_arguments, reason = "those of a check, and the sink")]
    pub fn build<B: Sink>(
        &self,
        scratch: &mut Scratch,
        bytes: &[u8],
        rules: &Rules,
        value: Option<&Schema>,
        build: B,
    ) -> Result<(B::Output, CheckedDocument), Rejection> {
        let rules = &rules_of(rules);
        let mut check = DocumentCheck { table: self, scratch, bytes, rules, value };
        let (checked, program) = check.begin()?;
        if rules.is_canonical() {
            check.judge(&program, &checked)?;
        }
        let validator = Validator::new(&program, &mut check.scratch.schema, bytes, rules);
        let sink = DefaultingSink::new(validator, build);
        let mut judge = Judge::new(sink, checked.numbered(self), &mut check.scratch.edges);
        judge.wrap = |sink, class, built| around(sink.build(), class, built);
        let built = Walker::new().decode(bytes, rules, &mut judge);
        let said = judge.said.take();
        let (built, _) = built.map_err(|error| check.words(&checked).explain(&program, &error, said))?;
        check.follow(&checked)?;
        Ok((built, checked))
    }

    /// Checks the properties of one object, a Dictionary by name as the game's own steps have left it. Its references are in
    /// the form of values that were checked.
    ///
    /// # Errors
    /// The first thing wrong; its path begins in the object.
    #[expect(clippy::too_many_arguments, reason = "those of a check, and which object it is")]
    pub fn check_object(
        &self,
        scratch: &mut Scratch,
        checked: &CheckedDocument,
        class: u32,
        bytes: &[u8],
        rules: &Rules,
    ) -> Result<(), Rejection> {
        let rules = &rules_of(rules);
        let program = loose(self, class).map_err(|error| ill_formed(&error))?;
        let validator = Validator::new(&program, &mut scratch.schema, bytes, rules);
        let objects = checked.numbered(self);
        let mut judge = Judge::new(validator, objects, &mut scratch.edges).of_checked();
        let judged = scratch.walker.decode(bytes, rules, &mut judge);
        let said = judge.said.take();
        let words = RejectionWriter { table: self, heads: &checked.heads, checked: None, bytes, rules };
        judged.map(drop).map_err(|error| words.explain_object(&program, &error, said, objects))
    }
}

/// A document that is being checked, by the rules of documents.
pub(crate) struct DocumentCheck<'a> {
    pub(crate) table: &'a Table,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) bytes: &'a [u8],
    pub(crate) rules: &'a Rules,
    /// The schema of its value.
    pub(crate) value: Option<&'a Schema>,
}

impl<'a> DocumentCheck<'a> {
    /// Both walks, up to which objects are led to.
    pub(crate) fn walk(&mut self) -> Result<CheckedDocument, Rejection> {
        let (checked, program) = self.begin()?;
        self.judge(&program, &checked)?;
        Ok(checked)
    }

    /// The first walk, and the program of the heads that it found.
    fn begin(&mut self) -> Result<(CheckedDocument, Arc<Program>), Rejection> {
        let mut checked = self.heads()?;
        let program = self.scratch.programs.of(self.table, &checked, self.value);
        let program = program.map_err(|error| ill_formed(&error))?;
        checked.has_checks = program.has_checks();
        Ok((checked, program))
    }

    fn words<'c>(&self, checked: &'c CheckedDocument) -> RejectionWriter<'c>
    where
        'a: 'c,
    {
        let (heads, checked) = (&checked.heads, Some(checked));
        RejectionWriter { table: self.table, heads, checked, bytes: self.bytes, rules: self.rules }
    }

    fn heads(&mut self) -> Result<CheckedDocument, Rejection> {
        let DocumentCheck { table, bytes, rules, .. } = *self;
        if rules.dialect != Dialect::Godot4 {
            let kind = ErrorKind::NotInDialect { ty: VariantType::Rid };
            return Err(of_kind(kind));
        }
        let mut heads = Heads::new(table, rules.limits.max_objects);
        let walked = self.scratch.walker.decode(bytes, rules, &mut heads);
        let Heads { heads, said, typed, has_old_tags, .. } = heads;
        let ((), extent) = walked.map_err(|error| {
            RejectionWriter { table, heads: &heads, checked: None, bytes, rules }.of_head(&error, said)
        })?;
        let first = heads.iter().scan(0_u32, |next, head| {
            let first = *next;
            *next = next.saturating_add(head.rows);
            Some(first)
        });
        let first = first.collect();
        Ok(CheckedDocument { heads, first, typed, has_old_tags, extent, has_checks: false })
    }

    /// The second walk, without building.
    fn judge(&mut self, program: &Program, checked: &CheckedDocument) -> Result<(), Rejection> {
        let (words, rules, scratch) = (self.words(checked), self.rules, &mut *self.scratch);
        let validator = Validator::new(program, &mut scratch.schema, self.bytes, rules);
        let mut judge = Judge::new(validator, checked.numbered(self.table), &mut scratch.edges);
        let judged = scratch.walker.decode(self.bytes, rules, &mut judge);
        let said = judge.said.take();
        judged.map_err(|error| words.explain(program, &error, said))?;
        scratch.reshapes = judge.inner.reshapes();
        let is_other = judge.inner.reshapes() || judge.is_redundant || checked.has_old_tags;
        scratch.chunks = std::mem::take(&mut judge.chunks);
        // A writer of today writes typed what is declared typed, and fills in what is missing.
        if rules.is_canonical() && (is_other || checked.heads.iter().any(|head| !head.is_todays)) {
            return Err(of_kind(ErrorKind::NotCanonical));
        }
        Ok(())
    }

    /// Whether every object is led to. Those that are not would only be made to be lost, and a circle of them would stay.
    fn follow(&mut self, checked: &CheckedDocument) -> Result<(), Rejection> {
        let objects = checked.numbered(self.table);
        let graph = Graph::follow(&self.scratch.edges, &objects, checked.objects());
        match graph.unused {
            Some(number) => Err(self.words(checked).of_object(&objects, number, ErrorKind::UnusedObject)),
            None if self.rules.is_canonical() && !graph.is_in_order => Err(of_kind(ErrorKind::NotCanonical)),
            None => self.depth(checked),
        }
    }

    /// Whether the objects can be freed again: how deep that recurses, and whether it ever happens.
    fn depth(&mut self, checked: &CheckedDocument) -> Result<(), Rejection> {
        let (words, scratch) = (self.words(checked), &mut *self.scratch);
        // An object that holds none is freed as a value is.
        if scratch.edges.iter().all(|edge| edge.owner == VALUE) {
            return Ok(());
        }
        let limits = &self.rules.limits;
        let (most, objects) = (limits.max_object_depth, checked.objects());
        let is_weak = |head: &Head| {
            self.table.class(head.class).is_some_and(|class| class.properties().iter().any(|it| it.is_weak))
        };
        let mut depth = Depth::default();
        let is_known = !checked.heads.iter().any(is_weak) && {
            depth = Depth::of(&scratch.edges, objects, u64::MAX);
            // Each reference may have as many containers around it as there may be.
            depth.levels.saturating_mul(limits.max_depth) <= most
        };
        let numbered = checked.numbered(self.table);
        if !is_known {
            let mut judge = Judge::new(Skip, numbered, &mut scratch.edges);
            let walked = scratch.walker.visit(self.bytes, self.rules, &mut judge);
            walked.map_err(|error| Rejection::from(&error))?;
            depth = Depth::of(&scratch.edges, objects, most);
        }
        if depth.levels > most {
            return Err(words.too_deep(&numbered, &depth, most));
        }
        match depth.circle.filter(|_| !limits.circles) {
            Some(object) => Err(words.of_object(&numbered, object, ErrorKind::CircularReference)),
            None => Ok(()),
        }
    }
}

fn ill_formed(error: &variant_core::Mistakes) -> Rejection {
    let mut refusal = of_kind(ErrorKind::IllFormedSchema);
    refusal.got = format!("one that contradicts itself: {error}");
    refusal
}

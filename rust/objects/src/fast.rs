//! Checks a document that lies as today's writer lays it in one pass and without a walk: heads as they come, rows by their
//! class, then the value. It refuses nothing: where it says nothing, the walks of `check.rs` say what is with the bytes.

use std::sync::Arc;

use variant_core::token::{plain_string, plain_text, two_words};
use variant_core::{Cost, Extent, FlatNames, Rules, Trick, TypeSet, VariantType};
use variant_schema::{FollowStart, PendingReference, RowValidator, Schema, Target};

use crate::FORM;
use crate::check::DocumentCheck;
use crate::heads::{Head, Heads};
use crate::judge::{CheckedDocument, Chunks, Edge, VALUE};
use crate::place::DocumentPart;
use crate::program::row_of;
use crate::reference::{index, stand_in};
use crate::table::{RowProgram, Table, settled};

/// The types of the form itself.
const FORMS: TypeSet = TypeSet::of(&[
    VariantType::Array,
    VariantType::Int,
    VariantType::String,
    VariantType::PackedStringArray,
    VariantType::Rid,
]);
/// Levels that the form itself has, with room to spare.
const LEVELS: u64 = 8;
/// The containers around a row, and around the value.
const AROUND_ROW: usize = 4;
const AROUND_VALUE: usize = 1;

const INT: u32 = VariantType::Int.id() as u32;
const ARRAY: u32 = VariantType::Array.id() as u32;
const STRINGS: u32 = VariantType::PackedStringArray.id() as u32;

/// The schema of values that came last, and what they are followed by.
#[derive(Debug, Default)]
pub(crate) struct ValueProgram {
    kept: Option<(u64, Option<Schema>, Option<Arc<RowProgram>>)>,
}

impl ValueProgram {
    fn of(&mut self, table: &Table, value: Option<&Schema>) -> Option<Arc<RowProgram>> {
        let address = value.map(Schema::address);
        if let Some((number, known, followed)) = &self.kept
            && *number == table.number
            && known.as_ref().map(Schema::address) == address
        {
            return followed.clone();
        }
        let followed = RowProgram::of(table, &value.map_or_else(Schema::any, settled)).map(Arc::new);
        self.kept = Some((table.number, value.cloned(), followed.clone()));
        followed
    }
}

impl DocumentCheck<'_> {
    /// The document, where nothing can be wrong with it but which objects are led to. Edges, chunks and whether it reshapes
    /// are left in the scratch then.
    pub(crate) fn straight(&mut self) -> Option<CheckedDocument> {
        let DocumentCheck { table, bytes, rules, value, .. } = *self;
        let (limits, scratch) = (&rules.limits, &mut *self.scratch);
        let is_open = !Trick::Documents.is_off() && limits.max_depth >= LEVELS;
        if FORMS.0 & !limits.allowed_types.0 != 0 || !is_open {
            return None;
        }
        let value = scratch.values.of(table, value)?;
        let mut reader = DocumentReader {
            table,
            bytes,
            rules,
            rest: bytes,
            heads: Heads::new(table, limits.max_objects),
            spent: Cost::default(),
            names: None,
            reshapes: false,
            first: Vec::new(),
            chunks: Chunks::default(),
            met: Vec::new(),
        };
        reader.document(&value)?;
        scratch.edges.clear();
        reader.judge(&value, &mut scratch.edges)?;
        let DocumentReader { heads, first, chunks, reshapes, .. } = reader;
        (scratch.chunks, scratch.reshapes) = (chunks, reshapes);
        let extent = Extent { consumed: u64::try_from(bytes.len()).ok()?, trailing: 0 };
        let has_checks = value.program.has_checks();
        Some(CheckedDocument { heads: heads.heads, first, extent, has_checks, ..CheckedDocument::default() })
    }
}

impl Table {
    /// By what the rows of a class are followed that were written by today's.
    fn row_of(&self, class: u32) -> Option<&RowProgram> {
        let made = || {
            let class = self.class(class)?;
            RowProgram::of(self, &row_of(class, class.properties().iter().map(Some)))
        };
        self.rows.get(index(class))?.get_or_init(made).as_ref()
    }
}

struct DocumentReader<'a> {
    table: &'a Table,
    bytes: &'a [u8],
    rules: &'a Rules,
    rest: &'a [u8],
    heads: Heads<'a>,
    /// The cost of objects and of values that are filled in, beside that of the bytes.
    spent: Cost,
    names: Option<FlatNames<'a>>,
    reshapes: bool,
    /// By class, the number of its first object.
    first: Vec<u32>,
    chunks: Chunks,
    /// References by what their holders are followed by: each class, and the value at last.
    met: Vec<Vec<PendingReference<'a>>>,
}

/// Every step returns `None` to leave the document to a walk.
impl<'a> DocumentReader<'a> {
    fn document(&mut self, value: &'a RowProgram) -> Option<()> {
        self.words([ARRAY, 3])?;
        (self.text()? == FORM).then_some(())?;
        let [header, classes] = self.two_words()?;
        (header == ARRAY).then_some(())?;
        for _ in 0..classes {
            self.class()?;
        }
        self.chunks.value = u64::try_from(self.at()).ok();
        let mut along = self.along(value, AROUND_VALUE)?;
        along.follow(VALUE).then_some(())?;
        (along.at() == self.bytes.len()).then_some(())?;
        self.leave(along);
        Some(())
    }

    /// Reads a class: its head, which is held to the table, and its rows.
    fn class(&mut self) -> Option<()> {
        self.words([ARRAY, 4])?;
        let tag = self.text()?;
        self.heads.tag(tag).ok()?;
        let [header, version] = self.two_words()?;
        (header == INT).then_some(())?;
        self.heads.version(i64::from(i32::from_le_bytes(version.to_le_bytes()))).ok()?;
        let [header, names] = self.two_words()?;
        (header == STRINGS).then_some(())?;
        self.heads.names(names).ok()?;
        for _ in 0..names {
            let (name, rest) = plain_string(self.rest, self.rules)?;
            self.rest = rest;
            self.heads.name(name.as_str()).ok()?;
        }
        let [header, rows] = self.two_words()?;
        (header == ARRAY).then_some(())?;
        self.heads.rows(rows).ok()?;
        let last = self.heads.heads.last()?;
        let (class, version) = (last.class, last.version);
        if !last.is_todays || last.migrates {
            return None;
        }
        self.rows(class, version, rows)
    }

    fn rows(&mut self, class: u32, version: u32, rows: u32) -> Option<()> {
        let table = self.table;
        let number = u32::try_from(self.first.len()).ok()?;
        let first =
            self.heads.heads.iter().rev().skip(1).fold(0_u32, |sum, head| sum.saturating_add(head.rows));
        self.first.push(first);
        let heap = table.object_heap(class);
        let rows_of_all = u64::from(rows);
        self.spent = self.spent.and(Cost { values: rows_of_all, heap: heap.saturating_mul(rows_of_all) });
        let mut along = self.along(table.row_of(class)?, AROUND_ROW)?;
        for row in 0..rows {
            self.chunks.note(DocumentPart::Row(number, row), u64::try_from(along.at()).ok()?);
            along.follow(first.saturating_add(row)).then_some(())?;
        }
        self.chunks.end(u64::try_from(along.at()).ok()?);
        self.leave(along);
        // The value that stands for an object holds none.
        if version == 0 && self.met.last().is_some_and(|met| !met.is_empty()) { None } else { Some(()) }
    }

    fn along(&self, followed: &'a RowProgram, level: usize) -> Option<RowValidator<'a>> {
        let start = FollowStart { at: self.at(), level, spent: self.spent, names: self.names.clone() };
        followed.program.along(&followed.entry, self.bytes, self.rules, start)
    }

    fn leave(&mut self, along: RowValidator<'a>) {
        self.rest = self.bytes.get(along.at()..).unwrap_or_default();
        self.spent = along.spent();
        self.names = along.names();
        self.reshapes |= along.reshapes();
        self.met.push(along.references());
    }

    /// Judges every reference that was met, now that all classes are known.
    fn judge(&self, value: &RowProgram, edges: &mut Vec<Edge>) -> Option<()> {
        let heads = &self.heads.heads;
        let target = |(head, first): (&Head, &u32)| Target {
            stand_in: stand_in(head.class),
            first: *first,
            rows: head.rows,
        };
        let targets: Vec<Target> = heads.iter().zip(&self.first).map(target).collect();
        edges.reserve(self.met.iter().map(Vec::len).sum());
        for (at, met) in self.met.iter().enumerate() {
            let program = match heads.get(at) {
                Some(head) => &self.table.row_of(head.class)?.program,
                None => &value.program,
            };
            for met in met {
                let target = met.target(program, &targets)?;
                // Which containers are around it, only a walk sees: `Table::depth`.
                let (owner, at) = (met.holder, u64::try_from(met.at).ok()?);
                edges.push(Edge { owner, target, at, levels: 1 });
            }
        }
        Some(())
    }

    /// Where the next byte stands.
    const fn at(&self) -> usize {
        self.bytes.len().saturating_sub(self.rest.len())
    }

    fn text(&mut self) -> Option<&'a str> {
        let (ty, text, rest) = plain_text(self.rest, self.rules)?;
        self.rest = rest;
        (ty == VariantType::String).then(|| text.as_str())
    }

    fn two_words(&mut self) -> Option<[u32; 2]> {
        let (words, rest) = two_words(self.rest)?;
        self.rest = rest;
        Some(words)
    }

    fn words(&mut self, expected: [u32; 2]) -> Option<()> {
        (self.two_words()? == expected).then_some(())
    }
}

//! Reads what the engine's `var_to_bytes_with_objects()` wrote, by the same allow-list: such bytes are rewritten as a
//! document, which is then checked as every document is. Class names and script paths in them are compared, never loaded.
//! Objects stand in the document in the order in which a writer meets them, breadth first.

use std::collections::VecDeque;

use variant_core::{
    Dialect, ErrorKind, Extent, Fault, Limits, Place, Rejection, Rules, Step, Strictness, TypeSet,
    VariantType, Walker,
};

use crate::check::{HANDLES, RIDS, rules_of};
use crate::document::{begin_array, begin_class, begin_document};
use crate::reference::{ObjectOrder, index};
use crate::refusal::{of_kind, saying};
use crate::table::Table;
use crate::translate::{Marks, ObjectPart, Translator, VERSION};

/// Levels that the tables of a document have around a value.
const LEVELS: u64 = 8;

/// The names by which the engine wrote objects of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineClass {
    /// The class of the engine that its script extends.
    pub base: String,
    /// The paths that its script has or had. A class without any is never found in the engine's bytes.
    pub paths: Vec<String>,
    /// More names that properties of the class may have in such bytes, for callers that change them before the document is checked.
    pub old_names: Vec<String>,
}

/// A document that was made of the engine's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranslatedDocument {
    /// The document.
    pub bytes: Vec<u8>,
    /// How much of the engine's bytes the value is.
    pub extent: Extent,
    /// The bytes of the document at which something begins, and where that is in the engine's bytes; in order.
    pub(crate) marks: Vec<PlacePair>,
}

/// A place in a document, and its place in the bytes that it was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlacePair {
    pub(crate) document: u64,
    pub(crate) engine: u64,
}

impl TranslatedDocument {
    /// The rules by which this document is checked, where the engine's bytes were within these rules already: what the
    /// tables of a document add counts for nothing, and objects are counted and charged.
    #[must_use]
    pub fn rules(rules: &Rules) -> Rules {
        let limits = Limits {
            max_bytes: u64::MAX,
            max_depth: rules.limits.max_depth.saturating_add(LEVELS),
            max_values: u64::MAX,
            ..rules.limits
        };
        Rules { strictness: Strictness::Safe, limits, ..*rules }
    }

    fn place(&self, document: u64) -> u64 {
        let at = self.marks.partition_point(|mark| mark.document <= document);
        at.checked_sub(1).and_then(|at| self.marks.get(at)).map_or(0, |mark| mark.engine)
    }
}

/// The rules by which the engine's bytes are read: as those of documents, with objects and without RIDs.
#[must_use]
pub fn engine_rules_of(rules: &Rules) -> Rules {
    let rules = rules_of(rules);
    let allowed = rules.limits.allowed_types.without(HANDLES).without(RIDS);
    let objects = TypeSet::of(&[VariantType::Object]);
    let limits = Limits { allowed_types: TypeSet(allowed.0 | objects.0), ..rules.limits };
    Rules { limits, full_objects: true, ..rules }
}

impl Table {
    /// Rewrites the engine's bytes as a document, where they hold objects of these classes alone; `names` are by the
    /// numbers of the table. Properties are those of version 1 of each class. The document is still to be checked, by
    /// [`TranslatedDocument::rules`].
    ///
    /// # Errors
    /// The first thing wrong: of the format, the limits, the classes or the names of properties.
    pub fn translate(
        &self,
        names: &[EngineClass],
        bytes: &[u8],
        rules: &Rules,
    ) -> Result<TranslatedDocument, Rejection> {
        self.translated(names, bytes, rules, Marks::Drop)
    }

    /// Points a refusal of the document that was made of the engine's bytes at the place in these.
    #[must_use]
    pub fn located(
        &self,
        names: &[EngineClass],
        bytes: &[u8],
        rules: &Rules,
        refusal: Rejection,
    ) -> Rejection {
        let translated = self.translated(names, bytes, rules, Marks::Keep);
        let offset = translated.map_or(0, |it| it.place(refusal.offset()));
        refusal.at(Place::Byte(offset))
    }

    fn translated(
        &self,
        names: &[EngineClass],
        bytes: &[u8],
        rules: &Rules,
        marks: Marks,
    ) -> Result<TranslatedDocument, Rejection> {
        if rules.dialect != Dialect::Godot4 {
            let kind = ErrorKind::NotInDialect { ty: VariantType::Object };
            return Err(of_kind(kind));
        }
        if rules.is_canonical() {
            // A writer of documents writes no such bytes.
            return Err(of_kind(ErrorKind::NotCanonical));
        }
        let rules = engine_rules_of(rules);
        let mut sink = Translator::new(self, names, rules.limits.max_objects, marks);
        let walked = Walker::new().decode(bytes, &rules, &mut sink);
        let ((), extent) = walked.map_err(|error| {
            let mut refusal = saying(Rejection::from(&error), sink.said.take());
            // A name at fault is told in words: the step to it would be its number.
            let is_name = matches!(refusal.kind, ErrorKind::UnknownProperty | ErrorKind::DuplicateKey);
            refusal.path.0.pop_if(|step| is_name && matches!(step, Step::KeyOf(_)));
            let place = sink.fault_at.map_or(refusal.place, Place::Byte);
            refusal.at(place)
        })?;
        let (bytes, marks) = sink.document().map_err(of_kind)?;
        Ok(TranslatedDocument { bytes, extent, marks })
    }
}

/// The bytes of a reference in a document, after the header of the RID.
const NUMBER: usize = 8;

/// Makes the document; `columns` are the names of the properties by class of the table.
pub(crate) fn compose(
    table: &Table,
    mut parts: Vec<ObjectPart>,
    columns: &[Option<Vec<String>>],
) -> Result<(Vec<u8>, Vec<PlacePair>), Fault> {
    let order = number(&mut parts);
    let size = parts.iter().fold(0_usize, |sum, part| sum.saturating_add(part.bytes.len()));
    let mut composer = Composer { bytes: Vec::with_capacity(size), marks: Vec::new() };
    begin_document(&mut composer.bytes, order.classes.len())?;
    for (class, rows) in &order.classes {
        let tag = table.class(*class).map_or("", |class| class.tag.as_str());
        let names = columns.get(index(*class)).and_then(Option::as_deref).unwrap_or_default();
        begin_class(&mut composer.bytes, tag, VERSION, names.iter().map(String::as_str), rows.len())?;
        for row in rows {
            let part = parts.get_mut(index(*row)).map(std::mem::take).unwrap_or_default();
            composer.marks.push(PlacePair { document: composer.at(), engine: part.at });
            begin_array(&mut composer.bytes, names.len())?;
            composer.part(&part);
        }
    }
    composer.part(&parts.first_mut().map(std::mem::take).unwrap_or_default());
    Ok((composer.bytes, composer.marks))
}

/// Gives every object its place, and writes that where the object stands.
fn number(parts: &mut [ObjectPart]) -> ObjectOrder<u32, u32> {
    let mut order = ObjectOrder::default();
    let mut due = VecDeque::from([0_u32]);
    while let Some(number) = due.pop_front() {
        let at = index(number);
        let references = parts.get_mut(at).map(|part| std::mem::take(&mut part.references));
        for (end, target) in references.unwrap_or_default() {
            let class = parts.get(index(target)).and_then(|part| part.class);
            let reference = order.add(class.unwrap_or(u32::MAX), target);
            let place = end
                .checked_sub(NUMBER)
                .and_then(|start| parts.get_mut(at)?.bytes.get_mut(start..end)?.first_chunk_mut::<NUMBER>());
            if let Some(place) = place {
                *place = reference.in_document().to_le_bytes();
            }
            due.push_back(target);
        }
    }
    order
}

struct Composer {
    bytes: Vec<u8>,
    marks: Vec<PlacePair>,
}

impl Composer {
    fn at(&self) -> u64 {
        u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }

    /// Adds a part with its marks, which are of the part alone.
    fn part(&mut self, part: &ObjectPart) {
        let start = self.at();
        let moved = |mark: &PlacePair| PlacePair { document: mark.document.saturating_add(start), ..*mark };
        self.marks.extend(part.marks.iter().map(moved));
        self.bytes.extend_from_slice(&part.bytes);
    }
}

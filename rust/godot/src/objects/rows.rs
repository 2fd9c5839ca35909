//! Gives the rows of a checked document to what makes its objects: from its bytes, some at a time, so that little memory is
//! needed and used again; or built all at once, where steps of older versions and slices of the main thread need them. Steps
//! are the game's own: they see plain values alone, in which references are RIDs that may be moved, and their results are checked again.

use godot::builtin::{VarArray, VarDictionary, Variant, VariantType};
use godot::meta::ToGodot;
use variant_core::{ErrorKind, Limits, Rejection, Rules, Step, Strictness};
use variant_objects::{CheckedDocument, Chunk, Head, Scratch, Table};

use super::set::{Bound, ClassSet, Of};
use crate::call::codec::Codec;
use crate::call::problem::Problem;
use crate::call::settings::Settings;
use crate::engine::build::{self, References};
use crate::raw::variant::call_with;

const ARRAY: [u8; 4] = [28, 0, 0, 0];

/// Gives rows in the order in which objects are made and filled.
pub(super) trait Rows {
    /// Returns the row of a class of the document, both by number: an Array of cells, a Dictionary by name where steps have
    /// made it, or the key of an object that is known by one.
    fn row(&mut self, head: usize, number: usize) -> Option<Variant>;
}

pub(super) struct ByChunk<'c> {
    codec: &'c mut Codec,
    settings: &'c Settings,
    document: &'c [u8],
    chunks: Vec<Chunk>,
    /// The chunk whose rows are built, and those.
    at: usize,
    rows: VarArray,
}

impl<'c> ByChunk<'c> {
    /// Returns the rows of a document that `codec` has just checked, none of them built, and its value.
    pub(super) fn of(
        codec: &'c mut Codec,
        settings: &'c Settings,
        document: &'c [u8],
    ) -> (ByChunk<'c>, Variant) {
        let (chunks, value_at) = codec.objects.chunks();
        let chunks = chunks.to_vec();
        let value = usize::try_from(value_at).ok().and_then(|at| document.get(at..));
        let value = built(codec, settings, value.unwrap_or_default());
        (ByChunk { codec, settings, document, chunks, at: usize::MAX, rows: VarArray::new() }, value)
    }
}

impl Rows for ByChunk<'_> {
    fn row(&mut self, head: usize, number: usize) -> Option<Variant> {
        let place = (u32::try_from(head).ok()?, u32::try_from(number).ok()?);
        // They are in the order of the document.
        let behind = self.chunks.partition_point(|chunk| (chunk.class, chunk.first) <= place);
        let at = behind.checked_sub(1)?;
        let chunk = *self.chunks.get(at).filter(|chunk| chunk.class == place.0)?;
        if at != self.at {
            // Its memory is used again.
            self.rows = VarArray::new();
            let (start, end) = (usize::try_from(chunk.start).ok()?, usize::try_from(chunk.end).ok()?);
            let rows = self.document.get(start..end)?;
            let bytes = [&ARRAY[..], &chunk.count.to_le_bytes(), rows].concat();
            self.rows = built(self.codec, self.settings, &bytes).try_to().ok()?;
            self.at = at;
        }
        self.rows.get(usize::try_from(place.1.checked_sub(chunk.first)?).ok()?)
    }
}

fn built(codec: &mut Codec, s: &Settings, bytes: &[u8]) -> Variant {
    let mut value = Variant::nil();
    if codec.build_judged(s, &bytes.into(), &mut value) {
        return value;
    }
    build::first(bytes, References::Live).map(|(value, _)| value).unwrap_or_default()
}

pub(super) struct Built(Vec<VarArray>);

impl Built {
    /// Takes a document apart that was checked and built: its rows and its value.
    pub(super) fn of(document: &Variant) -> Option<(Built, Variant)> {
        let document = document.try_to::<VarArray>().ok()?;
        let classes = document.get(1)?.try_to::<VarArray>().ok()?;
        let rows = classes.iter_shared().map(|class| class.try_to::<VarArray>().ok()?.get(3)?.try_to().ok());
        Some((Built(rows.collect::<Option<_>>()?), document.get(2)?))
    }

    /// Lets rows of older versions take their steps. Fails if a step fails, or makes what is not valid.
    pub(super) fn migrate(
        &mut self,
        set: &ClassSet,
        checked: &CheckedDocument,
        scratch: &mut Scratch,
        rules: &Rules,
    ) -> Result<(), Problem> {
        for (head, rows) in checked.heads.iter().zip(&mut self.0) {
            let Some(Bound::Object(of)) = set.class(head.class).filter(|_| head.migrates) else { continue };
            let steps = Steps { table: &set.table, checked, rules, of, head };
            let mut taken = VarArray::new();
            for (number, row) in rows.iter_shared().enumerate() {
                let row: VarArray = row.try_to().unwrap_or_default();
                taken.push(&steps.taken(scratch, &row, number)?.to_variant());
            }
            *rows = taken;
        }
        Ok(())
    }
}

impl Rows for Built {
    fn row(&mut self, head: usize, number: usize) -> Option<Variant> {
        self.0.get(head)?.get(number)
    }
}

/// The steps of a class, whose rows take them.
struct Steps<'s> {
    table: &'s Table,
    checked: &'s CheckedDocument,
    rules: &'s Rules,
    of: &'s Of,
    head: &'s Head,
}

impl Steps<'_> {
    /// The properties of a row after all steps, by name.
    fn taken(&self, scratch: &mut Scratch, row: &VarArray, number: usize) -> Result<VarDictionary, Problem> {
        let Steps { of, head, .. } = *self;
        let mut object = VarDictionary::new();
        for (at, column) in head.columns.iter().enumerate() {
            object.set(column.name.as_str(), &row.get(at).unwrap_or_default());
        }
        let tag = self.table.class(head.class).map_or("", |class| class.tag.as_str());
        for (from, step) in of.steps.range(head.version..) {
            let failed = |why: &str| failed(tag, number, *from, why);
            let made = call_with(step, &object.to_variant());
            let made = made.map_err(|_| failed("it cannot be called with one argument"))?;
            if made.get_type() != VariantType::DICTIONARY {
                return Err(failed("it returned no Dictionary, or ended in a script error"));
            }
            // A function with a declared type returns the empty value of that type when it ends in a script error.
            if !object.is_empty() && !made.booleanize() && !of.allow_empty.contains(from) {
                return Err(failed(MADE_NOTHING));
            }
            object = made.try_to().map_err(|_| failed("it returned a typed Dictionary"))?;
        }
        for column in head.columns.iter().filter(|column| column.property.is_none()) {
            object.remove(column.name.as_str());
        }
        self.check(scratch, &object, tag, number)?;
        Ok(object)
    }

    fn check(
        &self,
        scratch: &mut Scratch,
        object: &VarDictionary,
        tag: &str,
        number: usize,
    ) -> Result<(), Problem> {
        let bytes = crate::call::schema::encoded_within(&object.to_variant(), self.rules.limits.max_values)
            .map_err(|error| at_row(&Rejection::from(&error), tag, number))?;
        // Limits on sizes that the bytes kept are those of what is made of them.
        let rules = Rules { strictness: Strictness::Safe, ..*self.rules };
        let rules = Rules { limits: Limits { max_bytes: u64::MAX, ..rules.limits }, ..rules };
        let judged = self.table.check_object(scratch, self.checked, self.head.class, &bytes, &rules);
        judged.map_err(|refusal| at_row(&refusal, tag, number))
    }
}

/// The words for a step that returned the empty value of its declared type.
pub(crate) const MADE_NOTHING: &str = "it made nothing of something, as a function with a declared type does that ends in a \
    script error; {\"allow_empty\": true} as the last argument of migrate() allows it";

fn at_row(refusal: &Rejection, tag: &str, number: usize) -> Problem {
    let mut refusal = refusal.clone();
    let row = u64::try_from(number).unwrap_or(u64::MAX);
    refusal.path.0.splice(0..0, [Step::Key(tag.to_owned()), Step::Index(row)]);
    Problem::of_live(&refusal)
}

fn failed(tag: &str, number: usize, from: u32, why: &str) -> Problem {
    let path = format!("{tag}[{number}]");
    let message = format!("{path}: the step from version {from} of the class failed: {why}");
    Problem::told(ErrorKind::MigrationFailed, path, message)
}

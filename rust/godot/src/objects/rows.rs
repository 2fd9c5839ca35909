//! Gives the rows of a checked document to who makes its objects: from its bytes, some at a time, so that memory is asked for
//! little and used again; or built all at once, where steps of older versions and slices of the main thread need them.

use godot::builtin::{VarArray, Variant};
use godot::meta::ToGodot;
use variant_core::Rules;
use variant_objects::{CheckedDocument, Chunk, Scratch};

use super::set::{Bound, ClassSet};
use super::steps::Steps;
use crate::call::codec::Codec;
use crate::call::problem::Problem;
use crate::call::settings::Settings;
use crate::engine::build::{self, References};

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

    /// Lets rows of older versions take their steps.
    /// Fails: a step failed, or what it made is not valid.
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

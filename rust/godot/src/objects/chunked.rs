//! Makes the objects of a checked document straight from its bytes: its rows are built some at a time and let go of again, so that
//! memory is asked for little and used again. It makes what `construct.rs` makes, in the same order.

use godot::builtin::{VarArray, Variant};
use variant_core::{Rules, Walker};
use variant_objects::{Checked, Chunk};

use super::construct::{Cells, FillWith, columns, fill_row, loaded, made_of};
use super::copy;
use super::link::Made;
use super::set::{Bound, ClassSet};
use crate::build::ToVariant;
use crate::checks;
use crate::codec::{Codec, Problem, Settings};
use crate::decode::JudgedBy;
use crate::schema::Held;

/// The beginning of an untyped Array.
const ARRAY: [u8; 4] = [28, 0, 0, 0];

/// A checked document.
pub(super) struct Bytes<'b> {
    pub(super) document: &'b [u8],
    pub(super) chunks: Vec<Chunk>,
    pub(super) value_at: u64,
}

impl Codec {
    pub(super) fn constructed_in_chunks(
        &mut self,
        s: &Settings,
        (set, held): (&ClassSet, &Held),
        checked: &Checked,
        bytes: &Bytes<'_>,
    ) -> Result<Variant, Problem> {
        let rest = usize::try_from(bytes.value_at).ok().and_then(|at| bytes.document.get(at..));
        let value = self.built(s, rest.unwrap_or_default());
        if checked.has_checks {
            checks::run(held, &value)?;
        }
        let mut made = Made::new(set.classes.len(), checked, true);
        let outcome = self.make_in_chunks(s, (set, checked), bytes, &mut made).and_then(|()| {
            let value = made.linked(&value).unwrap_or(value);
            self.fill_in_chunks(s, (set, checked), bytes, &made)?;
            loaded(set, checked, &made);
            Ok(value)
        });
        if outcome.is_err() {
            copy::cut_made(set, checked, &made);
        }
        outcome
    }

    fn make_in_chunks(
        &mut self,
        s: &Settings,
        (set, checked): (&ClassSet, &Checked),
        bytes: &Bytes<'_>,
        made: &mut Made,
    ) -> Result<(), Problem> {
        for (number, head) in checked.heads.iter().enumerate() {
            let rows = usize::try_from(head.rows).unwrap_or(0);
            let Some(objects) = made.rows.get_mut(number) else { continue };
            objects.reserve(rows);
            if matches!(set.class(head.class), Some(Bound::Object(_))) {
                for _ in 0..rows {
                    objects.push(made_of((set, head), objects.len(), None)?);
                }
                continue;
            }
            for chunk in of_class(bytes, number) {
                for key in self.rows(s, bytes, chunk).iter_shared() {
                    objects.push(made_of((set, head), objects.len(), Some(&key))?);
                }
            }
        }
        Ok(())
    }

    fn fill_in_chunks(
        &mut self,
        s: &Settings,
        (set, checked): (&ClassSet, &Checked),
        bytes: &Bytes<'_>,
        made: &Made,
    ) -> Result<(), Problem> {
        for (number, (head, objects)) in checked.heads.iter().zip(&made.rows).enumerate() {
            let Some(Bound::Object(of)) = set.class(head.class) else { continue };
            let columns = columns(head, of);
            let with = FillWith::new(set, (head, of), made, &columns);
            for chunk in of_class(bytes, number) {
                let first = usize::try_from(chunk.first).unwrap_or(usize::MAX);
                let rows = self.rows(s, bytes, chunk);
                for (row, (at, object)) in rows.iter_shared().zip(objects.iter().enumerate().skip(first)) {
                    fill_row(&with, at, object, &Cells::Row(row.try_to().unwrap_or_default()))?;
                }
            }
        }
        Ok(())
    }

    fn rows(&mut self, s: &Settings, bytes: &Bytes<'_>, chunk: &Chunk) -> VarArray {
        let (start, end) = (usize::try_from(chunk.start), usize::try_from(chunk.end));
        let rows = start.ok().zip(end.ok()).and_then(|(start, end)| bytes.document.get(start..end));
        let rows = rows.unwrap_or_default();
        let mut array = Vec::with_capacity(rows.len() + 8);
        array.extend_from_slice(&ARRAY);
        array.extend_from_slice(&chunk.count.to_le_bytes());
        array.extend_from_slice(rows);
        self.built(s, &array).try_to().unwrap_or_default()
    }

    /// Builds a value that was checked.
    fn built(&mut self, s: &Settings, bytes: &[u8]) -> Variant {
        let mut value = Variant::nil();
        if self.build_judged(s, bytes, JudgedBy::Walk, &mut value) {
            return value;
        }
        let rules = Rules { strictness: variant_core::Strictness::Engine, ..*s.rules() };
        let rules = Rules { limits: variant_core::Limits::engine(), ..rules };
        let built = Walker::new().decode(bytes, &rules, &mut ToVariant::new(false, true));
        built.map(|(value, _)| value).unwrap_or_default()
    }
}

fn of_class<'b>(bytes: &'b Bytes<'_>, number: usize) -> impl Iterator<Item = &'b Chunk> {
    bytes.chunks.iter().filter(move |chunk| usize::try_from(chunk.class) == Ok(number))
}

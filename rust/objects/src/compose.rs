//! Puts the parts of a value together as a document: objects in the order in which a writer meets them, breadth first.

use std::collections::VecDeque;

use variant_core::Fault;

use crate::begin::{begin_array, begin_class, begin_document};
use crate::engine::PlacePair;
use crate::reference::Reference;
use crate::table::Table;
use crate::translate::{ObjectPart, VERSION};

/// The bytes of an RID's number.
const NUMBER: usize = 8;

/// The parts of each class, in order, by number.
#[derive(Default)]
struct ClassOrder {
    /// Classes of the table, in the order in which they are met.
    classes: Vec<u32>,
    /// For each of these, its parts.
    rows: Vec<Vec<u32>>,
}

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
    for (class, rows) in order.classes.iter().zip(&order.rows) {
        let tag = table.class(*class).map_or("", |class| class.tag.as_str());
        let names = usize::try_from(*class).ok().and_then(|at| columns.get(at)?.as_deref());
        let names = names.unwrap_or_default();
        begin_class(&mut composer.bytes, tag, VERSION, names.iter().map(String::as_str), rows.len())?;
        for row in rows {
            let part = usize::try_from(*row).ok().and_then(|at| parts.get_mut(at)).map(std::mem::take);
            let part = part.unwrap_or_default();
            composer.marks.push(PlacePair { document: composer.at(), engine: part.at });
            begin_array(&mut composer.bytes, names.len())?;
            composer.part(&part);
        }
    }
    composer.part(&parts.first_mut().map(std::mem::take).unwrap_or_default());
    Ok((composer.bytes, composer.marks))
}

/// Gives every object its place, and writes that where the object stands.
fn number(parts: &mut [ObjectPart]) -> ClassOrder {
    let mut order = ClassOrder::default();
    let mut due = VecDeque::from([0_u32]);
    while let Some(number) = due.pop_front() {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        let references = parts.get_mut(at).map(|part| std::mem::take(&mut part.references));
        for (end, target) in references.unwrap_or_default() {
            let class = usize::try_from(target).ok().and_then(|at| parts.get(at)?.class);
            let reference = order.place(class.unwrap_or(u32::MAX), target);
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

impl ClassOrder {
    fn place(&mut self, class: u32, part: u32) -> Reference {
        let at = self.classes.iter().position(|it| *it == class).unwrap_or_else(|| {
            self.classes.push(class);
            self.rows.push(Vec::new());
            self.classes.len().saturating_sub(1)
        });
        let rows = self.rows.get_mut(at).map_or(0, |rows| {
            rows.push(part);
            rows.len().saturating_sub(1)
        });
        let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Reference { class: word(at), row: word(rows) }
    }
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

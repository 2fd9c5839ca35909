//! Says how RIDs stand for objects: in documents, and while values are checked.

use variant_core::Value;
use variant_schema::Schema;

use crate::FORM;

/// While a document is checked and built, an RID holds the number of the class in the table instead of the one in the
/// document, from here downwards. No engine gives such ids.
const FIRST_STAND_IN: u64 = u32::MAX as u64;

/// An object of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The number of the class, from 0: in the document, or in the table for what was checked.
    pub class: u32,
    /// The number of the row.
    pub row: u32,
}

impl Reference {
    /// Reads an RID of a document. RIDs below the first class's are no references.
    #[must_use]
    pub fn of_document(id: u64) -> Option<Reference> {
        let class = u32::try_from(id >> 32).ok()?.checked_sub(1)?;
        Some(Reference { class, row: low(id) })
    }

    /// Returns the RID of it in a document.
    #[must_use]
    pub fn in_document(self) -> u64 {
        (u64::from(self.class).wrapping_add(1) << 32) | u64::from(self.row)
    }

    /// Reads an RID of a value that was checked: its class is that of the table.
    #[must_use]
    pub fn of_checked(id: u64) -> Reference {
        Reference { class: low(FIRST_STAND_IN.wrapping_sub(id >> 32)), row: low(id) }
    }

    /// Returns the RID of it in a value that was checked.
    #[must_use]
    pub fn checked(self) -> u64 {
        stand_in(self.class) | u64::from(self.row)
    }
}

/// Returns the RID that a schema lists for objects of the class of this number in the table.
#[must_use]
pub fn stand_in(class: u32) -> u64 {
    FIRST_STAND_IN.wrapping_sub(u64::from(class)) << 32
}

/// Returns a number as an index; that of a number that no slice reaches is behind all.
pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn low(id: u64) -> u32 {
    u32::try_from(id & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}

/// The rows of each class, in the order in which a writer meets them.
#[derive(Debug)]
pub struct ObjectOrder<C, R> {
    /// The classes, each with its rows.
    pub classes: Vec<(C, Vec<R>)>,
}

impl<C, R> Default for ObjectOrder<C, R> {
    fn default() -> Self {
        ObjectOrder { classes: Vec::new() }
    }
}

impl<C: PartialEq, R> ObjectOrder<C, R> {
    /// Adds an object that is met, and returns its place in the document.
    pub fn add(&mut self, class: C, row: R) -> Reference {
        let at = self.classes.iter().position(|(known, _)| *known == class).unwrap_or(self.classes.len());
        if at == self.classes.len() {
            self.classes.push((class, Vec::new()));
        }
        let rows = self.classes.get_mut(at).map_or(0, |(_, rows)| {
            rows.push(row);
            rows.len().saturating_sub(1)
        });
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Reference { class: number(at), row: number(rows) }
    }
}

/// The schema of an object of the class with this tag. It says nothing by itself: a [`Table`](crate::Table) knows the tag.
#[must_use]
pub fn object(tag: &str) -> Schema {
    Schema::reference(&name(tag))
}

/// The schema of an object of any class that is allowed.
#[must_use]
pub fn any_object() -> Schema {
    Schema::reference(ANY)
}

/// The name of the definition that stands for objects of any class.
pub(crate) const ANY: &str = "object";

/// The name of the definition that stands for objects of a class.
pub(crate) fn name(tag: &str) -> String {
    format!("object {tag}")
}

/// Tells whether a value is of the form of a document, whatever its classes are.
#[must_use]
pub fn is_document(value: &Value) -> bool {
    match value {
        Value::Array(array) => {
            matches!(array.items.as_slice(), [Value::String(form), Value::Array(_), _] | [Value::String(form), Value::Array(_), _, Value::Dictionary(_)]
                if form == FORM)
        }
        _ => false,
    }
}

/// Tells whether bytes begin as those of a document do, of whatever version of the form.
#[must_use]
pub fn is_encoded_document(bytes: &[u8]) -> bool {
    let (family, _) = FORM.split_at(FORM.len().saturating_sub(1));
    match bytes {
        [28, 0, 0, 0, 3 | 4, 0, 0, 0, 4, 0, 0, 0, 17, 0, 0, 0, rest @ ..] => {
            rest.starts_with(family.as_bytes())
        }
        _ => false,
    }
}

//! Keeps the types of containers that were declared for objects of a class, such as an `Array[Item]` in a plain value. A document
//! tells them in its fourth element, by the numbers of containers. Values in memory have marks around such containers instead,
//! which stay with them whatever is moved, sorted or filled in: an Array of an RID, which is no reference, and the container.

use std::collections::BTreeMap;

use variant_core::token::{Container, ContainerType, Leaf};
use variant_core::{Dictionary, Error, Refusal, Rules, Sink, Value, Walker};

use crate::table::Table;

/// A container that was declared for objects of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TypedContainer {
    /// Its number among all Arrays and Dictionaries of the document, in the order in which they begin; the document is 0.
    pub(crate) number: u32,
    pub(crate) class: u32,
}

/// Returns the RID of a mark: it names a class of the table, and is no reference to an object.
#[must_use]
pub fn mark(class: u32) -> u64 {
    u64::from(class)
}

/// Returns the class of the table that the RID of a mark names; `None` for references to objects.
#[must_use]
pub fn class_of_mark(id: u64) -> Option<u32> {
    u32::try_from(id).ok()
}

/// The bytes of a mark: the head of an Array of two, and an RID.
const MARK: usize = 20;

impl Table {
    /// Takes the marks out of the bytes of a document, and tells in a fourth element which containers they were around.
    ///
    /// # Errors
    /// Bytes that are not valid.
    pub fn unmarked(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let mut finder = MarkFinder { bytes, ..MarkFinder::default() };
        Walker::new().visit(bytes, &Rules::engine(), &mut finder)?;
        let MarkFinder { marks, found, .. } = finder;
        let mut unmarked = Vec::with_capacity(bytes.len());
        let mut from = 0;
        for at in marks {
            unmarked.extend_from_slice(bytes.get(from..at).unwrap_or_default());
            from = at.saturating_add(MARK);
        }
        unmarked.extend_from_slice(bytes.get(from..).unwrap_or_default());
        if found.is_empty() {
            return Ok(unmarked);
        }
        if let Some(count) = unmarked.get_mut(4) {
            *count = 4;
        }
        let mut numbers: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
        for of in found {
            let tag = self.class(of.class).map_or("", |class| class.tag.as_str());
            numbers.entry(tag).or_default().push(i32::try_from(of.number).unwrap_or(i32::MAX));
        }
        let numbers = numbers.into_iter().map(|(tag, numbers)| (tag.to_owned(), numbers));
        unmarked.extend(containers(numbers).encode()?);
        Ok(unmarked)
    }
}

/// The fourth element of a document.
pub(crate) fn containers(numbers: impl Iterator<Item = (String, Vec<i32>)>) -> Value {
    let entries = numbers.map(|(tag, numbers)| (Value::String(tag), Value::PackedInt32Array(numbers)));
    Value::Dictionary(Box::new(Dictionary { entries: entries.collect(), ..Dictionary::default() }))
}

/// Finds the RIDs in an encoded value: the byte of each, and its number. Bytes that are not valid have none.
#[must_use]
pub fn rids_in(bytes: &[u8]) -> Vec<(usize, u64)> {
    let mut finder = MarkFinder { bytes, ..MarkFinder::default() };
    let walked = Walker::new().visit(bytes, &Rules::engine(), &mut finder);
    walked.map(|_| finder.rids).unwrap_or_default()
}

#[derive(Default)]
struct MarkFinder<'b> {
    bytes: &'b [u8],
    next: u32,
    /// The class of the mark around the next container.
    due: Option<u32>,
    marks: Vec<usize>,
    found: Vec<TypedContainer>,
    rids: Vec<(usize, u64)>,
}

/// The class of the mark that begins at this byte.
fn mark_at(bytes: &[u8], at: usize) -> Option<u32> {
    let mark = bytes.get(at..)?.first_chunk::<MARK>()?;
    let [28, 0, 0, 0, 2, 0, 0, 0, 23, 0, 0, 0, class @ .., 0, 0, 0, 0] = *mark else { return None };
    Some(u32::from_le_bytes(class))
}

impl Sink for MarkFinder<'_> {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        if let (Leaf::Rid(id), Ok(at)) = (leaf, usize::try_from(at)) {
            self.rids.push((at, id));
        }
        Ok(())
    }

    fn open(&mut self, at: u64, container: Container<'_>, _: usize) -> Result<(), Refusal> {
        if !matches!(container, Container::Array { .. } | Container::Dictionary { .. }) {
            return Ok(());
        }
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        match self.due.take() {
            Some(class) => self.found.push(TypedContainer { number: self.next, class }),
            None => {
                self.due = mark_at(self.bytes, at);
                if self.due.is_some() {
                    self.marks.push(at);
                    return Ok(());
                }
            }
        }
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Builds a mark around a container that is built.
pub(crate) fn around<B: Sink>(build: &mut B, class: u32, built: B::Output) -> Result<B::Output, Refusal> {
    let two = Container::Array { element: ContainerType::None, count: 2 };
    let mut around = build.open(0, two, 2)?;
    let mark = build.leaf(0, Leaf::Rid(mark(class)))?;
    build.item(&mut around, mark)?;
    build.item(&mut around, built)?;
    build.close(around)
}

//! Judges the values of a document: the second walk. It follows each reference, tells the schema engine which class it is
//! to, and passes everything on to a sink, which checks alone or builds too.

use variant_core::token::{Container, ContainerType, Leaf, Text};
use variant_core::{Cost, ErrorKind, Extent, Refusal, Sink, VariantType};

use crate::heads::{Head, Mistake};
use crate::place::{DocumentPart, DocumentPlace};
use crate::reference::{Reference, index};
use crate::table::{Class, Property, Table};
use crate::typed::TypedContainer;

/// The value of a document, where something of objects is told by their numbers.
pub(crate) const VALUE: u32 = u32::MAX;

/// A reference: who holds it, whom it is to, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) owner: u32,
    pub(crate) target: u32,
    pub(crate) at: u64,
    /// The levels from the one to the other: one, and those of the containers between them. 0: the property holds weakly.
    pub(crate) levels: u32,
}

/// The objects of a document by one number each: those of the first class first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Objects<'h> {
    pub(crate) table: &'h Table,
    pub(crate) checked: &'h CheckedDocument,
}

impl Objects<'_> {
    /// The number of this row of this class of the document, if there is such a row.
    pub(crate) fn number(&self, of: Reference) -> Option<u32> {
        let (head, first) = (self.head(of.class)?, self.checked.first.get(index(of.class))?);
        (of.row < head.rows).then(|| first.saturating_add(of.row))
    }

    pub(crate) fn place(&self, number: u32) -> Option<Reference> {
        let first = &self.checked.first;
        let class = first.partition_point(|first| *first <= number).checked_sub(1)?;
        let row = number.checked_sub(*first.get(class)?)?;
        Some(Reference { class: u32::try_from(class).ok()?, row })
    }

    /// The number in the document of a class of the table.
    pub(crate) fn head_of(&self, class: u32) -> Option<u32> {
        self.checked.heads.iter().position(|head| head.class == class).and_then(|at| u32::try_from(at).ok())
    }

    fn head(&self, class: u32) -> Option<&Head> {
        self.checked.heads.get(index(class))
    }
}

/// A document that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedDocument {
    /// Its classes, in its order.
    pub heads: Vec<Head>,
    /// By class, the number of its first object where all are counted.
    pub(crate) first: Vec<u32>,
    /// Containers that are declared for objects of a class, in order.
    pub(crate) typed: Vec<TypedContainer>,
    pub(crate) has_old_tags: bool,
    /// How much of the bytes it is.
    pub extent: Extent,
    /// Whether the schema of the value names checks that somebody else runs.
    pub has_checks: bool,
}

impl CheckedDocument {
    /// The number of objects in it.
    #[must_use]
    pub fn objects(&self) -> u32 {
        let last = self.heads.last().zip(self.first.last());
        last.map_or(0, |(head, first)| first.saturating_add(head.rows))
    }

    /// Whether containers in it are declared for objects of a class, which [`Table::build`] puts marks around.
    #[must_use]
    pub const fn has_typed_containers(&self) -> bool {
        !self.typed.is_empty()
    }

    pub(crate) fn numbered<'h>(&'h self, table: &'h Table) -> Objects<'h> {
        Objects { table, checked: self }
    }
}

/// Rows that are built together, once objects are there: few enough to stay near the processor.
const ROWS_AT_ONCE: u32 = 256;

/// Some rows of a class, and the bytes that they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The class, by its number in the document.
    pub class: u32,
    /// The first row.
    pub first: u32,
    /// How many rows there are.
    pub count: u32,
    /// Where they begin.
    pub start: u64,
    /// The byte behind them.
    pub end: u64,
}

/// The places of rows and of the value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunks {
    pub(crate) rows: Vec<Chunk>,
    pub(crate) value: Option<u64>,
}

impl Chunks {
    /// Notes the part that begins at this byte.
    pub(crate) fn note(&mut self, part: DocumentPart, at: u64) {
        match part {
            DocumentPart::Row(class, row) => match self.rows.last_mut() {
                Some(last) if last.class == class && row % ROWS_AT_ONCE != 0 => {
                    last.count = last.count.saturating_add(1);
                }
                last => {
                    if let Some(last) = last.filter(|last| last.end == 0) {
                        last.end = at;
                    }
                    self.rows.push(Chunk { class, first: row, count: 1, start: at, end: 0 });
                }
            },
            DocumentPart::Class(_) => self.end(at),
            DocumentPart::Value if self.value.is_none() => {
                self.end(at);
                self.value = Some(at);
            }
            _ => {}
        }
    }

    pub(crate) fn end(&mut self, at: u64) {
        if let Some(last) = self.rows.last_mut().filter(|last| last.end == 0) {
            last.end = at;
        }
    }
}

/// Puts a mark of a class around a container.
pub(crate) type Wrap<S> = fn(&mut S, u32, <S as Sink>::Output) -> Result<<S as Sink>::Output, Refusal>;

pub(crate) struct Judge<'a, S: Sink> {
    pub(crate) inner: S,
    objects: Objects<'a>,
    place: DocumentPlace,
    edges: &'a mut Vec<Edge>,
    /// Whether references are in the form of values that were checked, outside of a document.
    is_checked: bool,
    pub(crate) chunks: Chunks,
    /// The number of the next container.
    number: u32,
    /// How many of the containers that are declared for a class have begun.
    begun: usize,
    /// Those that are open: the depth of what is in them, and the class where they are built with a mark.
    typed: Vec<(usize, Option<u32>)>,
    /// Whether the value that was complete last is an object or null.
    is_object: bool,
    /// Whether one is told that its variable declares.
    pub(crate) is_redundant: bool,
    pub(crate) wrap: Wrap<S>,
    pub(crate) said: Option<Mistake>,
}

impl<'a, S: Sink> Judge<'a, S> {
    pub(crate) fn new(inner: S, objects: Objects<'a>, edges: &'a mut Vec<Edge>) -> Judge<'a, S> {
        edges.clear();
        Judge {
            inner,
            objects,
            place: DocumentPlace::START,
            edges,
            is_checked: false,
            chunks: Chunks::default(),
            number: 0,
            begun: 0,
            typed: Vec::new(),
            is_object: false,
            is_redundant: false,
            wrap: |_, _, built| Ok(built),
            said: None,
        }
    }

    /// For one value that was checked before, and is no document.
    pub(crate) fn of_checked(self) -> Judge<'a, S> {
        Judge { is_checked: true, ..self }
    }

    #[cold]
    fn refuse<T>(&mut self, kind: ErrorKind, expected: &str, got: &str) -> Result<T, Refusal> {
        self.said = Some(Mistake { expected: expected.to_owned(), got: got.to_owned() });
        Err(kind)
    }

    /// The reference as the schema engine is told of it: with the number of the class in the table, or null where that is no
    /// more.
    fn reference(&mut self, at: u64, id: u64) -> Result<Leaf<'static>, Refusal> {
        let found = if self.is_checked {
            let of = Reference::of_checked(id);
            self.objects.head_of(of.class).map(|class| Reference { class, row: of.row })
        } else {
            Reference::of_document(id)
        };
        let number = found.and_then(|of| Some((of, self.objects.number(of)?)));
        let Some((of, target)) = number else {
            let expected = "a reference to an object of the document";
            return self.refuse(ErrorKind::BadReference, expected, "one to nothing");
        };
        let part = if self.is_checked { DocumentPart::Value } else { self.place.part() };
        let owner = match part {
            DocumentPart::Value => VALUE,
            DocumentPart::Cell(class, row) | DocumentPart::Row(class, row) => {
                if self.objects.head(class).is_some_and(|head| head.version == 0) {
                    let got = "a reference to an object";
                    return self.refuse(
                        ErrorKind::BadReference,
                        "a plain value, which stands for an object",
                        got,
                    );
                }
                self.objects.number(Reference { class, row }).unwrap_or(VALUE)
            }
            _ => return Err(ErrorKind::NotADocument),
        };
        let levels = if self.is_weak(part) { 0 } else { self.place.levels() };
        self.edges.push(Edge { owner, target, at, levels });
        let class = self.objects.head(of.class).map_or(u32::MAX, |head| head.class);
        if self.objects.table.class(class).is_some_and(Class::is_forgotten) {
            return Ok(Leaf::Nil);
        }
        Ok(Leaf::Rid(Reference { class, row: of.row }.checked()))
    }

    /// Whether what comes next is a value of a property that holds objects weakly.
    fn is_weak(&self, part: DocumentPart) -> bool {
        let DocumentPart::Cell(class, _) = part else { return false };
        self.objects.head(class).and_then(|head| self.property(head)).is_some_and(|property| property.is_weak)
    }

    /// The property that the next token begins or is in.
    fn property(&self, head: &Head) -> Option<&'a Property> {
        let column = head.columns.get(self.place.column())?;
        let class = self.objects.table.class(head.class)?;
        class.properties().get(index(column.property?))
    }

    /// Looks whether a container that begins is one that is declared for objects of a class.
    fn begin(&mut self, element: &ContainerType<'_>) -> Result<(), Refusal> {
        let (number, part) = (self.number, self.place.part());
        self.number = number.saturating_add(1);
        let next = self.objects.checked.typed.get(self.begun).filter(|_| !self.is_checked);
        let Some(next) = next else { return Ok(()) };
        let is_last = part == DocumentPart::Containers;
        if next.number != number && !is_last {
            return Ok(());
        }
        let head = match part {
            DocumentPart::Cell(class, _) => self.objects.head(class).filter(|head| head.version > 0),
            _ => None,
        };
        if *element != ContainerType::None || is_last || (head.is_none() && part != DocumentPart::Value) {
            let expected = "the number of an untyped container in the value or in a property";
            return self.refuse(ErrorKind::BadReference, expected, "another number");
        }
        self.begun = self.begun.saturating_add(1);
        let is_declared = head.and_then(|head| self.property(head)).is_some_and(|property| property.is_typed);
        self.is_redundant |= is_declared && self.place.levels() == 1;
        let is_there = self.objects.table.class(next.class).is_some_and(|class| !class.is_forgotten());
        // Steps of older versions see containers as they stand in the bytes.
        let is_marked = is_there && !head.is_some_and(|head| head.migrates);
        self.typed.push((self.place.depth.saturating_add(1), is_marked.then_some(next.class)));
        Ok(())
    }

    /// Objects stand in untyped containers: what those are declared to hold is known from the class.
    fn elements(&mut self, element: &ContainerType<'_>) -> Result<(), Refusal> {
        match element {
            ContainerType::None => Ok(()),
            ContainerType::Builtin(VariantType::Rid) => self.refuse(
                ErrorKind::BadReference,
                "objects in an untyped container",
                "one declared for RIDs",
            ),
            ContainerType::Builtin(ty)
                if !matches!(ty, VariantType::Object | VariantType::Callable | VariantType::Signal) =>
            {
                Ok(())
            }
            ContainerType::Builtin(ty) => Err(ErrorKind::TypeNotAllowed { ty: *ty }),
            ContainerType::Class(_) | ContainerType::Script(_) => {
                Err(ErrorKind::TypeNotAllowed { ty: VariantType::Object })
            }
        }
    }
}

impl<S: Sink> Sink for Judge<'_, S> {
    type Output = S::Output;
    type Frame = S::Frame;

    /// Charges the objects of a class when its rows are there, which is before any is made.
    fn adds(&mut self) -> (u64, Cost) {
        let (at, cost) = self.inner.adds();
        let DocumentPart::Row(class, _) = self.place.part() else { return (at, cost) };
        let Some(head) = self.objects.head(class).filter(|_| !self.is_checked) else { return (at, cost) };
        let heap = u64::from(head.rows).saturating_mul(self.objects.table.object_heap(head.class));
        // An object is a value beside those of its row.
        (at, cost.and(Cost { values: u64::from(head.rows), heap }))
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<S::Output, Refusal> {
        self.chunks.note(self.place.part(), at);
        let leaf = match leaf {
            Leaf::Rid(id) => self.reference(at, id)?,
            leaf => leaf,
        };
        self.is_object = matches!(leaf, Leaf::Rid(_) | Leaf::Nil);
        self.place.advance();
        self.inner.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<S::Frame, Refusal> {
        match &container {
            Container::Array { element, .. } => {
                self.elements(element)?;
                self.begin(element)?;
            }
            Container::Dictionary { key, value, .. } => {
                self.elements(key)?;
                self.elements(value)?;
                self.begin(value)?;
            }
            _ => {}
        }
        self.chunks.note(self.place.part(), at);
        self.place.open();
        self.inner.open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut S::Frame, text: Text<'_>) -> Result<(), Refusal> {
        self.inner.text(frame, text)
    }

    fn key_hash(&self, key: &S::Output) -> Option<u32> {
        self.inner.key_hash(key)
    }

    fn key(&mut self, frame: &mut S::Frame, key: S::Output) -> Result<(), Refusal> {
        self.inner.key(frame, key)
    }

    fn item(&mut self, frame: &mut S::Frame, item: S::Output) -> Result<(), Refusal> {
        if !self.is_object && self.typed.last().is_some_and(|(depth, _)| *depth == self.place.depth) {
            return self.refuse(
                ErrorKind::WrongClass,
                "objects of the class that their container names",
                "another value",
            );
        }
        self.inner.item(frame, item)
    }

    fn close(&mut self, frame: S::Frame) -> Result<S::Output, Refusal> {
        let typed = self.typed.pop_if(|(depth, _)| *depth == self.place.depth);
        self.is_object = false;
        self.place.close();
        let built = self.inner.close(frame)?;
        match typed {
            Some((_, Some(class))) => (self.wrap)(&mut self.inner, class, built),
            _ => Ok(built),
        }
    }
}

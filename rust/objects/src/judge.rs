//! Judges the values of a document: the second walk. It follows each reference, tells the schema engine which class it is
//! to, and passes everything on to a sink, which checks alone or builds too.

use variant_core::token::{Container, ContainerType, Leaf, Text};
use variant_core::{Cost, ErrorKind, Refusal as Kind, Sink, VariantType};

use crate::heads::{Head, Mistake};
use crate::place::{Part, Place};
use crate::reference::Reference;
use crate::table::{Class, Table};

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
    pub(crate) heads: &'h [Head],
    /// By head, the number of its first object.
    pub(crate) first: &'h [u32],
}

impl Objects<'_> {
    /// The number of this row of this class of the document, if there is such a row.
    pub(crate) fn number(&self, of: Reference) -> Option<u32> {
        let at = usize::try_from(of.class).ok()?;
        let (head, first) = (self.heads.get(at)?, self.first.get(at)?);
        (of.row < head.rows).then(|| first.saturating_add(of.row))
    }

    /// The class and row of an object.
    pub(crate) fn place(&self, number: u32) -> Option<Reference> {
        let class = self.first.partition_point(|first| *first <= number).checked_sub(1)?;
        let row = number.checked_sub(*self.first.get(class)?)?;
        Some(Reference { class: u32::try_from(class).ok()?, row })
    }

    /// The number in the document of a class of the table.
    pub(crate) fn head_of(&self, class: u32) -> Option<u32> {
        self.heads.iter().position(|head| head.class == class).and_then(|at| u32::try_from(at).ok())
    }

    fn head(&self, class: u32) -> Option<&Head> {
        self.heads.get(usize::try_from(class).ok()?)
    }
}

/// Rows that are built together, once objects are there: few enough to stay near the processor.
pub(crate) const ROWS_AT_ONCE: u32 = 256;

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
    fn note(&mut self, part: Part, at: u64) {
        match part {
            Part::Row(class, row) => match self.rows.last_mut() {
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
            Part::Class(_) => self.end(at),
            Part::Value if self.value.is_none() => {
                self.end(at);
                self.value = Some(at);
            }
            _ => {}
        }
    }

    fn end(&mut self, at: u64) {
        if let Some(last) = self.rows.last_mut().filter(|last| last.end == 0) {
            last.end = at;
        }
    }
}

pub(crate) struct Judge<'a, S> {
    pub(crate) inner: S,
    objects: Objects<'a>,
    place: Place,
    edges: &'a mut Vec<Edge>,
    /// Whether references are in the form of values that were checked, outside of a document.
    is_checked: bool,
    pub(crate) chunks: Chunks,
    pub(crate) said: Option<Mistake>,
}

impl<'a, S> Judge<'a, S> {
    pub(crate) fn new(inner: S, objects: Objects<'a>, edges: &'a mut Vec<Edge>) -> Judge<'a, S> {
        edges.clear();
        Judge {
            inner,
            objects,
            place: Place::START,
            edges,
            is_checked: false,
            chunks: Chunks::default(),
            said: None,
        }
    }

    /// For one value that was checked before, and is no document.
    pub(crate) fn of_checked(self) -> Judge<'a, S> {
        Judge { is_checked: true, ..self }
    }

    #[cold]
    fn refuse<T>(&mut self, kind: ErrorKind, expected: &str, got: &str) -> Result<T, Kind> {
        self.said = Some(Mistake { expected: expected.to_owned(), got: got.to_owned() });
        Err(kind)
    }

    /// The reference as the schema engine is told of it: with the number of the class in the table, or null where that is no
    /// more.
    fn reference(&mut self, at: u64, id: u64) -> Result<Leaf<'static>, Kind> {
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
        let part = if self.is_checked { Part::Value } else { self.place.part() };
        let owner = match part {
            Part::Value => VALUE,
            Part::Cell(class, row) | Part::Row(class, row) => {
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
    fn is_weak(&self, part: Part) -> bool {
        let Part::Cell(class, _) = part else { return false };
        let Some(head) = self.objects.head(class) else { return false };
        let column = head.columns.get(self.place.column());
        let property = column.and_then(|column| usize::try_from(column.property?).ok());
        let properties = self.objects.table.class(head.class).map_or(&[][..], |class| class.properties());
        property.and_then(|at| properties.get(at)).is_some_and(|property| property.is_weak)
    }

    /// Objects stand in untyped containers: what those are declared to hold is known from the class.
    fn elements(&mut self, element: &ContainerType<'_>) -> Result<(), Kind> {
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
        let Part::Row(class, _) = self.place.part() else { return (at, cost) };
        let Some(head) = self.objects.head(class).filter(|_| !self.is_checked) else { return (at, cost) };
        let heap = u64::from(head.rows).saturating_mul(self.objects.table.object_heap(head.class));
        // An object is a value beside those of its row.
        (at, cost.and(Cost { values: u64::from(head.rows), heap }))
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<S::Output, Kind> {
        self.chunks.note(self.place.part(), at);
        let leaf = match leaf {
            Leaf::Rid(id) => self.reference(at, id)?,
            leaf => leaf,
        };
        self.place.advance();
        self.inner.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<S::Frame, Kind> {
        match &container {
            Container::Array { element, .. } => self.elements(element)?,
            Container::Dictionary { key, value, .. } => {
                self.elements(key)?;
                self.elements(value)?;
            }
            _ => {}
        }
        self.chunks.note(self.place.part(), at);
        self.place.open();
        self.inner.open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut S::Frame, text: Text<'_>) -> Result<(), Kind> {
        self.inner.text(frame, text)
    }

    fn key_hash(&self, key: &S::Output) -> Option<u32> {
        self.inner.key_hash(key)
    }

    fn key(&mut self, frame: &mut S::Frame, key: S::Output) -> Result<(), Kind> {
        self.inner.key(frame, key)
    }

    fn item(&mut self, frame: &mut S::Frame, item: S::Output) -> Result<(), Kind> {
        self.inner.item(frame, item)
    }

    fn close(&mut self, frame: S::Frame) -> Result<S::Output, Kind> {
        self.place.close();
        self.inner.close(frame)
    }
}

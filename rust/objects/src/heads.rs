//! Reads the heads of a document: its form, and of each class its tag, version, names and number of rows. This is the
//! first walk: all of the format and of the limits is checked in it, and no value of a row is looked at.

use std::sync::Arc;

use variant_core::token::{Container, ContainerType, Lanes, Leaf, Text};
use variant_core::{ErrorKind, QuotedText, Refusal, Sink, VariantType};

use crate::FORM;
use crate::place::{DocumentPart, DocumentPlace};
use crate::reference::index;
use crate::table::{Class, ClassKind, Column, Table};
use crate::typed::TypedContainer;

/// A class of a document, as its head says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its number in the table.
    pub class: u32,
    /// The version in which its rows were written.
    pub version: u32,
    /// The meaning of each value of a row.
    pub columns: Arc<[Column]>,
    /// How many rows there are.
    pub rows: u32,
    /// Whether the game's steps have to run on its rows before they are held to the properties.
    pub migrates: bool,
    /// Whether this is the head that a writer of today gives it.
    pub(crate) is_todays: bool,
}

/// Objects are numbered in 32 bits, of which the last number stands for none.
const MOST_OBJECTS: u64 = u32::MAX as u64 - 1;

/// The demand on what the fourth element has of a class.
const NUMBERS: &str = "a tag with the numbers of containers, ascending in a PackedInt32Array";

#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    pub(crate) expected: String,
    pub(crate) got: String,
}

pub(crate) struct Heads<'t> {
    table: &'t Table,
    most_objects: u64,
    place: DocumentPlace,
    pub(crate) heads: Vec<Head>,
    /// The class that is being read, and whether its tag is no alias.
    class: Option<(u32, bool)>,
    version: u32,
    /// How many names there are so far, as long as they are those that are written today, in their order.
    todays: usize,
    /// All names so far, once one is another.
    columns: Vec<Column>,
    objects: u64,
    /// Containers that are declared for objects of a class, in order once the walk is over.
    pub(crate) typed: Vec<TypedContainer>,
    /// Whether a tag of these is none that a writer of today gives.
    pub(crate) has_old_tags: bool,
    pub(crate) said: Option<Mistake>,
    /// Whether the format has to have more in it than what a `Skip` sees, such as the names of paths.
    in_names: bool,
}

impl<'t> Heads<'t> {
    pub(crate) const fn new(table: &'t Table, most_objects: u64) -> Heads<'t> {
        Heads {
            table,
            most_objects: if most_objects < MOST_OBJECTS { most_objects } else { MOST_OBJECTS },
            place: DocumentPlace::START,
            heads: Vec::new(),
            class: None,
            version: 0,
            todays: 0,
            columns: Vec::new(),
            objects: 0,
            typed: Vec::new(),
            has_old_tags: false,
            said: None,
            in_names: false,
        }
    }

    #[cold]
    fn refuse<T>(&mut self, kind: ErrorKind, expected: &str, got: impl Into<String>) -> Result<T, Refusal> {
        self.said = Some(Mistake { expected: expected.to_owned(), got: got.into() });
        Err(kind)
    }

    #[cold]
    fn no_document<T>(&mut self, expected: &str, got: impl Into<String>) -> Result<T, Refusal> {
        self.refuse(ErrorKind::NotADocument, expected, got)
    }

    fn class(&self) -> Option<&'t Class> {
        self.class.and_then(|(class, _)| self.table.class(class))
    }

    fn allowed(&mut self, tag: &str) -> Result<u32, Refusal> {
        let got = || format!("the class {}", QuotedText::whole(tag));
        match self.table.find(tag) {
            Some(class) => Ok(class),
            None => self.refuse(ErrorKind::ClassNotAllowed, "a class that is allowed", got()),
        }
    }

    pub(crate) fn tag(&mut self, tag: &str) -> Result<(), Refusal> {
        let class = self.allowed(tag)?;
        if self.heads.iter().any(|head| head.class == class) {
            let got = "one that is there already";
            return self.refuse(ErrorKind::DuplicateKey, "each class once", got);
        }
        let is_tag = self.table.class(class).is_some_and(|class| class.tag == tag);
        self.class = Some((class, is_tag));
        Ok(())
    }

    pub(crate) fn version(&mut self, version: i64) -> Result<(), Refusal> {
        let Some(class) = self.class() else { return Ok(()) };
        if class.is_forgotten() {
            let version = u32::try_from(version);
            self.version = version.or_else(|_| self.no_document("a version from 0 on", "a negative one"))?;
            return Ok(());
        }
        let (is_key, todays) = (matches!(class.kind, ClassKind::Key(_)), class.version());
        if is_key != (version == 0) || version < 0 {
            let expected =
                if is_key { "version 0: the class is written by keys" } else { "a version from 1 on" };
            return self.no_document(expected, format!("version {version}"));
        }
        match u32::try_from(version) {
            Ok(version) if version <= todays => {
                self.version = version;
                Ok(())
            }
            _ => {
                let expected =
                    format!("{} of version {todays} or an older one", QuotedText::whole(&class.tag));
                self.refuse(ErrorKind::ClassNewer, &expected, format!("version {version}"))
            }
        }
    }

    pub(crate) fn name(&mut self, name: &str) -> Result<(), Refusal> {
        let Some((number, class)) = self.class.map(|(number, _)| number).zip(self.class()) else {
            return Ok(());
        };
        if class.is_forgotten() {
            self.columns.push(Column { name: name.to_owned(), property: None });
            return Ok(());
        }
        let ClassKind::Properties { properties, forgotten, .. } = &class.kind else { return Ok(()) };
        let todays = class.todays(name);
        let is_next = properties.get(self.todays).is_some_and(|next| next.name == name) && todays == name;
        if self.columns.is_empty() && is_next {
            self.todays = self.todays.saturating_add(1);
            return Ok(());
        }
        let before = self
            .table
            .columns_of(number)
            .into_iter()
            .flat_map(|all| all.iter())
            .take(std::mem::take(&mut self.todays));
        self.columns.extend(before.cloned());
        let property = properties.iter().position(|property| property.name == todays);
        if property.is_none() && !forgotten.iter().any(|it| it == todays || it == name) {
            let expected = format!("a property of {}", QuotedText::whole(&class.tag));
            return self.refuse(ErrorKind::UnknownProperty, &expected, QuotedText::whole(name).to_string());
        }
        if self.columns.iter().any(|column| column.name == todays) {
            return self.refuse(ErrorKind::DuplicateKey, "each property once", "one that is there already");
        }
        let property = property.and_then(|at| u32::try_from(at).ok());
        self.columns.push(Column { name: todays.to_owned(), property });
        Ok(())
    }

    pub(crate) fn rows(&mut self, rows: u32) -> Result<(), Refusal> {
        let Some((number, is_tag)) = self.class.take() else { return Ok(()) };
        self.objects = self.objects.saturating_add(u64::from(rows));
        if self.objects > self.most_objects {
            return Err(ErrorKind::TooManyObjects { limit: self.most_objects });
        }
        let Some((class, all)) = self.table.class(number).zip(self.table.columns_of(number)) else {
            return Ok(());
        };
        let todays = std::mem::take(&mut self.todays);
        let columns: Arc<[Column]> = match std::mem::take(&mut self.columns) {
            none if none.is_empty() && todays == all.len() => Arc::clone(all),
            none if none.is_empty() => all.iter().take(todays).cloned().collect(),
            columns => columns.into(),
        };
        let is_todays =
            is_tag && !class.is_forgotten() && Arc::ptr_eq(&columns, all) && self.version == class.version();
        self.heads.push(Head {
            class: number,
            version: self.version,
            columns,
            rows,
            migrates: class.migrates_from(self.version),
            is_todays,
        });
        Ok(())
    }

    /// Reads the tag of a class that containers are declared for.
    fn tag_of_containers(&mut self, tag: &str) -> Result<(), Refusal> {
        let class = self.allowed(tag)?;
        self.has_old_tags |=
            self.table.class(class).is_some_and(|class| class.tag != tag || class.is_forgotten());
        self.class = Some((class, true));
        Ok(())
    }

    fn numbers(&mut self, numbers: &Lanes<'_>) -> Result<(), Refusal> {
        let Some((class, _)) = self.class.take() else { return Ok(()) };
        let mut last = None;
        for number in numbers.i32s() {
            let Some(number) = u32::try_from(number).ok().filter(|number| Some(*number) > last) else {
                return self.no_document(NUMBERS, "a number that is not above the one before");
            };
            last = Some(number);
            self.typed.push(TypedContainer { number, class });
        }
        if last.is_none() { self.no_document(NUMBERS, "none") } else { Ok(()) }
    }

    /// Looks at a container that the form itself asks for.
    fn form(&mut self, container: &Container<'_>) -> Result<(), Refusal> {
        let untyped = match container {
            Container::Array { element: ContainerType::None, count } => Some(*count),
            _ => None,
        };
        match (self.place.part(), untyped) {
            (DocumentPart::Cell(..) | DocumentPart::Value, _)
            | (DocumentPart::Root, Some(3 | 4))
            | (DocumentPart::Classes, Some(_))
            | (DocumentPart::Class(_), Some(4)) => Ok(()),
            (DocumentPart::Root, Some(count)) => {
                self.no_document(demand(DocumentPart::Root), format!("Array of {count}"))
            }
            (DocumentPart::Rows(_), Some(rows)) => self.rows(rows),
            (DocumentPart::Row(class, _), untyped) => self.row(class, untyped, container.ty()),
            (part, _) => match (part, container) {
                (DocumentPart::Names(_), Container::PackedStrings { count }) => self.names(*count),
                (
                    DocumentPart::Containers,
                    Container::Dictionary {
                        key: ContainerType::None,
                        value: ContainerType::None,
                        count: 1..,
                    },
                ) => Ok(()),
                // Of another type than Array, or typed.
                (DocumentPart::Root, _) => self.no_document("an untyped Array", container.ty().name()),
                _ => self.no_document(demand(part), container.ty().name()),
            },
        }
    }

    pub(crate) fn names(&mut self, count: u32) -> Result<(), Refusal> {
        if count > 0 && self.class().is_some_and(|class| matches!(class.kind, ClassKind::Key(_))) {
            return self.no_document("no names: the class is written by keys", format!("{count} names"));
        }
        self.in_names = true;
        Ok(())
    }

    /// Looks at one row, which is an Array of as many values as there are names, or one value.
    fn row(&mut self, class: u32, untyped: Option<u32>, ty: VariantType) -> Result<(), Refusal> {
        let head = self.heads.get(index(class));
        let Some((wanted, is_key)) = head.map(|head| (head.columns.len(), head.version == 0)) else {
            return Ok(());
        };
        match untyped {
            _ if is_key => Ok(()),
            Some(count) if usize::try_from(count) == Ok(wanted) => Ok(()),
            Some(count) => self.no_document(&format!("a row of {wanted} values"), format!("one of {count}")),
            None => self.no_document("a row, an untyped Array", ty.name()),
        }
    }
}

/// The content that each part of the form has to have.
const fn demand(part: DocumentPart) -> &'static str {
    match part {
        DocumentPart::Root => "an Array of 3 or 4 elements",
        DocumentPart::Form => "the text \"variant_objects/1\"",
        DocumentPart::Classes => "an untyped Array of classes",
        DocumentPart::Class(_) => "an untyped Array of 4 elements",
        DocumentPart::Tag(_) => "the class's tag, a String",
        DocumentPart::Version(_) => "the class's version, an int",
        DocumentPart::Names(_) => "names in a PackedStringArray",
        DocumentPart::Rows(_) => "rows in an untyped Array",
        DocumentPart::Containers => "an untyped Dictionary with tags",
        DocumentPart::Numbers(_) => NUMBERS,
        _ => "nothing more",
    }
}

impl Sink for Heads<'_> {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        match (self.place.part(), &leaf) {
            (DocumentPart::Cell(..) | DocumentPart::Value, _) => {}
            (DocumentPart::Form, Leaf::Text(VariantType::String, text)) if text.as_str() == FORM => {}
            (DocumentPart::Form, Leaf::Text(VariantType::String, text))
                if text.as_str().starts_with("variant_objects/") =>
            {
                return self.no_document("the form variant_objects/1", "another version of it");
            }
            (DocumentPart::Tag(_), Leaf::Text(VariantType::String, text)) => self.tag(text.as_str())?,
            (DocumentPart::Version(_), Leaf::Int(version)) => self.version(*version)?,
            (DocumentPart::Row(class, _), leaf) => self.row(class, None, leaf.ty())?,
            (DocumentPart::Numbers(at), Leaf::Text(VariantType::String, text)) if at % 2 == 0 => {
                self.tag_of_containers(text.as_str())?;
            }
            (DocumentPart::Numbers(at), Leaf::Packed(VariantType::PackedInt32Array, numbers))
                if at % 2 == 1 =>
            {
                self.numbers(numbers)?;
            }
            (part, leaf) => return self.no_document(demand(part), leaf.ty().name()),
        }
        self.place.advance();
        Ok(())
    }

    fn open(&mut self, _: u64, container: Container<'_>, _: usize) -> Result<(), Refusal> {
        self.form(&container)?;
        self.place.open();
        Ok(())
    }

    fn text(&mut self, (): &mut (), text: Text<'_>) -> Result<(), Refusal> {
        if self.in_names { self.name(text.as_str()) } else { Ok(()) }
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        self.in_names = false;
        if let DocumentPart::Numbers(_) = self.place.part() {
            self.typed.sort_unstable();
            if self.typed.windows(2).any(|two| matches!(two, [a, b] if a.number == b.number)) {
                return self.refuse(
                    ErrorKind::DuplicateKey,
                    "each container once",
                    "one that is there already",
                );
            }
        }
        self.place.close();
        Ok(())
    }
}

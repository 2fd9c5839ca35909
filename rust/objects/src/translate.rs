//! Rewrites objects that the engine wrote, one inside the other, as the parts of a document. Nothing is looked up: a
//! class and a path are compared with what the table's classes are called.

use variant_core::cursor::length;
use variant_core::token::{Container, ContainerType, Leaf, Text, TextForm};
use variant_core::{Encoder, ErrorKind, Fault, Limits, QuotedText, Refusal, Sink, VariantType};

use crate::engine::{EngineClass, PlacePair, compose};
use crate::heads::Mistake;
use crate::reference::index;
use crate::table::{Class, ClassKind, Table};

/// The property that names an object's class.
const SCRIPT: &str = "script";

/// The version of every class in such bytes: the one from before there were any.
pub(crate) const VERSION: u32 = 1;

/// The value or one object of it, while it is read.
#[derive(Debug, Default)]
pub(crate) struct ObjectPart {
    /// The byte at which it begins.
    pub(crate) at: u64,
    /// Its class in the table, as soon as its script is known.
    pub(crate) class: Option<u32>,
    /// The engine's class, by the number of the first class of the table that has the same.
    base: usize,
    /// The names of its properties, until it is complete.
    names: Vec<String>,
    next: Next,
    /// The values of its properties as the document has them.
    pub(crate) bytes: Vec<u8>,
    /// Where in these an object stands, and which part that is.
    pub(crate) references: Vec<(usize, u32)>,
    pub(crate) marks: Vec<PlacePair>,
}

/// The meaning of the value that comes next in an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Next {
    /// A value of a property, or a part of it.
    #[default]
    Value,
    Script,
    /// A value that no object of the game's takes.
    Dropped,
}

/// The places in the engine's bytes of what becomes a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    Keep,
    Drop,
}

pub(crate) struct Translator<'t> {
    table: &'t Table,
    names: &'t [EngineClass],
    most_objects: u64,
    /// Names that no class has more of.
    most_names: usize,
    marks: Marks,
    /// The value first, then objects in the order in which they begin.
    pub(crate) parts: Vec<ObjectPart>,
    open: Vec<u32>,
    /// By class of the table, the names of the properties that its objects have.
    pub(crate) columns: Vec<Option<Vec<String>>>,
    pub(crate) said: Option<Mistake>,
    /// The byte at fault, where that is not the one that is read.
    pub(crate) fault_at: Option<u64>,
}

pub(crate) enum Frame {
    Object,
    Other(TextForm),
}

impl<'t> Translator<'t> {
    pub(crate) fn new(
        table: &'t Table,
        names: &'t [EngineClass],
        most_objects: u64,
        marks: Marks,
    ) -> Translator<'t> {
        Translator {
            table,
            names,
            most_objects: most_objects.min(u64::from(u32::MAX >> 1)),
            most_names: most_names(table, names),
            marks,
            parts: vec![ObjectPart::default()],
            open: vec![0],
            columns: vec![None; table.classes().len()],
            said: None,
            fault_at: None,
        }
    }

    pub(crate) fn document(self) -> Result<(Vec<u8>, Vec<PlacePair>), Refusal> {
        compose(self.table, self.parts, &self.columns).map_err(|fault| fault.kind)
    }

    #[cold]
    fn refuse<T>(&mut self, kind: ErrorKind, expected: &str, got: impl Into<String>) -> Result<T, Refusal> {
        self.said = Some(Mistake { expected: expected.to_owned(), got: got.into() });
        Err(kind)
    }

    #[cold]
    fn not_allowed<T>(&mut self, what: &str, name: &str) -> Result<T, Refusal> {
        let got = format!("{what} {}", QuotedText::whole(name));
        self.refuse(ErrorKind::ClassNotAllowed, "a class that is allowed", got)
    }

    #[cold]
    fn script_in_data<T>(&mut self, got: &str) -> Result<T, Refusal> {
        self.refuse(ErrorKind::ScriptInData, "no script but those of allowed classes, by their paths", got)
    }

    fn part(&mut self) -> Result<&mut ObjectPart, Refusal> {
        let open = self.open.last().and_then(|at| self.parts.get_mut(index(*at)));
        open.ok_or(ErrorKind::Refused)
    }

    fn write(
        &mut self,
        at: u64,
        write: impl FnOnce(&mut Encoder<'_>) -> Result<(), Fault>,
    ) -> Result<(), Refusal> {
        let marks = self.marks;
        let part = self.part()?;
        if marks == Marks::Keep {
            part.marks.push(PlacePair { document: length(&part.bytes), engine: at });
        }
        write(&mut Encoder::new(&mut part.bytes, &Limits::engine())).map_err(|fault| fault.kind)
    }

    /// Compares the script of the open object, and finds its class.
    fn script(&mut self, leaf: &Leaf<'_>) -> Result<(), Refusal> {
        let path = match leaf {
            Leaf::Text(VariantType::String, text) => text.as_str(),
            Leaf::Nil | Leaf::ObjectId(0) => return Ok(()),
            other => return self.script_in_data(other.ty().name()),
        };
        if !is_of_game(path) {
            return self.script_in_data("a path that is no script's of the game");
        }
        let base = self.part()?.base;
        let base = self.names.get(base).map(|names| names.base.as_str());
        let mut named = self.names.iter().enumerate().filter(|(_, it)| it.paths.iter().any(|it| it == path));
        let found = named.find(|(_, it)| Some(it.base.as_str()) == base).map(|(at, _)| at);
        let Some(class) = found.and_then(|at| u32::try_from(at).ok()) else {
            return self.not_allowed("the script", path);
        };
        let part = self.part()?;
        part.class = Some(class);
        for name in part.names.clone() {
            self.check_name(class, &name)?;
        }
        Ok(())
    }

    fn check_name(&mut self, class: u32, name: &str) -> Result<(), Refusal> {
        let Some(of) = self.table.class(class) else { return Ok(()) };
        let ClassKind::Properties { properties, forgotten, .. } = &of.kind else { return Ok(()) };
        let todays = of.todays(name);
        let is_known = properties.iter().any(|it| it.name == todays)
            || forgotten.iter().any(|it| it == todays || it == name)
            || self.names.get(index(class)).is_some_and(|names| names.old_names.iter().any(|it| it == name));
        if is_known {
            return Ok(());
        }
        let expected = format!("a property of {}", QuotedText::whole(&of.tag));
        self.refuse(ErrorKind::UnknownProperty, &expected, QuotedText::whole(name).to_string())
    }

    /// Takes the name of the open object's next property.
    fn property(&mut self, name: &str) -> Result<(), Refusal> {
        let part = self.part()?;
        part.next = match name {
            SCRIPT => Next::Script,
            "resource_local_to_scene" | "resource_name" => Next::Dropped,
            name if name.starts_with("metadata/") => Next::Dropped,
            _ => Next::Value,
        };
        let (is_twice, class, next) = (part.names.iter().any(|it| it == name), part.class, part.next);
        let names = part.names.len();
        match next {
            Next::Dropped => Ok(()),
            Next::Script if class.is_some() => self.twice(),
            Next::Script => Ok(()),
            Next::Value if is_twice => self.twice(),
            Next::Value if names >= self.most_names => self.refuse(
                ErrorKind::UnknownProperty,
                "properties of a class that is allowed",
                "more of them",
            ),
            Next::Value => {
                self.part()?.names.push(name.to_owned());
                class.map_or(Ok(()), |class| self.check_name(class, name))
            }
        }
    }

    #[cold]
    fn twice(&mut self) -> Result<(), Refusal> {
        self.refuse(ErrorKind::DuplicateKey, "each property once", "one that is there already")
    }

    fn begin(&mut self, at: u64, class: &str) -> Result<Frame, Refusal> {
        let next = self.part()?.next;
        if next == Next::Script || is_script(class) {
            return self.script_in_data("a script");
        }
        let base = self.names.iter().position(|it| it.base == class && !it.paths.is_empty());
        let (Some(base), Next::Value) = (base, next) else {
            return self.not_allowed("the class", class);
        };
        if u64::try_from(self.parts.len()).unwrap_or(u64::MAX) > self.most_objects {
            return Err(ErrorKind::TooManyObjects { limit: self.most_objects });
        }
        let number = u32::try_from(self.parts.len()).map_err(|_| ErrorKind::Refused)?;
        // Its place in the document is known when all objects are.
        self.write(at, |encoder| encoder.leaf(&Leaf::Rid(0)))?;
        let part = self.part()?;
        part.references.push((part.bytes.len(), number));
        self.parts.push(ObjectPart { at, base, ..ObjectPart::default() });
        self.open.push(number);
        Ok(Frame::Object)
    }

    fn end(&mut self) -> Result<(), Refusal> {
        let part = self.part()?;
        let (at, class, names) = (part.at, part.class, std::mem::take(&mut part.names));
        self.fault_at = Some(at);
        let Some(class) = class else {
            return self.refuse(
                ErrorKind::ClassNotAllowed,
                "a class that is allowed",
                "an object without a script",
            );
        };
        let columns = self.columns.get_mut(index(class));
        let known = columns.ok_or(ErrorKind::Refused)?.get_or_insert_with(|| names.clone());
        if *known != names {
            let expected = "the properties that the first object of the class has";
            return self.refuse(ErrorKind::UnknownProperty, expected, "others, or another order");
        }
        self.fault_at = None;
        self.open.pop();
        Ok(())
    }

    /// Objects stand in untyped containers: their class is compared, and then known from where they stand.
    fn element<'e>(&mut self, element: ContainerType<'e>) -> Result<ContainerType<'e>, Refusal> {
        match element {
            ContainerType::Class(name) => {
                let name = name.as_str();
                let is_known = matches!(name, "Object" | "RefCounted" | "Resource")
                    || self.names.iter().any(|it| it.base == name);
                if is_known { Ok(ContainerType::None) } else { self.not_allowed("the class", name) }
            }
            ContainerType::Script(path) => {
                let path = path.as_str();
                if !is_of_game(path) {
                    return self.script_in_data("a path that is no script's of the game");
                }
                let is_known = self.names.iter().any(|it| it.paths.iter().any(|it| it == path));
                if is_known { Ok(ContainerType::None) } else { self.not_allowed("the script", path) }
            }
            ContainerType::Builtin(VariantType::Object) => Ok(ContainerType::None),
            other => Ok(other),
        }
    }
}

/// Whether a class of the engine's is one of scripts, whose source would be compiled.
fn is_script(class: &str) -> bool {
    class.ends_with("Script") || class == "ScriptExtension"
}

/// Whether a script of the game can have this path.
fn is_of_game(path: &str) -> bool {
    path.starts_with("res://") && !path.contains("..")
}

fn most_names(table: &Table, names: &[EngineClass]) -> usize {
    let old = names.iter().map(|it| it.old_names.len()).max().unwrap_or(0);
    table.classes().iter().map(names_of).max().unwrap_or(0).saturating_add(old)
}

/// How many names the properties of a class have or had.
fn names_of(class: &Class) -> usize {
    match &class.kind {
        ClassKind::Properties { properties, renames, forgotten, .. } => {
            properties.len().saturating_add(renames.len()).saturating_add(forgotten.len())
        }
        ClassKind::Key(_) | ClassKind::Forgotten => 0,
    }
}

impl Sink for Translator<'_> {
    type Output = ();
    type Frame = Frame;

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        if matches!(leaf, Leaf::ObjectId(id) if id != 0) {
            return Err(ErrorKind::TypeNotAllowed { ty: VariantType::Object });
        }
        match self.part()?.next {
            Next::Script => self.script(&leaf),
            Next::Dropped => Ok(()),
            Next::Value => self.write(at, |encoder| encoder.leaf(&leaf)),
        }
    }

    fn open(&mut self, at: u64, container: Container<'_>, _: usize) -> Result<Frame, Refusal> {
        let container = match container {
            Container::Object { class, .. } => return self.begin(at, class.as_str()),
            Container::Array { element, count } => {
                Container::Array { element: self.element(element)?, count }
            }
            Container::Dictionary { key, value, count } => {
                let (key, value) = (self.element(key)?, self.element(value)?);
                Container::Dictionary { key, value, count }
            }
            other => other,
        };
        let part = self.part()?;
        match part.next {
            Next::Script => self.script_in_data(container.ty().name()),
            Next::Dropped => Ok(Frame::Other(TextForm::Plain)),
            Next::Value => {
                self.write(at, |encoder| encoder.open(&container))?;
                Ok(Frame::Other(match container {
                    Container::PackedStrings { .. } => TextForm::Terminated,
                    Container::NodePath { .. } => TextForm::PathName,
                    _ => TextForm::Plain,
                }))
            }
        }
    }

    fn text(&mut self, frame: &mut Frame, text: Text<'_>) -> Result<(), Refusal> {
        match frame {
            Frame::Object => self.property(text.as_str()),
            Frame::Other(form) => {
                let part = self.part()?;
                if part.next == Next::Dropped {
                    return Ok(());
                }
                let mut encoder = Encoder::new(&mut part.bytes, &Limits::engine());
                encoder.text(*form, text.as_str()).map_err(|fault| fault.kind)
            }
        }
    }

    fn close(&mut self, frame: Frame) -> Result<(), Refusal> {
        match frame {
            Frame::Object => self.end(),
            Frame::Other(_) => Ok(()),
        }
    }
}

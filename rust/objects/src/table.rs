//! Defines the allow-list of classes: their tags, versions, properties, and what they were called before.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use variant_core::{Mistake, Mistakes, QuotedText, Value, VariantType};
use variant_schema::{EntryPoint, Presence, Program, Schema, Shape, markdown_cell};

use crate::reference::{ANY, any_object, index, name, object, stand_in};
use crate::{OBJECT_HEAP, SLOT_HEAP};

/// More classes than any game has; an RID has room for their numbers.
const MOST_CLASSES: usize = 1 << 16;

/// A class whose objects are allowed.
#[derive(Clone, Debug)]
pub struct Class {
    /// The name that documents give it.
    pub tag: String,
    /// Names that it had before.
    pub aliases: Vec<String>,
    /// The content of its rows.
    pub kind: ClassKind,
}

/// The content of a class's rows.
#[derive(Clone, Debug)]
pub enum ClassKind {
    /// The values of properties.
    Properties {
        /// The version of the class that is written; rows of older ones are read.
        version: u32,
        /// Properties in the order in which they are written.
        properties: Vec<Property>,
        /// Old names of properties, and what they are called now.
        renames: Vec<(String, String)>,
        /// Names of properties that are no more. They may not be used again.
        forgotten: Vec<String>,
        /// Versions from which a step of the game's leads to the next one.
        steps: Vec<u32>,
    },
    /// A plain value, which stands for the object: the key of an asset, or what the game makes of it.
    Key(Schema),
    /// Nothing any more: rows are read as they are and dropped, and references to them are null.
    Forgotten,
}

/// A property of a class.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// The schema of its value.
    pub schema: Schema,
    /// Whether it holds objects weakly: they are freed as if it were not there.
    pub is_weak: bool,
    /// Whether its variable declares a container of objects: a document need not tell that.
    pub is_typed: bool,
}

impl Property {
    /// Makes a property of this name, whose value the schema accepts.
    #[must_use]
    pub fn new(name: &str, schema: Schema) -> Property {
        Property { name: name.to_owned(), schema, is_weak: false, is_typed: false }
    }
}

impl Class {
    /// Makes version 1 of a class with these properties.
    #[must_use]
    pub fn new(tag: &str, properties: impl IntoIterator<Item = Property>) -> Class {
        let kind = ClassKind::Properties {
            version: 1,
            properties: properties.into_iter().collect(),
            renames: Vec::new(),
            forgotten: Vec::new(),
            steps: Vec::new(),
        };
        Class { tag: tag.to_owned(), aliases: Vec::new(), kind }
    }

    /// Makes a class of which one plain value is written instead of properties.
    #[must_use]
    pub fn by_key(tag: &str, schema: Schema) -> Class {
        Class { tag: tag.to_owned(), aliases: Vec::new(), kind: ClassKind::Key(schema) }
    }

    /// Makes a class that is no more.
    #[must_use]
    pub fn forgotten(tag: &str) -> Class {
        Class { tag: tag.to_owned(), aliases: Vec::new(), kind: ClassKind::Forgotten }
    }

    /// Whether it is no more.
    #[must_use]
    pub const fn is_forgotten(&self) -> bool {
        matches!(self.kind, ClassKind::Forgotten)
    }

    /// Its properties; none of a class that is written by a key.
    #[must_use]
    pub fn properties(&self) -> &[Property] {
        if let ClassKind::Properties { properties, .. } = &self.kind { properties } else { &[] }
    }

    /// The version that is written; 0 of a class that is written by a key.
    #[must_use]
    pub const fn version(&self) -> u32 {
        if let ClassKind::Properties { version, .. } = &self.kind { *version } else { 0 }
    }

    /// The name that a property of this name has today.
    pub(crate) fn todays<'n>(&'n self, name: &'n str) -> &'n str {
        let ClassKind::Properties { renames, .. } = &self.kind else { return name };
        todays(renames, name)
    }

    /// Whether rows of this version take steps before they are held to the properties.
    pub(crate) fn migrates_from(&self, from: u32) -> bool {
        matches!(&self.kind, ClassKind::Properties { steps, .. } if steps.iter().any(|step| *step >= from))
    }
}

/// Follows renames, which may have followed one another; those in a circle lead to an old name.
fn todays<'n>(renames: &'n [(String, String)], name: &'n str) -> &'n str {
    let mut name = name;
    for _ in renames {
        match renames.iter().find(|(old, _)| old == name) {
            Some((_, new)) => name = new,
            None => break,
        }
    }
    name
}

/// The meaning of one value of each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name of the property, as it is called today.
    pub name: String,
    /// The number of the property; none where it was forgotten.
    pub property: Option<u32>,
}

/// The program of a row or of a value, and its part that is followed where it lies as today's writer lays it.
#[derive(Debug)]
pub(crate) struct RowProgram {
    pub(crate) program: Program,
    pub(crate) entry: EntryPoint,
}

impl RowProgram {
    pub(crate) fn of(table: &Table, schema: &Schema) -> Option<RowProgram> {
        let program = table.defined(schema).compile().ok()?;
        let entry = program.entry_point(&[])?;
        Some(RowProgram { program, entry })
    }
}

/// An allow-list without contradictions.
#[derive(Debug)]
pub struct Table {
    pub(crate) classes: Vec<Class>,
    by_tag: HashMap<String, usize>,
    /// A number of this table alone, for as long as the process lives.
    pub(crate) number: u64,
    /// By class, its properties as heads of today's have them.
    columns: Vec<Arc<[Column]>>,
    /// By class, the memory that an object takes, where that was measured.
    heaps: Vec<u64>,
    /// By class, what its rows of today are followed by.
    pub(crate) rows: Vec<OnceLock<Option<RowProgram>>>,
}

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

impl Table {
    /// Makes an allow-list of these classes.
    ///
    /// # Errors
    /// All contradictions: a tag twice, a name that was forgotten, properties whose schemas are ill-formed or refer to
    /// classes that are not there. Paths are those of classes and properties: `hero.hp`.
    pub fn new(classes: Vec<Class>) -> Result<Table, Mistakes> {
        if classes.len() > MOST_CLASSES {
            return Err(Mistake::new("classes", format!("more than {MOST_CLASSES} classes")).into());
        }
        let (mut by_tag, mut mistakes) = (HashMap::new(), None);
        for (at, class) in classes.iter().enumerate() {
            for tag in std::iter::once(&class.tag).chain(&class.aliases) {
                if tag.is_empty() {
                    Mistakes::add(&mut mistakes, Mistake::new("classes", "a tag is empty"));
                }
                if by_tag.insert(tag.clone(), at).is_some() {
                    Mistakes::add(&mut mistakes, Mistake::new(tag, "the tag is there already"));
                }
            }
        }
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
        let rows = classes.iter().map(|_| OnceLock::new()).collect();
        let columns = |class: &Class| {
            let columns = class.properties().iter().zip(0..);
            columns.map(|(it, at)| Column { name: it.name.clone(), property: Some(at) }).collect()
        };
        let columns = classes.iter().map(columns).collect();
        let table = Table { classes, by_tag, number, columns, heaps: Vec::new(), rows };
        table.classes.iter().for_each(|class| table.check_class(class, &mut mistakes));
        Mistakes::unless(mistakes, Ok(table))
    }

    /// The properties of a class as a head of today's has them.
    pub(crate) fn columns_of(&self, class: u32) -> Option<&Arc<[Column]>> {
        self.columns.get(index(class))
    }

    /// Charges objects of each class, in order, with as much memory as one was seen to take beside its row. 0: it is not known.
    #[must_use]
    pub fn charging(mut self, heaps: Vec<u64>) -> Table {
        self.heaps = heaps;
        self
    }

    /// The memory that an object of this class is charged with, beside its row.
    pub(crate) fn object_heap(&self, class: u32) -> u64 {
        let slots = self.class(class).map_or(0, |class| class.properties().len());
        let slots = u64::try_from(slots).unwrap_or(u64::MAX).saturating_mul(SLOT_HEAP);
        let measured = self.heaps.get(index(class)).copied();
        measured.filter(|heap| *heap > 0).unwrap_or(OBJECT_HEAP.saturating_add(slots))
    }

    /// The classes, in the order in which they were given.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The class of this number.
    #[must_use]
    pub fn class(&self, number: u32) -> Option<&Class> {
        self.classes.get(index(number))
    }

    /// The number of the class with this tag or alias.
    #[must_use]
    pub fn find(&self, tag: &str) -> Option<u32> {
        self.by_tag.get(tag).and_then(|at| u32::try_from(*at).ok())
    }

    /// A number that differs where anything differs that two ends of a connection have to agree on.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let classes = self.classes.iter().filter(|class| !class.is_forgotten()).map(|class| {
            let of_class = match &class.kind {
                ClassKind::Forgotten => Schema::any(),
                ClassKind::Key(schema) => Schema::tuple([schema.clone()]),
                ClassKind::Properties { properties, .. } => {
                    Schema::dict(properties.iter().map(|it| (&it.name, settled(&it.schema))))
                }
            };
            let version = Schema::literal(Value::Int(i64::from(class.version())));
            (&class.tag, Schema::tuple([version, of_class]))
        });
        Schema::dict(classes).hash()
    }

    /// The schema with all that it refers to of the classes of the table: others cost as much for nothing.
    #[must_use]
    pub fn defined(&self, schema: &Schema) -> Schema {
        let mut names = BTreeSet::new();
        names_in(schema, &mut names);
        let mut defined = schema.clone();
        for known in names {
            if known == ANY {
                defined = defined.define(ANY, Schema::of_type(VariantType::Rid));
            } else if let Some(class) = known.strip_prefix(&name("")).and_then(|tag| self.find(tag)) {
                defined = defined.define(&known, Schema::literal(Value::Rid(stand_in(class))));
            }
        }
        defined
    }

    /// The classes as a Markdown document: tags, versions, properties and what they accept.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        for class in &self.classes {
            let (of_class, version) = match &class.kind {
                ClassKind::Forgotten => continue,
                ClassKind::Key(schema) => (schema.clone(), "by key".to_owned()),
                ClassKind::Properties { properties, version, .. } => {
                    let keys = properties.iter().map(|it| (&it.name, settled(&it.schema)));
                    (Schema::dict(keys), format!("version {version}"))
                }
            };
            text.push_str(&format!(
                "## {} ({version})\n\n{}\n",
                markdown_cell(&class.tag),
                of_class.to_markdown()
            ));
        }
        text
    }

    fn check_class(&self, class: &Class, mistakes: &mut Option<Mistakes>) {
        let mut wrong = |path: &str, message: &str| Mistakes::add(mistakes, Mistake::new(path, message));
        let (version, properties, renames, forgotten) = match &class.kind {
            ClassKind::Forgotten => return,
            ClassKind::Key(schema) if refers_to_objects(schema) => {
                return wrong(&class.tag, "the value that stands for an object cannot hold objects");
            }
            ClassKind::Key(schema) => return self.check_schema(&class.tag, schema, mistakes),
            ClassKind::Properties { version, properties, renames, forgotten, .. } => {
                (version, properties, renames, forgotten)
            }
        };
        if *version == 0 {
            wrong(&class.tag, "versions begin with 1");
        }
        let mut names: HashMap<&str, &str> = HashMap::new();
        let current = properties.iter().map(|it| (it.name.as_str(), "a property"));
        let renamed = renames.iter().map(|(old, _)| (old.as_str(), "an old name of a property"));
        let dropped = forgotten.iter().map(|name| (name.as_str(), "a forgotten name"));
        for (name, what) in current.chain(renamed).chain(dropped) {
            if let Some(before) = names.insert(name, what) {
                let message = format!("the name is {before} already, and cannot be {what} too");
                wrong(&format!("{}.{name}", class.tag), &message);
            }
        }
        for (old, new) in renames {
            let todays = todays(renames, new);
            if !matches!(names.get(todays), Some(&"a property" | &"a forgotten name")) {
                let message = format!("is renamed to {}, which is no property", QuotedText::whole(new));
                wrong(&format!("{}.{old}", class.tag), &message);
            }
        }
        for it in properties {
            self.check_schema(&format!("{}.{}", class.tag, it.name), &it.schema, mistakes);
        }
    }

    fn check_schema(&self, path: &str, schema: &Schema, mistakes: &mut Option<Mistakes>) {
        match self.defined(&settled(schema)).compile() {
            Ok(program) if program.has_checks() => {
                let message = "check_with() is not run on properties: check in the loaded method";
                Mistakes::add(mistakes, Mistake::new(path, message));
            }
            Ok(_) => {}
            Err(of_schema) => Mistakes::add(mistakes, of_schema.within(path)),
        }
    }
}

/// The schema as a value that has to be there: what is missing of an object keeps what its class gave it.
pub(crate) fn settled(schema: &Schema) -> Schema {
    if *schema.presence() == Presence::Required { schema.settled() } else { schema.required().settled() }
}

/// Adds the names of the definitions that a schema refers to, in its own definitions too.
fn names_in(schema: &Schema, names: &mut BTreeSet<String>) {
    schema.definitions().iter().for_each(|(_, schema)| names_in(schema, names));
    if let Shape::Ref(name) = schema.shape() {
        names.insert(name.clone());
    }
    schema.shape().parts().into_iter().for_each(|part| names_in(part, names));
}

/// Whether a schema says itself that objects are somewhere in its value; `any()` does not, nor do definitions that no part refers to.
/// It finds definitions as a [`Scope`](variant_schema::Scope) does, but with a list of what is due: a chain of references costs no
/// stack.
fn refers_to_objects(schema: &Schema) -> bool {
    let (mut due, mut seen) = (vec![(schema, Vec::new())], BTreeSet::new());
    while let Some((part, mut around)) = due.pop() {
        if !part.definitions().is_empty() {
            around.push(part);
        }
        if let Shape::Ref(of) = part.shape() {
            if of == ANY || of.starts_with(&name("")) {
                return true;
            }
            while let Some(scope) = around.last() {
                if let Some(found) = scope.definitions().get(of) {
                    let place: Vec<_> = around.iter().chain([&found]).map(|it| it.address()).collect();
                    due.extend(seen.insert(place).then(|| (found, around.clone())));
                    break;
                }
                around.pop();
            }
        }
        due.extend(part.shape().parts().into_iter().map(|it| (it, around.clone())));
    }
    false
}

impl Table {
    /// The schema of a variable that is declared to hold objects of the class of this tag: an object of it, or null.
    #[must_use]
    pub fn variable(tag: Option<&str>) -> Schema {
        tag.map_or_else(any_object, object).nullable()
    }
}

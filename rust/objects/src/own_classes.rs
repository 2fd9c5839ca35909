//! Makes an allow-list of the classes that a document itself tells, for tools that know no game: with it, a check finds
//! whatever every reader refuses. A schema beside the document can say how properties have to be.

use std::collections::{BTreeSet, HashSet};

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Mistakes, Refusal, Rules, Sink, VariantType, Walker};
use variant_schema::{Schema, Scope, Shape};

use crate::check::rules_of;
use crate::place::{DocumentPart, DocumentPlace};
use crate::reference::{ANY, name};
use crate::table::{Class, ClassKind, Property, Table};

impl Table {
    /// Makes the allow-list of the classes, versions and names that a document tells, with any values. Entries that
    /// are no classes are left out; a check refuses them then.
    ///
    /// # Errors
    /// More classes than an allow-list may have.
    pub fn of_document(bytes: &[u8], rules: &Rules) -> Result<Table, Mistakes> {
        Table::of_document_by(bytes, rules, &Schema::any())
    }

    /// Makes the allow-list of the classes that a document tells, with properties as the schema of its value defines them:
    /// the definition `class hero` is a dict of the properties of the class `hero`, or the value that stands for it. A class
    /// without such a definition has any values.
    ///
    /// # Errors
    /// More classes than an allow-list may have, or definitions that contradict themselves.
    pub fn of_document_by(bytes: &[u8], rules: &Rules, schema: &Schema) -> Result<Table, Mistakes> {
        let mut told = ClassCollector {
            place: DocumentPlace::START,
            classes: Vec::new(),
            others: Vec::new(),
            in_names: false,
        };
        // A check says what is refused.
        let _ = Walker::new().visit(bytes, &rules_of(rules), &mut told);
        let mut classes: Vec<Class> = Vec::new();
        let mut tags = HashSet::new();
        for OwnClass { tag, version, names } in told.classes {
            if tag.is_empty() || !tags.insert(tag.clone()) {
                continue;
            }
            let defined = of_class(schema, &tag);
            if version == 0 {
                classes.push(Class::by_key(&tag, defined.unwrap_or_else(Schema::any)));
                continue;
            }
            let mut class = Class::new(&tag, properties(defined.as_ref(), names));
            if let ClassKind::Properties { version: own, .. } = &mut class.kind {
                *own = version;
            }
            classes.push(class);
        }
        // The schema may refer to classes that the document does not have, and containers may be declared for them.
        let others: BTreeSet<String> = named(schema).into_iter().chain(told.others).collect();
        let others = others.into_iter().filter(|tag| !tag.is_empty() && !tags.contains(tag));
        classes.extend(others.map(|tag| Class::new(&tag, [])));
        Table::new(classes)
    }
}

/// Returns a schema whose references to objects are to values of this type, so that it compiles without a table of classes: for
/// values that are no documents, and to find mistakes in it.
#[must_use]
pub fn with_objects_as(schema: &Schema, ty: VariantType) -> Schema {
    let tags = named(schema).into_iter().map(|tag| name(&tag));
    let names = tags.chain([ANY.to_owned()]);
    names.fold(schema.clone(), |schema, name| schema.define(&name, Schema::of_type(ty)))
}

/// The beginning of the names of definitions that say what the properties of a class are.
const CLASS: &str = "class ";

/// The definition of a class, with all others, which it may refer to.
fn of_class(schema: &Schema, tag: &str) -> Option<Schema> {
    let of_class = schema.definitions().get(&format!("{CLASS}{tag}"))?;
    Some(Scope::root(schema).whole(of_class))
}

/// The properties of a class whose rows have these names. Those that its definition does not have are refused, unless it is
/// open.
fn properties(defined: Option<&Schema>, names: Vec<String>) -> Vec<Property> {
    let mut seen = HashSet::new();
    let names = names.into_iter().filter(|name| seen.insert(name.clone()));
    let Some((defined, Shape::Dict { keys, open })) = defined.map(|it| (it, it.shape())) else {
        return names.map(|name| Property::new(&name, Schema::any())).collect();
    };
    let scope = Scope::root(defined);
    let of_name = |name: String| match keys.iter().find(|(key, _)| *key == name) {
        Some((_, property)) => Some(Property::new(&name, scope.whole(property))),
        None => open.then(|| Property::new(&name, Schema::any())),
    };
    names.filter_map(of_name).collect()
}

/// The tags of classes that a schema refers to or defines.
fn named(schema: &Schema) -> BTreeSet<String> {
    let mut tags = BTreeSet::new();
    let mut due = vec![schema];
    while let Some(schema) = due.pop() {
        for (name, definition) in schema.definitions().iter() {
            tags.extend(name.strip_prefix(CLASS).map(str::to_owned));
            due.push(definition);
        }
        if let Shape::Ref(name) = schema.shape() {
            tags.extend(name.strip_prefix("object ").map(str::to_owned));
        }
        due.extend(schema.shape().parts());
    }
    tags
}

#[derive(Default)]
struct OwnClass {
    tag: String,
    version: u32,
    names: Vec<String>,
}

struct ClassCollector {
    place: DocumentPlace,
    classes: Vec<OwnClass>,
    /// Tags that containers are declared for.
    others: Vec<String>,
    in_names: bool,
}

impl Sink for ClassCollector {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        match (self.place.part(), leaf) {
            (DocumentPart::Tag(_), Leaf::Text(VariantType::String, text)) => {
                self.classes.push(OwnClass { tag: text.as_str().to_owned(), ..OwnClass::default() });
            }
            (DocumentPart::Numbers(at), Leaf::Text(VariantType::String, text)) if at % 2 == 0 => {
                self.others.push(text.as_str().to_owned());
            }
            (DocumentPart::Version(_), Leaf::Int(version)) => {
                if let Some(class) = self.classes.last_mut() {
                    class.version = u32::try_from(version.max(0)).unwrap_or(u32::MAX);
                }
            }
            _ => {}
        }
        self.place.advance();
        Ok(())
    }

    fn open(&mut self, _: u64, container: Container<'_>, _: usize) -> Result<(), Refusal> {
        let are_names = matches!(container, Container::PackedStrings { .. });
        self.in_names = are_names && matches!(self.place.part(), DocumentPart::Names(_));
        self.place.open();
        Ok(())
    }

    fn text(&mut self, (): &mut (), text: Text<'_>) -> Result<(), Refusal> {
        if let (true, Some(class)) = (self.in_names, self.classes.last_mut()) {
            class.names.push(text.as_str().to_owned());
        }
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        self.in_names = false;
        self.place.close();
        Ok(())
    }
}
